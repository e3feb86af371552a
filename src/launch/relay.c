/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/relay.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <unistd.h>

#include "launch/job.h"

static struct {
	struct event *reader; /* pending while the buffer is empty */
	struct event *writer; /* pending while it is not */
	int fd;
	size_t begin, end;
	char buf[4096];
} relay = { .fd = -1 };

static void relay_close(void)
{
	if (relay.reader)
		event_free(relay.reader);
	if (relay.writer)
		event_free(relay.writer);
	relay.reader = relay.writer = NULL;
	close(relay.fd);
	relay.fd = -1;
}

static void on_terminal(evutil_socket_t fd, short what, void *arg)
{
	ssize_t n;

	(void)what;
	(void)arg;
	/* A read from the background would stop the whole job. */
	if (tcgetpgrp(fd) != getpgrp())
		return;
	n = read(fd, relay.buf, sizeof(relay.buf));
	if (n < 0 && (errno == EINTR || errno == EAGAIN)) {
		event_add(relay.reader, NULL);
	} else if (n <= 0) {
		relay_close();
	} else {
		relay.begin = 0;
		relay.end = (size_t)n;
		event_add(relay.writer, NULL);
	}
}

static void on_room(evutil_socket_t fd, short what, void *arg)
{
	ssize_t n = write(fd, relay.buf + relay.begin, relay.end - relay.begin);

	(void)what;
	(void)arg;
	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		relay_close();
		return;
	}
	if (n > 0)
		relay.begin += (size_t)n;
	event_add(relay.begin < relay.end ? relay.writer : relay.reader, NULL);
}

int relay_open(struct job *job)
{
	int fd[2];

	if (pipe2(fd, O_CLOEXEC))
		return -1;
	fcntl(fd[1], F_SETFL, O_NONBLOCK);
	relay.fd = fd[1];
	relay.reader = event_new(job->base, 0, EV_READ, on_terminal, NULL);
	relay.writer = event_new(job->base, fd[1], EV_WRITE, on_room, NULL);
	if (relay.reader && relay.writer && !event_add(relay.reader, NULL))
		return fd[0];
	relay_close();
	close(fd[0]);
	errno = ENOMEM;
	return -1;
}

void relay_resume(void)
{
	if (relay.reader && !event_pending(relay.writer, EV_WRITE, NULL))
		event_add(relay.reader, NULL);
}
