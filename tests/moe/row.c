/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of tokens by waves and by work-groups of many sizes: to several targets,
 * from several sources, and products, against plain loops. PES: 1
 */
#include "../gpu/common.h"

#include <math.h>
#include <shmem/device.h>
#include <shmem/moe.h>

#include "device/moe_row.h"
#include "number.h"

#define TOKENS 5
#define MOST 16 /* targets of a token */
#define ROWS (TOKENS * MOST + 3)
#define HIDDEN_MOST 2304
#define ROW_BYTES (HIDDEN_MOST * sizeof(float))
#define SCALES (HIDDEN_MOST / SHMEMX_MOE_SCALE_ELEMS)
#define WGS 2

struct args {
	const char *x;
	char *rows;	      /* [ROWS][ROW_BYTES] */
	float *scales;	      /* [ROWS][SCALES] */
	const int32_t *index; /* [TOKENS][MOST], -1: none */
	const float *weights; /* the same */
	const int32_t *is_float;
	char *out; /* [TOKENS][ROW_BYTES] */
	uint32_t wg, dtype, quant, hidden, n, weighs, out_is_float;
};

SHMEMD_FN uint32_t group_first(const struct args *a)
{
	const uint32_t wave = shmemd_item() / shmemd_wave_size();

	return a->wg ? shmemd_wg() : wave * shmemd_nwgs() + shmemd_wg();
}

SHMEMD_FN uint32_t group_step(const struct args *a)
{
	const uint32_t size = shmemd_wave_size();

	return a->wg ? shmemd_nwgs() :
		       (shmemd_nitems() + size - 1) / size * shmemd_nwgs();
}

SHMEMD_FN void spread_one(const struct args *a, uint32_t t)
{
	const char *x = a->x + t * ROW_BYTES;
	struct moe_to to[MOST];
	uint32_t k;

	for (k = 0; k < MOST; k++) {
		const int32_t i = a->index[t * MOST + k];

		to[k].row = i < 0 ? (char *)NULL : a->rows + i * ROW_BYTES;
		to[k].scales = a->scales + (i < 0 ? 0 : i * SCALES);
		to[k].weight = a->weights[t * MOST + k];
	}
	if (a->wg)
		moe_row_spread(SHMEMD_WG, a->dtype, a->quant, a->hidden, x, to,
			       a->n, (int)a->weighs);
	else
		moe_row_spread(SHMEMD_WAVE, a->dtype, a->quant, a->hidden, x,
			       to, a->n, (int)a->weighs);
}

SHMEMX_KERNEL(spread, struct args, a)
{
	uint32_t t;

	for (t = group_first(&a); t < TOKENS; t += group_step(&a))
		spread_one(&a, t);
}

SHMEMD_FN void gather_one(const struct args *a, uint32_t t)
{
	char *out = a->out + t * ROW_BYTES;
	struct moe_from from[MOST];
	uint32_t k;

	for (k = 0; k < MOST; k++) {
		const int32_t i = a->index[t * MOST + k];

		from[k].row = i < 0 ? (char *)NULL : a->rows + i * ROW_BYTES;
		from[k].weight = a->weights[t * MOST + k];
		from[k].is_float = a->is_float[t * MOST + k];
	}
	if (a->wg)
		moe_row_gather(SHMEMD_WG, a->dtype, a->hidden, from, a->n, out,
			       (int)a->out_is_float);
	else
		moe_row_gather(SHMEMD_WAVE, a->dtype, a->hidden, from, a->n,
			       out, (int)a->out_is_float);
}

SHMEMX_KERNEL(gather, struct args, a)
{
	uint32_t t;

	for (t = group_first(&a); t < TOKENS; t += group_step(&a))
		gather_one(&a, t);
}

/* Each item adds its product to out[t]: equal ones make a multiple. */
SHMEMX_KERNEL(dot, struct args, a)
{
	uint32_t t;

	for (t = group_first(&a); t < TOKENS; t += group_step(&a)) {
		const char *x = a.x + t * ROW_BYTES;
		const char *row = a.rows + t * ROW_BYTES;
		float sum;

		if (a.wg)
			sum = moe_row_dot(SHMEMD_WG, a.dtype, a.hidden, x, row);
		else
			sum = moe_row_dot(SHMEMD_WAVE, a.dtype, a.hidden, x,
					  row);
		shmemd_red64(SHMEMD_ADD, a.out + t * ROW_BYTES,
			     (uint64_t)(int64_t)sum, 0);
		shmemd_red64(SHMEMD_ADD, a.out + t * ROW_BYTES + 8, 1, 0);
	}
}

static struct gpu_mem x, rows, scales, index_, weights, floats, out;
static unsigned char *want, *want_scales;
static uint64_t state;
static struct args a;
static int items;

static void launch(const struct shmemx_kernel *kernel)
{
	GPU_CHECK_EQ(shmemx_launch(kernel, WGS, items, &a, sizeof(a), NULL), 0);
	gpu_sync();
}

static int32_t index_of(size_t t, size_t k)
{
	return ((const int32_t *)index_.host)[t * MOST + k];
}

static float weight_of(size_t t, size_t k)
{
	return ((const float *)weights.host)[t * MOST + k];
}

/* Each row at most once, an eighth of them not at all. */
static void make_index(void)
{
	int32_t *index = (int32_t *)index_.host, row[ROWS];
	size_t i;

	for (i = 0; i < ROWS; i++)
		row[i] = (int32_t)i;
	for (i = 0; i < TOKENS * MOST; i++) {
		const size_t other = i + gpu_below(&state, ROWS - i);
		const int32_t chosen = row[other];

		row[other] = row[i];
		index[i] = gpu_below(&state, 8) ? chosen : -1;
		((float *)weights.host)[i] =
			(float)gpu_below(&state, 4096) / 1024 - 1;
		((int32_t *)floats.host)[i] = 0;
		row[i] = chosen;
	}
	gpu_mem_push(&index_, index_.bytes);
	gpu_mem_push(&weights, weights.bytes);
	gpu_mem_push(&floats, floats.bytes);
}

/* Blocks of 128 elements of many magnitudes, with what is special in some. */
static void make_elements(unsigned char *to, size_t n, uint32_t dtype)
{
	const int span = dtype == SHMEMX_MOE_FP16 ? 10 : 120;
	int exponent = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		double v;

		if (i % SHMEMX_MOE_SCALE_ELEMS == 0)
			exponent =
				gpu_below(&state, 2) ?
					0 :
					(int)gpu_below(&state, 2 * span) - span;
		v = ldexp((double)gpu_below(&state, 1 << 20) / (1 << 18) - 2,
			  exponent);
		if (i / SHMEMX_MOE_SCALE_ELEMS % 7 == 3)
			v = i % 2 ? 0 : -0.0;
		if (gpu_below(&state, 4000) == 0)
			v = gpu_below(&state, 2) ? NAN : INFINITY;
		number_store(dtype, to, i, number_encode(dtype, v));
	}
}

static float element(uint32_t dtype, const void *row, size_t i)
{
	return (float)number_decode(dtype, number_load(dtype, row, i));
}

static void put_number(uint32_t dtype, void *row, size_t i, float v)
{
	uint32_t bits = number_encode(dtype, v);

	if (isnan(v) && dtype != SHMEMX_MOE_FP32)
		bits = 0x7fff;
	number_store(dtype, row, i, bits);
}

static void want_block(const unsigned char *from, size_t b, size_t row)
{
	const size_t begin = b * SHMEMX_MOE_SCALE_ELEMS;
	float most = 0, first = 1, by, scale;
	size_t i;

	for (i = begin; i < begin + SHMEMX_MOE_SCALE_ELEMS; i++)
		if (fabsf(element(a.dtype, from, i)) > most)
			most = fabsf(element(a.dtype, from, i));
	if (most < 0x1p-64f)
		first = 0x1p80f;
	else if (most > 0x1p64f)
		first = 0x1p-64f;
	by = most > 0 && !isinf(most) ? 448 / (most * first) : 0;
	scale = most * first / 448 * (1 / first);
	memcpy(want_scales + (row * SCALES + b) * sizeof(float), &scale,
	       sizeof(scale));
	for (i = begin; i < begin + SHMEMX_MOE_SCALE_ELEMS; i++) {
		const float v = element(a.dtype, from, i) * first * by;

		want[row * ROW_BYTES + i] =
			isnan(v) ? 0x7f : number_encode_e4m3(v);
	}
}

static void want_row(size_t t, size_t k, size_t row)
{
	const unsigned char *from = x.host + t * ROW_BYTES;
	unsigned char *to = want + row * ROW_BYTES;
	size_t i;

	if (a.quant)
		for (i = 0; i < a.hidden / SHMEMX_MOE_SCALE_ELEMS; i++)
			want_block(from, i, row);
	else if (a.weighs)
		for (i = 0; i < a.hidden; i++)
			put_number(a.dtype, to, i,
				   weight_of(t, k) * element(a.dtype, from, i));
	else
		memcpy(to, from, a.hidden * number_bytes(a.dtype));
}

/* A NaN of FP32 may have any bits: it is made one. */
static void one_nan(unsigned char *p, size_t bytes)
{
	const uint32_t nan = 0x7fffffff;
	uint32_t word;
	size_t i;

	for (i = 0; i < bytes; i += 4) {
		memcpy(&word, p + i, 4);
		if ((word & 0x7fffffff) > 0x7f800000)
			memcpy(p + i, &nan, 4);
	}
}

static void same(const char *what, unsigned char *got, unsigned char *wanted,
		 size_t bytes, int are_floats)
{
	char text[160];

	snprintf(
		text, sizeof(text),
		"%s: wg %u dtype %u quant %u hidden %u n %u weighs %u items %d",
		what, a.wg, a.dtype, a.quant, a.hidden, a.n, a.weighs, items);
	if (are_floats) {
		one_nan(got, bytes);
		one_nan(wanted, bytes);
	}
	gpu_same(text, got, wanted, bytes);
}

static void test_spread(void)
{
	size_t t, k;

	make_index();
	make_elements(x.host, x.bytes / number_bytes(a.dtype), a.dtype);
	gpu_mem_push(&x, x.bytes);
	gpu_mem_fill(&rows, 0xee, rows.bytes);
	gpu_mem_fill(&scales, 0xee, scales.bytes);
	memset(want, 0xee, rows.bytes);
	memset(want_scales, 0xee, scales.bytes);
	launch(SHMEMX_KERNEL_REF(spread));
	for (t = 0; t < TOKENS; t++)
		for (k = 0; k < a.n; k++)
			if (index_of(t, k) >= 0)
				want_row(t, k, (size_t)index_of(t, k));
	gpu_mem_pull(&rows, rows.bytes);
	gpu_mem_pull(&scales, scales.bytes);
	same("spread", rows.host, want, rows.bytes,
	     !a.quant && a.dtype == SHMEMX_MOE_FP32);
	if (a.quant)
		same("scales", scales.host, want_scales, scales.bytes, 0);
}

static float want_sum(size_t t, size_t i)
{
	float sum = 0;
	size_t k;

	for (k = 0; k < a.n; k++) {
		const int32_t row = index_of(t, k);
		const unsigned char *from = rows.host + (size_t)row * ROW_BYTES;
		volatile float product;

		if (row < 0)
			continue;
		if (((const int32_t *)floats.host)[t * MOST + k])
			product = element(SHMEMX_MOE_FP32, from, i);
		else
			product = weight_of(t, k) * element(a.dtype, from, i);
		sum += product;
	}
	return sum;
}

/* Some of the rows of FP32, or none. */
static void make_sources(int mixed)
{
	size_t i;

	make_index();
	for (i = 0; i < TOKENS * MOST; i++) {
		const int32_t row = ((const int32_t *)index_.host)[i];
		const int is_float = mixed && gpu_below(&state, 3) == 0;

		((int32_t *)floats.host)[i] = is_float;
		if (row >= 0)
			make_elements(rows.host + (size_t)row * ROW_BYTES,
				      a.hidden,
				      is_float ? SHMEMX_MOE_FP32 : a.dtype);
	}
	gpu_mem_push(&floats, floats.bytes);
	gpu_mem_push(&rows, rows.bytes);
}

static void test_gather(int mixed)
{
	const uint32_t dtype = a.out_is_float ? SHMEMX_MOE_FP32 : a.dtype;
	size_t t, i;

	make_sources(mixed);
	gpu_mem_fill(&out, 0xee, out.bytes);
	memset(want, 0xee, out.bytes);
	launch(SHMEMX_KERNEL_REF(gather));
	for (t = 0; t < TOKENS; t++)
		for (i = 0; i < a.hidden; i++)
			put_number(dtype, want + t * ROW_BYTES, i,
				   want_sum(t, i));
	gpu_mem_pull(&out, out.bytes);
	same("gather", out.host, want, out.bytes, dtype == SHMEMX_MOE_FP32);
}

/* Small integers, whose products and sums are exact in any order. */
static void make_integers(unsigned char *to, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		number_store(a.dtype, to, i,
			     number_encode(a.dtype,
					   (double)gpu_below(&state, 17) - 8));
}

static void test_dot(void)
{
	size_t t, i;

	for (t = 0; t < TOKENS; t++) {
		make_integers(x.host + t * ROW_BYTES, a.hidden);
		make_integers(rows.host + t * ROW_BYTES, a.hidden);
	}
	gpu_mem_push(&x, x.bytes);
	gpu_mem_push(&rows, rows.bytes);
	gpu_mem_fill(&out, 0, out.bytes);
	launch(SHMEMX_KERNEL_REF(dot));
	gpu_mem_pull(&out, out.bytes);
	for (t = 0; t < TOKENS; t++) {
		int64_t sum = 0, got[2];

		for (i = 0; i < a.hidden; i++)
			sum += (int64_t)element(a.dtype, x.host + t * ROW_BYTES,
						i) *
			       (int64_t)element(a.dtype,
						rows.host + t * ROW_BYTES, i);
		memcpy(got, out.host + t * ROW_BYTES, sizeof(got));
		if (!got[1] || got[0] != sum * got[1])
			gpu_fail("product of %u elements, wg %u, %d items: got "
				 "%lld for %lld of %lld items",
				 a.hidden, a.wg, items, (long long)got[0],
				 (long long)sum, (long long)got[1]);
	}
}

/* Elements of rows: multiples of 16 bytes. */
static uint32_t hidden_of(int block)
{
	const uint32_t step = block ? SHMEMX_MOE_SCALE_ELEMS :
			      a.dtype == SHMEMX_MOE_FP32 ? 4 :
							   8;

	if (gpu_below(&state, 3) == 0)
		return HIDDEN_MOST / step * step;
	return (uint32_t)(1 + gpu_below(&state, HIDDEN_MOST / step)) * step;
}

static void test_case(uint32_t wg, uint32_t dtype)
{
	static const uint32_t n[] = { 1, 3, 8, 9, MOST };

	a.wg = wg;
	a.dtype = dtype;
	a.n = n[gpu_below(&state, GPU_COUNT(n))];
	a.quant = SHMEMX_MOE_QUANT_FP8;
	a.weighs = 0;
	a.hidden = hidden_of(1);
	test_spread();
	a.quant = SHMEMX_MOE_QUANT_NONE;
	a.hidden = hidden_of(0);
	test_spread();
	a.weighs = 1;
	test_spread();
	a.out_is_float = gpu_below(&state, 2) != 0;
	test_gather(0);
	test_gather(1);
	test_dot();
}

static void args_set(void)
{
	a.x = x.dev;
	a.rows = rows.dev;
	a.scales = (float *)scales.dev;
	a.index = (const int32_t *)index_.dev;
	a.weights = (const float *)weights.dev;
	a.is_float = (const int32_t *)floats.dev;
	a.out = out.dev;
}

int main(void)
{
	static const int sizes[] = { 1, 4, 12, 32, 44, 64, 100, 128, 320 };

	gpu_begin();
	state = gpu_seed;
	x = gpu_mem_new(TOKENS * ROW_BYTES);
	rows = gpu_mem_new(ROWS * ROW_BYTES);
	scales = gpu_mem_new(ROWS * SCALES * sizeof(float));
	index_ = gpu_mem_new(TOKENS * MOST * sizeof(int32_t));
	weights = gpu_mem_new(TOKENS * MOST * sizeof(float));
	floats = gpu_mem_new(TOKENS * MOST * sizeof(int32_t));
	out = gpu_mem_new(TOKENS * ROW_BYTES);
	want = (unsigned char *)malloc(rows.bytes);
	want_scales = (unsigned char *)malloc(scales.bytes);
	args_set();
	for (size_t i = 0; i < GPU_COUNT(sizes); i++) {
		items = sizes[i];
		for (uint32_t dtype = 0; dtype <= SHMEMX_MOE_FP32; dtype++) {
			test_case(0, dtype);
			test_case(1, dtype);
		}
	}
	free(want_scales);
	free(want);
	gpu_mem_free(&out);
	gpu_mem_free(&floats);
	gpu_mem_free(&weights);
	gpu_mem_free(&index_);
	gpu_mem_free(&scales);
	gpu_mem_free(&rows);
	gpu_mem_free(&x);
	return gpu_end();
}
