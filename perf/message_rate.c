/* SPDX-License-Identifier: BSD-3-Clause */
/* Many small messages, each to a place of its own in the window. */
#include "bench.h"
#include "compat.h"

static bool sends(const struct bench_case *c)
{
	return c->me % 2 == 0 && c->me + 1 < c->npes;
}

static void run_put_nbi(struct bench_case *c, long nops)
{
	for (long i = 0; sends(c) && i < nops; i++) {
		const size_t at = (c->ops + i) % BENCH_WINDOW * c->bytes;

		shmem_putmem_nbi(c->dst + at, c->src + at, c->bytes, c->me + 1);
		if (i % BENCH_WINDOW == BENCH_WINDOW - 1)
			shmem_quiet();
	}
	shmem_quiet();
}

static void run_get_nbi(struct bench_case *c, long nops)
{
	for (long i = 0; sends(c) && i < nops; i++) {
		const size_t at = (c->ops + i) % BENCH_WINDOW * c->bytes;

		shmem_getmem_nbi(c->dst + at, c->src + at, c->bytes, c->me + 1);
		if (i % BENCH_WINDOW == BENCH_WINDOW - 1)
			shmem_quiet();
	}
	shmem_quiet();
}

static void run_add(struct bench_case *c, long nops)
{
	long *words = (long *)c->dst;

	if (sends(c))
		for (long i = 0; i < nops; i++)
			shmem_long_atomic_add(&words[i % BENCH_WINDOW], 1,
					      c->me + 1);
	shmem_quiet();
}

/* The places that were reached hold the data, the others zeros. */
static size_t check_window(const struct bench_case *c, int from)
{
	const long n = c->ops < BENCH_WINDOW ? c->ops : BENCH_WINDOW;
	const size_t used = (size_t)n * c->bytes;
	const size_t end = BENCH_WINDOW * c->bytes + BENCH_GUARD_BYTES;

	return bench_wrong(c->dst, used, bench_tag(c, from)) +
	       bench_wrong_zeros(c->dst + used, end - used);
}

static size_t check_put(const struct bench_case *c)
{
	return c->me % 2 ? check_window(c, c->me - 1) : 0;
}

static size_t check_get(const struct bench_case *c)
{
	return sends(c) ? check_window(c, c->me + 1) : 0;
}

static size_t check_add(const struct bench_case *c)
{
	const long *words = (const long *)c->dst;
	long sum = 0;

	for (int i = 0; i < BENCH_WINDOW; i++)
		sum += words[i];
	return c->me % 2 == 0 || sum == c->ops ? 0 : sizeof(sum);
}

static const struct bench_test tests[] = {
	{ .name = "put_nbi",
	  .what = "shmem_putmem_nbi",
	  .sized = true,
	  .flows = 1,
	  .rate = true,
	  .run = run_put_nbi,
	  .check = check_put },
	{ .name = "get_nbi",
	  .what = "shmem_getmem_nbi",
	  .sized = true,
	  .flows = 1,
	  .rate = true,
	  .run = run_get_nbi,
	  .check = check_get },
	{ .name = "atomic_add",
	  .what = "shmem_long_atomic_add",
	  .fixed_bytes = 8,
	  .rate = true,
	  .run = run_add,
	  .check = check_add },
};

static const struct bench_program program = {
	.name = "message_rate",
	.what = "Windows of 64 small messages with a quiet, from even PEs to "
		"their odd partners.",
	.tests = tests,
	.ntests = sizeof(tests) / sizeof(tests[0]),
	.min_pes = 2,
	.sizes = "8,1K",
	.src_blocks = BENCH_WINDOW,
	.dst_blocks = BENCH_WINDOW,
};

int main(int argc, char **argv)
{
	return bench_main(argc, argv, &program);
}
