/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers of few bits in kernels, by instructions and by integers, against
 * arithmetic: all of them, what lies between neighbours, and beyond. PES: 1
 */
#include "../gpu/common.h"

#include <math.h>
#include <shmem/device.h>
#include <shmem/moe.h>

#include "device/moe_float.h"
#include "number.h"

#define N 65536 /* numbers of a launch */

struct decoded {
	float bf16, fp16, fp16_bits, e4m3, e4m3_bits;
};

struct encoded {
	uint32_t bf16, fp16, e4m3; /* pairs, fours: of x, x, ... and -x */
	uint32_t bf16_bits, fp16_bits, e4m3_bits;
};

struct args {
	const float *x;
	struct decoded *decoded;
	struct encoded *encoded;
	float *out;
};

SHMEMX_KERNEL(decode, struct args, a)
{
	const uint32_t i = shmemd_wg() * shmemd_nitems() + shmemd_item();
	struct decoded d;

	d.bf16 = moe_of_bf16(i);
	d.fp16 = moe_of_fp16(i);
	d.fp16_bits = moe_bits_of_fp16(i);
	d.e4m3 = moe_of_e4m3(i & 0xff);
	d.e4m3_bits = moe_bits_of_e4m3(i & 0xff);
	a.decoded[i] = d;
}

SHMEMX_KERNEL(encode, struct args, a)
{
	const uint32_t i = shmemd_wg() * shmemd_nitems() + shmemd_item();
	const float x = a.x[i];
	struct encoded e;

	e.bf16 = moe_pack_bf16(x, -x);
	e.fp16 = moe_pack_fp16(x, -x);
	e.e4m3 = moe_pack_e4m3(x, -x, 1, x);
	e.bf16_bits = moe_bits_bf16(x);
	e.fp16_bits = moe_bits_fp16(x);
	e.e4m3_bits = moe_bits_e4m3(x);
	a.encoded[i] = e;
}

/* Of x[3i] and on: a sum with a product, a quotient, a larger magnitude. */
SHMEMX_KERNEL(compute, struct args, a)
{
	const uint32_t i = shmemd_wg() * shmemd_nitems() + shmemd_item();
	const float *x = a.x + 3 * i;
	float *out = a.out + 3 * i;

	out[0] = moe_add_product(x[0], x[1], x[2]);
	out[1] = moe_divide(x[1], x[2]);
	out[2] = moe_abs_max(x[0], x[1]);
}

static struct gpu_mem input, output;

static void launch(const struct shmemx_kernel *kernel, int n)
{
	struct args a;

	a.x = (const float *)input.dev;
	a.decoded = (struct decoded *)output.dev;
	a.encoded = (struct encoded *)output.dev;
	a.out = (float *)output.dev;
	gpu_mem_push(&input, input.bytes);
	GPU_CHECK_EQ(shmemx_launch(kernel, n / 128, 128, &a, sizeof(a), NULL),
		     0);
	gpu_sync();
	gpu_mem_pull(&output, output.bytes);
}

static void check_number(const char *what, uint32_t code, float got,
			 double want)
{
	if (isnan(want) ?
		    !isnan(got) :
		    (double)got != want || !signbit(got) != !signbit(want))
		gpu_fail("%s 0x%x is %a, got %a", what, code, want,
			 (double)got);
}

static void test_decode(void)
{
	const struct decoded *d = (const struct decoded *)output.host;
	uint32_t i;

	launch(SHMEMX_KERNEL_REF(decode), N);
	for (i = 0; i < N; i++) {
		const double bf16 = number_decode(SHMEMX_MOE_BF16, i);
		const double fp16 = number_decode(SHMEMX_MOE_FP16, i);
		const double e4m3 = number_decode_e4m3((uint8_t)i);

		check_number("BF16", i, d[i].bf16, bf16);
		check_number("FP16", i, d[i].fp16, fp16);
		check_number("FP16 by integers", i, d[i].fp16_bits, fp16);
		check_number("E4M3", i & 0xff, d[i].e4m3, e4m3);
		check_number("E4M3 by integers", i & 0xff, d[i].e4m3_bits,
			     e4m3);
	}
}

static void check_code(const char *what, float x, uint32_t got, uint32_t want)
{
	if (got != want)
		gpu_fail("%s of %a is 0x%x, got 0x%x", what, (double)x, want,
			 got);
}

/* NaN is one code. */
static uint32_t code(uint32_t dtype, float x)
{
	return isnan(x) ? 0x7fff : number_encode(dtype, x);
}

static uint32_t code_e4m3(float x)
{
	return isnan(x) ? 0x7f : number_encode_e4m3(x);
}

static void check_encoded(float x, const struct encoded *e)
{
	const uint32_t bf16 = code(SHMEMX_MOE_BF16, x);
	const uint32_t fp16 = code(SHMEMX_MOE_FP16, x);
	const uint32_t e4m3 = code_e4m3(x);

	check_code("BF16", x, e->bf16, bf16 | code(SHMEMX_MOE_BF16, -x) << 16);
	check_code("FP16", x, e->fp16, fp16 | code(SHMEMX_MOE_FP16, -x) << 16);
	check_code("E4M3", x, e->e4m3,
		   e4m3 | code_e4m3(-x) << 8 | 0x38 << 16 | e4m3 << 24);
	check_code("BF16 by integers", x, e->bf16_bits, bf16);
	check_code("FP16 by integers", x, e->fp16_bits, fp16);
	check_code("E4M3 by integers", x, e->e4m3_bits, e4m3);
}

static int n_input;

static void encode_all(void)
{
	const struct encoded *e = (const struct encoded *)output.host;
	const float *x = (const float *)input.host;
	int i;

	launch(SHMEMX_KERNEL_REF(encode), N);
	for (i = 0; i < n_input; i++)
		check_encoded(x[i], e + i);
	n_input = 0;
}

static void encode_one(float x)
{
	((float *)input.host)[n_input++] = x;
	if (n_input == N)
		encode_all();
}

/* A number, the middle between it and the next, and those beside. */
static void encode_about(double v, double next)
{
	const float middle = (float)(v + (next - v) / 2);

	encode_one((float)v);
	encode_one(nextafterf(middle, -INFINITY));
	encode_one(middle);
	encode_one(nextafterf(middle, INFINITY));
}

static void encode_bits(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof(x));
	encode_one(x);
}

static void test_encode(void)
{
	uint64_t state = gpu_seed;
	uint32_t i;

	for (i = 0; i < 0x7f80; i++)
		encode_about(number_decode(SHMEMX_MOE_BF16, i),
			     i < 0x7f7f ?
				     number_decode(SHMEMX_MOE_BF16, i + 1) :
				     INFINITY);
	/* The next after the largest, were there more exponents: infinity. */
	for (i = 0; i < 0x7c00; i++)
		encode_about(number_decode(SHMEMX_MOE_FP16, i),
			     i < 0x7bff ?
				     number_decode(SHMEMX_MOE_FP16, i + 1) :
				     65536);
	for (i = 0; i < 0x7f; i++)
		encode_about(number_decode_e4m3((uint8_t)i),
			     i < 0x7e ? number_decode_e4m3((uint8_t)(i + 1)) :
					480);
	encode_about(464, 465);
	encode_one(INFINITY);
	encode_bits(0x7f800001);
	encode_bits(0xffc12345);
	encode_bits(0x7f7fffff);
	for (i = 0; i < 200000; i++)
		encode_bits((uint32_t)gpu_random(&state));
	encode_all();
}

/* 2^-60 to 2^60 and both signs. */
static float some(uint64_t *state)
{
	const uint64_t r = gpu_random(state);

	return ldexpf(1 + (float)(r >> 41) * 0x1p-23f, (int)(r % 121) - 60) *
	       (r & 128 ? -1 : 1);
}

static void check_computed(const float *x, const float *got)
{
	volatile float product = x[1] * x[2];
	const float sum = x[0] + product;

	check_number("sum", 0, got[0], sum);
	check_number("quotient", 0, got[1], x[1] / x[2]);
	check_number("magnitude", 0, got[2],
		     isnan(x[1]) ? x[0] : fmaxf(x[0], fabsf(x[1])));
}

static void test_compute(void)
{
	uint64_t state = gpu_seed;
	float *x = (float *)input.host;
	int i;

	for (i = 0; i < N; i++) {
		x[3 * i] = i % 7 ? fabsf(some(&state)) : 0;
		x[3 * i + 1] = i % 1000 ? some(&state) : NAN;
		x[3 * i + 2] = some(&state);
		if (i % 3 == 0)
			x[3 * i + i % 2 + 1] = i & 8 ? 448.0f : -448.0f;
	}
	launch(SHMEMX_KERNEL_REF(compute), N);
	for (i = 0; i < N; i++)
		check_computed(x + 3 * i, (const float *)output.host + 3 * i);
}

int main(void)
{
	gpu_begin();
	input = gpu_mem_new(3 * N * sizeof(float));
	output = gpu_mem_new(N * sizeof(struct encoded));
	gpu_mem_fill(&input, 0, input.bytes);
	test_decode();
	test_encode();
	test_compute();
	gpu_mem_free(&output);
	gpu_mem_free(&input);
	return gpu_end();
}
