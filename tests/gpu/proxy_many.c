/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All work-items of several work-groups call at once, with different routines,
 * contexts and PEs, near and far: each gets what is its own, and all counts
 * come out. Waves and work-groups call together in between.
 * PES: 2 3
 * ENV: SHMEM_NODE_SIZE=1
 */
#include "common.h"
#include <shmem/device.h>

enum { WGS = 5, ITEMS = 160, ROUNDS = 6, CTXS = 3 };

struct many {
	uint64_t *count; /* of all additions to this PE */
	uint64_t *bits;	 /* flipped twice by each */
	uint64_t *cells; /* by PE and item: a peer's item writes its own */
	uint64_t *parts; /* by work-group: as cells, of WG_WORDS words */
	uint64_t *faults;
	shmem_ctx_t ctx[CTXS];
};
enum { WG_WORDS = 200 };

SHMEMX_FN uint64_t tag(int pe, size_t item, int round)
{
	return (uint64_t)pe << 48 | (uint64_t)item << 16 | (uint64_t)round;
}

/* By this item alone: its cell at the far PE is what it wrote there last. */
SHMEMX_FN void use_cell(const struct many *a, shmem_ctx_t ctx, int pe,
			size_t item, int round)
{
	const int me = shmem_my_pe();
	uint64_t *cell = a->cells + (size_t)me * WGS * ITEMS + item, old;

	shmem_ctx_uint64_p(ctx, cell, tag(me, item, round), pe);
	shmem_ctx_quiet(ctx);
	old = shmem_ctx_uint64_g(ctx, cell, pe);
	if (old != tag(me, item, round))
		shmem_uint64_atomic_inc(a->faults, me);
	old = shmem_ctx_uint64_atomic_compare_swap(
		ctx, cell, tag(me, item, round), round + 7, pe);
	if (old != tag(me, item, round))
		shmem_uint64_atomic_inc(a->faults, me);
	old = shmem_ctx_uint64_atomic_swap(ctx, cell, 0, pe);
	if (old != (uint64_t)(round + 7))
		shmem_uint64_atomic_inc(a->faults, me);
}

SHMEMX_FN void alone(const struct many *a, size_t item, int round)
{
	const int n = shmem_n_pes();
	const int pe = (int)((item + (size_t)round) % (size_t)n);
	const shmem_ctx_t ctx = a->ctx[(item + (size_t)round) % CTXS];

	if (item % 3 == 0)
		shmem_ctx_uint64_atomic_add(ctx, a->count, 1, pe);
	else if (item % 3 == 1)
		(void)shmem_ctx_uint64_atomic_fetch_inc(ctx, a->count, pe);
	else
		use_cell(a, ctx, pe, item, round);
	if (item % 3 == 2)
		shmem_uint64_atomic_inc(a->count, pe);
	shmem_ctx_uint64_atomic_xor(ctx, a->bits, (uint64_t)1 << item % 64, pe);
	shmem_ctx_uint64_atomic_xor(ctx, a->bits, (uint64_t)1 << item % 64, pe);
}

/* The work-group sends words, gets them back into others and compares. */
SHMEMX_FN void together(const struct many *a, int round)
{
	const int me = shmem_my_pe(), n = shmem_n_pes();
	const int pe = (me + 1 + round) % n;
	uint64_t *part = a->parts + ((size_t)me * WGS + shmemx_wg()) * WG_WORDS;
	uint64_t *mine =
		a->parts + ((size_t)n * WGS + shmemx_wg()) * 2 * WG_WORDS;
	size_t i;

	for (i = shmemx_item(); i < WG_WORDS; i += shmemx_nitems())
		mine[i] = tag(me, i, round);
	shmemx_uint64_put_wg(part, mine, WG_WORDS, pe);
	shmemx_quiet_wg();
	shmemx_uint64_get_wg(mine + WG_WORDS, part, WG_WORDS, pe);
	for (i = shmemx_item(); i < WG_WORDS; i += shmemx_nitems())
		if (mine[WG_WORDS + i] != tag(me, i, round))
			shmem_uint64_atomic_inc(a->faults, me);
	shmemx_wg_barrier();
}

SHMEMX_KERNEL(crowd, struct many, a)
{
	const size_t item =
		(size_t)shmemx_wg() * shmemx_nitems() + shmemx_item();
	int round;

	for (round = 0; round < ROUNDS; round++) {
		alone(&a, item, round);
		if (item % 2)
			alone(&a, item, round + 1);
		together(&a, round);
		alone(&a, item, round + 2);
	}
	shmemx_quiet_wg();
	for (round = 1; round < CTXS; round++)
		shmemx_ctx_quiet_wg(a.ctx[round]);
}

static uint64_t expected(void)
{
	uint64_t n = 0;

	for (size_t item = 0; item < (size_t)WGS * ITEMS; item++)
		for (size_t round = 0; round < ROUNDS; round++)
			for (size_t k = 0; k < 3; k++)
				n += (k != 1 || item % 2) &&
				     (item + round + k) % (size_t)gpu_n ==
					     (size_t)gpu_me;
	return n * (uint64_t)gpu_n;
}

int main(void)
{
	static struct gpu_mem sums, cells, parts;
	struct many a;

	gpu_begin();
	sums = gpu_mem_new(3 * sizeof(uint64_t));
	cells = gpu_mem_new((size_t)gpu_n * WGS * ITEMS * sizeof(uint64_t));
	parts = gpu_mem_new((size_t)(gpu_n + 2) * WGS * WG_WORDS *
			    sizeof(uint64_t));
	a.count = (uint64_t *)sums.dev;
	a.bits = a.count + 1;
	a.faults = a.count + 2;
	a.cells = (uint64_t *)cells.dev;
	a.parts = (uint64_t *)parts.dev;
	a.ctx[0] = SHMEM_CTX_DEFAULT;
	GPU_CHECK_EQ(shmem_ctx_create(0, &a.ctx[1]), 0);
	GPU_CHECK_EQ(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &a.ctx[2]), 0);
	gpu_mem_fill(&sums, 0, sums.bytes);
	shmem_barrier_all();
	GPU_CHECK_EQ(shmemx_launch(SHMEMX_KERNEL_REF(crowd), WGS, ITEMS, &a,
				   sizeof(a), NULL),
		     0);
	gpu_sync();
	shmem_barrier_all();
	gpu_mem_pull(&sums, sums.bytes);
	GPU_CHECK_EQ(((uint64_t *)sums.host)[0], expected());
	GPU_CHECK_EQ(((uint64_t *)sums.host)[1], 0);
	GPU_CHECK_EQ(((uint64_t *)sums.host)[2], 0);
	shmem_ctx_destroy(a.ctx[1]);
	shmem_ctx_destroy(a.ctx[2]);
	return gpu_end();
}
