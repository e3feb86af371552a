/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows, scales and numbers of dispatches: both layouts, all types, with and
 * without quantisation, ids of both sizes.
 * PES: all
 */
#include "unit.h"

enum { EXCHANGES = 3 };

static void try_config(const struct shmemx_moe_config *config, uint64_t salt)
{
	struct unit u;
	struct layer l;

	unit_open(&u, config, NULL);
	layer_open(&u, &l);
	for (uint64_t i = 0; i < EXCHANGES; i++) {
		struct oracle_case c = { .salt = salt + i,
					 .route = (salt + i) % ROUTES,
					 .tokens = (salt + i) % 3,
					 .masked = 10 };

		layer_make(&u, &l, &c);
		unit_dispatch(&u, &l, 0);
	}
	layer_close(&l);
	unit_close(&u);
}

int main(void)
{
	gpu_begin();
	for (uint32_t i = 0; i < 24; i++) {
		struct shmemx_moe_config c = unit_config(i % 2);

		c.dtype = i / 2 % 3;
		c.quant = i / 6 % 2;
		c.id_bytes = i / 12 ? 8 : 4;
		c.hidden = i % 4 ? 128 : 384;
		try_config(&c, gpu_seed + i);
	}
	return gpu_end();
}
