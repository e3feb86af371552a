/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/cpu/stream.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "gpu/cpu/rows.h"

pthread_mutex_t cpu_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cpu_done = PTHREAD_COND_INITIALIZER;
struct cpu_stream cpu_stream_default = { .work = PTHREAD_COND_INITIALIZER };

static uint64_t n_pending; /* tasks on all streams */

struct cpu_stream *cpu_stream_of(void *stream)
{
	return stream ? stream : &cpu_stream_default;
}

void cpu_tasks_put(struct cpu_tasks *tasks, struct cpu_task *task)
{
	task->next = NULL;
	if (tasks->head)
		tasks->tail->next = task;
	else
		tasks->head = task;
	tasks->tail = task;
}

static struct cpu_task *stream_next(struct cpu_stream *stream)
{
	struct cpu_task *task;

	while (!stream->tasks.head && !stream->stop)
		pthread_cond_wait(&stream->work, &cpu_lock);
	task = stream->tasks.head;
	if (task)
		stream->tasks.head = task->next;
	return task;
}

static void *stream_main(void *arg)
{
	struct cpu_runner *runner = cpu_runner_create();
	struct cpu_stream *stream = arg;
	struct cpu_task *task;

	if (!runner)
		shmemi_fatal("no memory for the thread of a stream");
	pthread_mutex_lock(&cpu_lock);
	while ((task = stream_next(stream))) {
		pthread_mutex_unlock(&cpu_lock);
		task->run(task, runner);
		pthread_mutex_lock(&cpu_lock);
		cpu_task_destroy(task);
		if (!stream->tasks.head)
			cpu_runner_rest(runner);
		stream->done++;
		n_pending--;
		pthread_cond_broadcast(&cpu_done);
	}
	pthread_mutex_unlock(&cpu_lock);
	cpu_runner_destroy(runner);
	return NULL;
}

/* Signals are for the program's threads, but for what kernels do wrong. */
static int stream_start(struct cpu_stream *stream)
{
	static const int own[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP };
	sigset_t all, old;
	int rc;

	sigfillset(&all);
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		sigdelset(&all, own[i]);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&stream->thread, NULL, stream_main, stream);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc)
		shmemi_log_error("can't start the thread of a stream: %s",
				 strerror(rc));
	stream->started = !rc;
	return -rc;
}

int cpu_stream_put_locked(struct cpu_stream *stream, struct cpu_task *task)
{
	if (stream->capture) {
		cpu_capture_put(stream->capture, task);
		return 0;
	}
	if (!stream->started) {
		int rc = stream_start(stream);

		if (rc) {
			cpu_task_destroy(task);
			return rc;
		}
	}
	stream->put++;
	n_pending++;
	cpu_tasks_put(&stream->tasks, task);
	pthread_cond_signal(&stream->work);
	return 0;
}

int cpu_stream_put(struct cpu_stream *stream, struct cpu_task *task)
{
	int rc;

	pthread_mutex_lock(&cpu_lock);
	rc = cpu_stream_put_locked(stream, task);
	pthread_mutex_unlock(&cpu_lock);
	return rc;
}

void cpu_stream_close(struct cpu_stream *stream)
{
	pthread_mutex_lock(&cpu_lock);
	stream->stop = true;
	pthread_cond_signal(&stream->work);
	pthread_mutex_unlock(&cpu_lock);
	if (stream->started)
		pthread_join(stream->thread, NULL);
	stream->started = false;
	stream->stop = false;
}

int cpu_stream_create(void **stream)
{
	struct cpu_stream *s = calloc(1, sizeof(*s));

	if (!s) {
		shmemi_log_error("no memory for a stream");
		return -ENOMEM;
	}
	pthread_cond_init(&s->work, NULL);
	*stream = s;
	return 0;
}

/* Logs and refuses what can't be done in a capture. Locked. */
static int stream_check(const struct cpu_stream *stream, const char *what)
{
	if (!stream->capture)
		return 0;
	shmemi_log_error("a stream that is being captured can't be %s", what);
	return -EINVAL;
}

int cpu_stream_destroy(void *stream)
{
	struct cpu_stream *s = stream;
	int rc;

	if (!s) {
		shmemi_log_error("the default stream can't be destroyed");
		return -EINVAL;
	}
	pthread_mutex_lock(&cpu_lock);
	rc = stream_check(s, "destroyed");
	pthread_mutex_unlock(&cpu_lock);
	if (rc)
		return rc;
	cpu_stream_close(s);
	pthread_cond_destroy(&s->work);
	free(s);
	return 0;
}

int cpu_stream_sync(void *stream)
{
	struct cpu_stream *s = cpu_stream_of(stream);
	uint64_t put;
	int rc;

	pthread_mutex_lock(&cpu_lock);
	put = s->put;
	rc = stream_check(s, "waited for");
	while (!rc && s->done < put)
		pthread_cond_wait(&cpu_done, &cpu_lock);
	pthread_mutex_unlock(&cpu_lock);
	return rc;
}

int cpu_streams_sync(void)
{
	pthread_mutex_lock(&cpu_lock);
	while (n_pending)
		pthread_cond_wait(&cpu_done, &cpu_lock);
	pthread_mutex_unlock(&cpu_lock);
	return 0;
}

int cpu_stream_query(void *stream)
{
	struct cpu_stream *s = cpu_stream_of(stream);
	int rc;

	pthread_mutex_lock(&cpu_lock);
	rc = stream_check(s, "asked");
	if (!rc && s->done < s->put)
		rc = -EAGAIN;
	pthread_mutex_unlock(&cpu_lock);
	return rc;
}
