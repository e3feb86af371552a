/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collect: counts that differ, are 0 on some or on all PEs, small and large, on
 * WORLD, on a team in reverse order and on an active set; fcollect beside it.
 * PES: all
 */
#include "check.h"

#define MAX_EACH 3000

static int me, n;
static long *dest, *source;

static size_t count_of(int round, int pe)
{
	switch (round % 8) {
	case 0:
		return (size_t)pe;
	case 1:
		return (size_t)(n - pe);
	case 2:
		return pe == n / 2 ? MAX_EACH : 0;
	case 3:
		return pe == n / 2 ? 0 : 5;
	case 4:
		return 0;
	case 5:
		return pe % 2 ? MAX_EACH : 1;
	case 6:
		return 1;
	default:
		return (size_t)(pe * 37 % 11) * 100;
	}
}

static void fill(int round)
{
	for (size_t i = 0; i < MAX_EACH; i++)
		source[i] = round * 1000000L + me * 10000L + (long)i;
	memset(dest, 0xff, sizeof(*dest) * MAX_EACH * (size_t)n);
	shmem_barrier_all();
}

/* The PE that comes i-th is start + i * stride. */
static void holds(int round, int size, int start, int stride, size_t each)
{
	size_t at = 0;

	for (int i = 0; i < size; i++) {
		int pe = start + i * stride;
		size_t count = each ? each : count_of(round, pe);

		for (size_t k = 0; k < count; k++, at++)
			CHECK_EQ(dest[at],
				 round * 1000000L + pe * 10000L + (long)k);
	}
	if (at < MAX_EACH * (size_t)n)
		CHECK_EQ(dest[at], -1);
	shmem_barrier_all();
}

static void on_team(shmem_team_t team, int size, int start, int stride)
{
	for (int round = 0; round < 16; round++) {
		fill(round);
		if (team != SHMEM_TEAM_INVALID) {
			CHECK_EQ(shmem_long_collect(team, dest, source,
						    count_of(round, me)), 0);
			holds(round, size, start, stride, 0);
		} else {
			shmem_barrier_all();
		}
	}
	for (int round = 1; round < 300; round += 31) {
		fill(round);
		if (team != SHMEM_TEAM_INVALID) {
			CHECK_EQ(shmem_long_fcollect(team, dest, source,
						     (size_t)round), 0);
			holds(round, size, start, stride, (size_t)round);
		} else {
			shmem_barrier_all();
		}
	}
}

static void on_active_set(void)
{
	static long sync[2][SHMEM_COLLECT_SYNC_SIZE];
	int size = (n + 1) / 2;

	for (int round = 0; round < 16; round++) {
		fill(round);
		if (me % 2 == 0) {
			shmem_collect64(dest, source, count_of(round, me), 0,
					1, size, sync[round % 2]);
			holds(round, size, 0, 2, 0);
		} else {
			shmem_barrier_all();
		}
	}
	CHECK_EQ(sync[0][0], SHMEM_SYNC_VALUE);
}

int main(void)
{
	shmem_team_t reverse, odd;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	dest = shmem_malloc(sizeof(*dest) * MAX_EACH * (size_t)n);
	source = shmem_malloc(sizeof(*source) * MAX_EACH);
	on_team(SHMEM_TEAM_WORLD, n, 0, 1);
	shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, n > 1 ? -1 : 0, n,
				 NULL, 0, &reverse);
	on_team(reverse, n, n - 1, -1);
	if (n > 1) {
		shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, n / 2, NULL,
					 0, &odd);
		on_team(odd, n / 2, 1, 2);
		shmem_team_destroy(odd);
	}
	shmem_team_destroy(reverse);
	on_active_set();
	shmem_free(source);
	shmem_free(dest);
	return check_end();
}
