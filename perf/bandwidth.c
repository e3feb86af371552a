/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows of non-blocking calls, one way and both ways at once. */
#include "bench.h"
#include "compat.h"

/* PE 2i and PE 2i + 1 are a pair; the last of an odd number stays idle. */
static int partner(const struct bench_case *c)
{
	const int pe = c->me ^ 1;

	return pe < c->npes ? pe : -1;
}

static void put_windows(struct bench_case *c, long nops, int pe)
{
	for (long i = 0; i < nops; i++) {
		shmem_putmem_nbi(c->dst, c->src, c->bytes, pe);
		if (i % BENCH_WINDOW == BENCH_WINDOW - 1)
			shmem_quiet();
	}
	shmem_quiet();
}

static void run_put(struct bench_case *c, long nops)
{
	if (c->me % 2 == 0 && partner(c) >= 0)
		put_windows(c, nops, partner(c));
}

static void run_put_both(struct bench_case *c, long nops)
{
	if (partner(c) >= 0)
		put_windows(c, nops, partner(c));
}

static void run_get(struct bench_case *c, long nops)
{
	const int pe = partner(c);

	if (c->me % 2 || pe < 0)
		return;
	for (long i = 0; i < nops; i++) {
		shmem_getmem_nbi(c->dst, c->src, c->bytes, pe);
		if (i % BENCH_WINDOW == BENCH_WINDOW - 1)
			shmem_quiet();
	}
	shmem_quiet();
}

static size_t check_put(const struct bench_case *c)
{
	return c->me % 2 ? bench_wrong_dst(c, c->me - 1) : 0;
}

static size_t check_put_both(const struct bench_case *c)
{
	return partner(c) < 0 ? 0 : bench_wrong_dst(c, partner(c));
}

static size_t check_get(const struct bench_case *c)
{
	if (c->me % 2 || partner(c) < 0)
		return 0;
	return bench_wrong_dst(c, partner(c));
}

static const struct bench_test tests[] = {
	{ .name = "put",
	  .what = "even PEs put to their odd partner",
	  .sized = true,
	  .flows = 1,
	  .run = run_put,
	  .check = check_put },
	{ .name = "put_both",
	  .what = "both put at once; GB/s of both",
	  .sized = true,
	  .flows = 2,
	  .run = run_put_both,
	  .check = check_put_both },
	{ .name = "get",
	  .what = "even PEs get from their odd partner",
	  .sized = true,
	  .flows = 1,
	  .run = run_get,
	  .check = check_get },
};

static const struct bench_program program = {
	.name = "bandwidth",
	.what = "Windows of 64 non-blocking puts or gets with a quiet; GB/s "
		"of one pair of PEs.",
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
