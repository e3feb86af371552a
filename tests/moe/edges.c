/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The smallest and the most uneven: no tokens on some or all PEs, one token,
 * one expert, none, the same expert twice, ids masked, smallest rows.
 * PES: all
 */
#include "unit.h"

/* Every way of tokens with every route, and masks with some. */
static void try_cases(struct unit *u, struct layer *l, uint64_t salt)
{
	static const unsigned int masked[] = { 0, 50, 0, 95 };

	for (uint64_t i = 0; i < ROUTES + TOKENS; i++) {
		struct oracle_case c = { .salt = salt + i,
					 .route = (salt + i) % ROUTES,
					 .tokens = i % TOKENS,
					 .masked = masked[i % 4] };

		layer_make(u, l, &c);
		unit_forward(u, l);
		if (i % 2)
			unit_backward(u, l);
		else
			unit_dispatch(u, l, 1);
	}
}

static void try_config(const struct shmemx_moe_config *config, uint64_t salt)
{
	struct unit u;
	struct layer l;

	unit_open(&u, config, NULL);
	layer_open(&u, &l);
	try_cases(&u, &l, salt);
	layer_close(&l);
	unit_close(&u);
}

int main(void)
{
	gpu_begin();
	for (uint32_t i = 0; i < 8; i++) {
		struct shmemx_moe_config c = unit_config(i % 2);
		static const uint32_t tokens[] = { 1, 9, 33, 40 };

		c.dtype = i / 2 % 3;
		c.n_experts = (i % 3 ? 1 : 3) * (uint32_t)gpu_n;
		c.top_k = i % 4 < 2 ? 1 : SHMEMX_MOE_TOP_K_MAX;
		c.max_tokens = tokens[i / 2];
		c.hidden = c.dtype == SHMEMX_MOE_FP32 ? 4 : 8;
		try_config(&c, gpu_seed + 100 * i);
	}
	return gpu_end();
}
