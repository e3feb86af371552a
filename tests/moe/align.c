/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where experts' blocks begin, and that sizes are enough for the worst routing:
 * few and many experts, few and many tokens, alignments.
 * PES: all
 */
#include "unit.h"

static void try_routes(const struct shmemx_moe_config *config, uint64_t salt)
{
	struct unit u;
	struct layer l;

	unit_open(&u, config, NULL);
	layer_open(&u, &l);
	for (int i = 0; i < 4; i++) {
		static const enum oracle_route routes[] = {
			ROUTE_ONE, ROUTE_SOME, ROUTE_MEMBER, ROUTE_SKEW
		};
		struct oracle_case c = { .salt = salt + (uint64_t)i,
					 .route = routes[i],
					 .tokens = TOKENS_FULL };

		layer_make(&u, &l, &c);
		unit_dispatch(&u, &l, 0);
	}
	layer_close(&l);
	unit_close(&u);
}

int main(void)
{
	static const uint32_t alignments[] = { 0, 1, 16, 128 };
	static const uint32_t experts[] = { 1, 5 }, tokens[] = { 3, 70 };

	gpu_begin();
	for (size_t i = 0; i < GPU_COUNT(alignments); i++) {
		struct shmemx_moe_config c = unit_config(SHMEMX_MOE_COMPACT);

		c.alignment = alignments[i];
		c.n_experts = experts[i % 2] * (uint32_t)gpu_n;
		c.max_tokens = tokens[i / 2];
		c.hidden = 8;
		try_routes(&c, gpu_seed + i);
		c.n_experts = experts[!(i % 2)] * (uint32_t)gpu_n;
		try_routes(&c, gpu_seed + 10 + i);
	}
	return gpu_end();
}
