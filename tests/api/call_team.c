/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams, contexts and sessions. PES: all */
#include "api.h"

static void test_world(void)
{
	const shmem_team_t world = SHMEM_TEAM_WORLD;

	CHECK("shmem_team_my_pe", shmem_team_my_pe(world) == api_me);
	CHECK("shmem_team_n_pes", shmem_team_n_pes(world) == api_n);
	CHECK("shmem_team_my_pe", shmem_team_my_pe(SHMEM_TEAM_INVALID) == -1);
	CHECK("shmem_team_n_pes", shmem_team_n_pes(SHMEM_TEAM_INVALID) == -1);
	CHECK("shmem_team_n_pes", shmem_team_n_pes(SHMEM_TEAM_SHARED) > 0);
	shmem_team_destroy(SHMEM_TEAM_INVALID);
}

/* PEs 0, 2, 4, ... of the world; `inner` is its last two in reverse. */
static void test_strided(void)
{
	const int size = (api_n + 1) / 2, inner_size = size < 2 ? size : 2;
	shmem_team_t evens = SHMEM_TEAM_WORLD, inner = SHMEM_TEAM_WORLD;

	CHECK("shmem_team_split_strided",
	      shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, size, NULL, 0,
				       &evens) == 0);
	if (api_me % 2) {
		CHECK("shmem_team_split_strided", evens == SHMEM_TEAM_INVALID);
		return;
	}
	CHECK("shmem_team_my_pe", shmem_team_my_pe(evens) == api_me / 2);
	CHECK("shmem_team_n_pes", shmem_team_n_pes(evens) == size);
	CHECK("shmem_team_translate_pe",
	      shmem_team_translate_pe(evens, size - 1, SHMEM_TEAM_WORLD) ==
		      2 * (size - 1));
	if (api_n > 1)
		CHECK("shmem_team_translate_pe",
		      shmem_team_translate_pe(SHMEM_TEAM_WORLD, 1, evens) ==
			      -1);
	CHECK("shmem_team_split_strided",
	      shmem_team_split_strided(evens, size - 1, -1, inner_size, NULL, 0,
				       &inner) == 0);
	if (inner != SHMEM_TEAM_INVALID)
		CHECK("shmem_team_translate_pe",
		      shmem_team_translate_pe(inner, 0, SHMEM_TEAM_WORLD) ==
			      2 * (size - 1));
	shmem_team_destroy(inner);
	shmem_team_destroy(evens);
}

static void test_2d(void)
{
	shmem_team_t x, y;
	const int width = 3, row = api_me / width;
	const int left = api_n - row * width;

	CHECK("shmem_team_split_2d",
	      shmem_team_split_2d(SHMEM_TEAM_WORLD, width, NULL, 0, &x, NULL, 0,
				  &y) == 0);
	CHECK("shmem_team_split_2d", shmem_team_my_pe(x) == api_me % width);
	CHECK("shmem_team_split_2d", shmem_team_my_pe(y) == row);
	CHECK("shmem_team_split_2d",
	      shmem_team_n_pes(x) == (left < width ? left : width));
	shmem_team_destroy(x);
	shmem_team_destroy(y);
}

static void test_config(void)
{
	shmem_team_config_t config = { .num_contexts = 2 }, got = { -1 };
	shmem_team_t team = SHMEM_TEAM_INVALID, parent;
	shmem_ctx_t ctx = SHMEM_CTX_INVALID;

	CHECK("shmem_team_split_strided",
	      shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, api_n, &config,
				       SHMEM_TEAM_NUM_CONTEXTS, &team) == 0);
	CHECK("shmem_team_get_config",
	      shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &got) == 0);
	CHECK("shmem_team_get_config", got.num_contexts >= 2);
	CHECK("shmem_team_get_config",
	      shmem_team_get_config(team, 0, NULL) == 0);
	CHECK("shmem_team_get_config",
	      shmem_team_get_config(SHMEM_TEAM_INVALID, 0, NULL) != 0);
	CHECK("shmem_team_create_ctx",
	      shmem_team_create_ctx(team, SHMEM_CTX_PRIVATE, &ctx) == 0);
	CHECK("shmem_ctx_get_team", shmem_ctx_get_team(ctx, &parent) == 0);
	CHECK("shmem_ctx_get_team", parent == team);
	shmem_ctx_destroy(ctx);
	shmem_team_destroy(team);
}

/* What a context sent is there once it is destroyed. */
static void test_ctx(long options)
{
	static long word;
	const shmem_ctx_session_config_t config = { .total_ops = 4 };
	shmem_ctx_t ctx = SHMEM_CTX_INVALID;
	shmem_team_t team = SHMEM_TEAM_INVALID;
	long value = api_me + 1;

	word = 0;
	shmem_barrier_all();
	CHECK("shmem_ctx_create", shmem_ctx_create(options, &ctx) == 0);
	CHECK("shmem_ctx_create", ctx != SHMEM_CTX_INVALID);
	CHECK("shmem_ctx_get_team", shmem_ctx_get_team(ctx, &team) == 0);
	CHECK("shmem_ctx_get_team", team == SHMEM_TEAM_WORLD);
	shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config,
				SHMEM_CTX_SESSION_TOTAL_OPS);
	shmem_ctx_session_start(ctx, 0, NULL, 0);
	shmem_ctx_long_put_nbi(ctx, &word, &value, 1, (api_me + 1) % api_n);
	shmem_ctx_session_stop(ctx);
	shmem_ctx_destroy(ctx);
	shmem_sync_all();
	CHECK("shmem_ctx_destroy", word == (api_me + api_n - 1) % api_n + 1);
}

static void test_invalid(void)
{
	shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
	shmem_team_t team = SHMEM_TEAM_WORLD;

	CHECK("shmem_team_create_ctx",
	      shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0);
	CHECK("shmem_team_create_ctx", ctx == SHMEM_CTX_INVALID);
	CHECK("shmem_ctx_get_team",
	      shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0);
	CHECK("shmem_ctx_get_team", team == SHMEM_TEAM_INVALID);
	CHECK("shmem_team_translate_pe",
	      shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0,
				      SHMEM_TEAM_INVALID) == -1);
	shmem_ctx_session_start(SHMEM_CTX_INVALID, 0, NULL, 0);
	shmem_ctx_session_stop(SHMEM_CTX_INVALID);
	shmem_ctx_destroy(SHMEM_CTX_INVALID);
}

int main(void)
{
	api_begin();
	test_world();
	test_strided();
	test_2d();
	test_config();
	test_ctx(0);
	test_ctx(SHMEM_CTX_PRIVATE);
	test_ctx(SHMEM_CTX_SERIALIZED);
	test_ctx(SHMEM_CTX_NOSTORE);
	test_invalid();
	return api_end();
}
