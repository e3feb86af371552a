/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random configurations, in each of them random exchanges of several layouts,
 * by PEs that come at random times. SEED and SECONDS set which and how long.
 * PES: all
 */
#include <time.h>
#include <unistd.h>
#include "number.h"
#include "unit.h"

enum { LAYERS = 3, EXCHANGES = 12, LATE_US = 400 };

static uint64_t state;	 /* the same on all PEs */
static uint64_t private; /* of this one */

static uint32_t below(size_t n)
{
	return (uint32_t)gpu_below(&state, n);
}

static struct shmemx_moe_config any_config(void)
{
	static const uint32_t alignments[] = { 0, 1, 3, 16, 128 };
	struct shmemx_moe_config c = unit_config(below(2));
	uint32_t elems;

	if (below(3) == 0)
		c.team = gpu_reversed;
	c.dtype = below(3);
	c.quant = below(2);
	c.id_bytes = below(2) ? 4 : 8;
	c.n_experts = (1 + below(6)) * (uint32_t)gpu_n;
	c.top_k = 1 + below(below(2) ? 4 : SHMEMX_MOE_TOP_K_MAX);
	c.max_tokens = 1 + below(below(3) ? 20 : 80);
	c.n_wgs = below(2) ? 0 : 1 + below(9);
	elems = c.quant ? 128 : 16 / (uint32_t)number_bytes(c.dtype);
	c.hidden = elems * (1 + below(c.quant ? 3 : 20));
	if (c.layout == SHMEMX_MOE_SLOTS)
		return c;
	c.alignment = alignments[below(GPU_COUNT(alignments))];
	if (below(3) == 0)
		c.capacity = 1 + below(c.max_tokens * c.top_k * 2);
	return c;
}

/* Stands for other work of the host between halves. */
static void come_late(struct unit *u)
{
	(void)u;
	if (gpu_below(&private, 3) == 0)
		usleep((useconds_t)gpu_below(&private, LATE_US));
}

static void route(struct unit *u, struct layer *l)
{
	struct oracle_case c = { .salt = gpu_random(&state) >> 20,
				 .route = below(ROUTES),
				 .tokens =
					 below(4) ? TOKENS_ANY : below(TOKENS),
				 .masked = below(3) ? 0 : below(60),
				 .invalid = below(4) ? 0 : below(40) };

	layer_make(u, l, &c);
	unit_dispatch(u, l, 0);
}

static void exchange(struct unit *u, struct layer *l)
{
	const uint32_t kind = l->oracle.salt ? below(6) : 0;
	const int with = (int)below(2);

	u->between = below(2) ? come_late : NULL;
	come_late(u);
	if (kind <= 1) {
		l->oracle.unweighted = below(4) == 0;
		route(u, l);
		return;
	}
	layer_remake(u, l, (gpu_random(&state) >> 20) | 1);
	if (kind == 2) {
		unit_dispatch(u, l, 1);
	} else if (kind == 3) {
		unit_combine(u, l);
	} else if (kind == 4) {
		dispatch_backward_before(u, l);
		dispatch_backward_put(u, l);
		dispatch_backward_after(u, l);
	} else {
		combine_backward_before(u, l);
		combine_backward_put(u, l, with);
		combine_backward_after(u, l, with);
	}
}

static void run(void)
{
	const struct shmemx_moe_config c = any_config();
	struct unit u;
	struct layer layers[LAYERS];

	unit_open(&u, &c, NULL);
	for (int i = 0; i < LAYERS; i++)
		layer_open(&u, &layers[i]);
	for (int i = 0; i < EXCHANGES; i++)
		exchange(&u, &layers[below(LAYERS)]);
	for (int i = 0; i < LAYERS; i++)
		layer_close(&layers[i]);
	unit_close(&u);
}

/* PE 0's clock is everybody's. */
static int is_time(struct gpu_mem *word, time_t end)
{
	const int over = time(NULL) >= end;

	memcpy(word->host, &over, sizeof(over));
	gpu_mem_push(word, word->bytes);
	shmem_barrier_all();
	shmem_broadcastmem(SHMEM_TEAM_WORLD, word->dev, word->dev, word->bytes,
			   0);
	gpu_mem_pull(word, word->bytes);
	return *(const int *)word->host;
}

int main(void)
{
	const char *seconds = getenv("SECONDS");
	struct gpu_mem word;
	time_t end;

	gpu_begin();
	end = time(NULL) + (seconds ? atoi(seconds) : 2);
	word = gpu_mem_new(sizeof(int));
	state = gpu_seed;
	private = gpu_seed + 1 + (uint64_t)gpu_me;
	while (!is_time(&word, end))
		run();
	gpu_mem_free(&word);
	return gpu_end();
}
