/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is too large for one launch, rows that several waves share, and few
 * tokens in between, on the same handle.
 * PES: 1 2 3 4
 */
#include "unit.h"

enum { EXCHANGES = 6 };

static void try_config(const struct shmemx_moe_config *config, uint64_t salt)
{
	struct unit u;
	struct layer l;

	unit_open(&u, config, NULL);
	layer_open(&u, &l);
	for (uint64_t i = 0; i < EXCHANGES; i++) {
		struct oracle_case c = { .salt = salt + i,
					 .route = (salt + i) % ROUTES,
					 .tokens = i % 3 ? TOKENS_FULL :
							   TOKENS_ONE,
					 .masked = i % 2 ? 10 : 0 };

		layer_make(&u, &l, &c);
		unit_forward(&u, &l);
		layer_remake(&u, &l, salt + i + 100);
		if (i % 2)
			unit_backward(&u, &l);
		else
			unit_dispatch(&u, &l, 1);
	}
	layer_close(&l);
	unit_close(&u);
}

int main(void)
{
	gpu_begin();
	for (uint32_t i = 0; i < 7; i++) {
		struct shmemx_moe_config c = unit_config(i == 5);
		const int wide = i == 2 || i == 3;

		c.n_experts = (i % 2 ? 9 : 24) * (uint32_t)gpu_n;
		c.top_k = i % 2 ? 9 : 16;
		if (i == 6)
			c.top_k = 1;
		c.max_tokens = wide ? 5 : 580;
		c.hidden = wide ? 4352 : 8;
		c.quant = i == 2;
		c.alignment = i == 1 ? 16 : 0;
		c.capacity = i == 4 ? 5000 : 0;
		try_config(&c, gpu_seed + 100 * i);
	}
	return gpu_end();
}
