/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers and syncs of the world and of teams in every scope, many in a row:
 * none gets through before all are there, and what was put before a barrier
 * has arrived after it.
 * PES: all
 */
#include "call.h"

enum { ROUNDS = 50, ITEMS = 256 };

/*
 * Work-items of the group each put the round's number to the next PE, meet, and
 * look at what came from the PE before; then meet again.
 */
SHMEMX_FN void put_round(const struct gpu_call *c, enum shmemd_scope s,
			 long round)
{
	shmem_long_p((long *)c->dest + gpu_my_index(s), round, c->pe);
}

SHMEMX_FN void check_round(const struct gpu_call *c, enum shmemd_scope s,
			   long round)
{
	const volatile long *words = (const volatile long *)c->dest;

	for (unsigned int i = 0; i < gpu_my_size(s); i++)
		if (words[i] != round)
			++*c->counts;
}

#define BARRIER_KERNEL(fn, SCOPE, RESULT, QUIET, ...) \
	SHMEMX_KERNEL(k_##fn, struct gpu_call, a) \
	{ \
		const struct gpu_call c = gpu_group(a, SCOPE); \
		if (gpu_my_group(SCOPE) == 0) \
			for (long i = 1; i <= c.repeat; i++) { \
				put_round(&c, SCOPE, i); \
				QUIET; \
				RESULT fn(__VA_ARGS__); \
				check_round(&c, SCOPE, i); \
				RESULT fn(__VA_ARGS__); \
			} \
	} \
	GPU_LAUNCH(fn)
#define KERNELS(stem, RESULT, QUIET, ...) \
	BARRIER_KERNEL(shmem_##stem, SHMEMD_THREAD, RESULT, QUIET, \
		       __VA_ARGS__) \
	BARRIER_KERNEL(shmemx_##stem##_wave, SHMEMD_WAVE, RESULT, QUIET, \
		       __VA_ARGS__) \
	BARRIER_KERNEL(shmemx_##stem##_wg, SHMEMD_WG, RESULT, QUIET, \
		       __VA_ARGS__) \
	BARRIER_KERNEL(shmemx_##stem##_grid, SHMEMD_GRID, RESULT, QUIET, \
		       __VA_ARGS__)
KERNELS(barrier_all, , , )
KERNELS(sync_all, , shmem_quiet(), )
KERNELS(team_sync, *c.counts += (size_t), shmem_quiet(), c.team)

#define ENTRIES(stem) \
	GPU_ENTRIES_3(stem, PLAIN, 8, 's', stem) \
	GPU_ENTRY(shmemx_##stem##_grid, SHMEMD_GRID, PLAIN, 8, 's', stem)
static const struct gpu_row rows[] = {
	ENTRIES(barrier_all) ENTRIES(sync_all) ENTRIES(team_sync)
};

static struct gpu_mem words, counts;

static void test(const struct gpu_row *r, int n_wgs, int n_items,
		 shmem_team_t team, int next)
{
	const struct gpu_geometry g = { n_wgs, n_items };
	struct gpu_call c = gpu_call_new(r, next);

	c.same_pe = 1;
	c.team = team;
	c.dest = words.dev;
	c.counts = (size_t *)counts.dev;
	c.repeat = ROUNDS;
	gpu_mem_fill(&words, 0, words.bytes);
	gpu_mem_fill(&counts, 0, counts.bytes);
	shmem_team_sync(team);
	gpu_row_launch(r, g, &c);
	gpu_sync();
	gpu_mem_pull(&counts, counts.bytes);
	for (int i = 0; i < n_wgs * n_items; i++)
		if (((size_t *)counts.host)[i])
			gpu_fail("%s: item %d: %zu errors", r->name, i,
				 ((size_t *)counts.host)[i]);
}

static void test_teams(const struct gpu_row *r, shmem_team_t even)
{
	const int grid = r->scope == SHMEMD_GRID;
	const int n_even = (gpu_n + 1) / 2;

	for (int wgs = 1; wgs <= (grid ? 3 : 1); wgs++) {
		test(r, wgs, 1, SHMEM_TEAM_WORLD, (gpu_me + 1) % gpu_n);
		test(r, wgs, 80, SHMEM_TEAM_WORLD, (gpu_me + 1) % gpu_n);
		shmem_barrier_all();
		if (strcmp(r->body, "team_sync"))
			continue;
		test(r, wgs, 70, gpu_reversed, (gpu_me + 1) % gpu_n);
		shmem_barrier_all();
		if (even != SHMEM_TEAM_INVALID)
			test(r, wgs, 70, even,
			     (gpu_me / 2 + 1) % n_even * 2);
		shmem_barrier_all();
	}
}

int main(void)
{
	shmem_team_t even;

	gpu_begin();
	words = gpu_mem_new(ITEMS * sizeof(long));
	counts = gpu_mem_new(ITEMS * sizeof(size_t));
	shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (gpu_n + 1) / 2, NULL,
				 0, &even);
	for (size_t i = 0; i < GPU_COUNT(rows); i++)
		test_teams(&rows[i], even);
	return gpu_end();
}
