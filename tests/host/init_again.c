/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * init and finalize are counted; after the last finalize the PE goes on and
 * may initialise again, with a fresh heap; query_initialized may be asked at
 * any time; the thread level never falls below what was asked for.
 * PES: all
 */
#include "check.h"

static long variable;
static uint64_t signal;

static int initialized(void)
{
	int up = 77;

	shmem_query_initialized(&up);
	return up;
}

static void use(long round)
{
	int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n;
	long *heap = shmem_malloc(1000 * sizeof(*heap));
	shmem_team_t team;
	shmem_ctx_t ctx;

	CHECK(heap != NULL);
	shmem_long_p(&variable, round * 100 + me, next);
	shmem_long_p(&heap[999], round * 100 + me, next);
	shmem_barrier_all();
	CHECK_EQ(variable, round * 100 + (me + n - 1) % n);
	CHECK_EQ(heap[999], round * 100 + (me + n - 1) % n);
	CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0,
					  &team), 0);
	CHECK_EQ(shmem_team_create_ctx(team, 0, &ctx), 0);
	shmem_ctx_signal_add(ctx, &signal, 1, next);
	shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, (uint64_t)round + 1);
	/* Team, context and memory are left for finalize to release. */
}

static void nested(void)
{
	int provided = -1, level = -1;

	CHECK_EQ(shmem_init_thread(SHMEM_THREAD_FUNNELED, &provided), 0);
	CHECK(provided >= SHMEM_THREAD_FUNNELED);
	shmem_init();
	shmem_query_thread(&level);
	CHECK(level >= SHMEM_THREAD_FUNNELED);
	CHECK_EQ(initialized(), 1);
	shmem_finalize();
	CHECK_EQ(initialized(), 1);
	CHECK(shmem_n_pes() >= 1);
	shmem_finalize();
	CHECK_EQ(initialized(), 1);
}

int main(void)
{
	CHECK_EQ(initialized(), 0);
	for (long round = 0; round < 20; round++) {
		int got;

		if (round % 2)
			shmem_init();
		else
			CHECK_EQ(shmem_init_thread((int)(round / 2 % 4), &got),
				 0);
		CHECK_EQ(initialized(), 1);
		nested();
		use(round);
		shmem_finalize();
		CHECK_EQ(initialized(), 0);
	}
	/* A finalize too many is none. */
	shmem_finalize();
	CHECK_EQ(initialized(), 0);
	return check_failures != 0;
}
