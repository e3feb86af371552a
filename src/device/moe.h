/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels of MoE exchanges, launched by src/host/moe_launch.c, and what
 * they are told. moe.inc and moe_far.inc hold their bodies, once; moe_cpu.c and
 * moe_gpu.hip compile them for each platform. <shmem/moe.h> tells what they do.
 *
 * Near members are reached by loads and stores. What is for members of other
 * nodes goes to one member there, the relay, once for each token (moe_far.h).
 *
 * Arrivals. A PE tells each member that it has come to a point by raising its
 * counter in the member's workspace; it raises its own `sent` too, and waits
 * until the others' counters are as high. All PEs make the same exchanges in
 * the same order, one at a time, so equal counts mean the same point. Nothing
 * comes from the host's arguments, so that graphs can repeat kernels.
 */
#ifndef SHMEMD_MOE_H
#define SHMEMD_MOE_H

#include <stddef.h>
#include <stdint.h>

#include "device/moe_far.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Work-items of a work-group, at most. */
#define SHMEMD_MOE_ITEMS 512

/* Tokens whose rows are ranked together, by one work-group. */
#define SHMEMD_MOE_CHUNK 32

/* Points that PEs tell each other of. */
enum shmemd_moe_point {
	SHMEMD_MOE_PUSHED,  /* all my rows for you are there */
	SHMEMD_MOE_READY,   /* you may read my rows; or write them */
	SHMEMD_MOE_PLANNED, /* of this PE alone: it knows where rows go */
	SHMEMD_MOE_PULLED,  /* I have read what I want of yours */
	SHMEMD_MOE_RELAYED, /* rows for you that came to me are there */
	SHMEMD_MOE_POINTS
};

/* A cache line of a counter that one member raises. */
struct shmemd_moe_arrival {
	uint64_t n;
	uint64_t unused[7];
};

/* A handle, as its kernels see it. */
struct shmemd_moe {
	uintptr_t team; /* the handle's own, a shmem_team_t */
	int32_t me, n_pes;
	uint32_t n_experts, n_local, top_k, hidden;
	uint32_t dtype, quant, layout, id_bytes;
	uint32_t max_tokens, alignment;
	uint64_t capacity; /* rows of dispatch's output */
	/* In the workspace: symmetric, written by members. */
	struct shmemd_moe_arrival *arrivals; /* [SHMEMD_MOE_POINTS][n_pes] */
	/*
	 * [2][n_pes][n_local], from each member for each of my experts.
	 * COMPACT: counts, and the answers to mine: first rows. SLOTS: how many
	 * rows come, of PUSHED with even and odd numbers. They come with the
	 * number of the exchange, in one store: count | number << 32. Of SLOTS
	 * they may be more than max_tokens, which is what there is room for.
	 */
	uint64_t *words;
	/* In memory of this PE's kernels alone. */
	uint64_t *outgoing; /* [n_experts] of plan */
	uint64_t *sent;	    /* [SHMEMD_MOE_POINTS] */
	uint64_t *shares;   /* [SHMEMD_MOE_POINTS] work-groups that are done */
	uint64_t *stats;    /* <shmem/moe.h> */
	struct shmemd_moe_far far;
};

/* A layout, in memory of this PE's kernels. */
struct shmemd_moe_layout {
	int32_t *rows;	       /* [max_tokens][top_k] */
	int32_t *experts;      /* [max_tokens][top_k] */
	int32_t *n_tokens;     /* [1], of the dispatch */
	int32_t *overflow;     /* [1], others' rows that found no room here */
	int32_t *counts;       /* [n_local] */
	int32_t *offsets;      /* [n_local + 1] */
	int32_t *counts_by_pe; /* [n_local][n_pes] */
	/* Of the dispatch alone: by chunk of tokens, and by expert. */
	int32_t *
		ranks; /* [max_tokens][top_k] among the chunk's of the expert */
	/* [chunks][n_experts] ids of the chunk; then, up to its end. */
	int32_t *before;
	int32_t *base;	/* [n_experts] my first row there */
	int32_t *limit; /* [n_experts] rows of mine that it has room for */
	struct shmemd_moe_far_layout far;
};

/* What a launch of moe_push or moe_pull does, in this order. */
enum shmemd_moe_stage {
	SHMEMD_MOE_COUNT = 1, /* push: what moe_plan does */
	/*
	 * Tells all members READY. With rows its work-groups wait until all
	 * have; the last to end counts it then.
	 */
	SHMEMD_MOE_OPEN = 2,
	SHMEMD_MOE_ROWS = 4, /* to near members, or from them */
	/*
	 * push: waits until all members have PUSHED; with SLOTS sets counts,
	 * offsets and counts_by_pe. Pull always waits.
	 */
	SHMEMD_MOE_WAIT = 8
};

/*
 * What one exchange is about; kernels look at what concerns them. All of an
 * exchange get the same, but for stages. But for counting they take n_tokens
 * from the layout, which host sees to that a cached dispatch agrees with.
 */
struct shmemd_args_moe {
	struct shmemd_moe moe;
	struct shmemd_moe_layout layout;
	const void *x;	     /* dispatch: x; combine_backward: grad_out */
	const void *ids;     /* NULL: not a dispatch, or rows of the layout */
	uint32_t n_tokens;   /* of a dispatch */
	uint32_t quant;	     /* of this exchange's rows */
	uint32_t pulls;	     /* combine_backward: grad_weights too */
	uint32_t dispatches; /* it is a dispatch, to be counted as one */
	uint32_t stages;     /* of this launch; enum shmemd_moe_stage */
	void *rows;	     /* symmetric: pushed to, or pulled from */
	const void *pulled;  /* symmetric: combine_backward's rows */
	float *scales;	     /* symmetric */
	const float *weights;
	void *out; /* combine: out, of dtype */
	float *grad_weights;
};

/*
 * K(name, args). In the order of an exchange; n work-groups unless said
 * otherwise.
 *
 * moe_plan   A work-group a chunk: ids become experts, ranks and the chunk's
 *            counts in `before`. The last work-group to end makes these a sum
 *            over chunks and, COMPACT, exchanges counts: base, limit, counts,
 *            offsets, counts_by_pe and overflow are set.
 * moe_ready  One work-group: all members meet, where nothing else tells that
 *            rows may be written (a layout that is used again).
 * moe_push   Its stages; the last work-group to end with rows tells that all
 * are PUSHED, and with SLOTS how many. One work-group if it just waits; as many
 * as run at once if it counts, or opens. moe_pull   Its stages; sums up rows,
 * or with grad_weights multiplies; the last work-group to end tells all PULLED
 * and waits for it. One work-group if it just opens, else as many as run at
 * once.
 */
#define SHMEMD_MOE_KERNELS(K) \
	K(moe_plan, moe) \
	K(moe_ready, moe) \
	K(moe_push, moe) \
	K(moe_pull, moe) \
	SHMEMD_MOE_FAR_KERNELS(K)

struct shmemg_kernel;
#define SHMEMD_EXTERN(name, args) \
	extern const struct shmemg_kernel shmemd_kernel_##name;
SHMEMD_MOE_KERNELS(SHMEMD_EXTERN)
#undef SHMEMD_EXTERN

#ifdef __cplusplus
}
#endif

#endif
