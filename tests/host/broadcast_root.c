/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcast from every root, small and large: the team form updates the root's
 * dest too, also in place; the active-set form leaves it alone; the root is
 * counted within the team or set.
 * PES: all
 */
#include "check.h"

#define N 3000

static int me, n;
static long *dest, *source;

static void fill(void)
{
	for (int i = 0; i < N; i++) {
		dest[i] = -1;
		source[i] = me * 10000L + i;
	}
	shmem_barrier_all();
}

static void holds(int from, size_t nelems)
{
	for (size_t i = 0; i < nelems; i++)
		CHECK_EQ(dest[i], from < 0 ? -1 : from * 10000L + (long)i);
	CHECK_EQ(dest[nelems], -1);
}

static void team_form(shmem_team_t team, int root, int world_root,
		      size_t nelems)
{
	fill();
	if (team != SHMEM_TEAM_INVALID) {
		CHECK_EQ(shmem_long_broadcast(team, dest, source, nelems, root),
			 0);
		holds(world_root, nelems);
	}
	shmem_barrier_all();
	fill();
	memcpy(dest, source, nelems * sizeof(*dest));
	shmem_barrier_all();
	if (team != SHMEM_TEAM_INVALID) {
		CHECK_EQ(shmem_broadcastmem(team, dest, dest,
					    nelems * sizeof(*dest), root), 0);
		holds(world_root, nelems);
	}
	shmem_barrier_all();
}

static void set_form(int start, int log_stride, int size, int root,
		     size_t nelems)
{
	static long sync[2][SHMEM_BCAST_SYNC_SIZE];
	static int turn;
	int stride = 1 << log_stride, from = start + root * stride;

	fill();
	turn++;
	if (me >= start && (me - start) % stride == 0 &&
	    (me - start) / stride < size) {
		shmem_broadcast64(dest, source, nelems, root, start,
				  log_stride, size, sync[turn % 2]);
		holds(me == from ? -1 : from, nelems);
	}
	shmem_barrier_all();
}

int main(void)
{
	static const size_t sizes[] = { 1, 7, 8, 100, N - 1 };
	shmem_team_t reverse;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	dest = shmem_malloc(N * sizeof(*dest));
	source = shmem_malloc(N * sizeof(*source));
	shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, n > 1 ? -1 : 0, n,
				 NULL, 0, &reverse);
	for (int root = 0; root < n; root++)
		for (int s = 0; s < 5; s++) {
			team_form(SHMEM_TEAM_WORLD, root, root, sizes[s]);
			team_form(reverse, root, n - 1 - root, sizes[s]);
			set_form(0, 0, n, root, sizes[s]);
		}
	for (int root = 0; root < (n + 1) / 2; root++)
		set_form(0, 1, (n + 1) / 2, root, 50);
	if (n > 2)
		set_form(1, 0, n - 1, 1, 9);
	set_form(n - 1, 0, 1, 0, 9);
	shmem_team_destroy(reverse);
	shmem_free(source);
	shmem_free(dest);
	return check_end();
}
