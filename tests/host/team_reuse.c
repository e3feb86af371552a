/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thousands of teams made and destroyed, and hundreds at once, with contexts:
 * neither memory nor numbers run out, and each works.
 * PES: 1 2 4
 */
#include "check.h"
#include <sys/resource.h>

#define AT_ONCE 200

static long source = 1, dest;

static void use(shmem_team_t team)
{
	dest = 0;
	CHECK_EQ(shmem_long_sum_reduce(team, &dest, &source, 1), 0);
	CHECK_EQ(dest, shmem_team_n_pes(team));
}

static shmem_team_t make(int i)
{
	int n = shmem_n_pes(), size = i % n + 1;
	shmem_team_t team = SHMEM_TEAM_INVALID;

	CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, size, NULL,
					  0, &team), 0);
	CHECK_EQ(team != SHMEM_TEAM_INVALID, shmem_my_pe() < size);
	return team;
}

static long resident_kib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

int main(void)
{
	shmem_team_t teams[AT_ONCE];
	long before_kib = 0;

	shmem_init();
	for (int i = 0; i < 4000; i++) {
		shmem_team_t team = make(i);
		shmem_ctx_t ctx;

		if (team != SHMEM_TEAM_INVALID && i % 8 == 0) {
			use(team);
			CHECK_EQ(shmem_team_create_ctx(team, 0, &ctx), 0);
		}
		shmem_team_destroy(team);
		if (i == 500)
			before_kib = resident_kib();
	}
	CHECK(resident_kib() - before_kib < 4096);
	for (int i = 0; i < AT_ONCE; i++)
		teams[i] = make(i);
	for (int i = 0; i < AT_ONCE; i++)
		if (teams[i] != SHMEM_TEAM_INVALID)
			use(teams[i]);
	for (int i = 0; i < AT_ONCE; i++)
		shmem_team_destroy(teams[i * 7 % AT_ONCE]);
	return check_end();
}
