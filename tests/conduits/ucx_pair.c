/* SPDX-License-Identifier: BSD-3-Clause */
#include "ucx_pair.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct conduit *net;
struct conduit_ep *ep;
struct conduit_queue *q;
int me;
const char *what;

static int fd; /* the socket to the other */

void need(int ok, const char *format, ...)
{
	va_list ap;

	if (ok)
		return;
	printf("PE %d%s%s: ", me, what ? ", " : "", what ? what : "");
	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	printf("\n");
	fflush(stdout);
	_exit(1);
}

void pair_find(void)
{
	need(!conduit_register_all(), "conduit_register_all");
	for (int i = 0; i < conduit_count; i++)
		if (!strcmp(conduit_table[i].name, "ucx"))
			net = &conduit_table[i];
	if (net)
		return;
	printf("built without UCX\n");
	exit(77);
}

static void send_all(const void *p, size_t bytes)
{
	need(send(fd, p, bytes, MSG_NOSIGNAL) == (ssize_t)bytes, "send");
}

static void receive_all(void *p, size_t bytes)
{
	char *at = p;

	while (bytes) {
		ssize_t n = recv(
			fd, at, bytes,
			conduit_settings.progress_thread ? 0 : MSG_DONTWAIT);

		if (n > 0) {
			at += n;
			bytes -= (size_t)n;
		} else {
			need(n < 0, "the other PE is gone");
			net->ops.progress(net);
		}
	}
}

void meet(void)
{
	char c = 0;

	send_all(&c, 1);
	receive_all(&c, 1);
}

void quiet(void)
{
	need(!net->ops.quiet(q, NULL), "quiet");
}

void pair_connect(const struct conduit_region *regions)
{
	static char mine[CONDUIT_CARD_BYTES], other[CONDUIT_CARD_BYTES];
	const struct conduit_peer peer = { .pe = !me, .host = "there" };
	size_t bytes = sizeof(mine);

	need(!net->ops.publish(regions, mine, &bytes), "publish");
	send_all(mine, sizeof(mine));
	receive_all(other, sizeof(other));
	need(!net->ops.connect(&peer, regions, other, &ep), "connect");
}

void pair_open(struct conduit_region *regions, size_t heap_bytes)
{
	struct conduit_region *heap = &regions[CONDUIT_HEAP];
	int made_by_ucx = conduit_settings.net_heap;

	need(!shmemg_open("cpu", -1, 0), "shmemg_open");
	need(!net->ops.open(net), "open");
	heap->base = mmap(NULL, heap_bytes,
			  made_by_ucx ? PROT_NONE : PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	need(heap->base != MAP_FAILED, "mmap");
	heap->bytes = heap_bytes;
	if (made_by_ucx)
		need(!net->ops.alloc(heap), "alloc");
	pair_connect(regions);
}

/* errors: a pipe that takes PE 0's, or NULL. */
static pid_t start(int pe, const int *sockets, const int *errors,
		   void (*run)(void))
{
	pid_t pid = fork();

	if (pid)
		return pid;
	me = pe;
	fd = sockets[pe];
	close(sockets[!pe]);
	if (errors) {
		if (!pe)
			dup2(errors[1], STDERR_FILENO);
		close(errors[0]);
		close(errors[1]);
	}
	conduit_settings.me = pe;
	conduit_settings.n_pes = 2;
	alarm(200);
	run();
	_exit(0);
}

/* Leaves the pipe open, which PE 0 may still write to. */
static void first_line(const int *errors, char *line, size_t room)
{
	ssize_t n;

	close(errors[1]);
	n = read(errors[0], line, room - 1);
	line[n > 0 ? n : 0] = 0;
}

int pair_run(void (*run)(void), char *line, size_t room)
{
	int sockets[2], errors[2], status, others;
	pid_t pids[2];

	need(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), "socketpair");
	need(!line || !pipe(errors), "pipe");
	fflush(stdout);
	for (int pe = 0; pe < 2; pe++) {
		pids[pe] = start(pe, sockets, line ? errors : NULL, run);
		need(pids[pe] > 0, "fork");
	}
	close(sockets[0]);
	close(sockets[1]);
	if (line)
		first_line(errors, line, room);
	waitpid(pids[0], &status, 0);
	if (line)
		kill(pids[1], SIGKILL);
	waitpid(pids[1], &others, 0);
	if (line)
		close(errors[0]);
	return line ? status : status | others;
}
