/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two handles on two streams, between which nothing is ordered: PEs begin with
 * another one; and many exchanges back to back, for which the host never waits.
 * PES: all
 */
#include "unit.h"

enum { STREAMS = 2, ROUNDS = 8, BURST = 20, FEW_WGS = 4 };

static struct oracle_case round_case(uint64_t salt)
{
	return (struct oracle_case){ .salt = salt,
				     .route = salt % ROUTES,
				     .tokens = TOKENS_ANY,
				     .masked = 10 };
}

static void put_round(struct unit *u, struct layer *l)
{
	dispatch_put(u, l, 0);
	combine_put(u, l);
	combine_backward_put(u, l, 1);
}

static void test_both(struct unit *u, struct layer *l, uint64_t salt)
{
	for (int i = 0; i < STREAMS; i++) {
		struct oracle_case c = round_case(salt + (uint64_t)i * 1000);

		layer_make(&u[i], &l[i], &c);
		dispatch_before(&u[i], &l[i]);
		combine_before(&u[i], &l[i]);
		combine_backward_before(&u[i], &l[i]);
	}
	for (int i = 0; i < STREAMS; i++) {
		const int k = (i + gpu_me) % STREAMS;

		put_round(&u[k], &l[k]);
	}
	for (int i = 0; i < STREAMS; i++) {
		dispatch_after(&u[i], &l[i]);
		combine_after(&u[i], &l[i]);
		combine_backward_after(&u[i], &l[i], 1);
	}
}

/* Each combine lets all members write rows again. */
static void test_burst(struct unit *u, struct layer *l)
{
	for (int i = 0; i < STREAMS; i++) {
		struct oracle_case c = round_case(gpu_seed + (uint64_t)i);

		l[i].oracle.echo = 1;
		layer_make(&u[i], &l[i], &c);
		combine_before(&u[i], &l[i]);
		dispatch_before(&u[i], &l[i]);
	}
	for (int i = 0; i < BURST * STREAMS; i++) {
		const int k = (i + gpu_me) % STREAMS;

		dispatch_put(&u[k], &l[k], i / STREAMS % 3 == 2);
		combine_put(&u[k], &l[k]);
	}
	for (int i = 0; i < STREAMS; i++) {
		dispatch_after(&u[i], &l[i]);
		combine_after(&u[i], &l[i]);
	}
}

int main(void)
{
	struct unit u[STREAMS];
	struct layer l[STREAMS];
	shmemx_stream_t streams[STREAMS];

	gpu_begin();
	for (uint32_t i = 0; i < STREAMS; i++) {
		struct shmemx_moe_config c = unit_config(i);

		/* All must run at once. */
		c.n_wgs = FEW_WGS;
		GPU_CHECK_EQ(shmemx_stream_create(&streams[i]), 0);
		unit_open(&u[i], &c, streams[i]);
		layer_open(&u[i], &l[i]);
	}
	for (uint64_t i = 0; i < ROUNDS; i++)
		test_both(u, l, gpu_seed + i);
	test_burst(u, l);
	for (int i = 0; i < STREAMS; i++) {
		layer_close(&l[i]);
		unit_close(&u[i]);
		GPU_CHECK_EQ(shmemx_stream_destroy(streams[i]), 0);
	}
	return gpu_end();
}
