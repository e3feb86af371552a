/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts with every combination of options; PE numbers relative to the
 * context's team; hundreds at once; SHMEM_CTX_INVALID is ignored; unknown
 * options are refused; sessions are hints that change nothing.
 * PES: all
 */
#include "check.h"

#define ALL_OPTIONS \
	(SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE)
#define MANY 300

static int n;
static long box[64], counter;
static uint64_t signal;

/* Member `to` of the context's team hears from this one. */
static void use(shmem_ctx_t ctx, shmem_team_t team)
{
	int mine = shmem_team_my_pe(team), size = shmem_team_n_pes(team);
	int to = (mine + 1) % size, from = (mine + size - 1) % size;
	long value = 1000 + mine, got = 0;

	box[from] = counter = 0;
	signal = 0;
	CHECK_EQ(shmem_team_sync(team), 0);
	shmem_ctx_long_p(ctx, &box[mine], value, to);
	shmem_ctx_long_atomic_add(ctx, &counter, 5, to);
	shmem_ctx_fence(ctx);
	shmem_ctx_long_put_signal(ctx, &box[mine], &value, 1, &signal, 3,
				  SHMEM_SIGNAL_ADD, to);
	shmem_ctx_signal_add(ctx, &signal, 4, to);
	shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 7);
	CHECK_EQ(box[from], 1000 + from);
	CHECK_EQ(counter, 5);
	CHECK_EQ(shmem_team_sync(team), 0);
	shmem_ctx_long_get(ctx, &got, &box[mine], 1, to);
	CHECK_EQ(got, value);
	CHECK_EQ(shmem_ctx_long_g(ctx, &box[mine], to), value);
	CHECK_EQ(shmem_ctx_long_atomic_fetch_add(ctx, &counter, 1, to), 5);
	shmem_ctx_quiet(ctx);
	shmem_ctx_pe_quiet(ctx, &to, 1);
	CHECK_EQ(shmem_team_sync(team), 0);
}

static void on_team(shmem_team_t team)
{
	for (long options = 0; options <= ALL_OPTIONS; options++) {
		shmem_team_t got = SHMEM_TEAM_INVALID;
		shmem_ctx_t ctx = SHMEM_CTX_INVALID;

		CHECK_EQ(shmem_team_create_ctx(team, options, &ctx), 0);
		CHECK(ctx != SHMEM_CTX_INVALID && ctx != SHMEM_CTX_DEFAULT);
		CHECK_EQ(shmem_ctx_get_team(ctx, &got), 0);
		CHECK_EQ(shmem_team_n_pes(got), shmem_team_n_pes(team));
		CHECK_EQ(shmem_team_my_pe(got), shmem_team_my_pe(team));
		use(ctx, team);
		shmem_ctx_destroy(ctx);
	}
}

static void invalid(void)
{
	shmem_team_t team = SHMEM_TEAM_WORLD;
	shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
	int pe = 0;

	shmem_ctx_quiet(SHMEM_CTX_INVALID);
	shmem_ctx_fence(SHMEM_CTX_INVALID);
	shmem_ctx_pe_quiet(SHMEM_CTX_INVALID, &pe, 1);
	shmem_ctx_destroy(SHMEM_CTX_INVALID);
	shmem_ctx_session_start(SHMEM_CTX_INVALID, 0, NULL, 0);
	shmem_ctx_session_stop(SHMEM_CTX_INVALID);
	CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team));
	CHECK(team == SHMEM_TEAM_INVALID);
	CHECK(shmem_ctx_create(1 << 20, &ctx));
	CHECK(ctx == SHMEM_CTX_INVALID);
	CHECK_EQ(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team), 0);
	CHECK(team == SHMEM_TEAM_WORLD);
}

static void sessions(void)
{
	shmem_ctx_session_config_t config = { .total_ops = 16 };
	shmem_ctx_t ctx;

	CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
	shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config,
				SHMEM_CTX_SESSION_TOTAL_OPS);
	use(ctx, SHMEM_TEAM_WORLD);
	/* A second start within the first. */
	shmem_ctx_session_start(ctx, 0, NULL, 0);
	use(ctx, SHMEM_TEAM_WORLD);
	shmem_ctx_session_stop(ctx);
	shmem_ctx_session_stop(ctx);
	use(ctx, SHMEM_TEAM_WORLD);
	shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH,
				&config, 0);
	use(SHMEM_CTX_DEFAULT, SHMEM_TEAM_WORLD);
	shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
	shmem_ctx_destroy(ctx);
}

static void many(void)
{
	static shmem_ctx_t contexts[MANY];

	for (int i = 0; i < MANY; i++)
		CHECK_EQ(shmem_ctx_create(i % 8, &contexts[i]), 0);
	for (int i = 0; i < MANY; i++)
		shmem_ctx_long_atomic_inc(contexts[i], &counter, i % n);
	for (int i = 0; i < MANY; i++)
		shmem_ctx_destroy(contexts[i * 7 % MANY]);
	for (int i = 0; i < 20000; i++) {
		CHECK_EQ(shmem_ctx_create(0, &contexts[0]), 0);
		shmem_ctx_destroy(contexts[0]);
	}
}

int main(void)
{
	shmem_team_t reverse;

	shmem_init();
	n = shmem_n_pes();
	invalid();
	on_team(SHMEM_TEAM_WORLD);
	shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, n > 1 ? -1 : 0, n,
				 NULL, 0, &reverse);
	on_team(reverse);
	if (n > 1) {
		shmem_team_t odd;

		shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, n / 2, NULL,
					 0, &odd);
		if (odd != SHMEM_TEAM_INVALID)
			on_team(odd);
		shmem_team_destroy(odd);
	}
	shmem_team_destroy(reverse);
	sessions();
	shmem_barrier_all();
	many();
	shmem_barrier_all();
	return check_end();
}
