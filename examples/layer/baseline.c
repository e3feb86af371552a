/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What programs do that have no shmemx_moe: pairs are sorted by expert, counts
 * exchanged, and the host waits for them, because the splits of alltoallv are
 * its own; rows go by alltoallv, are brought from the order of PEs into that of
 * experts, and all that again on the way back. The host waits once a layer, as
 * the other three exchanges have the same splits.
 */
#include <stdlib.h>

#include "moe_layer.h"

/* Splits, in bytes, [n_pes] each. */
enum { SENT, SENT_AT, GOT, GOT_AT, SPLITS };
/* Blocks of rows, [n_local][n_pes] each: how many, where among those that came,
 * and where among those of experts. */
enum { COUNT, CAME_AT, WHERE, BLOCKS };

struct baseline {
	int32_t *counts, *came; /* symmetric: [experts], [n_pes][n_local] */
	int32_t *before, *position;
	size_t *splits;	  /* [SPLITS][n_pes] */
	int32_t *blocks;  /* [BLOCKS][experts] */
	int32_t *experts; /* [2][n_local]: first row, rows */
	void *sorted;	  /* [pairs][hidden]: rows as they go and return */
	void *returned;	  /* the same: results, for their gradients */
	void *received;	  /* [rows_max][hidden]: by PE */
	int32_t *host_counts, *host_came, *host_blocks, *host_experts;
	size_t *host_splits;
	double *rows; /* [n_local] so far */
};

void baseline_make(struct run *r, struct layer *layer)
{
	const struct args *a = r->args;
	const size_t experts = (size_t)a->experts, n = (size_t)r->n_pes;
	const size_t pairs = (size_t)a->tokens * (size_t)a->top_k;
	const size_t chunks = (pairs + SORT_CHUNK - 1) / SORT_CHUNK;
	const size_t row = (size_t)a->hidden * r->elem_bytes;
	const size_t rows =
		n * (size_t)a->tokens *
		(size_t)(a->top_k < r->n_local ? a->top_k : r->n_local);
	struct baseline *b = local_alloc(sizeof(*b));
	const size_t i32 = sizeof(int32_t);

	b->counts = symmetric_alloc(experts * i32);
	b->came = symmetric_alloc(experts * i32);
	b->before = symmetric_alloc((chunks + 1) * experts * i32);
	b->position = symmetric_alloc(pairs * i32);
	b->splits = symmetric_alloc(SPLITS * n * sizeof(size_t));
	b->blocks = symmetric_alloc(BLOCKS * experts * i32);
	b->experts = symmetric_alloc(2 * (size_t)r->n_local * i32);
	b->sorted = symmetric_alloc(pairs * row);
	b->returned = symmetric_alloc(pairs * row);
	b->received = symmetric_alloc(rows * row);
	b->host_counts = local_alloc(experts * i32);
	b->host_came = local_alloc(experts * i32);
	b->host_blocks = local_alloc(BLOCKS * experts * i32);
	b->host_experts = local_alloc(2 * (size_t)r->n_local * i32);
	b->host_splits = local_alloc(SPLITS * n * sizeof(size_t));
	b->rows = local_alloc((size_t)r->n_local * sizeof(double));
	layer->baseline = b;
	layer->part[0].rows = symmetric_alloc(rows * row);
	layer->part[0].y = symmetric_alloc(rows * row);
	layer->part[0].where =
		(struct segments){ b->experts, b->experts + r->n_local,
				   r->n_local, 1, 0 };
	r->rows_max = rows;
}

void baseline_free(struct baseline *b)
{
	if (!b)
		return;
	free(b->host_counts);
	free(b->host_came);
	free(b->host_blocks);
	free(b->host_experts);
	free(b->host_splits);
	free(b->rows);
	free(b);
}

const double *baseline_rows(const struct baseline *b)
{
	return b->rows;
}

static void plan_splits(const struct run *r, struct baseline *b)
{
	const size_t n = (size_t)r->n_pes, n_local = (size_t)r->n_local;
	const size_t row = (size_t)r->args->hidden * r->elem_bytes;
	size_t *s = b->host_splits, sent_at = 0, got_at = 0;

	for (size_t pe = 0; pe < n; pe++) {
		size_t sent = 0, got = 0;

		for (size_t e = pe * n_local; e < (pe + 1) * n_local; e++) {
			sent += (size_t)b->host_counts[e] * row;
			got += (size_t)b->host_came[e] * row;
		}
		s[SENT * n + pe] = sent;
		s[SENT_AT * n + pe] = sent_at;
		s[GOT * n + pe] = got;
		s[GOT_AT * n + pe] = got_at;
		sent_at += sent;
		got_at += got;
	}
}

/* came is [pe][expert], blocks are [expert][pe]. */
static void plan_blocks(const struct run *r, struct baseline *b)
{
	const int n = r->n_pes, n_local = r->n_local, all = r->args->experts;
	int32_t at = 0;

	for (int i = 0; i < all; i++) {
		b->host_blocks[CAME_AT * all + i % n_local * n + i / n_local] =
			at;
		at += b->host_came[i];
	}
	at = 0;
	for (int e = 0; e < n_local; e++) {
		b->host_experts[e] = at;
		for (int pe = 0; pe < n; pe++) {
			const int32_t count = b->host_came[pe * n_local + e];

			b->host_blocks[COUNT * all + e * n + pe] = count;
			b->host_blocks[WHERE * all + e * n + pe] = at;
			at += count;
		}
		b->host_experts[n_local + e] = at - b->host_experts[e];
		b->rows[e] += b->host_experts[n_local + e];
	}
}

static void plan(struct run *r, const struct layer *layer)
{
	const struct args *a = r->args;
	struct baseline *b = layer->baseline;
	const size_t bytes = (size_t)a->experts * sizeof(int32_t);
	const struct sort sort = {
		.ids = layer->ids,
		.pairs = a->tokens * a->top_k,
		.n_experts = a->experts,
		.counts = b->counts,
		.position = b->position,
		.before = b->before,
	};

	sort_run(&sort, r->stream);
	shmemx_int_alltoall_on_stream(SHMEM_TEAM_WORLD, b->came, b->counts,
				      (size_t)r->n_local, r->stream);
	shmemx_stream_synchronize(r->stream);
	shmemx_memcpy(b->host_counts, b->counts, bytes);
	shmemx_memcpy(b->host_came, b->came, bytes);
	plan_splits(r, b);
	plan_blocks(r, b);
	shmemx_memcpy(b->splits, b->host_splits,
		      SPLITS * (size_t)r->n_pes * sizeof(size_t));
	shmemx_memcpy(b->blocks, b->host_blocks, BLOCKS * bytes);
	shmemx_memcpy(b->experts, b->host_experts,
		      2 * (size_t)r->n_local * sizeof(int32_t));
}

/* Sorted rows to their PEs, and there into the order of experts. */
static void there(struct run *r, const struct baseline *b, void *rows)
{
	const size_t n = (size_t)r->n_pes;
	const int all = r->args->experts;
	const struct blocks order = {
		.counts = b->blocks + COUNT * all,
		.from = b->blocks + CAME_AT * all,
		.to = b->blocks + WHERE * all,
		.n = all,
		.row_bytes = (size_t)r->args->hidden * r->elem_bytes,
		.source = b->received,
		.dest = rows,
	};

	shmemx_alltoallvmem_on_stream(
		SHMEM_TEAM_WORLD, b->received, b->splits + GOT * n,
		b->splits + GOT_AT * n, b->sorted, b->splits + SENT * n,
		b->splits + SENT_AT * n, r->stream);
	blocks_copy_run(&order, r->stream);
}

static void back(struct run *r, const struct baseline *b, const void *rows,
		 void *sorted)
{
	const size_t n = (size_t)r->n_pes;
	const int all = r->args->experts;
	const struct blocks order = {
		.counts = b->blocks + COUNT * all,
		.from = b->blocks + WHERE * all,
		.to = b->blocks + CAME_AT * all,
		.n = all,
		.row_bytes = (size_t)r->args->hidden * r->elem_bytes,
		.source = rows,
		.dest = b->received,
	};

	blocks_copy_run(&order, r->stream);
	shmemx_alltoallvmem_on_stream(
		SHMEM_TEAM_WORLD, sorted, b->splits + SENT * n,
		b->splits + SENT_AT * n, b->received, b->splits + GOT * n,
		b->splits + GOT_AT * n, r->stream);
}

/* Tokens x and rows of pairs in the order of experts. */
static struct pairs pairs_of(const struct run *r, const struct layer *layer,
			     void *x, void *rows)
{
	const struct args *a = r->args;

	return (struct pairs){
		.position = layer->baseline->position,
		.weights = layer->weights,
		.n_tokens = a->tokens,
		.top_k = a->top_k,
		.hidden = a->hidden,
		.type = a->dtype,
		.x = x,
		.rows = rows,
		.products = r->grad_weights,
	};
}

static void dispatch(struct run *r, struct layer *layer)
{
	struct baseline *b = layer->baseline;
	struct pairs pairs =
		pairs_of(r, layer, r->x[layer - r->layer], b->sorted);

	pairs.weights = NULL;
	plan(r, layer);
	pairs_spread_run(&pairs, r->stream);
	there(r, b, layer->part[0].rows);
}

static void combine(struct run *r, struct layer *layer)
{
	struct baseline *b = layer->baseline;
	const struct pairs pairs = pairs_of(r, layer, r->sum, b->returned);

	back(r, b, layer->part[0].y, b->returned);
	pairs_sum_run(&pairs, r->stream);
}

static void combine_back(struct run *r, struct layer *layer)
{
	struct baseline *b = layer->baseline;
	void *grad = r->grad_x[layer - r->layer + 1];
	const struct pairs products = pairs_of(r, layer, grad, b->returned);
	const struct pairs pairs = pairs_of(r, layer, grad, b->sorted);

	pairs_product_run(&products, r->stream);
	pairs_spread_run(&pairs, r->stream);
	there(r, b, r->grad_y[0]);
}

static void dispatch_back(struct run *r, struct layer *layer)
{
	struct baseline *b = layer->baseline;
	struct pairs pairs = pairs_of(r, layer, r->sum, b->sorted);

	pairs.weights = NULL;
	back(r, b, r->grad_rows[0], b->sorted);
	pairs_sum_run(&pairs, r->stream);
}

void baseline_exchange(struct run *r, struct layer *layer, enum phase phase)
{
	switch (phase) {
	case DISPATCH:
		dispatch(r, layer);
		break;
	case COMBINE:
		combine(r, layer);
		break;
	case COMBINE_BACK:
		combine_back(r, layer);
		break;
	default:
		dispatch_back(r, layer);
		break;
	}
}
