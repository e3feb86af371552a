/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A handle with its buffers, and layouts with what is expected of them. Each
 * exchange has a part before, which fills buffers; what puts it on the unit's
 * stream; and a part after, which waits for the stream and compares all memory
 * that could have been written, guards behind it included.
 */
#ifndef TESTS_MOE_UNIT_H
#define TESTS_MOE_UNIT_H

#include <shmem/stream.h>
#include "../gpu/common.h"
#include "oracle.h"

/* Memory of kernels, its picture on the host, and what it should be. */
struct buffer {
	char *dev;
	unsigned char *host, *want;
	size_t bytes; /* with a guard at the end */
};

struct unit {
	struct shmemx_moe_config config;
	struct shmemx_moe_sizes sizes;
	shmemx_moe_t moe;
	shmemx_stream_t stream;
	int me, n; /* in the team */
	char name[128];
	char *symmetric, *local;
	struct buffer rows, scales, results, grads;
	struct buffer x, ids, weights, out, grad_out, grad_x, grad_weights;
	/* Set: exchanges are made in halves, with this in between. */
	void (*between)(struct unit *u);
};

struct layer {
	shmemx_moe_layout_t layout;
	struct shmemx_moe_view view;
	struct oracle oracle;
};

/* A configuration that most tests begin with: 2 experts a PE, small. */
struct shmemx_moe_config unit_config(uint32_t layout);
const char *unit_text(const struct shmemx_moe_config *config, char text[128]);

/*
 * Collective over all PEs. With a sub-team, unit_open_in: by its members, in
 * symmetric memory of at least unit_bytes; the workspace lies there too.
 */
void unit_open(struct unit *u, const struct shmemx_moe_config *config,
	       shmemx_stream_t stream);
size_t unit_bytes(const struct shmemx_moe_config *config);
void unit_open_in(struct unit *u, const struct shmemx_moe_config *config,
		  shmemx_stream_t stream, char *symmetric);
void unit_close(struct unit *u);

void layer_open(struct unit *u, struct layer *l);
void layer_close(struct layer *l);

/* New tokens and ids; from now on the layer expects their exchange. */
void layer_make(struct unit *u, struct layer *l, const struct oracle_case *c);
/* The same routing with other tokens, for ids of NULL. */
void layer_remake(struct unit *u, struct layer *l, uint64_t salt);

void dispatch_before(struct unit *u, struct layer *l);
void dispatch_put(struct unit *u, struct layer *l, int cached);
void dispatch_after(struct unit *u, struct layer *l);
void combine_before(struct unit *u, struct layer *l);
void combine_put(struct unit *u, struct layer *l);
void combine_after(struct unit *u, struct layer *l);
void dispatch_backward_before(struct unit *u, struct layer *l);
void dispatch_backward_put(struct unit *u, struct layer *l);
void dispatch_backward_after(struct unit *u, struct layer *l);
/* with: grad_weights are wanted. */
void combine_backward_before(struct unit *u, struct layer *l);
void combine_backward_put(struct unit *u, struct layer *l, int with);
void combine_backward_after(struct unit *u, struct layer *l, int with);

/* All three parts, of one exchange or of two. */
void unit_dispatch(struct unit *u, struct layer *l, int cached);
void unit_combine(struct unit *u, struct layer *l);
void unit_forward(struct unit *u, struct layer *l);
void unit_backward(struct unit *u, struct layer *l);

/* The handle's counters: SHMEMX_MOE_STATS, experts, members. */
void unit_stats(struct unit *u, uint64_t *stats);

#endif
