/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What --baseline does with kernels around alltoallv: pairs of token and
 * choice sorted by expert, rows brought into that order, and back.
 */
#include "launch.h"
#include "number.h"

/* A work-item a chunk: how many pairs of each expert it has. */
SHMEMX_KERNEL(moe_layer_sort_count, struct sort, s)
{
	const size_t chunks = (size_t)(s.pairs + SORT_CHUNK - 1) / SORT_CHUNK;

	for (size_t chunk = grid_item(); chunk < chunks;
	     chunk += grid_items()) {
		const int first = (int)chunk * SORT_CHUNK;
		int32_t *before = s.before + chunk * (size_t)s.n_experts;

		for (int e = 0; e < s.n_experts; e++)
			before[e] = 0;
		for (int i = first; i < first + SORT_CHUNK && i < s.pairs; i++)
			before[s.ids[i]]++;
	}
}

/* A work-item an expert: how many pairs chunks have before each chunk. */
SHMEMX_KERNEL(moe_layer_sort_sum, struct sort, s)
{
	const int chunks = (s.pairs + SORT_CHUNK - 1) / SORT_CHUNK;

	for (size_t e = grid_item(); e < (size_t)s.n_experts;
	     e += grid_items()) {
		int32_t sum = 0;

		for (int chunk = 0; chunk < chunks; chunk++) {
			int32_t *n = s.before +
				     (size_t)chunk * (size_t)s.n_experts + e;
			const int32_t count = *n;

			*n = sum;
			sum += count;
		}
		s.counts[e] = sum;
	}
}

/* Where each expert's pairs begin stands in the last row of before. */
SHMEMX_KERNEL(moe_layer_sort_begin, struct sort, s)
{
	const int chunks = (s.pairs + SORT_CHUNK - 1) / SORT_CHUNK;
	int32_t *begin = s.before + (size_t)chunks * (size_t)s.n_experts;

	for (size_t e = grid_item(); e < (size_t)s.n_experts;
	     e += grid_items()) {
		int32_t sum = 0;

		for (size_t other = 0; other < e; other++)
			sum += s.counts[other];
		begin[e] = sum;
	}
}

SHMEMX_KERNEL(moe_layer_sort_place, struct sort, s)
{
	const size_t chunks = (size_t)(s.pairs + SORT_CHUNK - 1) / SORT_CHUNK;
	const int32_t *begin = s.before + chunks * (size_t)s.n_experts;

	for (size_t chunk = grid_item(); chunk < chunks;
	     chunk += grid_items()) {
		const int first = (int)chunk * SORT_CHUNK;
		int32_t *before = s.before + chunk * (size_t)s.n_experts;

		for (int i = first; i < first + SORT_CHUNK && i < s.pairs; i++)
			s.position[i] = begin[s.ids[i]] + before[s.ids[i]]++;
	}
}

void sort_run(const struct sort *s, shmemx_stream_t stream)
{
	launch(SHMEMX_KERNEL_REF(moe_layer_sort_count), s, sizeof(*s), stream);
	launch(SHMEMX_KERNEL_REF(moe_layer_sort_sum), s, sizeof(*s), stream);
	launch(SHMEMX_KERNEL_REF(moe_layer_sort_begin), s, sizeof(*s), stream);
	launch(SHMEMX_KERNEL_REF(moe_layer_sort_place), s, sizeof(*s), stream);
}

SHMEMX_KERNEL(moe_layer_pairs_spread, struct pairs, p)
{
	const struct matrix m = { p.x, NULL, p.type };
	const size_t hidden = (size_t)p.hidden, top_k = (size_t)p.top_k;

	for (size_t unit = grid_item();
	     unit < (size_t)p.n_tokens * top_k * hidden / 4;
	     unit += grid_items()) {
		const size_t pair = unit * 4 / hidden, h = unit * 4 % hidden;
		const float w = p.weights ? p.weights[pair] : 1;
		float x[4];

		load4(x, &m, p.type, pair / top_k * hidden + h);
		for (int i = 0; i < 4; i++)
			x[i] *= w;
		store4(p.rows, p.type, (size_t)p.position[pair] * hidden + h,
		       x);
	}
}

void pairs_spread_run(const struct pairs *p, shmemx_stream_t stream)
{
	launch(SHMEMX_KERNEL_REF(moe_layer_pairs_spread), p, sizeof(*p),
	       stream);
}

SHMEMX_KERNEL(moe_layer_pairs_sum, struct pairs, p)
{
	const struct matrix m = { p.rows, NULL, p.type };
	const size_t hidden = (size_t)p.hidden, top_k = (size_t)p.top_k;

	for (size_t unit = grid_item(); unit < (size_t)p.n_tokens * hidden / 4;
	     unit += grid_items()) {
		const size_t t = unit * 4 / hidden, h = unit * 4 % hidden;
		float sum[4] = { 0 }, x[4];

		for (size_t pair = t * top_k; pair < (t + 1) * top_k; pair++) {
			const float w = p.weights ? p.weights[pair] : 1;

			load4(x, &m, p.type,
			      (size_t)p.position[pair] * hidden + h);
			for (int i = 0; i < 4; i++)
				sum[i] += w * x[i];
		}
		store4(p.x, p.type, unit * 4, sum);
	}
}

void pairs_sum_run(const struct pairs *p, shmemx_stream_t stream)
{
	launch(SHMEMX_KERNEL_REF(moe_layer_pairs_sum), p, sizeof(*p), stream);
}

SHMEMX_KERNEL(moe_layer_pairs_product, struct pairs, p)
{
	const struct matrix mx = { p.x, NULL, p.type };
	const struct matrix mr = { p.rows, NULL, p.type };
	const size_t hidden = (size_t)p.hidden, top_k = (size_t)p.top_k;

	for (size_t pair = grid_item(); pair < (size_t)p.n_tokens * top_k;
	     pair += grid_items()) {
		const size_t row = (size_t)p.position[pair] * hidden;
		float sum = 0, x[4], y[4];

		for (size_t h = 0; h < hidden; h += 4) {
			load4(x, &mx, p.type, pair / top_k * hidden + h);
			load4(y, &mr, p.type, row + h);
			for (int i = 0; i < 4; i++)
				sum += x[i] * y[i];
		}
		p.products[pair] = sum;
	}
}

void pairs_product_run(const struct pairs *p, shmemx_stream_t stream)
{
	launch(SHMEMX_KERNEL_REF(moe_layer_pairs_product), p, sizeof(*p),
	       stream);
}

/* Work-groups take the rows of each block in turns. */
SHMEMX_KERNEL(moe_layer_blocks_copy, struct blocks, b)
{
	const size_t units = b.row_bytes / sizeof(struct four_floats);
	int row = (int)shmemx_wg();

	for (int i = 0; i < b.n; i++) {
		for (; row < b.counts[i]; row += (int)shmemx_nwgs()) {
			const size_t from = (size_t)(b.from[i] + row) * units;
			const size_t to = (size_t)(b.to[i] + row) * units;

			for (size_t u = shmemx_item(); u < units;
			     u += shmemx_nitems())
				((struct four_floats *)b.dest)[to + u] =
					((const struct four_floats *)
						 b.source)[from + u];
		}
		row -= b.counts[i];
	}
}

void blocks_copy_run(const struct blocks *b, shmemx_stream_t stream)
{
	launch(SHMEMX_KERNEL_REF(moe_layer_blocks_copy), b, sizeof(*b), stream);
}
