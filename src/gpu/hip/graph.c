/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/hip/hip.h"

/* Relaxed: other threads and the library's own calls are nobody's capture. */
int hip_capture_begin(shmemg_stream stream)
{
	const int was = hip_enter();
	const hipError_t err =
		hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed);

	hip_leave(was);
	return hip_check(err, "stream %p can't be captured", stream);
}

int hip_capture_end(shmemg_stream stream, shmemg_graph *graph)
{
	const int was = hip_enter();
	hipGraphExec_t exec = NULL;
	hipGraph_t captured = NULL;
	int rc;

	rc = hip_check(hipStreamEndCapture(stream, &captured),
		       "the capture of stream %p failed", stream);
	if (!rc) {
		rc = hip_check(hipGraphInstantiate(&exec, captured, NULL, NULL,
						   0),
			       "no graph can be made of stream %p", stream);
		(void)hipGraphDestroy(captured);
	}
	hip_leave(was);
	*graph = exec;
	return rc;
}

int hip_graph_launch(shmemg_graph graph, shmemg_stream stream)
{
	const int was = hip_enter();
	const hipError_t err = hipGraphLaunch(graph, stream);

	hip_leave(was);
	return hip_check(err, "graph %p can't be put on stream %p", graph,
			 stream);
}

int hip_graph_destroy(shmemg_graph graph)
{
	return hip_check(hipGraphExecDestroy(graph),
			 "graph %p can't be destroyed", graph);
}
