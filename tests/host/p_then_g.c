/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * After quiet, g returns what p put, for each type; a p of another PE is seen
 * after a barrier.
 * PES: all
 */
#include "check.h"
#include <shmem/types.h>

static int me, n, next, previous;

#define ONE(N, T, ...) \
	static void one_##N(T *heap) \
	{ \
		static T var; \
		shmem_##N##_p(&var, (T)(me + 1), next); \
		shmem_##N##_p(heap, (T)(me + 2), next); \
		shmem_quiet(); \
		CHECK(shmem_##N##_g(&var, next) == (T)(me + 1)); \
		CHECK(shmem_##N##_g(heap, next) == (T)(me + 2)); \
		shmem_barrier_all(); \
		CHECK(var == (T)(previous + 1)); \
		CHECK(*heap == (T)(previous + 2)); \
		shmem_barrier_all(); \
	}
SHMEMI_TYPES_RMA(ONE)

int main(void)
{
	void *heap;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	next = (me + 1) % n;
	previous = (me + n - 1) % n;
	heap = shmem_malloc(64);
#define CALL(N, T, ...) one_##N(heap);
	SHMEMI_TYPES_RMA(CALL)
	shmem_free(heap);
	return check_end();
}
