/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * split_2d of WORLD and of a team in reverse order, for each xrange, also those
 * that leave the last row or column short and those above the team's size.
 * PES: all
 */
#include "check.h"

static int me, n;
static long *dest, *source;

static void is_axis(shmem_team_t parent, shmem_team_t axis, int first,
		    int stride, int size, int mine)
{
	CHECK_EQ(shmem_team_n_pes(axis), size);
	CHECK_EQ(shmem_team_my_pe(axis), mine);
	for (int i = 0; i < size; i++)
		CHECK_EQ(shmem_team_translate_pe(axis, i, parent),
			 first + i * stride);
	*source = shmem_team_my_pe(parent);
	CHECK_EQ(shmem_long_fcollect(axis, dest, source, 1), 0);
	for (int i = 0; i < size; i++)
		CHECK_EQ(dest[i], first + i * stride);
}

static void split(shmem_team_t parent, int xrange)
{
	int p = shmem_team_my_pe(parent), width = xrange < n ? xrange : n;
	int row = p / width, column = p % width;
	shmem_team_t x, y;

	CHECK_EQ(shmem_team_split_2d(parent, xrange, NULL, 0, &x, NULL, 0,
				     &y), 0);
	is_axis(parent, x, row * width, 1,
		n - row * width < width ? n - row * width : width, column);
	is_axis(parent, y, column, width, (n - column + width - 1) / width,
		row);
	shmem_team_destroy(x);
	shmem_team_destroy(y);
}

int main(void)
{
	shmem_team_t reverse, x = SHMEM_TEAM_WORLD, y = SHMEM_TEAM_WORLD;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	dest = shmem_malloc(64 * sizeof(*dest));
	source = shmem_malloc(sizeof(*source));
	shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, n > 1 ? -1 : 0, n,
				 NULL, 0, &reverse);
	for (int xrange = 1; xrange <= n + 2; xrange++) {
		split(SHMEM_TEAM_WORLD, xrange);
		split(reverse, xrange);
	}
	split(reverse, INT32_MAX);
	CHECK(shmem_team_split_2d(SHMEM_TEAM_INVALID, 1, NULL, 0, &x, NULL, 0,
				  &y));
	CHECK(x == SHMEM_TEAM_INVALID && y == SHMEM_TEAM_INVALID);
	x = y = SHMEM_TEAM_WORLD;
	CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 0, NULL, 0, &x, NULL, 0,
				  &y));
	CHECK(x == SHMEM_TEAM_INVALID && y == SHMEM_TEAM_INVALID);
	shmem_team_destroy(reverse);
	shmem_barrier_all();
	shmem_free(source);
	shmem_free(dest);
	return check_end();
}
