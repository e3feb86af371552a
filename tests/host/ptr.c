/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shmem_ptr and shmem_team_ptr: the object itself on the own PE, loads and
 * stores on others of this node, NULL on other nodes, for what is not symmetric
 * and for PEs that do not exist; addr_accessible and pe_accessible say what
 * calls reach.
 * PES: all
 */
#include "check.h"

static long variable, stored;
static int me, n;

static void loads_and_stores(long *object)
{
	*object = 500 + me;
	shmem_barrier_all();
	CHECK(shmem_ptr(object, me) == object);
	for (int pe = 0; pe < n; pe++) {
		const long *there = shmem_ptr(object, pe);

		CHECK_EQ(shmem_pe_accessible(pe), 1);
		CHECK_EQ(shmem_addr_accessible(object, pe), 1);
		CHECK_EQ(there != NULL, check_near(pe));
		if (there)
			CHECK_EQ(*there, 500 + pe);
	}
	shmem_barrier_all();
	if (check_near((me + 1) % n))
		*(long *)shmem_ptr(object, (me + 1) % n) = 900 + me;
	else
		shmem_p(object, 900l + me, (me + 1) % n);
	shmem_barrier_all();
	CHECK_EQ(*object, 900 + (me + n - 1) % n);
	shmem_barrier_all();
}

static void nowhere(long *heap)
{
	static const int pes[] = { -1, 1 << 20, INT32_MIN, INT32_MAX };
	long local;

	for (int i = 0; i < 4; i++) {
		CHECK_EQ(shmem_pe_accessible(pes[i]), 0);
		CHECK_EQ(shmem_addr_accessible(heap, pes[i]), 0);
		CHECK(!shmem_ptr(heap, pes[i]));
		CHECK(!shmem_team_ptr(SHMEM_TEAM_WORLD, heap, pes[i]));
	}
	CHECK_EQ(shmem_pe_accessible(n), 0);
	CHECK(!shmem_ptr(heap, n));
	CHECK(!shmem_ptr(&local, me));
	CHECK(!shmem_ptr(NULL, me));
	CHECK_EQ(shmem_addr_accessible(NULL, 0), 0);
	CHECK_EQ(shmem_addr_accessible(&local, 0), 0);
	CHECK_EQ(shmem_addr_accessible((char *)heap - (1l << 40), 0), 0);
	if (check_near((me + 1) % n))
		CHECK(!shmem_ptr((char *)shmem_ptr(heap, (me + 1) % n) +
				 (n > 1 ? 0 : 1l << 40), 0));
}

/* A team in reverse order counts its own way. */
static void of_team(long *object)
{
	shmem_team_t reverse;

	shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, n > 1 ? -1 : 0, n,
				 NULL, 0, &reverse);
	for (int pe = 0; pe < n; pe++) {
		CHECK(shmem_team_ptr(reverse, object, pe) ==
		      shmem_ptr(object, n - 1 - pe));
		CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, object, pe) ==
		      shmem_ptr(object, pe));
	}
	CHECK(!shmem_team_ptr(reverse, object, n));
	CHECK(!shmem_team_ptr(SHMEM_TEAM_INVALID, object, 0));
	shmem_team_destroy(reverse);
}

/* quiet also orders plain stores. */
static void stores_and_quiet(long *heap)
{
	for (long i = 1; check_near(0) && check_near(n - 1) && i <= 1000; i++) {
		if (me == 0) {
			*(long *)shmem_ptr(heap, n - 1) = i;
			shmem_quiet();
			shmem_long_p(&stored, i, n - 1);
		}
		if (me == n - 1) {
			shmem_long_wait_until(&stored, SHMEM_CMP_EQ, i);
			CHECK_EQ(*heap, i);
			shmem_long_p(&stored, i, 0);
		}
		if (me == 0)
			shmem_long_wait_until(&stored, SHMEM_CMP_EQ, i);
	}
}

int main(void)
{
	long *heap;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	heap = shmem_malloc(sizeof(*heap));
	loads_and_stores(heap);
	loads_and_stores(&variable);
	nowhere(heap);
	of_team(heap);
	of_team(&variable);
	stores_and_quiet(heap);
	shmem_free(heap);
	return check_end();
}
