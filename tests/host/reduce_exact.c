/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A floating-point reduction has the same bits on all PEs, in each element and
 * in each run, in place or not, at whatever position the numbers lie.
 * PES: all
 */
#include "check.h"

#define N 5000

static double sums[64];

static double value(int pe, int i)
{
	uint64_t state = (uint64_t)pe * 7919 + (uint64_t)i;

	return ((double)check_random(&state) - 9e18) *
	       (i % 2 ? 1e-20 : 1e5);
}

static void same_on_all(const double *d, size_t count, int n)
{
	double mine[3] = { d[0], d[count / 2], d[count - 1] };

	for (int k = 0; k < 3; k++) {
		for (int pe = 0; pe < n; pe++)
			shmem_double_p(&sums[shmem_my_pe()], mine[k], pe);
		shmem_barrier_all();
		for (int pe = 0; pe < n; pe++)
			CHECK(!memcmp(&sums[pe], &mine[k], sizeof(double)));
		shmem_barrier_all();
	}
}

int main(void)
{
	double *first, *d, *s;
	int me, n;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	first = shmem_malloc(N * sizeof(*first));
	d = shmem_malloc((N + 64) * sizeof(*d));
	s = shmem_malloc((N + 64) * sizeof(*s));
	for (int i = 0; i < N; i++)
		s[i] = value(me, i);
	shmem_double_sum_reduce(SHMEM_TEAM_WORLD, first, s, N);
	same_on_all(first, N, n);
	for (int run = 0; run < 20; run++) {
		size_t shift = (size_t)run * 3 % 64;
		/* A few elements at a time go another way than many. */
		size_t count = run % 2 ? N : (size_t)(run % 7 + 1);

		for (size_t i = 0; i < count; i++)
			s[shift + i] = value(me, (int)i);
		shmem_double_sum_reduce(SHMEM_TEAM_WORLD, d + shift, s + shift,
					count);
		CHECK(!memcmp(d + shift, first, count * sizeof(*d)));
		shmem_double_sum_reduce(SHMEM_TEAM_WORLD, s + shift, s + shift,
					count);
		CHECK(!memcmp(s + shift, first, count * sizeof(*s)));
		same_on_all(s + shift, count, n);
	}
	shmem_free(s);
	shmem_free(d);
	shmem_free(first);
	return check_end();
}
