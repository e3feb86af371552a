/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams: what the predefined ones hold, SHARED is those that shmem_ptr
 * reaches, questions about SHMEM_TEAM_INVALID, translation between teams,
 * configurations, destroying what may not be.
 * PES: all
 */
#include "check.h"

static int me, n;

static void invalid(void)
{
	shmem_team_config_t config = { 77 };
	shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
	static long a[8], b[8];

	CHECK_EQ(shmem_team_my_pe(SHMEM_TEAM_INVALID), -1);
	CHECK_EQ(shmem_team_n_pes(SHMEM_TEAM_INVALID), -1);
	CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0,
					 SHMEM_TEAM_WORLD), -1);
	CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0,
					 SHMEM_TEAM_INVALID), -1);
	CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, n,
					 SHMEM_TEAM_WORLD), -1);
	CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, -1,
					 SHMEM_TEAM_WORLD), -1);
	CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID,
				    SHMEM_TEAM_NUM_CONTEXTS, &config));
	CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx));
	CHECK(ctx == SHMEM_CTX_INVALID);
	CHECK(!shmem_team_ptr(SHMEM_TEAM_INVALID, a, 0));
	CHECK(shmem_team_sync(SHMEM_TEAM_INVALID));
	CHECK(shmem_long_alltoall(SHMEM_TEAM_INVALID, a, b, 1));
	CHECK(shmem_long_broadcast(SHMEM_TEAM_INVALID, a, b, 1, 0));
	CHECK(shmem_long_sum_reduce(SHMEM_TEAM_INVALID, a, b, 1));
	CHECK(shmem_long_sum_inscan(SHMEM_TEAM_INVALID, a, b, 1));
	shmem_team_destroy(SHMEM_TEAM_INVALID);
}

static void predefined(void)
{
	static long object;
	int local = 0;

	CHECK_EQ(shmem_team_my_pe(SHMEM_TEAM_WORLD), me);
	CHECK_EQ(shmem_team_n_pes(SHMEM_TEAM_WORLD), n);
	CHECK(SHMEM_TEAM_WORLD != SHMEM_TEAM_SHARED);
	for (int pe = 0; pe < n; pe++) {
		int there = shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe,
						    SHMEM_TEAM_SHARED);

		CHECK_EQ(there >= 0, shmem_ptr(&object, pe) != NULL);
		local += there >= 0;
	}
	CHECK_EQ(shmem_team_n_pes(SHMEM_TEAM_SHARED), local);
	CHECK_EQ(shmem_team_translate_pe(
			 SHMEM_TEAM_SHARED,
			 shmem_team_my_pe(SHMEM_TEAM_SHARED),
			 SHMEM_TEAM_WORLD), me);
	CHECK_EQ(shmem_team_sync(SHMEM_TEAM_SHARED), 0);
}

static void configurations(void)
{
	shmem_team_config_t config = { 3 }, got = { 99 };
	shmem_team_t team;

	CHECK_EQ(shmem_team_get_config(SHMEM_TEAM_WORLD, 0, NULL), 0);
	CHECK_EQ(shmem_team_get_config(SHMEM_TEAM_WORLD,
				       SHMEM_TEAM_NUM_CONTEXTS, &got), 0);
	CHECK(got.num_contexts >= 0 && got.num_contexts != 99);
	CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, &config,
					  SHMEM_TEAM_NUM_CONTEXTS, &team), 0);
	CHECK_EQ(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &got),
		 0);
	CHECK(got.num_contexts >= 3);
	shmem_team_destroy(team);
	CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, &config,
					  0, &team), 0);
	CHECK_EQ(shmem_team_get_config(team, 0, NULL), 0);
	shmem_team_destroy(team);
}

/* Between two teams that share only some members. */
static void translation(void)
{
	shmem_team_t low = SHMEM_TEAM_INVALID, high = SHMEM_TEAM_INVALID;
	int half = n / 2;

	shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, half + 1, NULL, 0,
				 &low);
	shmem_team_split_strided(SHMEM_TEAM_WORLD, half, 1, n - half, NULL, 0,
				 &high);
	if (low != SHMEM_TEAM_INVALID && high != SHMEM_TEAM_INVALID)
		for (int i = 0; i <= half; i++)
			CHECK_EQ(shmem_team_translate_pe(low, i, high),
				 i < half ? -1 : 0);
	shmem_team_destroy(low);
	shmem_team_destroy(high);
}

int main(void)
{
	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	invalid();
	predefined();
	configurations();
	translation();
	shmem_team_destroy(SHMEM_TEAM_WORLD);
	shmem_team_destroy(SHMEM_TEAM_SHARED);
	CHECK_EQ(shmem_team_n_pes(SHMEM_TEAM_WORLD), n);
	CHECK_EQ(shmem_team_sync(SHMEM_TEAM_WORLD), 0);
	return check_end();
}
