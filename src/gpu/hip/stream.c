/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/hip/hip.h"

#include <errno.h>

int hip_stream_create(shmemg_stream *stream)
{
	const int was = hip_enter();
	hipStream_t made;
	int rc;

	rc = hip_check(hipStreamCreateWithFlags(&made, hipStreamNonBlocking),
		       "no stream can be made");
	hip_leave(was);
	if (!rc)
		*stream = made;
	return rc;
}

int hip_stream_destroy(shmemg_stream stream)
{
	return hip_check(hipStreamDestroy(stream),
			 "stream %p can't be destroyed", stream);
}

int hip_stream_sync(shmemg_stream stream)
{
	const int was = hip_enter();
	const hipError_t err = hipStreamSynchronize(stream);

	hip_leave(was);
	return hip_check(err, "what is on stream %p failed", stream);
}

int hip_stream_query(shmemg_stream stream)
{
	const int was = hip_enter();
	const hipError_t err = hipStreamQuery(stream);

	hip_leave(was);
	if (err == hipErrorNotReady)
		return -EAGAIN;
	return hip_check(err, "what is on stream %p failed", stream);
}

int hip_streams_sync(void)
{
	const int was = hip_enter();
	const hipError_t err = hipDeviceSynchronize();

	hip_leave(was);
	return hip_check(err, "what is on the streams failed");
}

int hip_stream_wait(shmemg_stream stream, shmemg_event event)
{
	const int was = hip_enter();
	const hipError_t err = hipStreamWaitEvent(stream, event, 0);

	hip_leave(was);
	return hip_check(err, "stream %p can't wait for event %p", stream,
			 event);
}

int hip_event_create(shmemg_event *event)
{
	const int was = hip_enter();
	hipEvent_t made;
	int rc;

	rc = hip_check(hipEventCreate(&made), "no event can be made");
	hip_leave(was);
	if (!rc)
		*event = made;
	return rc;
}

int hip_event_destroy(shmemg_event event)
{
	return hip_check(hipEventDestroy(event), "event %p can't be destroyed",
			 event);
}

int hip_event_record(shmemg_event event, shmemg_stream stream)
{
	const int was = hip_enter();
	const hipError_t err = hipEventRecord(event, stream);

	hip_leave(was);
	return hip_check(err, "event %p can't be put on stream %p", event,
			 stream);
}

int hip_event_sync(shmemg_event event)
{
	return hip_check(hipEventSynchronize(event),
			 "what event %p waits for failed", event);
}

int hip_event_ns(shmemg_event from, shmemg_event to, uint64_t *ns)
{
	float ms = 0;
	int rc;

	rc = hip_event_sync(to);
	if (!rc)
		rc = hip_check(hipEventElapsedTime(&ms, from, to),
			       "no time between events %p and %p", from, to);
	*ns = (uint64_t)((double)ms * 1e6);
	return rc;
}
