/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dispatches one after the other to two buffers in turn, with nothing between
 * that PEs would meet in; some PEs fall behind.
 * PES: all
 */
#include <unistd.h>
#include "unit.h"

enum { BUFFERS = 2, TURNS = 30, LATE_US = 300 };

/* The second unit has buffers only, and the first one's handle. */
static void take_turns(struct unit *u, struct layer *l, uint64_t salt)
{
	uint64_t late = salt + (uint64_t)gpu_me;

	for (int i = 0; i < BUFFERS; i++) {
		struct oracle_case c = { .salt = salt + (uint64_t)i,
					 .route = (salt + (uint64_t)i) % ROUTES,
					 .tokens = TOKENS_ANY };

		layer_make(&u[i], &l[i], &c);
		dispatch_before(&u[i], &l[i]);
	}
	for (int i = 0; i < TURNS; i++) {
		if (gpu_below(&late, 4) == 0)
			usleep((useconds_t)gpu_below(&late, LATE_US));
		dispatch_put(&u[i % BUFFERS], &l[i % BUFFERS], i % 5 == 4);
	}
	for (int i = 0; i < BUFFERS; i++)
		dispatch_after(&u[i], &l[i]);
}

static void try_layout(uint32_t layout)
{
	struct shmemx_moe_config c = unit_config(layout);
	struct unit u[BUFFERS];
	struct layer l[BUFFERS];
	shmemx_moe_t second;

	for (int i = 0; i < BUFFERS; i++)
		unit_open(&u[i], &c, NULL);
	second = u[1].moe;
	u[1].moe = u[0].moe;
	for (int i = 0; i < BUFFERS; i++)
		layer_open(&u[0], &l[i]);
	for (uint64_t i = 0; i < 4; i++)
		take_turns(u, l, gpu_seed + 10 * i);
	for (int i = 0; i < BUFFERS; i++)
		layer_close(&l[i]);
	u[1].moe = second;
	for (int i = 0; i < BUFFERS; i++)
		unit_close(&u[i]);
}

int main(void)
{
	gpu_begin();
	try_layout(SHMEMX_MOE_COMPACT);
	try_layout(SHMEMX_MOE_SLOTS);
	return gpu_end();
}
