/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters of a handle: tokens and rows, rows of each expert, the time that was
 * waited for a late PE; and that they can be cleared.
 * PES: all
 */
#include <unistd.h>
#include "unit.h"

enum { N_LOCAL = 2, LATE_US = 40000, NUMBERS = SHMEMX_MOE_STATS + N_LOCAL };

static void count(struct unit *u, struct layer *l, uint64_t *want,
		  uint64_t salt)
{
	struct oracle_case c = { .salt = salt,
				 .route = salt % ROUTES,
				 .tokens = salt % 2,
				 .masked = 15,
				 .invalid = 15 };
	const struct oracle_member *m = &l->oracle.members[u->me];

	layer_make(u, l, &c);
	unit_forward(u, l);
	for (int i = 0; i < SHMEMX_MOE_STATS; i++)
		want[i] += m->stats[i];
	for (int e = 0; e < N_LOCAL; e++)
		want[SHMEMX_MOE_STATS + e] += (uint64_t)m->counts[e];
}

static void compare(struct unit *u, const uint64_t *want)
{
	uint64_t got[NUMBERS + GPU_MAX_PES];

	unit_stats(u, got);
	for (int i = 0; i < NUMBERS; i++)
		if (got[i] != want[i])
			gpu_fail("counter %d is %llu, expected %llu: %s", i,
				 (unsigned long long)got[i],
				 (unsigned long long)want[i], u->name);
}

/* PE 0 comes late; nobody waits longer than all of it takes. */
static void test_late(struct unit *u, struct layer *l)
{
	uint64_t got[NUMBERS + GPU_MAX_PES], want[NUMBERS] = { 0 };

	shmemx_memset(shmemx_moe_stats(u->moe), 0,
		      (NUMBERS + (size_t)u->n) * sizeof(*got));
	compare(u, want);
	shmem_barrier_all();
	if (!u->me)
		usleep(LATE_US);
	count(u, l, want, gpu_seed);
	compare(u, want);
	unit_stats(u, got);
	/* Of SLOTS all PEs meet before the dispatch. */
	if (u->me && u->config.layout == SHMEMX_MOE_COMPACT &&
	    got[NUMBERS] < LATE_US * 1000ull / 2)
		gpu_fail("waited for PE 0 for %llu ns, expected %llu: %s",
			 (unsigned long long)got[NUMBERS], LATE_US * 1000ull,
			 u->name);
	for (int i = 0; i < u->n; i++)
		if (got[NUMBERS + i] > 100 * LATE_US * 1000ull)
			gpu_fail("waited for PE %d for %llu ns", i,
				 (unsigned long long)got[NUMBERS + i]);
	GPU_CHECK_EQ(got[NUMBERS + u->me], 0);
}

static void try_layout(uint32_t layout)
{
	struct shmemx_moe_config c = unit_config(layout);
	uint64_t want[NUMBERS] = { 0 };
	struct unit u;
	struct layer l;

	c.n_experts = N_LOCAL * (uint32_t)gpu_n;
	unit_open(&u, &c, NULL);
	layer_open(&u, &l);
	compare(&u, want);
	for (uint64_t i = 0; i < 6; i++) {
		count(&u, &l, want, gpu_seed + i);
		compare(&u, want);
	}
	test_late(&u, &l);
	layer_close(&l);
	unit_close(&u);
}

int main(void)
{
	gpu_begin();
	try_layout(SHMEMX_MOE_COMPACT);
	try_layout(SHMEMX_MOE_SLOTS);
	return gpu_end();
}
