/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A peer that dies, one that says nothing any more, and one that no transport
 * reaches: PE 0 ends by itself, or its call fails, with a line that names it.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ucx_pair.h"

#define HEAP_BYTES ((size_t)1 << 20)

static int put_word(void)
{
	const uint64_t word = 1;

	return net->ops.put(q, ep, CONDUIT_HEAP, 0, &word, sizeof(word), 0);
}

static void open_all(void)
{
	static struct conduit_region regions[CONDUIT_NSEGMENTS];

	pair_open(regions, HEAP_BYTES);
	need(!net->ops.queue_open(0, &q), "queue_open");
}

/* PE 1 dies, or stops: a long timeout is not what ends PE 0. */
static void run_fault(void)
{
	open_all();
	need(!put_word(), "put");
	quiet();
	meet();
	if (me) {
		raise(conduit_settings.timeout_s > 5 ? SIGKILL : SIGSTOP);
		_exit(0);
	}
	for (int i = 0; i < 1000; i++) {
		usleep(10000);
		need(!put_word(), "put");
		quiet();
	}
	_exit(0);
}

static void run_unreachable(void)
{
	open_all();
	need(put_word() < 0, "a put to nowhere");
	meet();
	_exit(1);
}

static void test(void (*run)(void), const char *tls, int timeout_s,
		 const char *expected)
{
	char line[1024] = "";
	int status;

	what = expected;
	setenv("UCX_TLS", tls, 1);
	conduit_settings.progress_thread = 1;
	conduit_settings.timeout_s = timeout_s;
	status = pair_run(run, line, sizeof(line));
	printf("%s", line);
	need(WIFEXITED(status) && WEXITSTATUS(status) == 1,
	     "PE 0 did not end by an error");
	need(strstr(line, "PE 1 on there") && strstr(line, expected),
	     "the line does not say it");
}

int main(void)
{
	pair_find();
	test(run_fault, "tcp,self", 60, "connection lost");
	test(run_fault, "tcp,self", 2, "no answer for 2 s");
	test(run_unreachable, "self", 60, "(UCX_TLS self)");
	return 0;
}
