/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MoE exchanges between nodes: what kernels are told. Each token that has
 * experts on another node goes there once, to the relay: the member of that
 * node at this PE's place (modulo its members). The relay writes its rows to
 * its near members, and on the way back adds up those of its node. So all that
 * loads and stores reach a PE's rows are its near members, itself included, and
 * points (moe.h) are told to near members only, RELAYED when a relay has done.
 *
 * Boxes. Tokens for a node are packed without gaps into the box of that node in
 * `out`; they go by few puts, of piece_tokens each, to this PE's box in the
 * relay's `in`. A token is
 *
 *	dispatch		int32_t row[top_k], member[top_k]; row; scales
 *	combine_backward	float weight[top_k]; row
 *
 * each part filled up to 16 bytes; row is -1 where (t, k) has none there. The
 * relay keeps rows and members in its layout for the ways back. There the same
 * boxes serve the other way round: sums are made where tokens came in, and go
 * to where they were sent from: float[hidden] a token, or the products
 * float[top_k] of combine_backward. combine's weights have boxes of their own.
 *
 * Signals. A piece is followed by a signal: number << 32 | n, the how manieth
 * of its kind this is, and tokens of all pieces. No tokens: a signal alone, on
 * the way to the relay; nothing on the way back. Of weights n is 1 if there are
 * any, else all are 1, and they are one piece.
 *
 * Who may write. Before tokens are put all members of the team have met in the
 * exchange, so relays have done with the one before. Weights are put when sums
 * of the exchange before have come. Sums are put when tokens or weights came:
 * their owner has done with the exchange before, and its box is read.
 */
#ifndef SHMEMD_MOE_FAR_H
#define SHMEMD_MOE_FAR_H

#include <stdint.h>

/* What signals tell of. */
enum shmemd_moe_far_kind {
	SHMEMD_MOE_FAR_TOKENS,	/* to a relay */
	SHMEMD_MOE_FAR_WEIGHTS, /* to a relay */
	SHMEMD_MOE_FAR_SUMS,	/* from a relay */
	SHMEMD_MOE_FAR_KINDS
};

/* Work-items of a kernel, at most. */
#define SHMEMD_MOE_FAR_ITEMS 1024

/* Of a handle. n_nodes 1: all members are near, nothing else is set. */
struct shmemd_moe_far {
	uint32_t n_nodes, my_node;
	uint32_t n_sources;		 /* far members whose relay I am */
	uint32_t n_near;		 /* members of my node */
	uint32_t piece_tokens, n_pieces; /* of one put; the most of a box */
	uint64_t box_bytes;
	const int32_t *node;	/* [n_pes] of each member */
	const int32_t *place;	/* [n_pes] of each member among its node's */
	const int32_t *relay;	/* [n_nodes] who takes mine; -1: my node */
	const int32_t *slot;	/* [n_nodes] my number among its sources */
	const int32_t *sources; /* [n_sources] members */
	const int32_t *near;	/* [n_near] members, by place */
	/* In the workspace: symmetric. */
	char *in;	    /* [n_sources] boxes */
	char *out;	    /* [n_nodes - 1] boxes, without my node */
	float *weights_in;  /* [n_sources][max_tokens][top_k] */
	float *weights_out; /* [n_nodes - 1][max_tokens][top_k] */
	uint64_t *signals;  /* [SHMEMD_MOE_FAR_KINDS][n_pes][n_pieces] */
	/* In memory of this PE's kernels alone. */
	uint64_t *numbers; /* [SHMEMD_MOE_FAR_KINDS] of the newest */
	uint64_t *shares; /* [1 + (n_nodes or n_sources) * n_pieces] are done */
	uint32_t *scan;	  /* [n_nodes][2][SHMEMD_MOE_FAR_ITEMS] */
	uint32_t *weighs; /* [n_sources] whether weights came, or all are 1 */
	/*
	 * SLOTS: [n_sources][n_near][n_local] the highest rank that passed by,
	 * and 1, and the number of the dispatch << 32.
	 */
	uint64_t *ranks;
};

/* Of a layout. */
struct shmemd_moe_far_layout {
	/* As sender. */
	int32_t *n_rows; /* [n_nodes] tokens in its box */
	int32_t *order;	 /* [n_nodes][max_tokens] which ones */
	/*
	 * [max_tokens][top_k] place of the token in the box of the node of
	 * (t, k): of the first k of that node r, of others -1 - r.
	 * SHMEMD_MOE_NEAR: near, or went nowhere.
	 */
	int32_t *places;
	/* As relay. */
	int32_t *n_in; /* [n_sources] tokens in its box */
	int32_t *to;   /* [n_sources][max_tokens]: row[top_k], member[top_k] */
};
#define SHMEMD_MOE_NEAR INT32_MIN

/*
 * K(name, args), in the order of an exchange; n work-groups unless said
 * otherwise.
 *
 * moe_far_index    After plan or ready: rows of far (t, k), order and places.
 * moe_far_tokens   dispatch: tokens to relays.
 * moe_far_grads    combine_backward: the same.
 * moe_far_arrived  One work-group: waits for all tokens of my sources; if sums
 *                  are to follow for near members' READY too.
 * moe_far_dot      Relay of combine_backward: products to owners.
 * moe_far_spread   Relay of dispatch: rows to near members; the last work-group
 *                  to end tells these that its rows are there, with SLOTS how
 *                  many are the sources', and waits for theirs.
 * moe_far_spread_grads  The same of combine_backward.
 * moe_far_weights  combine: weights to relays.
 * moe_far_weighed  One work-group: waits for weights, and near members' READY.
 * moe_far_sum      Relay of combine: partial sums to owners.
 * moe_far_summed   Before pull: all work-groups wait for sums or products; the
 *                  latter become grad_weights.
 */
#define SHMEMD_MOE_FAR_KERNELS(K) \
	K(moe_far_index, moe) \
	K(moe_far_tokens, moe) \
	K(moe_far_grads, moe) \
	K(moe_far_arrived, moe) \
	K(moe_far_dot, moe) \
	K(moe_far_spread, moe) \
	K(moe_far_spread_grads, moe) \
	K(moe_far_weights, moe) \
	K(moe_far_weighed, moe) \
	K(moe_far_sum, moe) \
	K(moe_far_summed, moe)

#endif
