/* SPDX-License-Identifier: BSD-3-Clause */
/* What one call costs its caller: PE 0 calls, PE 1 is the target. */
#include <string.h>

#include "bench.h"
#include "compat.h"

enum { TARGET = 1 };

static long static_target;
static uint64_t signal_word;

static struct {
	long sum;  /* of what g returned */
	long last; /* what the last atomic returned */
} got;

static void run_put(struct bench_case *c, long nops)
{
	if (c->me == 0)
		for (long i = 0; i < nops; i++)
			shmem_putmem(c->dst, c->src, c->bytes, TARGET);
}

static void run_put_quiet(struct bench_case *c, long nops)
{
	for (long i = 0; c->me == 0 && i < nops; i++) {
		shmem_putmem(c->dst, c->src, c->bytes, TARGET);
		shmem_quiet();
	}
}

static void run_get(struct bench_case *c, long nops)
{
	if (c->me == 0)
		for (long i = 0; i < nops; i++)
			shmem_getmem(c->dst, c->src, c->bytes, TARGET);
}

static void run_p(struct bench_case *c, long nops)
{
	if (c->me == 0)
		for (long i = 0; i < nops; i++)
			shmem_long_p((long *)c->dst, c->ops + i, TARGET);
}

static void run_p_static(struct bench_case *c, long nops)
{
	if (c->me == 0)
		for (long i = 0; i < nops; i++)
			shmem_long_p(&static_target, c->ops + i, TARGET);
}

static void run_g(struct bench_case *c, long nops)
{
	if (c->me == 0)
		for (long i = 0; i < nops; i++)
			got.sum += shmem_long_g((long *)c->src, TARGET);
}

static void run_fetch_add(struct bench_case *c, long nops)
{
	long *word = (long *)c->dst;

	if (c->me == 0)
		for (long i = 0; i < nops; i++)
			got.last = shmem_long_atomic_fetch_add(word, 1, TARGET);
}

static void run_cswap(struct bench_case *c, long nops)
{
	long *word = (long *)c->dst;

	if (c->me == 0)
		for (long i = c->ops; i < c->ops + nops; i++)
			got.last = shmem_long_atomic_compare_swap(
				word, i, i + 1, TARGET);
}

static void run_put_signal(struct bench_case *c, long nops)
{
	const uint64_t first = (uint64_t)c->ops;

	if (c->me == 0)
		for (long i = 0; i < nops; i++)
			compat_put_signal(c->dst, c->src, c->bytes,
					  &signal_word, first + i, TARGET);
}

static void fill_words(struct bench_case *c)
{
	*(long *)c->src = 3 * c->me + (long)c->seed;
	*(long *)c->dst = 0;
	static_target = 0;
	got.sum = 0;
	got.last = 0;
}

static size_t wrong_word(long have, long want)
{
	return have == want ? 0 : sizeof(have);
}

static size_t check_put(const struct bench_case *c)
{
	return c->me == TARGET ? bench_wrong_dst(c, 0) : 0;
}

static size_t check_get(const struct bench_case *c)
{
	return c->me == 0 ? bench_wrong_dst(c, TARGET) : 0;
}

static size_t check_p(const struct bench_case *c)
{
	return c->me == TARGET ? wrong_word(*(long *)c->dst, c->ops - 1) : 0;
}

static size_t check_p_static(const struct bench_case *c)
{
	return c->me == TARGET ? wrong_word(static_target, c->ops - 1) : 0;
}

static size_t check_g(const struct bench_case *c)
{
	const long each = 3 * TARGET + (long)c->seed;

	return c->me == 0 ? wrong_word(got.sum, c->ops * each) : 0;
}

static size_t check_atomic(const struct bench_case *c)
{
	if (c->me == 0)
		return wrong_word(got.last, c->ops - 1);
	return c->me == TARGET ? wrong_word(*(long *)c->dst, c->ops) : 0;
}

static size_t check_put_signal(const struct bench_case *c)
{
	if (c->me != TARGET)
		return 0;
	return check_put(c) + wrong_word((long)signal_word, c->ops - 1);
}

static const char *open_put_signal(struct bench_case *c)
{
	(void)c;
	signal_word = 0;
	return compat_has_signal ? NULL : "the library has no put_signal";
}

static const struct bench_test tests[] = {
	{ .name = "put",
	  .what = "shmem_putmem",
	  .sized = true,
	  .flows = 1,
	  .run = run_put,
	  .check = check_put },
	{ .name = "put_quiet",
	  .what = "shmem_putmem and shmem_quiet",
	  .sized = true,
	  .flows = 1,
	  .run = run_put_quiet,
	  .check = check_put },
	{ .name = "get",
	  .what = "shmem_getmem",
	  .sized = true,
	  .flows = 1,
	  .run = run_get,
	  .check = check_get },
	{ .name = "put_signal",
	  .what = "shmem_putmem_signal",
	  .sized = true,
	  .flows = 1,
	  .open = open_put_signal,
	  .run = run_put_signal,
	  .check = check_put_signal },
	{ .name = "p",
	  .what = "shmem_long_p",
	  .fixed_bytes = 8,
	  .fill = fill_words,
	  .run = run_p,
	  .check = check_p },
	{ .name = "p_static",
	  .what = "shmem_long_p to a static variable",
	  .fixed_bytes = 8,
	  .fill = fill_words,
	  .run = run_p_static,
	  .check = check_p_static },
	{ .name = "g",
	  .what = "shmem_long_g",
	  .fixed_bytes = 8,
	  .fill = fill_words,
	  .run = run_g,
	  .check = check_g },
	{ .name = "fetch_add",
	  .what = "shmem_long_atomic_fetch_add",
	  .fixed_bytes = 8,
	  .fill = fill_words,
	  .run = run_fetch_add,
	  .check = check_atomic },
	{ .name = "cswap",
	  .what = "shmem_long_atomic_compare_swap that always matches",
	  .fixed_bytes = 8,
	  .fill = fill_words,
	  .run = run_cswap,
	  .check = check_atomic },
};

static const struct bench_program program = {
	.name = "latency",
	.what = "The time of one call from PE 0 to PE 1.",
	.tests = tests,
	.ntests = sizeof(tests) / sizeof(tests[0]),
	.min_pes = 2,
	.sizes = "1..4M",
	.src_blocks = 1,
	.dst_blocks = 1,
};

int main(int argc, char **argv)
{
	return bench_main(argc, argv, &program);
}
