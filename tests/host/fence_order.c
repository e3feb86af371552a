/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Data before the fence is seen by who sees what came after it: for put, nbi
 * put, strided put, p and atomics, into heap and static data.
 *
 * fence_order [ROUNDS]: for where each takes long.
 * PES: 2 3 4
 */
#include "check.h"

#define N 64

static long data[N], flag, rounds = 2000;

static void send(long *heap, long i, int to, shmem_ctx_t ctx)
{
	long source[N];

	for (int k = 0; k < N; k++)
		source[k] = i * N + k;
	shmem_ctx_long_put_nbi(ctx, data, source, N / 2, to);
	shmem_ctx_long_iput(ctx, data + N / 2, source + N / 2, 2, 2, N / 4,
			    to);
	shmem_ctx_long_iput(ctx, data + N / 2 + 1, source + N / 2 + 1, 2, 2,
			    N / 4, to);
	shmem_ctx_long_put(ctx, heap, source, N, to);
	shmem_ctx_long_p(ctx, &heap[3], -i, to);
	shmem_ctx_long_atomic_add(ctx, &heap[4], 1, to);
	shmem_ctx_fence(ctx);
	if (i % 2)
		shmem_ctx_long_p(ctx, &flag, i, to);
	else
		shmem_ctx_long_atomic_set(ctx, &flag, i, to);
}

static void receive(const long *heap, long i)
{
	shmem_long_wait_until(&flag, SHMEM_CMP_EQ, i);
	for (int k = 0; k < N; k++) {
		long want = k == 3 ? -i : i * N + k + (k == 4);

		CHECK_EQ(data[k], i * N + k);
		CHECK_EQ(heap[k], want);
	}
}

static void run(long *heap, shmem_ctx_t ctx)
{
	int me = shmem_my_pe();

	flag = 0;
	shmem_barrier_all();
	for (long i = 1; i <= rounds; i++) {
		if (me == 0) {
			send(heap, i, 1, ctx);
			shmem_long_wait_until(&flag, SHMEM_CMP_EQ, i);
		} else if (me == 1) {
			receive(heap, i);
			shmem_long_p(&flag, i, 0);
		}
	}
	shmem_barrier_all();
}

int main(int argc, char **argv)
{
	shmem_ctx_t ctx;
	long *heap;

	if (argc > 1)
		rounds = strtol(argv[1], NULL, 0);
	shmem_init();
	heap = shmem_calloc(N, sizeof(*heap));
	run(heap, SHMEM_CTX_DEFAULT);
	CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx), 0);
	run(heap, ctx);
	shmem_ctx_destroy(ctx);
	shmem_free(heap);
	return check_end();
}
