/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives one after the other on a team without barriers between: the
 * dest of one is the source of the next, PEs run at different speeds, kinds
 * and sizes alternate; syncs and barriers repeated; two teams interleaved.
 * PES: all
 */
#include "check.h"

#define N 512

static int me, n;
/* A dest is used again only after all must have read it. */
static long *a, *b, *c, *d, *e, *f, *g;
static uint64_t random_state;

static void dawdle(void)
{
	if (check_below(&random_state, 50) == 0)
		check_sleep_ms(1);
}

/* Sum of what PEs 0 to n - 1 bring in round r. */
static long total(long r)
{
	return n * r + n * (n - 1L) / 2;
}

static void chain(shmem_team_t team, long r, size_t count)
{
	int root = (int)(r % n);

	for (size_t i = 0; i < count; i++)
		a[i] = r + me;
	dawdle();
	shmem_long_sum_reduce(team, b, a, count);
	shmem_long_broadcast(team, c, b, count, root);
	dawdle();
	CHECK_EQ(b[count - 1], total(r));
	CHECK_EQ(c[0], total(r));
	CHECK_EQ(c[count - 1], total(r));
	shmem_long_max_reduce(team, c, c, count);
	CHECK_EQ(c[count / 2], total(r));
	shmem_long_sum_exscan(team, d, c, count);
	CHECK_EQ(d[0], me * total(r));
}

static void exchanges(shmem_team_t team, long r)
{
	size_t each = (size_t)(r % 10) + 1, all = each * (size_t)n;

	for (size_t i = 0; i < all; i++)
		a[i] = r * 10000 + me * 100 + (long)(i / each);
	shmem_long_alltoall(team, e, a, each);
	dawdle();
	for (size_t i = 0; i < all; i++)
		CHECK_EQ(e[i], r * 10000 + (long)(i / each) * 100 + me);
	shmem_long_fcollect(team, f, e, each);
	for (size_t i = 0; i < all; i++)
		CHECK_EQ(f[i], r * 10000 + (long)(i / each));
	shmem_long_collect(team, g, f, (size_t)me % 3);
	/* The sources are read no more: a is written again at once. */
}

static void many_syncs(shmem_team_t team)
{
	for (int i = 0; i < 2000; i++)
		shmem_sync_all();
	for (int i = 0; i < 2000; i++)
		shmem_barrier_all();
	for (int i = 0; i < 2000; i++)
		CHECK_EQ(shmem_team_sync(team), 0);
}

/* One root for a long time: nobody tells it how far others are. */
static void one_root(shmem_team_t team)
{
	for (long i = 0; i < 300; i++) {
		*a = i;
		shmem_long_broadcast(team, &b[i], a, 1, 0);
		CHECK_EQ(b[i], i);
		if (me == n - 1)
			dawdle();
	}
}

int main(void)
{
	shmem_team_t twin;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	random_state = (uint64_t)me;
	a = shmem_malloc(7 * N * sizeof(*a));
	b = a + N;
	c = b + N;
	d = c + N;
	e = d + N;
	f = e + N;
	g = f + N;
	shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &twin);
	for (long r = 0; r < 150; r++) {
		chain(SHMEM_TEAM_WORLD, r, r % 2 ? 3 : N);
		chain(twin, r + 1, r % 3 ? 200 : 1);
		exchanges(r % 2 ? twin : SHMEM_TEAM_WORLD, r);
	}
	many_syncs(twin);
	one_root(twin);
	shmem_team_destroy(twin);
	shmem_free(a);
	return check_end();
}
