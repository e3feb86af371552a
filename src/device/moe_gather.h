/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of moe_row.h: several rows into one, and products of two. */
#ifndef SHMEMD_MOE_GATHER_H
#define SHMEMD_MOE_GATHER_H

/* Rows that are in flight together. */
#ifndef MOE_GATHER
#define MOE_GATHER 4
#endif

/* What is NULL is read, at another's place, but not added. */
struct moe_sources {
	const char *row[MOE_ROW_GROUP];
	float weight[MOE_ROW_GROUP];
	unsigned int mask;   /* those to be added */
	unsigned int floats; /* those of FP32 */
};

SHMEMD_FN void moe_sources_take(struct moe_sources *src,
				const struct moe_from *from, unsigned int n)
{
	const char *any = NULL;
	unsigned int k;

	src->mask = src->floats = 0;
	SHMEMD_UNROLL
	for (k = 0; k < MOE_ROW_GROUP; k++) {
		src->row[k] = k < n ? moe_same_row(from[k].row) : NULL;
		src->weight[k] = k < n ? moe_same_weight(from[k].weight) : 0;
		src->mask |= (src->row[k] ? 1u : 0) << k;
		src->floats |= (k < n && from[k].is_float ? 1u : 0) << k;
		any = any ? any : src->row[k];
	}
	SHMEMD_UNROLL
	for (k = 0; k < MOE_ROW_GROUP; k++)
		src->row[k] = src->row[k] ? src->row[k] : any;
}

SHMEMD_FN void moe_add_row(uint32_t dtype, struct shmemd_vec v, float weight,
			   float *sum)
{
	float x[8];
	unsigned int i;

	moe_unpack(dtype, v, x);
	SHMEMD_UNROLL
	for (i = 0; i < moe_vec_elems(dtype); i++)
		sum[i] = moe_add_product(sum[i], weight, x[i]);
}

/* Adds 16 bytes of the rows, `at` bytes behind their beginning. */
SHMEMD_FN void moe_sources_add(uint32_t dtype, const struct moe_sources *src,
			       uint32_t at, float *sum)
{
	struct shmemd_vec v[MOE_GATHER];
	const void *p[MOE_GATHER];
	unsigned int k, i;

	SHMEMD_UNROLL
	for (k = 0; k < MOE_ROW_GROUP; k += MOE_GATHER) {
		if (!(src->mask >> k))
			break;
		SHMEMD_UNROLL
		for (i = 0; i < MOE_GATHER; i++)
			p[i] = src->row[k + i] + at;
		SHMEMD_UNROLL
		for (i = 0; i < MOE_GATHER; i += 4)
			shmemd_gather128x4(v + i, p + i);
		SHMEMD_UNROLL
		for (i = 0; i < MOE_GATHER; i++)
			if (src->mask >> (k + i) & 1)
				moe_add_row(dtype, v[i], src->weight[k + i],
					    sum);
	}
}

SHMEMD_FN void moe_add_floats(struct shmemd_vec v, float *sum)
{
	float x[4];
	int i;

	moe_unpack(SHMEMX_MOE_FP32, v, x);
	SHMEMD_UNROLL
	for (i = 0; i < 4; i++)
		sum[i] += x[i];
}

/* As sources_add, from element `at` on, where some may be of FP32. */
SHMEMD_FN void moe_sources_add_any(uint32_t dtype,
				   const struct moe_sources *src, uint32_t at,
				   float *sum)
{
	const size_t as_dtype = (size_t)at * moe_dtype_bytes(dtype);
	const int halves = moe_vec_elems(dtype) == 8;
	struct shmemd_vec v[4], w[4];
	const void *p[4], *q[4];
	unsigned int k, i;

	SHMEMD_UNROLL
	for (k = 0; k < MOE_ROW_GROUP; k += 4) {
		if (!(src->mask >> k))
			break;
		SHMEMD_UNROLL
		for (i = 0; i < 4; i++) {
			const int far = src->floats >> (k + i) & 1;
			const char *row = src->row[k + i];

			p[i] = row + (far ? at * sizeof(float) : as_dtype);
			q[i] = (const char *)p[i] + (far ? 16 : 0);
		}
		shmemd_gather128x4(v, p);
		if (halves)
			shmemd_gather128x4(w, q);
		SHMEMD_UNROLL
		for (i = 0; i < 4; i++) {
			if (!(src->mask >> (k + i) & 1))
				continue;
			if (!(src->floats >> (k + i) & 1)) {
				moe_add_row(dtype, v[i], src->weight[k + i],
					    sum);
				continue;
			}
			moe_add_floats(v[i], sum);
			if (halves)
				moe_add_floats(w[i], sum + 4);
		}
	}
}

/* Stores what 16 bytes of dtype hold, at element `at` of out. */
SHMEMD_FN void moe_sum_store(uint32_t dtype, const float *sum, uint32_t at,
			     char *out, int out_is_float)
{
	unsigned int i;

	if (!out_is_float) {
		shmemd_copy_store16(SHMEMD_FROM_PEER,
				    out + (size_t)at * moe_dtype_bytes(dtype),
				    moe_pack(dtype, sum));
		return;
	}
	SHMEMD_UNROLL
	for (i = 0; i < moe_vec_elems(dtype); i += 4)
		shmemd_copy_store16(SHMEMD_FROM_PEER,
				    out + (size_t)(at + i) * sizeof(float),
				    moe_pack(SHMEMX_MOE_FP32, sum + i));
}

SHMEMD_FN void moe_sum_zero(float *sum)
{
	int i;

	SHMEMD_UNROLL
	for (i = 0; i < 8; i++)
		sum[i] = 0;
}

SHMEMD_FN void moe_gather_few_of(uint32_t dtype, enum shmemd_scope s,
				 uint32_t hidden, const struct moe_from *from,
				 unsigned int n, char *out, int out_is_float)
{
	const uint32_t elems = moe_vec_elems(dtype);
	const uint32_t step = elems * shmemd_scope_size(s);
	uint32_t at = elems * shmemd_scope_index(s);
	struct moe_sources src;
	float sum[8];

	moe_sources_take(&src, from, n);
	for (; at < hidden; at += step) {
		moe_sum_zero(sum);
		if (SHMEMD_UNLIKELY(src.floats))
			moe_sources_add_any(dtype, &src, at, sum);
		else
			moe_sources_add(dtype, &src,
					at * moe_dtype_bytes(dtype), sum);
		moe_sum_store(dtype, sum, at, out, out_is_float);
	}
}

/* Adds elements at and on of one row. */
SHMEMD_FN void moe_add_any(uint32_t dtype, const struct moe_from *from,
			   uint32_t at, float *sum)
{
	const char *row = from->row;
	unsigned int i;

	if (!row)
		return;
	if (!from->is_float) {
		row += (size_t)at * moe_dtype_bytes(dtype);
		moe_add_row(dtype, shmemd_load128(row), from->weight, sum);
		return;
	}
	row += (size_t)at * sizeof(float);
	SHMEMD_UNROLL
	for (i = 0; i < moe_vec_elems(dtype); i += 4)
		moe_add_floats(shmemd_load128(row + i * sizeof(float)),
			       sum + i);
}

/* Any number of rows, of any kind. */
SHMEMD_FN void moe_gather_many_of(uint32_t dtype, enum shmemd_scope s,
				  uint32_t hidden, const struct moe_from *from,
				  unsigned int n, char *out, int out_is_float)
{
	const uint32_t elems = moe_vec_elems(dtype);
	const uint32_t step = elems * shmemd_scope_size(s);
	uint32_t at = elems * shmemd_scope_index(s);
	unsigned int k;
	float sum[8];

	for (; at < hidden; at += step) {
		moe_sum_zero(sum);
		for (k = 0; k < n; k++)
			moe_add_any(dtype, from + k, at, sum);
		moe_sum_store(dtype, sum, at, out, out_is_float);
	}
}

/*
 * The sum of weight * row over n sources, in their order and in float: each
 * product is rounded, then the sum (no fma). Rounded to dtype, or as floats; of
 * no sources zeroes. out is local.
 */
SHMEMD_FN void moe_row_gather(enum shmemd_scope s, uint32_t dtype,
			      uint32_t hidden, const struct moe_from *from,
			      unsigned int n, char *out, int out_is_float)
{
	if (SHMEMD_UNLIKELY(n > MOE_ROW_GROUP))
		MOE_BY_DTYPE(dtype, moe_gather_many_of, s, hidden, from, n, out,
			     out_is_float);
	else
		MOE_BY_DTYPE(dtype, moe_gather_few_of, s, hidden, from, n, out,
			     out_is_float);
}

/* The items of s that make products: all of a wave, and whole waves. */
SHMEMD_FN unsigned int moe_dot_size(enum shmemd_scope s)
{
	const unsigned int size = shmemd_scope_size(s);
	const unsigned int wave = shmemd_wave_size();
	unsigned int n = 1;

	if (size >= wave)
		return size / wave * wave;
	while (2 * n <= size)
		n *= 2;
	return n;
}

SHMEMD_FN float moe_dot_add(uint32_t dtype, struct shmemd_vec a,
			    struct shmemd_vec b, float sum)
{
	float x[8], y[8];
	unsigned int i;

	moe_unpack(dtype, a, x);
	moe_unpack(dtype, b, y);
	SHMEMD_UNROLL
	for (i = 0; i < moe_vec_elems(dtype); i++)
		sum = moe_add_product(sum, x[i], y[i]);
	return sum;
}

SHMEMD_FN void moe_dot_of(uint32_t dtype, size_t bytes, size_t index,
			  size_t size, const char *a, const char *b, float *sum)
{
	const size_t step = 16 * size;
	size_t at = 16 * index;
	struct shmemd_vec v[4], w[4];
	int i;

	*sum = 0;
	for (; at + 3 * step < bytes; at += 4 * step) {
		shmemd_copy_load16x4(SHMEMD_TO_PEER, v, a + at, step);
		shmemd_copy_load16x4(SHMEMD_FROM_PEER, w, b + at, step);
		SHMEMD_UNROLL
		for (i = 0; i < 4; i++)
			*sum = moe_dot_add(dtype, v[i], w[i], *sum);
	}
	for (; at < bytes; at += step)
		*sum = moe_dot_add(dtype, shmemd_stream128(a + at),
				   shmemd_load128(b + at), *sum);
}

/*
 * The product of a, which is local, and a peer's b, in float and in an order
 * that depends on the sizes of s and the wave alone: for all items of s. Of a
 * work-group with barriers.
 */
SHMEMD_FN float moe_row_dot(enum shmemd_scope s, uint32_t dtype,
			    uint32_t hidden, const char *a, const char *b)
{
	const size_t bytes = (size_t)hidden * moe_dtype_bytes(dtype);
	const unsigned int size = moe_dot_size(s);
	const unsigned int wave = shmemd_wave_size();
	const unsigned int index = shmemd_scope_index(s);
	float sum = 0;

	if (index < size)
		MOE_BY_DTYPE(dtype, moe_dot_of, bytes, index, size, a, b, &sum);
	sum = shmemd_wave_sum(sum, size < wave ? size : wave);
	if (s == SHMEMD_WG)
		return shmemd_wg_sum_waves(index < size ? sum : 0);
	return moe_bits_float((uint32_t)shmemd_wave_bcast(moe_bits(sum)));
}

#endif
