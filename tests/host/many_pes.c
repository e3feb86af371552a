/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 64 PEs on however few cores: barriers, alltoalls, reductions, locks and teams
 * end in reasonable time.
 * PES: 64
 */
#include "check.h"

#define EACH 64

int main(void)
{
	static long lock, total, one = 1, sum;
	long *dest, *source;
	shmem_team_t x, y;
	double began_s;
	int me, n;

	shmem_init();
	began_s = check_now_s();
	me = shmem_my_pe();
	n = shmem_n_pes();
	dest = shmem_malloc(EACH * (size_t)n * sizeof(*dest));
	source = shmem_malloc(EACH * (size_t)n * sizeof(*source));
	for (int i = 0; i < 20; i++)
		shmem_barrier_all();
	for (int round = 0; round < 5; round++) {
		size_t each = round % 2 ? 1 : EACH;

		for (int i = 0; i < (int)each * n; i++)
			source[i] = me * 100000L + i;
		shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, source, each);
		for (int pe = 0; pe < n; pe++)
			CHECK_EQ(dest[(size_t)pe * each],
				 pe * 100000L + me * (long)each);
		shmem_barrier_all();
	}
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &one, 1);
	CHECK_EQ(sum, n);
	shmem_team_split_2d(SHMEM_TEAM_WORLD, 7, NULL, 0, &x, NULL, 0, &y);
	shmem_long_sum_reduce(x, &sum, &one, 1);
	CHECK_EQ(sum, shmem_team_n_pes(x));
	shmem_long_sum_reduce(y, &sum, &one, 1);
	CHECK_EQ(sum, shmem_team_n_pes(y));
	shmem_set_lock(&lock);
	shmem_long_p(&total, shmem_long_g(&total, 0) + 1, 0);
	shmem_clear_lock(&lock);
	shmem_barrier_all();
	CHECK_EQ(shmem_long_g(&total, 0), n);
	CHECK(check_now_s() - began_s < 30);
	return check_end();
}
