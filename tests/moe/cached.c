/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A layout that is used again: dispatches without ids, and layers that go
 * forward one after the other, then backward the other way round.
 * PES: all
 */
#include "unit.h"

enum { AGAIN = 5, LAYERS = 3, STEPS = 3 };

static void test_again(struct unit *u, struct layer *l)
{
	struct oracle_case c = { .salt = gpu_seed,
				 .route = ROUTE_ANY,
				 .tokens = TOKENS_ANY,
				 .masked = 10 };

	layer_make(u, l, &c);
	unit_forward(u, l);
	for (uint64_t i = 1; i <= AGAIN; i++) {
		layer_remake(u, l, gpu_seed + i * 1000);
		unit_dispatch(u, l, 1);
		if (i % 2)
			unit_combine(u, l);
		else
			unit_backward(u, l);
	}
}

/* Buffers are shared by the layers, so each is filled again for its turn. */
static void test_layers(struct unit *u, struct layer *layers, uint64_t salt)
{
	for (int i = 0; i < LAYERS; i++) {
		struct oracle_case c = { .salt = salt + (uint64_t)i,
					 .route = (salt + (uint64_t)i) % ROUTES,
					 .tokens = i % 2 };

		layer_make(u, &layers[i], &c);
		unit_forward(u, &layers[i]);
	}
	for (int i = LAYERS; i-- > 0;) {
		layer_remake(u, &layers[i], salt + 10 + (uint64_t)i);
		unit_backward(u, &layers[i]);
	}
	for (int i = 0; i < LAYERS; i++) {
		layer_remake(u, &layers[i], salt + 20 + (uint64_t)i);
		unit_dispatch(u, &layers[i], 1);
	}
}

static void try_config(const struct shmemx_moe_config *config)
{
	struct unit u;
	struct layer layers[LAYERS];

	unit_open(&u, config, NULL);
	for (int i = 0; i < LAYERS; i++)
		layer_open(&u, &layers[i]);
	test_again(&u, &layers[0]);
	for (uint64_t i = 0; i < STEPS; i++)
		test_layers(&u, layers, gpu_seed + i * 100);
	for (int i = 0; i < LAYERS; i++)
		layer_close(&layers[i]);
	unit_close(&u);
}

int main(void)
{
	gpu_begin();
	for (uint32_t i = 0; i < 4; i++) {
		struct shmemx_moe_config c = unit_config(i % 2);

		c.quant = i / 2;
		c.alignment = i == 2 ? 16 : 0;
		try_config(&c);
	}
	return gpu_end();
}
