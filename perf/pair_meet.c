/* SPDX-License-Identifier: BSD-3-Clause */
/* The socket over which the two processes of pair.h find each other. */
#include <err.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pair_meet.h"

enum { PATIENCE_S = 20, PAUSE_US = 20000 };

static struct addrinfo *resolve(const char *host, const char *port)
{
	const struct addrinfo hints = {
		.ai_family = AF_INET,
		.ai_socktype = SOCK_STREAM,
		.ai_flags = host ? 0 : AI_PASSIVE,
	};
	struct addrinfo *at;
	int rc = getaddrinfo(host, port, &hints, &at);

	if (rc)
		errx(1, "%s:%s: %s", host ? host : "*", port, gai_strerror(rc));
	return at;
}

static int open_listen(const char *port)
{
	struct addrinfo *at = resolve(NULL, port);
	int fd = socket(at->ai_family, SOCK_STREAM, 0), one = 1, peer;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, at->ai_addr, at->ai_addrlen) || listen(fd, 1))
		err(1, "cannot listen at port %s", port);
	freeaddrinfo(at);
	alarm(PATIENCE_S);
	peer = accept(fd, NULL, NULL);
	if (peer < 0)
		err(1, "accept");
	alarm(0);
	close(fd);
	return peer;
}

static int open_connect(const char *host, const char *port)
{
	struct addrinfo *at = resolve(host, port);
	long tries = PATIENCE_S * 1000000L / PAUSE_US;

	for (;;) {
		int fd = socket(at->ai_family, SOCK_STREAM, 0);

		if (!connect(fd, at->ai_addr, at->ai_addrlen)) {
			freeaddrinfo(at);
			return fd;
		}
		if (!tries--)
			err(1, "cannot connect to %s:%s", host, port);
		close(fd);
		usleep(PAUSE_US);
	}
}

int meet_open(int *me)
{
	const char *how = getenv("PERF_PAIR");
	char host[256];
	const char *port;

	if (how && !strncmp(how, "listen:", 7)) {
		*me = 0;
		return open_listen(how + 7);
	}
	*me = 1;
	port = how ? strrchr(how, ':') : NULL;
	if (!port || strncmp(how, "connect:", 8) || port < how + 8 ||
	    (size_t)(port - how) >= sizeof(host))
		errx(2,
		     "PERF_PAIR: expected listen:PORT or "
		     "connect:ADDRESS:PORT, got '%s'",
		     how ? how : "");
	snprintf(host, sizeof(host), "%.*s", (int)(port - how - 8), how + 8);
	return open_connect(host, port + 1);
}

void meet_send(int fd, const void *data, size_t bytes)
{
	if (send(fd, data, bytes, MSG_NOSIGNAL) != (ssize_t)bytes)
		err(1, "send to the other process");
}

void meet_receive(int fd, void *data, size_t bytes)
{
	if (recv(fd, data, bytes, MSG_WAITALL) != (ssize_t)bytes)
		err(1, "receive from the other process");
}
