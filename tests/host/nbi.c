/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Non-blocking transfers and atomics, many at once, complete at quiet, at
 * barrier_all (default context) and at pe_quiet; also on an own context.
 * PES: all
 */
#include "check.h"

#define N 512

static long target[N], counter;
static int me, n, next, previous;

static void puts_then_barrier(long *heap)
{
	static long source[N];

	for (int i = 0; i < N; i++) {
		source[i] = 1000L * me + i;
		shmem_long_put_nbi(&heap[i], &source[i], 1, next);
		shmem_long_put_nbi(&target[i], &source[i], 1, next);
	}
	shmem_barrier_all();
	for (int i = 0; i < N; i++) {
		CHECK_EQ(heap[i], 1000L * previous + i);
		CHECK_EQ(target[i], 1000L * previous + i);
	}
}

static void gets_then_quiet(shmem_ctx_t ctx, const long *heap)
{
	long got[N] = { 0 };

	for (int i = N - 1; i >= 0; i--)
		shmem_ctx_long_get_nbi(ctx, &got[i], &heap[i], 1, next);
	shmem_ctx_quiet(ctx);
	for (int i = 0; i < N; i++)
		CHECK_EQ(got[i], 1000L * me + i);
	memset(got, 0, sizeof(got));
	shmem_ctx_getmem_nbi(ctx, got, heap, sizeof(got), next);
	shmem_ctx_pe_quiet(ctx, &next, 1);
	for (int i = 0; i < N; i++)
		CHECK_EQ(got[i], 1000L * me + i);
}

static void fetches(shmem_ctx_t ctx)
{
	long before[5] = { -1, -1, -1, -1, -1 };
	unsigned long bits = 0;

	shmem_barrier_all();
	counter = 5;
	shmem_barrier_all();
	shmem_ctx_long_atomic_fetch_add_nbi(ctx, &before[0], &counter, 10,
					    next);
	shmem_ctx_quiet(ctx);
	shmem_ctx_long_atomic_fetch_inc_nbi(ctx, &before[1], &counter, next);
	shmem_ctx_quiet(ctx);
	shmem_ctx_long_atomic_swap_nbi(ctx, &before[2], &counter, 40, next);
	shmem_ctx_quiet(ctx);
	shmem_ctx_long_atomic_compare_swap_nbi(ctx, &before[3], &counter, 40,
					       41, next);
	shmem_ctx_quiet(ctx);
	shmem_ctx_long_atomic_fetch_nbi(ctx, &before[4], &counter, next);
	shmem_ctx_quiet(ctx);
	shmem_ctx_ulong_atomic_fetch_or_nbi(ctx, &bits,
					    (unsigned long *)&counter, 6, next);
	shmem_ctx_quiet(ctx);
	CHECK_EQ(before[0], 5);
	CHECK_EQ(before[1], 15);
	CHECK_EQ(before[2], 16);
	CHECK_EQ(before[3], 40);
	CHECK_EQ(before[4], 41);
	CHECK_EQ(bits, 41);
	shmem_barrier_all();
	CHECK_EQ(counter, 47);
}

int main(void)
{
	shmem_ctx_t ctx;
	long *heap;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	next = (me + 1) % n;
	previous = (me + n - 1) % n;
	heap = shmem_calloc(N, sizeof(*heap));
	puts_then_barrier(heap);
	gets_then_quiet(SHMEM_CTX_DEFAULT, heap);
	fetches(SHMEM_CTX_DEFAULT);
	CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
	gets_then_quiet(ctx, heap);
	fetches(ctx);
	shmem_ctx_destroy(ctx);
	shmem_free(heap);
	return check_end();
}
