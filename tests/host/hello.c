/* SPDX-License-Identifier: BSD-3-Clause */
/* A ring of puts into heap and static data. PES: all */
#include <shmem.h>
#include <stdio.h>

static long global;

int main(void)
{
	int me, n, bad;
	long *heap;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	heap = shmem_malloc(sizeof(*heap));
	*heap = -1;
	global = -1;
	shmem_barrier_all();
	shmem_p(heap, (long)me, (me + 1) % n);
	shmem_p(&global, 10L * me, (me + 1) % n);
	shmem_barrier_all();
	bad = *heap != (me + n - 1) % n || global != 10L * ((me + n - 1) % n);
	if (bad)
		printf("PE %d: heap %ld, global %ld\n", me, *heap, global);
	shmem_free(heap);
	shmem_finalize();
	return bad;
}
