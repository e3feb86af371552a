/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A graph of dispatch, combine and both backward routines runs many times, with
 * other ids and tokens each time; between its runs, the same by hand.
 * PES: all
 */
#include "unit.h"

enum { REPLAYS = 12 };

/*
 * n_tokens is what the capture had. Rows that come are those that go back, so
 * all that is between PEs depends on what kernels have written.
 */
static void put_all(struct unit *u, struct layer *l)
{
	dispatch_put(u, l, 0);
	combine_put(u, l);
	combine_backward_put(u, l, 0);
}

static void before(struct unit *u, struct layer *l, uint64_t salt)
{
	struct oracle_case c = { .salt = salt,
				 .route = salt % ROUTES,
				 .tokens = TOKENS_FULL,
				 .masked = (unsigned int)(salt % 3) * 20 };

	layer_make(u, l, &c);
	combine_before(u, l);
	combine_backward_before(u, l);
	dispatch_before(u, l);
}

static void after(struct unit *u, struct layer *l)
{
	dispatch_after(u, l);
	combine_after(u, l);
	combine_backward_after(u, l, 0);
}

static void try_config(const struct shmemx_moe_config *config,
		       shmemx_stream_t stream)
{
	shmemx_graph_t graph = NULL;
	struct unit u;
	struct layer l;

	unit_open(&u, config, stream);
	layer_open(&u, &l);
	l.oracle.echo = !config->quant;
	before(&u, &l, gpu_seed);
	GPU_CHECK_EQ(shmemx_capture_begin(stream), 0);
	put_all(&u, &l);
	GPU_CHECK_EQ(shmemx_capture_end(stream, &graph), 0);
	for (uint64_t i = 0; i < REPLAYS; i++) {
		before(&u, &l, gpu_seed + i);
		if (i % 4 == 3)
			put_all(&u, &l);
		else
			GPU_CHECK_EQ(shmemx_graph_launch(graph, stream), 0);
		after(&u, &l);
	}
	GPU_CHECK_EQ(shmemx_graph_destroy(graph), 0);
	layer_close(&l);
	unit_close(&u);
}

int main(void)
{
	shmemx_stream_t stream;

	gpu_begin();
	GPU_CHECK_EQ(shmemx_stream_create(&stream), 0);
	for (uint32_t i = 0; i < 4; i++) {
		struct shmemx_moe_config c = unit_config(i % 2);

		c.quant = i / 2;
		c.id_bytes = i / 2 ? 8 : 4;
		try_config(&c, stream);
	}
	GPU_CHECK_EQ(shmemx_stream_destroy(stream), 0);
	return gpu_end();
}
