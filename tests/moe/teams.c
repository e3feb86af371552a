/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles of sub-teams: all in reverse, the odd PEs alone, odd and even ones at
 * the same time, beside a handle of all.
 * PES: all
 */
#include "unit.h"

static void exchange(struct unit *u, struct layer *l, uint64_t salt, int n)
{
	for (int i = 0; i < n; i++) {
		struct oracle_case c = { .salt = salt + (uint64_t)i,
					 .route = (salt + (uint64_t)i) % ROUTES,
					 .tokens = TOKENS_ANY };

		layer_make(u, l, &c);
		unit_forward(u, l);
		unit_backward(u, l);
	}
}

static void test_reversed(uint32_t layout)
{
	struct shmemx_moe_config c = unit_config(layout);
	struct unit u;
	struct layer l;

	c.team = gpu_reversed;
	unit_open(&u, &c, NULL);
	layer_open(&u, &l);
	exchange(&u, &l, gpu_seed, 3);
	layer_close(&l);
	unit_close(&u);
}

/* Members of a team alone; the team's PEs do as many exchanges as they like. */
static void test_members(shmem_team_t team, uint32_t layout, int odd,
			 char *symmetric)
{
	struct shmemx_moe_config c = unit_config(layout);
	struct unit u;
	struct layer l;

	c.team = team;
	c.n_experts = 2 * (uint32_t)shmem_team_n_pes(team);
	unit_open_in(&u, &c, NULL, symmetric);
	layer_open(&u, &l);
	exchange(&u, &l, gpu_seed + (uint64_t)odd * 1000, odd ? 5 : 3);
	layer_close(&l);
	unit_close(&u);
}

static shmem_team_t split(int start)
{
	shmem_team_t team = SHMEM_TEAM_INVALID;

	if (shmem_team_split_strided(SHMEM_TEAM_WORLD, start, 2,
				     (gpu_n - start + 1) / 2, NULL, 0, &team))
		gpu_fail("no team from %d on", start);
	return team;
}

static void test_halves(uint32_t layout, char *symmetric, struct unit *all,
			struct layer *l)
{
	shmem_team_t odd = gpu_n > 1 ? split(1) : SHMEM_TEAM_INVALID;
	shmem_team_t even = split(0);

	if (odd != SHMEM_TEAM_INVALID)
		test_members(odd, layout, 1, symmetric);
	shmem_barrier_all();
	exchange(all, l, gpu_seed + 1, 1);
	if (odd != SHMEM_TEAM_INVALID)
		test_members(odd, layout, 1, symmetric);
	else
		test_members(even, layout, 0, symmetric);
	exchange(all, l, gpu_seed + 2, 1);
	shmem_team_destroy(even);
	if (odd != SHMEM_TEAM_INVALID)
		shmem_team_destroy(odd);
}

int main(void)
{
	gpu_begin();
	for (uint32_t layout = 0; layout < 2; layout++) {
		/* A team takes no more than the world. */
		struct shmemx_moe_config c = unit_config(layout);
		char *symmetric = shmemx_malloc_device(unit_bytes(&c));
		struct unit all;
		struct layer l;

		unit_open(&all, &c, NULL);
		layer_open(&all, &l);
		test_reversed(layout);
		test_halves(layout, symmetric, &all, &l);
		layer_close(&l);
		unit_close(&all);
		shmem_free(symmetric);
	}
	return gpu_end();
}
