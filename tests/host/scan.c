/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scans: exclusive gives 0 to the first, inclusive counts the PE itself; the
 * order is the team's; in place; narrow types wrap; few elements and many.
 * PES: all
 */
#include "check.h"

#define N 3000

static int me, n;
static long *dest, *source;

static long brings(int pe, size_t i)
{
	return pe * 100L - (long)i;
}

static void scans(shmem_team_t team, int start, int stride, size_t count,
		  int in_place)
{
	int mine = shmem_team_my_pe(team);
	long *s = in_place ? dest : source;

	for (int inclusive = 0; inclusive < 2; inclusive++) {
		shmem_barrier_all();
		for (size_t i = 0; i < count; i++)
			s[i] = brings(me, i);
		if (inclusive)
			CHECK_EQ(shmem_long_sum_inscan(team, dest, s, count),
				 0);
		else
			CHECK_EQ(shmem_long_sum_exscan(team, dest, s, count),
				 0);
		for (size_t i = 0; i < count; i++) {
			long want = 0;

			for (int k = 0; k < mine + inclusive; k++)
				want += brings(start + k * stride, i);
			CHECK_EQ(dest[i], want);
		}
	}
}

static void narrow(void)
{
	unsigned char *d = (unsigned char *)dest;
	unsigned char *s = (unsigned char *)source;

	shmem_barrier_all();
	memset(s, 200, 300);
	CHECK_EQ(shmem_uchar_sum_inscan(SHMEM_TEAM_WORLD, d, s, 300), 0);
	CHECK_EQ(d[299], (200 * (me + 1)) % 256);
	CHECK_EQ(shmem_uchar_sum_exscan(SHMEM_TEAM_WORLD, d, s, 3), 0);
	CHECK_EQ(d[2], (200 * me) % 256);
	shmem_barrier_all();
}

static void reals(void)
{
	double *d = (double *)dest, *s = (double *)source;

	for (int i = 0; i < 100; i++)
		s[i] = 0.5;
	CHECK_EQ(shmem_double_sum_exscan(SHMEM_TEAM_WORLD, d, s, 100), 0);
	CHECK(d[0] == 0.5 * me && d[99] == 0.5 * me);
	CHECK_EQ(shmem_double_sum_inscan(SHMEM_TEAM_WORLD, s, s, 2), 0);
	CHECK(s[1] == 0.5 * (me + 1) && s[2] == 0.5);
}

int main(void)
{
	static const size_t counts[] = { 1, 7, 8, 500, N };
	shmem_team_t reverse;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	dest = shmem_malloc(N * sizeof(*dest));
	source = shmem_malloc(N * sizeof(*source));
	shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, n > 1 ? -1 : 0, n,
				 NULL, 0, &reverse);
	for (int c = 0; c < 5; c++)
		for (int in_place = 0; in_place < 2; in_place++) {
			scans(SHMEM_TEAM_WORLD, 0, 1, counts[c], in_place);
			scans(reverse, n - 1, -1, counts[c], in_place);
		}
	narrow();
	reals();
	shmem_team_destroy(reverse);
	shmem_free(source);
	shmem_free(dest);
	return check_end();
}
