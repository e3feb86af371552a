/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams: queues of tasks, each with a thread that runs them in order and is
 * started by the first. cpu_lock guards all queues, events and captures, and
 * cpu_done is signalled when a task is done.
 */
#ifndef GPU_CPU_STREAM_H
#define GPU_CPU_STREAM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/cpu/grid.h"

struct cpu_event {
	uint64_t recorded, done; /* numbers of records */
	uint64_t ns;		 /* when the last one was done */
	unsigned int users;	 /* the handle, and tasks */
	uint64_t capture; /* the number of the one it was recorded in, or 0 */
};

struct cpu_task {
	struct cpu_task *next;
	void (*run)(const struct cpu_task *task, struct cpu_runner *runner);
	struct cpu_event *event; /* of record and wait */
	uint64_t number;	 /* its record */
	void *dst;
	const void *src;
	int byte;
	size_t bytes; /* of dst, or of args */
	struct cpu_launch launch;
	_Alignas(64) char args[];
};

struct cpu_tasks {
	struct cpu_task *head, *tail;
};

struct cpu_stream {
	pthread_cond_t work;
	pthread_t thread;
	bool started, stop;
	struct cpu_tasks tasks;
	uint64_t put, done;	   /* numbers of tasks */
	struct cpu_graph *capture; /* tasks go there */
	struct cpu_stream *joined; /* the next one in the same capture */
};

extern pthread_mutex_t cpu_lock;
extern pthread_cond_t cpu_done;
extern struct cpu_stream cpu_stream_default;

/* NULL is the default stream. */
struct cpu_stream *cpu_stream_of(void *stream);

/* A task with room for args; NULL, with an error line, without memory. */
struct cpu_task *cpu_task_create(size_t args_bytes);
struct cpu_task *cpu_task_clone(const struct cpu_task *task);
void cpu_task_destroy(struct cpu_task *task); /* locked */
void cpu_tasks_put(struct cpu_tasks *tasks, struct cpu_task *task);

/* Takes the task, to the stream or its capture. 0 or a negative errno. */
int cpu_stream_put(struct cpu_stream *stream, struct cpu_task *task);
int cpu_stream_put_locked(struct cpu_stream *stream, struct cpu_task *task);

/* Waits until all is done and ends the thread. */
void cpu_stream_close(struct cpu_stream *stream);

/* Locked. The stream goes on in the capture that has this number, if any. */
bool cpu_capture_join(struct cpu_stream *stream, uint64_t number);
uint64_t cpu_capture_number(const struct cpu_stream *stream);
void cpu_capture_put(struct cpu_graph *graph, struct cpu_task *task);

#endif
