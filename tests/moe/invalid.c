/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ids that are no expert's go nowhere and are counted: too large, negative, and
 * those of 8 bytes that would be an expert's if they were cut to 4.
 * PES: all
 */
#include "unit.h"

static void try_config(const struct shmemx_moe_config *config, uint64_t salt)
{
	uint64_t stats[SHMEMX_MOE_STATS + 2 + GPU_MAX_PES];
	uint64_t masked = 0, invalid = 0;
	struct unit u;
	struct layer l;

	unit_open(&u, config, NULL);
	layer_open(&u, &l);
	for (unsigned int i = 0; i < 4; i++) {
		struct oracle_case c = { .salt = salt + i,
					 .route = ROUTE_ANY,
					 .tokens = TOKENS_FULL,
					 .masked = 20,
					 .invalid = i == 3 ? 80 : 40 };

		layer_make(&u, &l, &c);
		unit_forward(&u, &l);
		unit_backward(&u, &l);
		masked += l.oracle.members[u.me].stats[SHMEMX_MOE_STAT_MASKED];
		invalid +=
			l.oracle.members[u.me].stats[SHMEMX_MOE_STAT_INVALID];
	}
	unit_stats(&u, stats);
	GPU_CHECK_EQ(stats[SHMEMX_MOE_STAT_MASKED], masked);
	GPU_CHECK_EQ(stats[SHMEMX_MOE_STAT_INVALID], invalid);
	layer_close(&l);
	unit_close(&u);
}

int main(void)
{
	gpu_begin();
	for (uint32_t i = 0; i < 4; i++) {
		struct shmemx_moe_config c = unit_config(i % 2);

		c.id_bytes = i / 2 ? 8 : 4;
		try_config(&c, gpu_seed + 10 * i);
	}
	return gpu_end();
}
