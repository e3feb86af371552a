/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * split_strided: every valid triplet of WORLD, negative strides, size 1 with
 * any stride, splits of splits relative to the parent; triplets that are not
 * valid give nonzero on all PEs and SHMEM_TEAM_INVALID; non-members get 0.
 * PES: all
 */
#include "check.h"

static int me, n;
static long *dest, *source;

/* Member i of the team is world PE pes[i]. */
static void is_team(shmem_team_t team, const int *pes, int size)
{
	int mine = -1;

	for (int i = 0; i < size; i++)
		if (pes[i] == me)
			mine = i;
	CHECK_EQ(shmem_team_my_pe(team), mine);
	CHECK_EQ(shmem_team_n_pes(team), mine < 0 ? -1 : size);
	CHECK_EQ(team == SHMEM_TEAM_INVALID, mine < 0);
	if (mine < 0)
		return;
	for (int i = 0; i < size; i++) {
		CHECK_EQ(shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD),
			 pes[i]);
		CHECK_EQ(
			shmem_team_translate_pe(SHMEM_TEAM_WORLD, pes[i], team),
			i);
	}
	*source = me;
	CHECK_EQ(shmem_long_fcollect(team, dest, source, 1), 0);
	for (int i = 0; i < size; i++)
		CHECK_EQ(dest[i], pes[i]);
	CHECK_EQ(shmem_team_sync(team), 0);
}

static void world_triplet(int start, int stride, int size)
{
	long last = start + (size - 1L) * stride;
	int valid = size >= 1 && start >= 0 && start < n && last >= 0 &&
		    last < n && (stride || size == 1);
	shmem_team_t team = SHMEM_TEAM_WORLD;
	int rc = shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size,
					  NULL, 0, &team);
	int pes[64];

	CHECK_EQ(rc == 0, valid);
	for (int i = 0; valid && i < size; i++)
		pes[i] = start + i * stride;
	is_team(team, pes, valid ? size : 0);
	shmem_team_destroy(team);
}

/* Every second of the parent, until one is left. */
static void nested(shmem_team_t parent, const int *pes, int size, int reverse)
{
	int half[64], count = (size + 1) / 2, start = 0, stride = 2, rc;
	shmem_team_t team = SHMEM_TEAM_WORLD;

	if (size == 1)
		return;
	if (reverse) {
		start = (count - 1) * 2;
		stride = -2;
	}
	for (int i = 0; i < count; i++)
		half[i] = pes[start + i * stride];
	rc = shmem_team_split_strided(parent, start, count > 1 ? stride : 0,
				      count, NULL, 0, &team);
	CHECK_EQ(rc, 0);
	is_team(team, half, count);
	if (team != SHMEM_TEAM_INVALID)
		nested(team, half, count, !reverse);
	shmem_team_destroy(team);
}

static void bad_arguments(void)
{
	shmem_team_config_t config = { -1 };
	shmem_team_t team = SHMEM_TEAM_WORLD;

	CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, n, NULL, 0,
				       &team));
	CHECK(team == SHMEM_TEAM_INVALID);
	team = SHMEM_TEAM_WORLD;
	CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, &config,
				       SHMEM_TEAM_NUM_CONTEXTS, &team));
	CHECK(team == SHMEM_TEAM_INVALID);
	world_triplet(INT32_MAX, 1, 1);
	world_triplet(0, INT32_MAX, 2);
	world_triplet(n - 1, INT32_MIN, 2);
	world_triplet(0, 1, INT32_MAX);
	world_triplet(0, INT32_MIN, INT32_MAX);
}

int main(void)
{
	int pes[64], limit, n_shared;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	dest = shmem_malloc(64 * sizeof(*dest));
	source = shmem_malloc(sizeof(*source));
	limit = n < 5 ? n : 3;
	for (int start = -1; start <= n; start++)
		for (int stride = -limit; stride <= limit; stride++)
			for (int size = -1; size <= n + 1; size++)
				world_triplet(start, stride, size);
	for (int i = 0; i < n; i++)
		pes[i] = i;
	nested(SHMEM_TEAM_WORLD, pes, n, 0);
	nested(SHMEM_TEAM_WORLD, pes, n, 1);
	n_shared = shmem_team_n_pes(SHMEM_TEAM_SHARED);
	for (int i = 0; i < n_shared; i++)
		pes[i] = shmem_team_translate_pe(SHMEM_TEAM_SHARED, i,
						 SHMEM_TEAM_WORLD);
	nested(SHMEM_TEAM_SHARED, pes, n_shared, 0);
	bad_arguments();
	shmem_barrier_all();
	shmem_free(source);
	shmem_free(dest);
	return check_end();
}
