/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program of OpenSHMEM 1.0: start_pes, the old names, and a return from main
 * without finalize.
 * PES: all
 */
#include "check.h"
#include <mpp/shmem.h>

static long ring, psync[_SHMEM_BCAST_SYNC_SIZE];
static long from, to;

int main(void)
{
	int me, n;
	long *heap;

	start_pes(0);
	start_pes(0);
	me = _my_pe();
	n = _num_pes();
	heap = shmalloc(100);
	CHECK(heap != NULL);
	heap = shrealloc(heap, 1000);
	for (int i = 0; i < _SHMEM_BCAST_SYNC_SIZE; i++)
		psync[i] = _SHMEM_SYNC_VALUE;
	shmem_barrier_all();
	shmem_long_p(&ring, me + 1, (me + 1) % n);
	shmem_wait(&ring, 0);
	CHECK_EQ(ring, (me + n - 1) % n + 1);
	from = 42;
	shmem_broadcast64(&to, &from, 1, 0, 0, 0, n, psync);
	CHECK_EQ(to, me ? 42 : 0);
	*heap = 7;
	CHECK_EQ(shmem_long_swap(heap, 8, me), 7);
	CHECK_EQ(shmem_long_fadd(heap, 2, me), 8);
	CHECK_EQ(shmem_long_cswap(heap, 10, 11, me), 10);
	CHECK_EQ(shmem_long_finc(heap, me), 11);
	CHECK_EQ(shmem_long_fetch(heap, me), 12);
	shmem_set_cache_inv();
	shmem_udcflush();
	shfree(heap);
	return check_failures != 0;
}
