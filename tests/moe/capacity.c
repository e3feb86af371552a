/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * More rows than there is room for: those that fit come as ever, the others are
 * counted by both sides, and no byte beyond the capacity is written.
 * PES: all
 */
#include "unit.h"

enum { N_LOCAL = 3, CASES = 8 };

static void check_stats(struct unit *u, const uint64_t *want)
{
	uint64_t stats[SHMEMX_MOE_STATS + N_LOCAL + GPU_MAX_PES];

	unit_stats(u, stats);
	GPU_CHECK_EQ(stats[SHMEMX_MOE_STAT_ROWS], want[SHMEMX_MOE_STAT_ROWS]);
	GPU_CHECK_EQ(stats[SHMEMX_MOE_STAT_DROPPED],
		     want[SHMEMX_MOE_STAT_DROPPED]);
	GPU_CHECK_EQ(stats[SHMEMX_MOE_STAT_OVERFLOW],
		     want[SHMEMX_MOE_STAT_OVERFLOW]);
}

static void try_config(const struct shmemx_moe_config *config, uint64_t salt)
{
	uint64_t want[SHMEMX_MOE_STATS] = { 0 };
	struct unit u;
	struct layer l;

	unit_open(&u, config, NULL);
	if (config->capacity)
		GPU_CHECK_EQ(u.sizes.rows, config->capacity);
	layer_open(&u, &l);
	for (uint64_t i = 0; i < CASES; i++) {
		struct oracle_case c = { .salt = salt + i,
					 .route = i % ROUTES,
					 .tokens = i % 2 };

		layer_make(&u, &l, &c);
		unit_forward(&u, &l);
		unit_backward(&u, &l);
		for (int k = 0; k < SHMEMX_MOE_STATS; k++)
			want[k] += l.oracle.members[u.me].stats[k];
	}
	check_stats(&u, want);
	layer_close(&l);
	unit_close(&u);
}

int main(void)
{
	static const struct {
		uint32_t capacity, alignment;
	} rooms[] = { { 1, 1 }, { 7, 1 }, { 30, 16 }, { 64, 16 }, { 100, 1 } };

	gpu_begin();
	for (size_t i = 0; i < GPU_COUNT(rooms); i++) {
		struct shmemx_moe_config c = unit_config(SHMEMX_MOE_COMPACT);

		c.n_experts = N_LOCAL * (uint32_t)gpu_n;
		c.capacity = rooms[i].capacity;
		c.alignment = rooms[i].alignment;
		c.top_k = 4;
		c.quant = i % 2 ? SHMEMX_MOE_QUANT_FP8 : SHMEMX_MOE_QUANT_NONE;
		try_config(&c, gpu_seed + i * 10);
	}
	return gpu_end();
}
