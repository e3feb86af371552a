/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of moe_row.h: one row to several peers. */
#ifndef SHMEMD_MOE_SPREAD_H
#define SHMEMD_MOE_SPREAD_H

/* What is put at byte `at` of each target's row. */
SHMEMD_FN void moe_put(const struct moe_to *to, size_t at, struct shmemd_vec v)
{
	int k;

	SHMEMD_UNROLL
	for (k = 0; k < MOE_ROW_GROUP; k++)
		if (to[k].row)
			shmemd_store128(to[k].row + at, v);
}

SHMEMD_FN void moe_spread_plain(enum shmemd_scope s, size_t bytes,
				const char *x, const struct moe_to *to)
{
	const size_t step = 16 * (size_t)shmemd_scope_size(s);
	size_t at = 16 * (size_t)shmemd_scope_index(s);
	struct shmemd_vec v[4];
	int i;

	for (; at + 3 * step < bytes; at += 4 * step) {
		shmemd_copy_load16x4(SHMEMD_TO_PEER, v, x + at, step);
		SHMEMD_UNROLL
		for (i = 0; i < 4; i++)
			moe_put(to, at + (size_t)i * step, v[i]);
	}
	for (; at < bytes; at += step)
		moe_put(to, at, shmemd_stream128(x + at));
}

SHMEMD_FN void moe_put_weighed(uint32_t dtype, const struct moe_to *to,
			       size_t at, struct shmemd_vec v)
{
	float x[8], y[8];
	int k, i;

	moe_unpack(dtype, v, x);
	SHMEMD_UNROLL
	for (k = 0; k < MOE_ROW_GROUP; k++) {
		if (!to[k].row)
			continue;
		SHMEMD_UNROLL
		for (i = 0; i < (int)moe_vec_elems(dtype); i++)
			y[i] = to[k].weight * x[i];
		shmemd_store128(to[k].row + at, moe_pack(dtype, y));
	}
}

SHMEMD_FN void moe_spread_weighed_of(uint32_t dtype, enum shmemd_scope s,
				     size_t bytes, const char *x,
				     const struct moe_to *to)
{
	const size_t step = 16 * (size_t)shmemd_scope_size(s);
	size_t at = 16 * (size_t)shmemd_scope_index(s);

	for (; at + step < bytes; at += 2 * step) {
		const struct shmemd_vec v = shmemd_stream128(x + at);
		const struct shmemd_vec w = shmemd_stream128(x + at + step);

		moe_put_weighed(dtype, to, at, v);
		moe_put_weighed(dtype, to, at + step, w);
	}
	if (at < bytes)
		moe_put_weighed(dtype, to, at, shmemd_stream128(x + at));
}

/* A unit: 16 elements, as they are loaded. */
struct moe_unit {
	struct shmemd_vec v[4]; /* 2 but for FP32 */
};

SHMEMD_FN struct moe_unit moe_unit_zero(void)
{
	struct moe_unit u;
	int i;

	SHMEMD_UNROLL
	for (i = 0; i < 4; i++)
		u.v[i].a = u.v[i].b = 0;
	return u;
}

SHMEMD_FN struct moe_unit moe_unit_load(uint32_t dtype, const char *x,
					size_t unit)
{
	const int n = (int)moe_dtype_bytes(dtype);
	struct moe_unit u = moe_unit_zero();
	int i;

	SHMEMD_UNROLL
	for (i = 0; i < n; i++)
		u.v[i] = shmemd_stream128(x + 16 * (n * unit + (size_t)i));
	return u;
}

SHMEMD_FN float moe_unit_max(uint32_t dtype, const struct moe_unit *u)
{
	float x[8], most = 0;
	int k, i;

	SHMEMD_UNROLL
	for (k = 0; k < (int)moe_dtype_bytes(dtype); k++) {
		moe_unpack(dtype, u->v[k], x);
		SHMEMD_UNROLL
		for (i = 0; i < (int)moe_vec_elems(dtype); i++)
			most = moe_abs_max(most, x[i]);
	}
	return most;
}

/* What elements are multiplied by, in two steps, and the scale of a block. */
struct moe_factor {
	float first, by, scale;
};

/* 448 / most and most / 448 are normal numbers within these. */
#define MOE_LEAST 0x1p-64f
#define MOE_MOST 0x1p64f
#define MOE_ABOVE_ALL 0x1p126f

/* Very small blocks are made larger first, very large ones smaller. */
SHMEMD_FN struct moe_factor moe_factor_far(float most)
{
	struct moe_factor f;

	f.first = most < 1 ? 0x1p80f : 0x1p-64f;
	f.by = 0;
	f.scale = most;
	most *= f.first;
	if (most == 0 || most > MOE_ABOVE_ALL)
		return f;
	f.by = moe_divide(MOE_E4M3_MAX, most);
	f.scale = moe_divide(most, MOE_E4M3_MAX) *
		  (f.first > 1 ? 0x1p-80f : 0x1p64f);
	return f;
}

SHMEMD_FN struct moe_factor moe_factor(float most)
{
	struct moe_factor f;

	if (SHMEMD_UNLIKELY(!(most >= MOE_LEAST && most <= MOE_MOST)))
		return moe_factor_far(most);
	f.first = 1;
	f.by = moe_divide(MOE_E4M3_MAX, most);
	f.scale = moe_divide(most, MOE_E4M3_MAX);
	return f;
}

/* 4 elements of a unit, from the i-th on; `first` is 1 nearly always. */
SHMEMD_FN uint32_t moe_unit_e4m3x4(uint32_t dtype, const struct moe_unit *u,
				   unsigned int i, const struct moe_factor *f)
{
	const unsigned int n = moe_vec_elems(dtype);
	float all[8], *x = all + i % n;
	unsigned int k;

	moe_unpack(dtype, u->v[i / n], all);
	if (SHMEMD_UNLIKELY(f->first != 1)) {
		SHMEMD_UNROLL
		for (k = 0; k < 4; k++)
			x[k] *= f->first;
	}
	return moe_pack_e4m3(x[0] * f->by, x[1] * f->by, x[2] * f->by,
			     x[3] * f->by);
}

SHMEMD_FN struct shmemd_vec moe_unit_e4m3(uint32_t dtype,
					  const struct moe_unit *u,
					  const struct moe_factor *f)
{
	struct shmemd_vec v;

	v.a = moe_unit_e4m3x4(dtype, u, 0, f);
	v.a |= (uint64_t)moe_unit_e4m3x4(dtype, u, 4, f) << 32;
	v.b = moe_unit_e4m3x4(dtype, u, 8, f);
	v.b |= (uint64_t)moe_unit_e4m3x4(dtype, u, 12, f) << 32;
	return v;
}

/* One of the lanes that share a scale stores it to the k-th target. */
SHMEMD_FN float *moe_scales_of(const struct moe_to *to, unsigned int k)
{
	float *scales = NULL;
	unsigned int i;

	SHMEMD_UNROLL
	for (i = 0; i < MOE_ROW_GROUP; i++)
		if (i == k && to[i].row)
			scales = to[i].scales;
	return scales;
}

/* A unit of a block with this largest magnitude to all targets. */
SHMEMD_FN void moe_put_unit(uint32_t dtype, const struct moe_to *to,
			    float *scales, size_t unit,
			    const struct moe_unit *u, float most)
{
	const struct moe_factor f = moe_factor(most);

	moe_put(to, 16 * unit, moe_unit_e4m3(dtype, u, &f));
	if (scales)
		shmemd_store32(scales + unit / MOE_ROW_SHARE,
			       moe_bits(f.scale));
}

/*
 * Rows of E4M3 by the items of s but for those beyond a multiple of 8. What is
 * next is loaded early, if there are registers for that.
 */
SHMEMD_FN void moe_spread_shared_of(uint32_t dtype, enum shmemd_scope s,
				    unsigned int n_units, const char *x,
				    const struct moe_to *to)
{
	const int early = dtype != SHMEMX_MOE_FP32;
	const unsigned int index = shmemd_scope_index(s);
	const unsigned int lanes =
		shmemd_scope_size(s) / MOE_ROW_SHARE * MOE_ROW_SHARE;
	const unsigned int end = index < lanes ? n_units : 0;
	float *scales = moe_scales_of(to, index % MOE_ROW_SHARE);
	struct moe_unit next = moe_unit_zero(), u;
	unsigned int unit = index, base;
	float most;

	if (early && unit < end)
		next = moe_unit_load(dtype, x, unit);
	/* All items of a wave make as many rounds: they exchange. */
	for (base = 0; base < n_units; base += lanes, unit += lanes) {
		if (!early && unit < end)
			next = moe_unit_load(dtype, x, unit);
		u = next;
		if (early && unit + lanes < end)
			next = moe_unit_load(dtype, x, unit + lanes);
		most = shmemd_wave_max(moe_unit_max(dtype, &u), MOE_ROW_SHARE);
		if (unit < end)
			moe_put_unit(dtype, to, scales, unit, &u, most);
	}
}

/* As many elements as share a scale, by one item. */
SHMEMD_FN void moe_spread_block_of(uint32_t dtype, unsigned int block,
				   const char *x, const struct moe_to *to)
{
	struct moe_unit u;
	unsigned int i;
	float most = 0;

	for (i = 0; i < MOE_ROW_SHARE; i++) {
		u = moe_unit_load(dtype, x, block * MOE_ROW_SHARE + i);
		most = moe_abs_max(most, moe_unit_max(dtype, &u));
	}
	for (i = 0; i < MOE_ROW_SHARE; i++) {
		u = moe_unit_load(dtype, x, block * MOE_ROW_SHARE + i);
		moe_put_unit(dtype, to, moe_scales_of(to, i),
			     block * MOE_ROW_SHARE + i, &u, most);
	}
}

SHMEMD_FN void moe_spread_fp8_of(uint32_t dtype, enum shmemd_scope s,
				 uint32_t hidden, const char *x,
				 const struct moe_to *to)
{
	const unsigned int size = shmemd_scope_size(s);
	unsigned int block;

	if (SHMEMD_LIKELY(size >= MOE_ROW_SHARE)) {
		moe_spread_shared_of(dtype, s, hidden / 16, x, to);
		return;
	}
	for (block = shmemd_scope_index(s);
	     block < hidden / SHMEMX_MOE_SCALE_ELEMS; block += size)
		moe_spread_block_of(dtype, block, x, to);
}

/*
 * Writes a row of hidden elements to n targets. With FP8, rows of E4M3 and a
 * scale for each 128 elements: the largest magnitude / 448; an element is the
 * product of x and 448 / that magnitude, in float, rounded. NaN stays NaN and
 * counts for no magnitude; an infinite one makes a scale of infinity. With
 * `weighs`, rows are weight * x, rounded; otherwise x.
 */
SHMEMD_FN void moe_row_spread(enum shmemd_scope s, uint32_t dtype,
			      uint32_t quant, uint32_t hidden, const char *x,
			      const struct moe_to *to, unsigned int n,
			      int weighs)
{
	const size_t bytes = (size_t)hidden * moe_dtype_bytes(dtype);
	struct moe_to some[MOE_ROW_GROUP];
	unsigned int i, k;

	for (k = 0; k < n; k += MOE_ROW_GROUP) {
		SHMEMD_UNROLL
		for (i = 0; i < MOE_ROW_GROUP; i++) {
			some[i].row = NULL;
			some[i].scales = NULL;
			some[i].weight = 0;
			if (k + i >= n)
				continue;
			some[i].row = moe_same_row(to[k + i].row);
			some[i].scales = to[k + i].scales;
			some[i].weight = moe_same_weight(to[k + i].weight);
		}
		if (quant == SHMEMX_MOE_QUANT_FP8)
			MOE_BY_DTYPE(dtype, moe_spread_fp8_of, s, hidden, x,
				     some);
		else if (weighs)
			MOE_BY_DTYPE(dtype, moe_spread_weighed_of, s, bytes, x,
				     some);
		else
			moe_spread_plain(s, bytes, x, some);
	}
}

#endif
