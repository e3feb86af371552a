/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A collective by one work-item and then one by its work-group, on the same
 * team and with nothing between: each is one of its own. PES: all
 */
#include "common.h"

#include <shmem/device.h>

#define ITEMS 128
#define ALONE 100 /* in another wave than item 0 */

struct args {
	long *seen;  /* [n_pes] */
	long *early; /* barriers that did not hold */
	long *sums, *one;
};

/* PE 0 sees what the others stored between the two barriers. */
SHMEMX_KERNEL(barriers, struct args, a)
{
	const int me = shmem_my_pe(), n = shmem_n_pes();
	int i;

	if (shmemx_item() == ALONE) {
		shmem_barrier_all();
		if (me)
			shmem_long_p(a.seen + me, 7, 0);
	}
	shmemx_barrier_all_wg();
	if (me || shmemx_item())
		return;
	for (i = 1; i < n; i++)
		if (shmem_long_atomic_fetch(a.seen + i, 0) != 7)
			shmem_long_atomic_inc(a.early, 0);
}

SHMEMX_KERNEL(sums, struct args, a)
{
	if (shmemx_item() == ALONE)
		shmem_long_sum_reduce(SHMEM_TEAM_WORLD, a.sums, a.one, 1);
	shmemx_long_sum_reduce_wg(SHMEM_TEAM_WORLD, a.sums + 8, a.one, 32);
}

int main(void)
{
	struct gpu_mem m;
	struct args a;
	long *host;

	gpu_begin();
	m = gpu_mem_new((GPU_MAX_PES + 128) * sizeof(long));
	host = (long *)m.host;
	a.seen = (long *)m.dev;
	a.early = a.seen + GPU_MAX_PES;
	a.sums = a.early + 8;
	a.one = a.sums + 48;
	for (int round = 0; round < 20; round++) {
		gpu_mem_fill(&m, 0, m.bytes);
		for (int i = 0; i < 32; i++)
			host[GPU_MAX_PES + 56 + i] = 1 + i;
		gpu_mem_push(&m, m.bytes);
		shmem_barrier_all();
		GPU_CHECK_EQ(shmemx_launch(SHMEMX_KERNEL_REF(barriers), 1,
					   ITEMS, &a, sizeof(a), NULL),
			     0);
		GPU_CHECK_EQ(shmemx_launch(SHMEMX_KERNEL_REF(sums), 1, ITEMS,
					   &a, sizeof(a), NULL),
			     0);
		gpu_sync();
		shmem_barrier_all();
		gpu_mem_pull(&m, m.bytes);
		if (!gpu_me)
			GPU_CHECK_EQ(host[GPU_MAX_PES], 0);
		GPU_CHECK_EQ(host[GPU_MAX_PES + 8], gpu_n);
		for (int i = 0; i < 32; i++)
			GPU_CHECK_EQ(host[GPU_MAX_PES + 16 + i],
				     gpu_n * (1 + i));
	}
	gpu_mem_free(&m);
	return gpu_end();
}
