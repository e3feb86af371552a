/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums that combine makes, bit by bit: both layouts, all types, behind
 * dispatches with and without quantisation, with weights and without.
 * PES: all
 */
#include "unit.h"

static void try_config(const struct shmemx_moe_config *config, uint64_t salt)
{
	struct unit u;
	struct layer l;

	unit_open(&u, config, NULL);
	layer_open(&u, &l);
	for (uint64_t i = 0; i < 4; i++) {
		struct oracle_case c = { .salt = salt + i,
					 .route = (salt + i) % ROUTES,
					 .tokens = i % 2,
					 .masked = 20 };

		l.oracle.unweighted = i == 2;
		layer_make(&u, &l, &c);
		unit_forward(&u, &l);
		layer_remake(&u, &l, salt + i + 100);
		unit_combine(&u, &l);
	}
	layer_close(&l);
	unit_close(&u);
}

int main(void)
{
	gpu_begin();
	for (uint32_t i = 0; i < 12; i++) {
		struct shmemx_moe_config c = unit_config(i % 2);

		c.dtype = i / 2 % 3;
		c.quant = i / 6;
		c.top_k = i % 4 ? 3 : 8;
		c.hidden = i % 3 ? 128 : 640;
		try_config(&c, gpu_seed + i);
	}
	return gpu_end();
}
