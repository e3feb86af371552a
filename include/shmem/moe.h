/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mixture-of-experts exchanges: tokens to the PEs of their experts, and back.
 * The routines' contracts stand in moe.def; this is what they take.
 *
 * A team of n PEs shares n_experts experts: member i has experts i * n_experts
 * / n and on, n_local = n_experts / n of them. Each token is one row of hidden
 * elements, and goes to the top_k experts that its ids name. dispatch brings a
 * row for each pair (token, k) to the expert's PE; there the program computes;
 * combine brings the results back and adds them up.
 *
 * The place of a row on the expert's PE depends on the routing alone, so equal
 * input gives equal bits. Rows of one expert from one PE are in the order of
 * (token, k).
 *
 * SHMEMX_MOE_COMPACT, for many tokens: rows lie expert by expert without gaps
 * but for alignment, of each expert those of member 0 first. An expert's block
 * begins at a multiple of alignment; an empty one takes alignment rows if that
 * is more than 1. Padding is not written.
 *
 * SHMEMX_MOE_SLOTS, for few tokens: rows go without a word beforehand to places
 * of their own. Those of local expert e from member i begin at row
 * (e * n + i) * max_tokens, as many as counts_by_pe says. If tokens name an
 * expert twice, rows beyond max_tokens find no room.
 */
#ifndef SHMEM_MOE_H
#define SHMEM_MOE_H

#include <stddef.h>
#include <stdint.h>

#include <shmem.h>
#include <shmem/platform.h>

#define SHMEMX_MOE_VERSION 1
#define SHMEMX_MOE_TOP_K_MAX 16
#define SHMEMX_MOE_SCALE_ELEMS 128 /* elements that share a scale */

/* dtype: elements of tokens and of rows. */
enum { SHMEMX_MOE_BF16, SHMEMX_MOE_FP16, SHMEMX_MOE_FP32 };

/* quant: what dispatch carries. FP8 is E4M3 with finite values up to 448. */
enum { SHMEMX_MOE_QUANT_NONE, SHMEMX_MOE_QUANT_FP8 };

enum { SHMEMX_MOE_COMPACT, SHMEMX_MOE_SLOTS }; /* layout */

/* The same on all PEs of the team, but for workspace's value. */
struct shmemx_moe_config {
	uint32_t version;   /* SHMEMX_MOE_VERSION */
	uint32_t n_experts; /* of all PEs; a multiple of the team's size */
	shmem_team_t team;
	uint32_t top_k;	     /* 1 to SHMEMX_MOE_TOP_K_MAX */
	uint32_t hidden;     /* elements; a row's bytes: a multiple of 16 */
	uint32_t dtype;	     /* SHMEMX_MOE_BF16, ... */
	uint32_t quant;	     /* with FP8, hidden is a multiple of 128 */
	uint32_t layout;     /* SHMEMX_MOE_COMPACT or SHMEMX_MOE_SLOTS */
	uint32_t max_tokens; /* of one PE in one dispatch, at least 1 */
	uint32_t alignment;  /* of experts' blocks in rows, 0 as 1; COMPACT */
	uint32_t id_bytes;   /* of an expert's id: 4 or 8, signed */
	/*
	 * COMPACT: rows that a PE can receive, what is beyond is dropped and
	 * counted. 0: as many as may come. SLOTS: 0.
	 */
	uint64_t capacity;
	uint32_t n_wgs;	 /* most work-groups of a kernel; 0: as it seems best */
	uint32_t unused; /* 0 */
	/*
	 * Symmetric memory of workspace_bytes that stays the handle's, zeroed
	 * by create; NULL: create allocates it.
	 */
	void *workspace;
};

/* What a configuration takes, on each PE. */
struct shmemx_moe_sizes {
	size_t workspace_bytes; /* symmetric; once a handle */
	size_t layout_bytes;	/* of the device; for each layout */
	size_t rows;		/* of dispatch's output and combine's input */
	size_t dispatch_bytes;	/* of dispatch's rows, symmetric */
	size_t scales_bytes;	/* of dispatch's scales, symmetric; or 0 */
	size_t combine_bytes;	/* of combine's rows, symmetric */
};

/* Where a layout's numbers are: in memory of kernels, as dispatch leaves it. */
struct shmemx_moe_view {
	const int32_t *counts;	     /* [n_local] rows of each local expert */
	const int32_t *offsets;	     /* [n_local + 1] first row of each, end */
	const int32_t *counts_by_pe; /* [n_local][n] rows by member */
	const int32_t *rows;	     /* [max_tokens][top_k] row on the PE ... */
	const int32_t *experts;	     /* ... of this expert; -1: went nowhere */
};

/*
 * What shmemx_moe_stats returns counts, in 64 bits, since create: these, then
 * rows received by each local expert [n_local], then nanoseconds for which
 * this PE waited for each member [n].
 */
enum {
	SHMEMX_MOE_STAT_DISPATCHES,
	SHMEMX_MOE_STAT_TOKENS,
	SHMEMX_MOE_STAT_ROWS,	    /* sent */
	SHMEMX_MOE_STAT_MASKED,	    /* ids of -1 */
	SHMEMX_MOE_STAT_INVALID,    /* other ids that are no expert's */
	SHMEMX_MOE_STAT_DROPPED,    /* mine that found no room */
	SHMEMX_MOE_STAT_OVERFLOW,   /* others' that found no room here */
	SHMEMX_MOE_STAT_NET_TOKENS, /* that went to other nodes, and sums */
	SHMEMX_MOE_STAT_NET_BYTES,  /* of these, with places and weights */
	SHMEMX_MOE_STATS
};

typedef struct shmemx_moe *shmemx_moe_t;
typedef struct shmemx_moe_layout *shmemx_moe_layout_t;

#ifdef __cplusplus
extern "C" {
#endif

#define SHMEMI_PLAIN(ret, name, params) ret name params;
#include <shmem/moe.def>
#undef SHMEMI_PLAIN

#ifdef __cplusplus
}
#endif

#endif
