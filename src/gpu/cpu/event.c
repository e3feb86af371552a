/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>

#include <shmem/device/arch.h>

#include "base/log.h"
#include "gpu/cpu/rows.h"
#include "gpu/cpu/stream.h"

int cpu_event_create(void **event)
{
	struct cpu_event *e = calloc(1, sizeof(*e));

	if (!e) {
		shmemi_log_error("no memory for an event");
		return -ENOMEM;
	}
	e->users = 1;
	*event = e;
	return 0;
}

int cpu_event_destroy(void *event)
{
	struct cpu_event *e = event;

	pthread_mutex_lock(&cpu_lock);
	if (!--e->users)
		free(e);
	pthread_mutex_unlock(&cpu_lock);
	return 0;
}

/* Whose record is the event's last one now. Locked. */
static struct cpu_task *event_task(struct cpu_event *event)
{
	struct cpu_task *task = cpu_task_create(0);

	if (!task)
		return NULL;
	task->event = event;
	task->number = event->recorded;
	event->users++;
	return task;
}

static void record_run(const struct cpu_task *task, struct cpu_runner *runner)
{
	struct cpu_event *event = task->event;

	(void)runner;
	pthread_mutex_lock(&cpu_lock);
	if (event->done < task->number) {
		event->done = task->number;
		event->ns = shmemd_clock();
	}
	pthread_mutex_unlock(&cpu_lock);
}

static int record_put(struct cpu_event *event, struct cpu_stream *stream)
{
	struct cpu_task *task;

	event->capture = cpu_capture_number(stream);
	if (event->capture)
		return 0;
	task = event_task(event);
	if (!task)
		return -ENOMEM;
	task->run = record_run;
	task->number = ++event->recorded;
	return cpu_stream_put_locked(stream, task);
}

int cpu_event_record(void *event, void *stream)
{
	int rc;

	pthread_mutex_lock(&cpu_lock);
	rc = record_put(event, cpu_stream_of(stream));
	pthread_mutex_unlock(&cpu_lock);
	return rc;
}

static void event_wait(const struct cpu_event *event, uint64_t number)
{
	while (event->done < number)
		pthread_cond_wait(&cpu_done, &cpu_lock);
}

static void wait_run(const struct cpu_task *task, struct cpu_runner *runner)
{
	(void)runner;
	pthread_mutex_lock(&cpu_lock);
	event_wait(task->event, task->number);
	pthread_mutex_unlock(&cpu_lock);
}

static int wait_put(struct cpu_stream *stream, struct cpu_event *event)
{
	struct cpu_task *task;

	if (event->capture && cpu_capture_join(stream, event->capture))
		return 0;
	if (event->capture || stream->capture) {
		shmemi_log_error("a stream can't wait for an event that was "
				 "recorded in another capture, or in none");
		return -EINVAL;
	}
	task = event_task(event);
	if (!task)
		return -ENOMEM;
	task->run = wait_run;
	return cpu_stream_put_locked(stream, task);
}

int cpu_stream_wait(void *stream, void *event)
{
	int rc;

	pthread_mutex_lock(&cpu_lock);
	rc = wait_put(cpu_stream_of(stream), event);
	pthread_mutex_unlock(&cpu_lock);
	return rc;
}

int cpu_event_sync(void *event)
{
	struct cpu_event *e = event;
	int rc = 0;

	pthread_mutex_lock(&cpu_lock);
	if (e->capture) {
		shmemi_log_error("an event that was recorded in a capture "
				 "can't be waited for");
		rc = -EINVAL;
	} else {
		event_wait(e, e->recorded);
	}
	pthread_mutex_unlock(&cpu_lock);
	return rc;
}

int cpu_event_ns(void *from, void *to, uint64_t *ns)
{
	const struct cpu_event *a = from, *b = to;
	int rc = 0;

	pthread_mutex_lock(&cpu_lock);
	if (!a->ns || !b->ns || a->done < a->recorded ||
	    b->done < b->recorded) {
		shmemi_log_error("the time between two events is known once "
				 "both were recorded and reached");
		rc = -EINVAL;
	} else {
		*ns = b->ns > a->ns ? b->ns - a->ns : 0;
	}
	pthread_mutex_unlock(&cpu_lock);
	return rc;
}
