/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels of the layer: gemm.c, rows.c and, for --baseline, sort.c. Each
 * function puts one kernel on a stream. All matrices are row by row without
 * gaps, their rows a multiple of 4 elements, and in memory of kernels.
 */
#ifndef MOE_LAYER_KERNELS_H
#define MOE_LAYER_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include <shmem/platform.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of elements; those of 16 bits and FP32 are numbered as in <shmem/moe.h>. */
enum { TYPE_BF16, TYPE_FP16, TYPE_FP32, TYPE_FP8 };
enum { SCALE_ELEMS = 128 }; /* of FP8 that share a scale */

struct matrix {
	const void *data;
	const float *scales; /* of FP8 */
	int type;
};

/*
 * Where the rows of experts are. Segment s holds counts[s] rows of expert
 * s / per_expert, the first of them row first[s], or s * stride if first is
 * NULL. counts NULL: stride rows each.
 */
struct segments {
	const int32_t *first, *counts;
	int n, per_expert, stride;
};

/*
 * gemm.c: for each segment, out = after(a times b[expert]): a has k elements
 * in a row, and a row of out has n. other[] and out are of out_type.
 */
enum after {
	AFTER_NONE,
	AFTER_SILU,	  /* other[0] gets the product, out its silu */
	AFTER_SILU_SLOPE, /* times the slope of silu at other[0] */
	AFTER_ADD,	  /* plus other[0] plus other[1] */
};

struct gemm {
	struct segments rows;
	struct matrix a;
	const float *b; /* [experts][k][n] */
	int k, n;
	int after; /* enum after */
	int out_type;
	void *out, *other[2];
};

void gemm_run(const struct gemm *g, shmemx_stream_t stream);

/*
 * The gradient of b: for each expert, out [m][n] = the sum over its rows of a
 * [rows][m] times b [rows][n], each row of a as a column.
 */
struct outer {
	struct segments rows;
	struct matrix a, b;
	int experts, m, n;
	int adds; /* to what is in out */
	float *out;
};

void outer_run(const struct outer *o, shmemx_stream_t stream);

/* rows.c: x [tokens][hidden] of type and its target, from hashes of tokens:
 * token[-1] to token[n_tokens] are there. */
struct embed {
	const uint64_t *token;
	uint64_t seed;
	int n_tokens, hidden, type;
	void *x, *target;
};

void embed_run(const struct embed *e, shmemx_stream_t stream);

/* The top_k largest of each token's logits, largest first, and their softmax;
 * logits are [n_tokens][stride], of which the first n_experts count. */
struct choose {
	const float *logits;
	int n_tokens, n_experts, stride, top_k;
	int32_t *ids;
	float *weights;
};

void choose_run(const struct choose *c, shmemx_stream_t stream);

/* The way back: grad_logits from grad_weights. */
struct unchoose {
	const int32_t *ids;
	const float *weights, *grad_weights;
	int n_tokens, stride, top_k;
	float *grad_logits;
};

void unchoose_run(const struct unchoose *u, shmemx_stream_t stream);

/* out = x + sign * y, n elements of type, sign 1 or -1. */
struct add {
	const void *x, *y;
	size_t n;
	int type;
	float sign;
	void *out;
};

void add_run(const struct add *a, shmemx_stream_t stream);

/* loss[t] = half the square of row t. */
struct loss {
	const void *x;
	int n_tokens, hidden, type;
	float *loss;
};

void loss_run(const struct loss *l, shmemx_stream_t stream);

/* What a step moves a weight by, at most: where tokens are much alike, as in a
 * text of few words, their gradients add up, and weights would run away. */
#define MOVE_MAX 0.01f

/* w [experts][m][n] from a seed's streams, the first expert's of number first;
 * and wt, the same with m and n exchanged. Or w -= rate * grad, each by at most
 * MOVE_MAX. */
struct weights {
	float *w, *wt, *grad;
	int experts, m, n;
	int n_used; /* columns; the others are 0 */
	uint64_t seed, first;
	float scale, rate;
};

void weights_init_run(const struct weights *w, shmemx_stream_t stream);
void weights_update_run(const struct weights *w, shmemx_stream_t stream);

/* sort.c: what a program without shmemx_moe does around alltoallv. */
struct sort {
	const int32_t *ids; /* [pairs], pair = token * top_k + k */
	int pairs, n_experts;
	int32_t *counts;   /* [n_experts] */
	int32_t *position; /* [pairs] of each in the order of experts */
	int32_t *before;   /* [chunks + 1][n_experts], SORT_CHUNK pairs each */
};

enum { SORT_CHUNK = 64 };

void sort_run(const struct sort *s, shmemx_stream_t stream);

/* Rows of tokens to sorted pairs, sorted pairs summed up to tokens, and the
 * products of the two. weights NULL: 1. */
struct pairs {
	const int32_t *position;
	const float *weights;
	int n_tokens, top_k, hidden, type;
	void *x, *rows; /* [n_tokens][hidden], [pairs][hidden] */
	float *products;
};

void pairs_spread_run(const struct pairs *p, shmemx_stream_t stream);
void pairs_sum_run(const struct pairs *p, shmemx_stream_t stream);
void pairs_product_run(const struct pairs *p, shmemx_stream_t stream);

/* n blocks of rows, block i of counts[i] rows from row from[i] to row to[i]. */
struct blocks {
	const int32_t *counts, *from, *to;
	int n;
	size_t row_bytes;
	const void *source;
	void *dest;
};

void blocks_copy_run(const struct blocks *b, shmemx_stream_t stream);

#ifdef __cplusplus
}
#endif

#endif
