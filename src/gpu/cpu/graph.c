/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A graph is a list of tasks: the order of the calls that were captured keeps
 * the order of every stream and every event in it.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "gpu/cpu/rows.h"
#include "gpu/cpu/stream.h"

struct cpu_graph {
	struct cpu_tasks tasks;
	struct cpu_stream *streams; /* while it is captured */
	uint64_t number;
	struct cpu_graph *next; /* of those that are captured now */
};

static struct cpu_graph *captures;
static uint64_t n_captures;

uint64_t cpu_capture_number(const struct cpu_stream *stream)
{
	return stream->capture ? stream->capture->number : 0;
}

void cpu_capture_put(struct cpu_graph *graph, struct cpu_task *task)
{
	cpu_tasks_put(&graph->tasks, task);
}

static void capture_add(struct cpu_graph *graph, struct cpu_stream *stream)
{
	stream->capture = graph;
	stream->joined = graph->streams;
	graph->streams = stream;
}

bool cpu_capture_join(struct cpu_stream *stream, uint64_t number)
{
	struct cpu_graph *graph = captures;

	while (graph && graph->number != number)
		graph = graph->next;
	if (!graph)
		return false;
	if (!stream->capture)
		capture_add(graph, stream);
	return stream->capture == graph;
}

int cpu_capture_begin(void *stream)
{
	struct cpu_stream *s = cpu_stream_of(stream);
	struct cpu_graph *graph = calloc(1, sizeof(*graph));
	int rc = 0;

	if (!graph) {
		shmemi_log_error("no memory for a graph");
		return -ENOMEM;
	}
	pthread_mutex_lock(&cpu_lock);
	if (s->capture) {
		rc = -EINVAL;
	} else {
		graph->number = ++n_captures;
		graph->next = captures;
		captures = graph;
		capture_add(graph, s);
	}
	pthread_mutex_unlock(&cpu_lock);
	if (rc) {
		shmemi_log_error("a stream is being captured already");
		free(graph);
	}
	return rc;
}

static void capture_finish(struct cpu_graph *graph)
{
	struct cpu_graph **place = &captures;

	while (*place != graph)
		place = &(*place)->next;
	*place = graph->next;
	for (; graph->streams; graph->streams = graph->streams->joined)
		graph->streams->capture = NULL;
}

int cpu_capture_end(void *stream, void **graph)
{
	struct cpu_stream *s = cpu_stream_of(stream);

	pthread_mutex_lock(&cpu_lock);
	*graph = s->capture;
	if (s->capture)
		capture_finish(s->capture);
	pthread_mutex_unlock(&cpu_lock);
	if (*graph)
		return 0;
	shmemi_log_error("a stream that is not being captured was to end its "
			 "capture");
	return -EINVAL;
}

int cpu_graph_launch(void *graph, void *stream)
{
	const struct cpu_graph *g = graph;
	struct cpu_stream *s = cpu_stream_of(stream);
	int rc = 0;

	if (!g) {
		shmemi_log_error("a graph to be launched is NULL");
		return -EINVAL;
	}
	pthread_mutex_lock(&cpu_lock);
	for (const struct cpu_task *t = g->tasks.head; t && !rc; t = t->next) {
		struct cpu_task *clone = cpu_task_clone(t);

		rc = clone ? cpu_stream_put_locked(s, clone) : -ENOMEM;
	}
	pthread_mutex_unlock(&cpu_lock);
	return rc;
}

int cpu_graph_destroy(void *graph)
{
	struct cpu_graph *g = graph;
	struct cpu_task *task, *next;

	if (!g) {
		shmemi_log_error("a graph to be destroyed is NULL");
		return -EINVAL;
	}
	pthread_mutex_lock(&cpu_lock);
	for (task = g->tasks.head; task; task = next) {
		next = task->next;
		cpu_task_destroy(task);
	}
	pthread_mutex_unlock(&cpu_lock);
	free(g);
	return 0;
}
