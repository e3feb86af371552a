/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/tag.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/job.h"
#include "launch/sink.h"

/* A longer line goes out in pieces, each tagged. */
enum { LINE_BYTES = 1 << 16 };

struct stream {
	unsigned rank;
	int fd;	     /* -1: closed, or never opened */
	bool paused; /* the sink is full */
	struct sink *sink;
	struct event *ready;
	size_t used;
	char *buf; /* LINE_BYTES */
};

static struct {
	struct job *job;
	struct stream *streams; /* stdout and stderr of each PE in turn */
	unsigned nstreams;
	unsigned nopen;
	bool finishing;
} tag;

static void stream_close(struct stream *st)
{
	event_free(st->ready);
	close(st->fd);
	free(st->buf);
	st->fd = -1;
	st->paused = false;
	tag.nopen--;
}

static int line_write(struct stream *st, const char *line, size_t bytes)
{
	char head[16];
	int n = snprintf(head, sizeof(head), "[%u] ", st->rank);
	int rc = sink_write(st->sink, head, (size_t)n);

	if (!rc)
		rc = sink_write(st->sink, line, bytes);
	if (!rc && line[bytes - 1] != '\n')
		rc = sink_write(st->sink, "\n", 1);
	return rc;
}

static int lines_write(struct stream *st, bool all)
{
	size_t begin = 0;
	int rc = 0;

	while (!rc && begin < st->used) {
		char *nl = memchr(st->buf + begin, '\n', st->used - begin);
		size_t end = nl ? (size_t)(nl - st->buf) + 1 : st->used;

		if (!nl && !all && (begin || st->used < LINE_BYTES))
			break;
		rc = line_write(st, st->buf + begin, end - begin);
		begin = end;
	}
	st->used -= begin;
	memmove(st->buf, st->buf + begin, st->used);
	return rc;
}

static bool stream_pause_if_full(struct stream *st)
{
	if (!sink_full(st->sink))
		return false;
	event_del(st->ready);
	st->paused = true;
	return true;
}

/* True while there may be more to read. */
static bool stream_read(struct stream *st)
{
	ssize_t n = read(st->fd, st->buf + st->used, LINE_BYTES - st->used);
	bool end = n == 0 || (n < 0 && errno != EINTR &&
			      (errno != EAGAIN || tag.finishing));
	int rc;

	if (n > 0)
		st->used += (size_t)n;
	rc = lines_write(st, end);
	sink_push(st->sink);
	if (end || rc) {
		stream_close(st);
		return false;
	}
	return n > 0;
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct stream *st = arg;

	(void)fd;
	(void)what;
	if (!stream_pause_if_full(st))
		stream_read(st);
	if (tag.finishing)
		job_check_done(tag.job);
}

static void stream_drain(struct stream *st)
{
	while (!stream_pause_if_full(st) && stream_read(st))
		;
}

static void on_room(void)
{
	for (unsigned i = 0; i < tag.nstreams; i++) {
		struct stream *st = &tag.streams[i];

		if (!st->paused || sink_full(st->sink))
			continue;
		st->paused = false;
		event_add(st->ready, NULL);
		if (tag.finishing)
			stream_drain(st);
	}
	if (tag.finishing)
		job_check_done(tag.job);
}

int tag_start(struct job *job)
{
	tag.job = job;
	tag.nstreams = 2 * job->npes;
	tag.streams = calloc(tag.nstreams, sizeof(*tag.streams));
	if (!tag.streams)
		return -ENOMEM;
	for (unsigned i = 0; i < tag.nstreams; i++)
		tag.streams[i].fd = -1;
	return sink_start(job->base, on_room);
}

int tag_open(unsigned rank, int fd)
{
	struct stream *st = &tag.streams[2 * rank + (fd == 2)];
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	st->rank = rank;
	st->sink = sink_of(fd);
	st->buf = malloc(LINE_BYTES);
	st->ready = event_new(tag.job->base, ends[0], EV_READ | EV_PERSIST,
			      on_readable, st);
	if (!st->buf || !st->ready || event_add(st->ready, NULL))
		goto close_ends;
	st->fd = ends[0];
	tag.nopen++;
	return ends[1];
close_ends:
	if (st->ready)
		event_free(st->ready);
	free(st->buf);
	close(ends[0]);
	close(ends[1]);
	errno = ENOMEM;
	return -1;
}

void tag_finish(void)
{
	tag.finishing = true;
	for (unsigned i = 0; i < tag.nstreams; i++)
		if (tag.streams[i].fd >= 0 && !tag.streams[i].paused)
			stream_drain(&tag.streams[i]);
}

bool tag_idle(void)
{
	return tag.nopen == 0;
}
