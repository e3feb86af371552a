/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same bits each time, by one work-group or many, by other handles: rows,
 * sums, and what has an order of its own, gradients of weights.
 * PES: all
 */
#include "unit.h"

enum { RUNS = 2 };

struct bits {
	unsigned char *grad_weights;
	size_t bytes;
};

/* The first run's bits are those of all others. */
static void compare(struct unit *u, struct bits *first)
{
	const struct buffer *b = &u->grad_weights;

	if (first->grad_weights) {
		gpu_same("gradients of weights, repeated", b->host,
			 first->grad_weights, first->bytes);
		return;
	}
	first->bytes = b->bytes;
	first->grad_weights = malloc(b->bytes);
	memcpy(first->grad_weights, b->host, b->bytes);
}

static void run(const struct shmemx_moe_config *config, struct bits *first)
{
	struct oracle_case c = { .salt = gpu_seed,
				 .route = ROUTE_ANY,
				 .tokens = TOKENS_FULL,
				 .masked = 5 };
	struct unit u;
	struct layer l;

	unit_open(&u, config, NULL);
	layer_open(&u, &l);
	for (int i = 0; i < RUNS; i++) {
		layer_make(&u, &l, &c);
		unit_forward(&u, &l);
		combine_backward_before(&u, &l);
		combine_backward_put(&u, &l, 1);
		combine_backward_after(&u, &l, 1);
		compare(&u, first);
	}
	layer_close(&l);
	unit_close(&u);
}

int main(void)
{
	static const uint32_t n_wgs[] = { 1, 7, 0 };

	gpu_begin();
	for (uint32_t i = 0; i < 3; i++) {
		struct shmemx_moe_config c = unit_config(i % 2);
		struct bits first = { NULL, 0 };

		c.dtype = i;
		c.hidden = 520;
		c.top_k = 4;
		for (size_t k = 0; k < GPU_COUNT(n_wgs); k++) {
			c.n_wgs = n_wgs[k];
			run(&c, &first);
		}
		free(first.grad_weights);
	}
	return gpu_end();
}
