/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives of all PEs, back to back. The size is what one PE contributes:
 * for alltoall what it sends to each PE.
 */
#include <string.h>

#include "bench.h"
#include "compat.h"

static size_t nwords(const struct bench_case *c)
{
	return c->bytes / sizeof(long);
}

/* Odd PEs contribute one word less than the others, where they can. */
static size_t collect_words(const struct bench_case *c, int pe)
{
	return nwords(c) - (pe % 2 && nwords(c) > 1 ? 1 : 0);
}

static void run_barrier(struct bench_case *c, long nops)
{
	(void)c;
	for (long i = 0; i < nops; i++)
		shmem_barrier_all();
}

static void run_sync(struct bench_case *c, long nops)
{
	(void)c;
	for (long i = 0; i < nops; i++)
		shmem_sync_all();
}

static void run_broadcast(struct bench_case *c, long nops)
{
	for (long i = 0; i < nops; i++) {
		compat_broadcast((long *)c->dst, (long *)c->src, nwords(c), 0);
		if (i % BENCH_WINDOW == BENCH_WINDOW - 1)
			shmem_barrier_all();
	}
}

static void run_sum(struct bench_case *c, long nops)
{
	for (long i = 0; i < nops; i++)
		compat_sum((double *)c->dst, (double *)c->src, nwords(c));
}

static void run_collect(struct bench_case *c, long nops)
{
	const size_t mine = collect_words(c, c->me);

	for (long i = 0; i < nops; i++)
		compat_collect((long *)c->dst, (long *)c->src, mine);
}

static void run_fcollect(struct bench_case *c, long nops)
{
	for (long i = 0; i < nops; i++)
		compat_fcollect((long *)c->dst, (long *)c->src, nwords(c));
}

static void run_alltoall(struct bench_case *c, long nops)
{
	for (long i = 0; i < nops; i++)
		compat_alltoall((long *)c->dst, (long *)c->src, nwords(c));
}

static double summand(const struct bench_case *c, int pe, size_t i)
{
	return (double)((c->seed + i) % 1000) * (pe + 1);
}

static void fill_sum(struct bench_case *c)
{
	double *src = (double *)c->src;

	for (size_t i = 0; i < nwords(c); i++)
		src[i] = summand(c, c->me, i);
	memset(c->dst, 0, c->bytes + BENCH_GUARD_BYTES);
}

/* Block j of PE i's src goes to PE j. */
static uint64_t block_tag(const struct bench_case *c, int from, int to)
{
	return bench_tag(c, from) + 17 * (uint64_t)to;
}

static void fill_alltoall(struct bench_case *c)
{
	for (int to = 0; to < c->npes; to++)
		bench_fill(c->src + (size_t)to * c->bytes, c->bytes,
			   block_tag(c, c->me, to));
	memset(c->dst, 0, c->bytes * (size_t)c->npes + BENCH_GUARD_BYTES);
}

static size_t wrong_guard(const char *guard)
{
	return bench_wrong_zeros(guard, BENCH_GUARD_BYTES);
}

static size_t check_nothing(const struct bench_case *c)
{
	(void)c;
	return 0;
}

/* The root's dst is updated by the team form and not by the other. */
static size_t check_broadcast(const struct bench_case *c)
{
	return c->me == 0 ? 0 : bench_wrong_dst(c, 0);
}

static size_t check_sum(const struct bench_case *c)
{
	const double *dst = (const double *)c->dst;
	size_t wrong = 0;

	for (size_t i = 0; i < nwords(c); i++) {
		double want = 0;

		for (int pe = 0; pe < c->npes; pe++)
			want += summand(c, pe, i);
		wrong += dst[i] == want ? 0 : sizeof(want);
	}
	return wrong + wrong_guard(c->dst + c->bytes);
}

static size_t check_collect(const struct bench_case *c)
{
	const char *at = c->dst;
	size_t wrong = 0;

	for (int pe = 0; pe < c->npes; pe++) {
		const size_t bytes = collect_words(c, pe) * sizeof(long);

		wrong += bench_wrong(at, bytes, bench_tag(c, pe));
		at += bytes;
	}
	return wrong + wrong_guard(at);
}

static size_t check_fcollect(const struct bench_case *c)
{
	const size_t all = c->bytes * (size_t)c->npes;
	size_t wrong = wrong_guard(c->dst + all);

	for (int pe = 0; pe < c->npes; pe++)
		wrong += bench_wrong(c->dst + (size_t)pe * c->bytes, c->bytes,
				     bench_tag(c, pe));
	return wrong;
}

static size_t check_alltoall(const struct bench_case *c)
{
	const size_t all = c->bytes * (size_t)c->npes;
	size_t wrong = wrong_guard(c->dst + all);

	for (int pe = 0; pe < c->npes; pe++)
		wrong += bench_wrong(c->dst + (size_t)pe * c->bytes, c->bytes,
				     block_tag(c, pe, c->me));
	return wrong;
}

static const struct bench_test tests[] = {
	{ .name = "barrier_all",
	  .what = "shmem_barrier_all",
	  .run = run_barrier,
	  .check = check_nothing },
	{ .name = "sync_all",
	  .what = "shmem_sync_all",
	  .run = run_sync,
	  .check = check_nothing },
	{ .name = "broadcast",
	  .what = "from PE 0, a barrier after each 64",
	  .sized = true,
	  .unit_bytes = sizeof(long),
	  .run = run_broadcast,
	  .check = check_broadcast },
	{ .name = "sum",
	  .what = "sum of doubles on every PE",
	  .sized = true,
	  .unit_bytes = sizeof(double),
	  .fill = fill_sum,
	  .run = run_sum,
	  .check = check_sum },
	{ .name = "collect",
	  .what = "odd PEs give 8 bytes less",
	  .sized = true,
	  .unit_bytes = sizeof(long),
	  .run = run_collect,
	  .check = check_collect },
	{ .name = "fcollect",
	  .what = "the size from every PE",
	  .sized = true,
	  .unit_bytes = sizeof(long),
	  .run = run_fcollect,
	  .check = check_fcollect },
	{ .name = "alltoall",
	  .what = "the size from every PE to every PE",
	  .sized = true,
	  .unit_bytes = sizeof(long),
	  .fill = fill_alltoall,
	  .run = run_alltoall,
	  .check = check_alltoall },
};

static void open_program(size_t max_bytes)
{
	compat_open(max_bytes / sizeof(double));
}

static const struct bench_program program = {
	.name = "collectives",
	.what = "Collectives of all PEs on 64-bit words, back to back; the "
		"slowest PE counts.",
	.tests = tests,
	.ntests = sizeof(tests) / sizeof(tests[0]),
	.min_pes = 1,
	.sizes = "8..1M",
	.src_blocks = 0,
	.dst_blocks = 0,
	.open = open_program,
	.close = compat_close,
};

int main(int argc, char **argv)
{
	return bench_main(argc, argv, &program);
}
