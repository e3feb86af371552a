/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/sink.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch/job.h"
#include "launch/message.h"

/* A descriptor that polls as writable takes PIPE_BUF without blocking. */
enum { HIGH_BYTES = 1 << 20, LOW_BYTES = 1 << 18, STEP_BYTES = 4096 };

struct sink {
	int fd;
	bool direct; /* a file: never blocks, cannot be polled */
	bool broken;
	struct evbuffer *buf;
	struct event *ready;
};

static struct sink sinks[2];
static struct sink *of_fd[3];
static void (*on_room)(void);

static void sink_break(struct sink *sink, int err)
{
	sink->broken = true;
	evbuffer_drain(sink->buf, evbuffer_get_length(sink->buf));
	if (err != EPIPE)
		oshrun_say("%s: %s", sink->fd == 1 ? "stdout" : "stderr",
			   strerror(err));
}

static bool can_write(const struct sink *sink)
{
	struct pollfd p = { .fd = sink->fd, .events = POLLOUT };

	return sink->direct || poll(&p, 1, 0) == 1;
}

static void sink_flush(struct sink *sink)
{
	const ev_ssize_t step = sink->direct ? -1 : STEP_BYTES;

	while (evbuffer_get_length(sink->buf) && can_write(sink)) {
		int n = evbuffer_write_atmost(sink->buf, sink->fd, step);

		if (n < 0 && errno == EAGAIN)
			break;
		if (n < 0 && errno != EINTR)
			sink_break(sink, errno);
	}
}

void sink_push(struct sink *sink)
{
	sink_flush(sink);
	if (evbuffer_get_length(sink->buf))
		event_add(sink->ready, NULL);
}

static void on_ready(evutil_socket_t fd, short what, void *arg)
{
	struct sink *sink = arg;

	(void)fd;
	(void)what;
	sink_push(sink);
	if (evbuffer_get_length(sink->buf) < LOW_BYTES)
		on_room();
}

static int sink_open(struct sink *sink, int fd, struct event_base *base)
{
	struct stat st;

	sink->fd = fd;
	sink->direct = fstat(fd, &st) || S_ISREG(st.st_mode) ||
		       S_ISBLK(st.st_mode) ||
		       (S_ISCHR(st.st_mode) && !isatty(fd));
	sink->buf = evbuffer_new();
	sink->ready = event_new(base, fd, EV_WRITE, on_ready, sink);
	return sink->buf && sink->ready ? 0 : -ENOMEM;
}

static bool same_file(int a, int b)
{
	struct stat sa, sb;

	return !fstat(a, &sa) && !fstat(b, &sb) && sa.st_dev == sb.st_dev &&
	       sa.st_ino == sb.st_ino;
}

int sink_start(struct event_base *base, void (*room)(void))
{
	int rc = sink_open(&sinks[0], 1, base);

	on_room = room;
	of_fd[1] = of_fd[2] = &sinks[0];
	if (!rc && !same_file(1, 2)) {
		of_fd[2] = &sinks[1];
		rc = sink_open(&sinks[1], 2, base);
	}
	return rc;
}

struct sink *sink_of(int fd)
{
	return of_fd[fd];
}

int sink_write(struct sink *sink, const char *text, size_t bytes)
{
	if (sink->broken)
		return -EPIPE;
	return evbuffer_add(sink->buf, text, bytes) ? -ENOMEM : 0;
}

bool sink_full(const struct sink *sink)
{
	return evbuffer_get_length(sink->buf) >= HIGH_BYTES;
}

bool sink_message(const char *line, size_t bytes)
{
	struct sink *sink = of_fd[2];

	if (!sink || sink->broken)
		return false;
	sink_write(sink, line, bytes);
	sink_push(sink);
	return true;
}

bool sink_idle(void)
{
	return !of_fd[1] || (!evbuffer_get_length(of_fd[1]->buf) &&
			     !evbuffer_get_length(of_fd[2]->buf));
}

void sink_discard(void)
{
	int fd;

	for (fd = 1; fd <= 2 && of_fd[fd]; fd++) {
		struct evbuffer *buf = of_fd[fd]->buf;

		of_fd[fd]->broken = true;
		evbuffer_drain(buf, evbuffer_get_length(buf));
	}
}
