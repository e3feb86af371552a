/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles of teams and contexts are small, live as long as what they name, and
 * are given out again; more of them exist than kernels know.
 * PES: 1 2 4
 */
#include <errno.h>
#include <shmemx.h>

#include "check.h"

#define MANY 3000
#define MORE 70000

static shmem_team_t same(void)
{
	shmem_team_t team;

	CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1,
					  shmem_n_pes(), NULL, 0, &team), 0);
	return team;
}

static void teams(void)
{
	shmem_team_t team[300];

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 300; i++) {
			team[i] = same();
			CHECK_EQ((uintptr_t)team[i], 3 + i);
		}
		for (int i = 299; i >= 0; i--) {
			CHECK_EQ(shmem_team_sync(team[i]), 0);
			shmem_team_destroy(team[i]);
			CHECK_EQ(shmem_team_n_pes(team[i]), -1);
			CHECK_EQ(shmem_team_my_pe(team[i]), -1);
		}
	}
	CHECK_EQ(shmem_team_n_pes((shmem_team_t)123456789), -1);
	CHECK_EQ(shmem_team_sync((shmem_team_t)UINTPTR_MAX), -1);
}

/* A context that is none has no error to tell, nor is it well. */
static void no_error(shmem_ctx_t ctx)
{
	char text[64] = "";

	CHECK_EQ(shmemx_ctx_error(ctx), -EINVAL);
	CHECK(shmemx_ctx_error_message(ctx, text, sizeof(text)) > 0);
	CHECK(strstr(text, "no context"));
	shmemx_ctx_flush(ctx);
	CHECK_EQ(shmemx_ctx_error(SHMEM_CTX_INVALID), 0);
	CHECK_EQ(shmemx_ctx_error_message(SHMEM_CTX_INVALID, text, 1), 0);
}

static void contexts(int many, long *word)
{
	shmem_ctx_t *ctx = calloc((size_t)many, sizeof(*ctx));
	shmem_team_t team;

	for (int i = 0; i < many; i++)
		CHECK_EQ(shmem_ctx_create(0, &ctx[i]), 0);
	for (int i = 0; i < many; i++) {
		CHECK_EQ(shmem_ctx_get_team(ctx[i], &team), 0);
		CHECK(team == SHMEM_TEAM_WORLD);
		shmem_ctx_long_atomic_add(ctx[i], word, 1, 0);
	}
	for (int i = 0; i < many; i++)
		shmem_ctx_destroy(ctx[i]);
	CHECK(shmem_ctx_get_team(ctx[many - 1], &team) != 0);
	CHECK(team == SHMEM_TEAM_INVALID);
	no_error(ctx[many - 1]);
	CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx[1]), 0);
	CHECK(ctx[1] == ctx[0]);
	CHECK_EQ(shmemx_ctx_error(ctx[1]), 0);
	shmem_ctx_destroy(ctx[1]);
	free(ctx);
}

int main(void)
{
	long *word;

	shmem_init();
	word = shmem_calloc(1, sizeof(*word));
	teams();
	contexts(MANY, word);
	contexts(MORE, word);
	shmem_barrier_all();
	CHECK_EQ(shmem_long_g(word, 0), (MANY + MORE) * shmem_n_pes());
	shmem_barrier_all();
	shmem_free(word);
	return check_end();
}
