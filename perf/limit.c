/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the machine itself takes for the same work, without any library: the
 * floor that a library can reach but not beat.
 */
#include <err.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "bench.h"

/* Two lines, as a ping-pong has one flag on each side. */
static struct {
	_Alignas(128) atomic_long ping;
	_Alignas(128) atomic_long pong;
	_Alignas(128) atomic_long counter;
	pthread_t answerer;
	long trip;
} s;

static void run_memcpy(struct bench_case *c, long nops)
{
	for (long i = 0; i < nops; i++) {
		memcpy(c->dst, c->src, c->bytes);
		/* Otherwise one copy could stand for all. */
		atomic_signal_fence(memory_order_seq_cst);
	}
}

typedef long vec __attribute__((vector_size(16), may_alias));

/* The fences keep the compiler from making a memcpy of it. */
static void copy_lines(vec *dst, const vec *src, size_t nlines)
{
	for (; nlines; nlines--, dst += 4, src += 4) {
		const vec a = src[0], b = src[1], c = src[2], d = src[3];

		dst[0] = a;
		dst[1] = b;
		dst[2] = c;
		dst[3] = d;
		atomic_signal_fence(memory_order_seq_cst);
	}
}

/* Not every processor's memcpy is its fastest copy at every size. */
static void run_loop(struct bench_case *c, long nops)
{
	for (long i = 0; i < nops; i++)
		copy_lines((vec *)c->dst, (const vec *)c->src, c->bytes / 64);
}

static size_t check_memcpy(const struct bench_case *c)
{
	return bench_wrong_dst(c, 0);
}

static void await_long(atomic_long *word, long value)
{
	while (atomic_load_explicit(word, memory_order_acquire) != value)
		continue;
}

static void *answer(void *unused)
{
	long trip = 0, seen;

	bench_bind(1);
	while (trip >= 0) {
		seen = atomic_load_explicit(&s.ping, memory_order_acquire);
		if (seen == trip)
			continue;
		trip = seen;
		atomic_store_explicit(&s.pong, trip, memory_order_release);
	}
	return unused;
}

static const char *open_bounce(struct bench_case *c)
{
	int rc;

	(void)c;
	if (bench_ncpus() < 2)
		return "it needs two processors";
	s.trip = 0;
	atomic_store(&s.ping, 0);
	atomic_store(&s.pong, 0);
	rc = pthread_create(&s.answerer, NULL, answer, NULL);
	if (rc)
		errx(1, "pthread_create: %s", strerror(rc));
	bench_bind(0);
	return NULL;
}

static void run_bounce(struct bench_case *c, long nops)
{
	(void)c;
	for (long i = 0; i < nops; i++) {
		s.trip++;
		atomic_store_explicit(&s.ping, s.trip, memory_order_release);
		await_long(&s.pong, s.trip);
	}
}

static size_t check_bounce(const struct bench_case *c)
{
	(void)c;
	return atomic_load(&s.pong) == s.trip ? 0 : sizeof(s.trip);
}

static void close_bounce(struct bench_case *c)
{
	(void)c;
	atomic_store(&s.ping, -1);
	pthread_join(s.answerer, NULL);
}

static void fill_xadd(struct bench_case *c)
{
	(void)c;
	atomic_store(&s.counter, 0);
}

static void run_xadd(struct bench_case *c, long nops)
{
	long sum = 0;

	/* The use of the result keeps this an exchange-and-add. */
	for (long i = 0; i < nops; i++)
		sum += atomic_fetch_add(&s.counter, 1);
	c->seed += sum & 1;
}

static size_t check_xadd(const struct bench_case *c)
{
	return atomic_load(&s.counter) == c->ops ? 0 : sizeof(long);
}

static const struct bench_test tests[] = {
	{ .name = "memcpy",
	  .what = "a copy into shared memory",
	  .sized = true,
	  .flows = 1,
	  .run = run_memcpy,
	  .check = check_memcpy },
	{ .name = "copy_loop",
	  .what = "the same by a loop over cache lines",
	  .sized = true,
	  .unit_bytes = 64,
	  .flows = 1,
	  .run = run_loop,
	  .check = check_memcpy },
	{ .name = "xadd",
	  .what = "an atomic add that nobody contends",
	  .fixed_bytes = 8,
	  .fill = fill_xadd,
	  .run = run_xadd,
	  .check = check_xadd },
	{ .name = "bounce",
	  .what = "half the round trip of a cache line",
	  .fixed_bytes = 8,
	  .trips = 2,
	  .open = open_bounce,
	  .run = run_bounce,
	  .check = check_bounce,
	  .close = close_bounce },
};

static const struct bench_program program = {
	.name = "limit",
	.what = "What the machine takes without a library.",
	.tests = tests,
	.ntests = sizeof(tests) / sizeof(tests[0]),
	.min_pes = 1,
	.sizes = "1..4M",
	.src_blocks = 1,
	.dst_blocks = 1,
};

int main(int argc, char **argv)
{
	return bench_main(argc, argv, &program);
}
