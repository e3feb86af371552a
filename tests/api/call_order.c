/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers, syncs, fence, quiet and locks. PES: all */
#include <unistd.h>
#include "api.h"

static long flags[MAX_PES], data[MAX_PES], psync[SHMEM_BARRIER_SYNC_SIZE];

enum { ROUNDS = 20 };

/* What it needs to meet all PEs, or those of an active set. */
static void team_sync_world(void)
{
	CHECK("shmem_team_sync", shmem_team_sync(SHMEM_TEAM_WORLD) == 0);
}

static void barrier_set(void)
{
	shmem_barrier(0, 0, api_n, psync);
}

static void sync_set(void)
{
	shmem_sync(0, 0, api_n, psync);
}

struct meeting {
	const char *name;
	void (*meet)(void);
};

static const struct meeting meetings[] = {
	{ "shmem_barrier_all", shmem_barrier_all },
	{ "shmem_sync_all", shmem_sync_all },
	{ "shmem_team_sync", team_sync_world },
	{ "shmem_barrier", barrier_set },
	{ "shmem_sync", sync_set },
};

/*
 * Who leaves a meeting has seen everybody enter: the late one stored its round
 * before. A second meeting keeps the next round out.
 */
static void test_meeting(const struct meeting *m)
{
	for (int round = 1; round <= ROUNDS; round++) {
		if (round % api_n == api_me)
			usleep(200);
		for (int pe = 0; pe < api_n; pe++)
			shmem_long_atomic_set(&flags[api_me], round, pe);
		shmem_quiet();
		m->meet();
		for (int pe = 0; pe < api_n; pe++)
			CHECK(m->name, flags[pe] == round);
		m->meet();
	}
}

static void quiet_all(bool ctx)
{
	int pes[MAX_PES];

	for (int pe = 0; pe < api_n; pe++)
		pes[pe] = pe;
	if (ctx)
		shmem_ctx_pe_quiet(api_ctx, pes, (size_t)api_n);
	else
		shmem_pe_quiet(pes, (size_t)api_n);
}

static void order(int how)
{
	switch (how) {
	case 0:
		shmem_fence();
		break;
	case 1:
		shmem_quiet();
		break;
	case 2:
		quiet_all(false);
		break;
	case 3:
		shmem_ctx_fence(api_ctx);
		break;
	case 4:
		shmem_ctx_quiet(api_ctx);
		break;
	default:
		quiet_all(true);
	}
}

/* Data, order, flag to the right; who sees the flag sees the data. */
static void test_order(int how)
{
	const bool ctx = how >= 3;
	const int right = (api_me + 1) % api_n;
	const shmem_ctx_t c = ctx ? api_ctx : SHMEM_CTX_DEFAULT;
	const int pe = ctx ? api_n - 1 - right : right;

	data[0] = flags[0] = 0;
	shmem_barrier_all();
	for (long round = 1; round <= ROUNDS; round++) {
		shmem_ctx_long_put_nbi(c, data, &round, 1, pe);
		order(how);
		shmem_ctx_long_p(c, flags, round, pe);
		shmem_long_wait_until(flags, SHMEM_CMP_GE, round);
		if (data[0] < round)
			api_fail("order", "case %d: the flag came first", how);
		shmem_ctx_quiet(c);
		shmem_sync_all();
	}
}

static void add_unsafely(void)
{
	const long seen = shmem_long_g(data, 0);

	shmem_long_p(data, seen + 1, 0);
}

static void test_lock(void)
{
	static long lock;

	data[0] = 0;
	shmem_barrier_all();
	for (int i = 0; i < ROUNDS; i++) {
		if (i % 2)
			shmem_set_lock(&lock);
		else
			while (shmem_test_lock(&lock))
				usleep(10);
		add_unsafely();
		shmem_clear_lock(&lock);
	}
	shmem_barrier_all();
	CHECK("shmem_set_lock", shmem_long_g(data, 0) == api_n * ROUNDS);
	if (api_me == 0)
		shmem_set_lock(&lock);
	shmem_barrier_all();
	if (api_me)
		CHECK("shmem_test_lock", shmem_test_lock(&lock) == 1);
	shmem_barrier_all();
	if (api_me == 0)
		shmem_clear_lock(&lock);
}

/* Nothing to complete: no context, no PEs. */
static void test_nothing(void)
{
	shmem_ctx_fence(SHMEM_CTX_INVALID);
	shmem_ctx_quiet(SHMEM_CTX_INVALID);
	shmem_ctx_pe_quiet(SHMEM_CTX_INVALID, NULL, 0);
	shmem_pe_quiet(NULL, 0);
}

int main(void)
{
	api_begin();
	for (size_t i = 0; i < COUNT(meetings); i++)
		test_meeting(&meetings[i]);
	for (int how = 0; how < 6; how++)
		test_order(how);
	test_lock();
	test_nothing();
	return api_end();
}
