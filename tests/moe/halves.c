/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work between send and recv: collectives of the program on the same stream,
 * the host's, other tokens, another handle's exchange.
 * PES: all
 */
#include "unit.h"

enum { NELEMS = 64, STEPS = 3 };

static struct gpu_mem sums, terms;
static struct unit other;
static struct layer others;
static uint64_t steps;

/* All that a program may do to what send has read, and more. */
static void work(struct unit *u)
{
	struct oracle_case c = { .salt = gpu_seed + steps,
				 .route = ROUTE_ANY,
				 .tokens = TOKENS_ANY };
	const long n = gpu_n;

	GPU_CHECK_EQ(shmemx_long_sum_reduce_on_stream(
			     SHMEM_TEAM_WORLD, (long *)sums.dev,
			     (long *)terms.dev, NELEMS, u->stream),
		     0);
	GPU_CHECK_EQ(shmemx_stream_synchronize(u->stream), 0);
	gpu_mem_pull(&sums, sums.bytes);
	GPU_CHECK_EQ(((long *)sums.host)[NELEMS - 1], n * (n + 1) / 2);
	layer_make(&other, &others, &c);
	unit_forward(&other, &others);
	shmem_barrier_all();
	steps++;
}

/* As work, when all that send reads may be written. */
static void work_over(struct unit *u)
{
	GPU_CHECK_EQ(shmemx_stream_synchronize(u->stream), 0);
	shmemx_memset(u->x.dev, 0x55, u->x.bytes);
	shmemx_memset(u->ids.dev, 0x55, u->ids.bytes);
	shmemx_memset(u->grad_out.dev, 0x55, u->grad_out.bytes);
	shmemx_memset(u->weights.dev, 0x55, u->weights.bytes);
	work(u);
}

static void unit_steps(struct unit *u, struct layer *l, uint64_t salt)
{
	struct oracle_case c = { .salt = salt,
				 .route = salt % ROUTES,
				 .tokens = salt % TOKENS,
				 .masked = 10 };

	layer_make(u, l, &c);
	u->between = work_over;
	unit_dispatch(u, l, 0);
	layer_remake(u, l, salt);
	u->between = work;
	unit_combine(u, l);
	unit_dispatch(u, l, 1);
	unit_backward(u, l);
	u->between = work_over;
	combine_backward_before(u, l);
	combine_backward_put(u, l, 0);
	combine_backward_after(u, l, 0);
}

static void try_layout(uint32_t layout, shmemx_stream_t stream)
{
	struct shmemx_moe_config c = unit_config(layout);
	struct unit u;
	struct layer l;

	c.quant = SHMEMX_MOE_QUANT_FP8;
	unit_open(&u, &c, stream);
	layer_open(&u, &l);
	for (uint64_t i = 0; i < STEPS; i++)
		unit_steps(&u, &l, gpu_seed + i);
	layer_close(&l);
	unit_close(&u);
}

int main(void)
{
	struct shmemx_moe_config c;
	shmemx_stream_t stream;

	gpu_begin();
	c = unit_config(SHMEMX_MOE_COMPACT);
	sums = gpu_mem_new(NELEMS * sizeof(long));
	terms = gpu_mem_new(NELEMS * sizeof(long));
	for (int i = 0; i < NELEMS; i++)
		((long *)terms.host)[i] = gpu_me + 1;
	gpu_mem_push(&terms, terms.bytes);
	GPU_CHECK_EQ(shmemx_stream_create(&stream), 0);
	unit_open(&other, &c, stream);
	layer_open(&other, &others);
	try_layout(SHMEMX_MOE_COMPACT, stream);
	try_layout(SHMEMX_MOE_SLOTS, stream);
	layer_close(&others);
	unit_close(&other);
	GPU_CHECK_EQ(shmemx_stream_destroy(stream), 0);
	gpu_mem_free(&terms);
	gpu_mem_free(&sums);
	return gpu_end();
}
