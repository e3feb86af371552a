/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of matrices whose numbers of rows only the device knows. Each
 * work-item computes 4 rows times 8 columns in registers; those of a
 * work-group lie side by side, so that what they load comes out of the first
 * cache. The columns are two groups of 4, for loads of neighbours to touch.
 */
#include "launch.h"
#include "number.h"

enum { ROWS = 4, COLS = 8, ACROSS_MAX = 16 };

/* A work-group's tile: this item's rows and columns begin where? */
struct tile {
	int rows, cols;	 /* of the work-group's tile */
	int row, col[2]; /* of this work-item, within it */
};

SHMEMX_FN struct tile tile_of_item(int n)
{
	const int item = (int)shmemx_item();
	int across = 1;
	struct tile t;

	while (across < ACROSS_MAX && across * COLS < n)
		across *= 2;
	t.rows = (int)shmemx_nitems() / across * ROWS;
	t.cols = across * COLS;
	t.row = item / across * ROWS;
	t.col[0] = item % across * 4;
	t.col[1] = t.col[0] + across * 4;
	return t;
}

SHMEMX_FN int parts(int n, int size)
{
	return (n + size - 1) / size;
}

SHMEMX_FN int segment_rows(const struct segments *s, int i)
{
	return s->counts ? s->counts[i] : s->stride;
}

SHMEMX_FN int segment_first(const struct segments *s, int i)
{
	return s->first ? s->first[i] : i * s->stride;
}

/* acc += x as a column times y as a row. */
SHMEMX_FN void tile_add(float acc[ROWS][COLS], const float *x, const float *y)
{
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLS; j++)
			acc[i][j] += x[i] * y[j];
}

/* Columns beyond the matrix are computed from others, and not stored. */
SHMEMX_FN void load_columns(float y[COLS], const struct matrix *m, int type,
			    size_t row_at, const int *col, int n)
{
	load4(y, m, type, row_at + (size_t)(col[0] < n ? col[0] : 0));
	load4(y + 4, m, type, row_at + (size_t)(col[1] < n ? col[1] : 0));
}

SHMEMX_FN void gemm_finish(const struct gemm *g, size_t at, float *v)
{
	const struct matrix other = { g->other[0], NULL, g->out_type };
	const struct matrix third = { g->other[1], NULL, g->out_type };
	float a[4], b[4];

	if (g->after == AFTER_SILU) {
		store4(g->other[0], g->out_type, at, v);
		round4(v, g->out_type);
		for (int i = 0; i < 4; i++)
			v[i] = silu(v[i]);
	} else if (g->after == AFTER_SILU_SLOPE) {
		load4(a, &other, g->out_type, at);
		for (int i = 0; i < 4; i++)
			v[i] *= silu_slope(a[i]);
	} else if (g->after == AFTER_ADD) {
		load4(a, &other, g->out_type, at);
		load4(b, &third, g->out_type, at);
		for (int i = 0; i < 4; i++)
			v[i] += a[i] + b[i];
	}
	store4(g->out, g->out_type, at, v);
}

/* This item's part of the tile at row and column of a segment. */
SHMEMX_FN void gemm_tile(const struct gemm *g, int type, int first, int count,
			 const float *b, int row, const int *col)
{
	const struct matrix weights = { b, NULL, TYPE_FP32 };
	float acc[ROWS][COLS] = { { 0 } };
	size_t at[ROWS];

	for (int i = 0; i < ROWS; i++)
		at[i] = (size_t)(first + (row + i < count ? row + i : row)) *
			(size_t)g->k;
	for (int k = 0; k < g->k; k += 4) {
		float x[ROWS][4], xt[4][ROWS], y[COLS];

		for (int i = 0; i < ROWS; i++)
			load4(x[i], &g->a, type, at[i] + (size_t)k);
		for (int i = 0; i < ROWS; i++)
			for (int j = 0; j < 4; j++)
				xt[j][i] = x[i][j];
		for (int j = 0; j < 4; j++) {
			load_columns(y, &weights, TYPE_FP32,
				     (size_t)(k + j) * (size_t)g->n, col, g->n);
			tile_add(acc, xt[j], y);
		}
	}
	for (int i = 0; i < ROWS && row + i < count; i++)
		for (int j = 0; j < 2; j++)
			if (col[j] < g->n)
				gemm_finish(g,
					    (size_t)(first + row + i) *
							    (size_t)g->n +
						    (size_t)col[j],
					    &acc[i][4 * j]);
}

/* Work-groups take tiles in turns, over all segments. */
SHMEMX_FN void gemm_walk(const struct gemm *g, int type)
{
	const struct tile t = tile_of_item(g->n);
	const int across = parts(g->n, t.cols), wgs = (int)shmemx_nwgs();
	int next = (int)shmemx_wg(); /* of mine, from the segment's first */

	for (int s = 0; s < g->rows.n; s++) {
		const int count = segment_rows(&g->rows, s);
		const int tiles = parts(count, t.rows) * across;
		const float *b = g->b + (size_t)(s / g->rows.per_expert) *
						(size_t)g->k * (size_t)g->n;

		for (; next < tiles; next += wgs) {
			const int row = next / across * t.rows + t.row;
			const int at = next % across * t.cols;
			const int col[2] = { at + t.col[0], at + t.col[1] };

			if (row < count && col[0] < g->n)
				gemm_tile(g, type, segment_first(&g->rows, s),
					  count, b, row, col);
		}
		next -= tiles;
	}
}

SHMEMX_KERNEL(moe_layer_gemm, struct gemm, g)
{
	if (g.a.type == TYPE_BF16)
		gemm_walk(&g, TYPE_BF16);
	else if (g.a.type == TYPE_FP16)
		gemm_walk(&g, TYPE_FP16);
	else if (g.a.type == TYPE_FP32)
		gemm_walk(&g, TYPE_FP32);
	else
		gemm_walk(&g, TYPE_FP8);
}

void gemm_run(const struct gemm *g, shmemx_stream_t stream)
{
	launch(SHMEMX_KERNEL_REF(moe_layer_gemm), g, sizeof(*g), stream);
}

SHMEMX_FN void outer_tile(const struct outer *o, int a_type, int b_type,
			  int expert, int row, const int *col)
{
	const int n = o->rows.per_expert;
	float *out = o->out + ((size_t)expert * (size_t)o->m + (size_t)row) *
				      (size_t)o->n;
	float acc[ROWS][COLS] = { { 0 } };

	for (int s = expert * n; s < (expert + 1) * n; s++) {
		const int first = segment_first(&o->rows, s);
		const int end = first + segment_rows(&o->rows, s);

		for (int r = first; r < end; r++) {
			float x[4], y[COLS];

			load4(x, &o->a, a_type,
			      (size_t)r * (size_t)o->m + (size_t)row);
			load_columns(y, &o->b, b_type, (size_t)r * (size_t)o->n,
				     col, o->n);
			tile_add(acc, x, y);
		}
	}
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLS; j++) {
			const int c = col[j / 4] + j % 4;
			float *at = out + (size_t)i * (size_t)o->n + c;

			if (c < o->n)
				*at = o->adds ? *at + acc[i][j] : acc[i][j];
		}
}

SHMEMX_FN void outer_walk(const struct outer *o, int a_type, int b_type)
{
	const struct tile t = tile_of_item(o->n);
	const int across = parts(o->n, t.cols);
	const int tiles = parts(o->m, t.rows) * across;

	for (int i = (int)shmemx_wg(); i < tiles * o->experts;
	     i += (int)shmemx_nwgs()) {
		const int row = i % tiles / across * t.rows + t.row;
		const int at = i % across * t.cols;
		const int col[2] = { at + t.col[0], at + t.col[1] };

		if (row < o->m && col[0] < o->n)
			outer_tile(o, a_type, b_type, i / tiles, row, col);
	}
}

SHMEMX_FN void outer_walk_a(const struct outer *o, int b_type)
{
	if (o->a.type == TYPE_FP8)
		outer_walk(o, TYPE_FP8, b_type);
	else
		outer_walk(o, b_type, b_type);
}

SHMEMX_KERNEL(moe_layer_outer, struct outer, o)
{
	if (o.b.type == TYPE_BF16)
		outer_walk_a(&o, TYPE_BF16);
	else if (o.b.type == TYPE_FP16)
		outer_walk_a(&o, TYPE_FP16);
	else if (o.a.type == TYPE_BF16)
		outer_walk(&o, TYPE_BF16, TYPE_FP32);
	else if (o.a.type == TYPE_FP16)
		outer_walk(&o, TYPE_FP16, TYPE_FP32);
	else
		outer_walk_a(&o, TYPE_FP32);
}

void outer_run(const struct outer *o, shmemx_stream_t stream)
{
	launch(SHMEMX_KERNEL_REF(moe_layer_outer), o, sizeof(*o), stream);
}
