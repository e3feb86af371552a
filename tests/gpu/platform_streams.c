/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams of the cpu platform: order, events, queries, capture and replay. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include <shmem/device/arch.h>

#include "platform.h"

#define N 64

struct append {
	long *list;
	uint32_t *n;
	long value;
};

static void append(const void *args)
{
	const struct append *a = args;

	if (!shmemd_item())
		a->list[__atomic_fetch_add(a->n, 1, __ATOMIC_ACQ_REL)] =
			a->value;
}

static const struct shmemg_kernel append_kernel = { "append", append, NULL };

struct gate {
	uint64_t *flag;
	uint64_t value;
};

static void gate_wait(const void *args)
{
	const struct gate *g = args;
	struct shmemd_pause pause = { 0 };

	while (shmemd_load64(g->flag) != g->value)
		shmemd_pause(&pause);
}

static const struct shmemg_kernel gate_kernel = { "gate", gate_wait, NULL };

static long list[4 * N];
static uint32_t n_list;
static uint64_t flag;

static void put_append(shmemg_stream stream, long value)
{
	const struct append args = { list, &n_list, value };

	CHECK(!shmemg->launch(&append_kernel, 1, 4, &args, sizeof(args),
			      stream));
}

static void put_gate(shmemg_stream stream, uint64_t value)
{
	const struct gate args = { &flag, value };

	CHECK(!shmemg->launch(&gate_kernel, 1, 2, &args, sizeof(args), stream));
}

static void list_expect(const long *values, uint32_t n)
{
	CHECK(n_list == n);
	CHECK(!memcmp(list, values, n * sizeof(*values)));
	n_list = 0;
}

static void test_order(shmemg_stream stream)
{
	long expected[N], copies[N];

	for (long i = 0; i < N; i++) {
		expected[i] = i;
		put_append(stream, i);
		CHECK(!shmemg->copy_async(&copies[i], &list[i], sizeof(long),
					  stream));
		if (i % 2)
			CHECK(!shmemg->fill_async(&copies[i], 0xff,
						  sizeof(long), stream));
	}
	CHECK(!shmemg->stream_sync(stream));
	CHECK(!shmemg->stream_query(stream));
	for (long i = 0; i < N; i++)
		CHECK(copies[i] == (i % 2 ? -1 : i));
	list_expect(expected, N);
}

static void test_query(shmemg_stream stream)
{
	put_gate(stream, 1);
	CHECK(shmemg->stream_query(stream) == -EAGAIN);
	shmemd_store64(&flag, 1);
	CHECK(!shmemg->stream_sync(stream));
	CHECK(!shmemg->stream_query(stream));
	shmemd_store64(&flag, 0);
}

/* b's work comes after the place in a that the event marks. */
static void test_events(shmemg_stream a, shmemg_stream b)
{
	static const long expected[] = { 1, 2 };
	const struct timespec nap = { .tv_nsec = 2000000 };
	shmemg_event from, to, never;
	uint64_t ns;

	CHECK(!shmemg->event_create(&from));
	CHECK(!shmemg->event_create(&to));
	CHECK(!shmemg->event_create(&never));
	CHECK(!shmemg->event_sync(never));
	CHECK(!shmemg->stream_wait(b, never));
	CHECK(!shmemg->event_record(from, a));
	put_gate(a, 2);
	put_append(a, 1);
	CHECK(!shmemg->event_record(to, a));
	CHECK(!shmemg->stream_wait(b, to));
	put_append(b, 2);
	nanosleep(&nap, NULL);
	CHECK(shmemg->stream_query(b) == -EAGAIN);
	CHECK(!shmemg->event_sync(from));
	nanosleep(&nap, NULL);
	CHECK(shmemg->event_ns(from, to, &ns) == -EINVAL);
	shmemd_store64(&flag, 2);
	CHECK(!shmemg->event_sync(to));
	CHECK(!shmemg->stream_sync(b));
	list_expect(expected, 2);
	CHECK(!shmemg->event_ns(from, to, &ns));
	CHECK(ns >= 2000000 && ns < 60000000000);
	CHECK(!shmemg->event_destroy(from));
	CHECK(!shmemg->event_destroy(to));
	CHECK(!shmemg->event_destroy(never));
	shmemd_store64(&flag, 0);
}

/* An event that is destroyed while a stream still waits for it. */
static void test_event_destroy(shmemg_stream a, shmemg_stream b)
{
	static const long expected[] = { 7 };
	shmemg_event event;

	CHECK(!shmemg->event_create(&event));
	put_gate(a, 3);
	CHECK(!shmemg->event_record(event, a));
	CHECK(!shmemg->stream_wait(b, event));
	put_append(b, 7);
	CHECK(!shmemg->event_destroy(event));
	shmemd_store64(&flag, 3);
	CHECK(!shmemg->stream_sync(b));
	CHECK(!shmemg->stream_sync(a));
	list_expect(expected, 1);
	shmemd_store64(&flag, 0);
}

/* Arguments are those of the call; the graph runs as often as it is asked. */
static void test_graph(shmemg_stream a, shmemg_stream b)
{
	static const long expected[] = { 1, 2, 1, 2, 9, 1, 2 };
	struct append args = { list, &n_list, 1 };
	shmemg_graph graph, none;

	CHECK(!shmemg->capture_begin(a));
	CHECK(shmemg->capture_begin(a) == -EINVAL);
	CHECK(!shmemg->launch(&append_kernel, 1, 4, &args, sizeof(args), a));
	args.value = 2;
	CHECK(!shmemg->launch(&append_kernel, 1, 1, &args, sizeof(args), a));
	args.value = 3;
	CHECK(shmemg->stream_sync(a) == -EINVAL);
	CHECK(!shmemg->capture_end(a, &graph));
	CHECK(shmemg->capture_end(a, &none) == -EINVAL);
	CHECK(!shmemg->stream_sync(a));
	CHECK(!n_list);
	CHECK(!shmemg->graph_launch(graph, a));
	CHECK(!shmemg->graph_launch(graph, a));
	put_append(a, 9);
	CHECK(!shmemg->stream_sync(a));
	CHECK(!shmemg->graph_launch(graph, b));
	CHECK(!shmemg->graph_destroy(graph));
	CHECK(!shmemg->stream_sync(b));
	list_expect(expected, 7);
}

/* Another stream joins a capture by an event, and comes back by one. */
static void test_graph_fork(shmemg_stream a, shmemg_stream b)
{
	static const long expected[] = { 1, 2, 3 };
	shmemg_event fork, join;
	shmemg_graph graph;

	CHECK(!shmemg->event_create(&fork));
	CHECK(!shmemg->event_create(&join));
	CHECK(!shmemg->capture_begin(a));
	put_append(a, 1);
	CHECK(shmemg->stream_wait(a, fork) == -EINVAL);
	CHECK(!shmemg->event_record(fork, a));
	CHECK(!shmemg->stream_wait(b, fork));
	put_append(b, 2);
	CHECK(!shmemg->event_record(join, b));
	CHECK(!shmemg->stream_wait(a, join));
	put_append(a, 3);
	CHECK(!shmemg->capture_end(a, &graph));
	CHECK(!shmemg->stream_sync(b));
	CHECK(!n_list);
	CHECK(shmemg->stream_wait(b, fork) == -EINVAL);
	CHECK(shmemg->event_sync(fork) == -EINVAL);
	for (int i = 0; i < 3; i++) {
		CHECK(!shmemg->graph_launch(graph, a));
		CHECK(!shmemg->stream_sync(a));
		list_expect(expected, 3);
	}
	CHECK(!shmemg->graph_destroy(graph));
	CHECK(!shmemg->event_destroy(fork));
	CHECK(!shmemg->event_destroy(join));
}

int main(void)
{
	shmemg_stream a, b;

	platform_open();
	CHECK(!shmemg->stream_create(&a));
	CHECK(!shmemg->stream_create(&b));
	test_order(a);
	test_order(NULL);
	test_query(a);
	test_query(NULL);
	test_events(a, b);
	test_events(NULL, a);
	test_event_destroy(a, b);
	test_graph(a, b);
	test_graph(NULL, a);
	test_graph_fork(a, b);
	CHECK(!shmemg->stream_destroy(a));
	CHECK(!shmemg->stream_destroy(b));
	shmemg_close();
	CHECK(!shmemg);
	return 0;
}
