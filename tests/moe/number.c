/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <shmem/moe.h>
#include "number.h"

/* Bits of the exponent and of the mantissa. */
struct format {
	int exponent, mantissa;
};

static const struct format formats[] = {
	[SHMEMX_MOE_BF16] = { 8, 7 },
	[SHMEMX_MOE_FP16] = { 5, 10 },
	[SHMEMX_MOE_FP32] = { 8, 23 },
};
static const struct format e4m3 = { 4, 3 };

/*
 * Of a finite magnitude, with exponents as large as it takes. r has the leading
 * 1 where there is one, which adds 1 to the exponent's bits; so does a carry.
 */
static uint64_t encode(struct format f, double v)
{
	const int bias = (1 << (f.exponent - 1)) - 1;
	int e;
	double r;

	frexp(v, &e);
	e = v == 0 || e - 1 < 1 - bias ? 1 - bias : e - 1;
	r = nearbyint(ldexp(v, f.mantissa - e));
	return ((uint64_t)(e + bias - 1) << f.mantissa) + (uint64_t)r;
}

static double decode(struct format f, uint32_t bits)
{
	const int bias = (1 << (f.exponent - 1)) - 1;
	const uint32_t m = bits & ((1u << f.mantissa) - 1);
	const int e = (int)(bits >> f.mantissa) & ((1 << f.exponent) - 1);

	return e ? ldexp(m + (1u << f.mantissa), e - bias - f.mantissa) :
		   ldexp(m, 1 - bias - f.mantissa);
}

static uint32_t sign_bit(struct format f)
{
	return 1u << (f.exponent + f.mantissa);
}

size_t number_bytes(uint32_t dtype)
{
	return dtype == SHMEMX_MOE_FP32 ? 4 : 2;
}

uint32_t number_encode(uint32_t dtype, double v)
{
	const struct format f = formats[dtype];
	const uint32_t infinity = sign_bit(f) - (1u << f.mantissa);
	const float single = (float)v;
	uint64_t bits = infinity;

	if (dtype == SHMEMX_MOE_FP32) {
		bits = 0;
		memcpy(&bits, &single, sizeof(single));
		return (uint32_t)bits;
	}
	if (isnan(v))
		bits += 1u << (f.mantissa - 1);
	else if (!isinf(v) && encode(f, fabs(v)) < infinity)
		bits = encode(f, fabs(v));
	return (uint32_t)bits | (signbit(v) ? sign_bit(f) : 0);
}

static double decode_any(uint32_t dtype, uint32_t bits)
{
	const struct format f = formats[dtype];
	const int special = (1 << f.exponent) - 1;
	double v = decode(f, bits & (sign_bit(f) - 1));

	if ((int)(bits >> f.mantissa & (uint32_t)special) == special)
		v = bits & ((1u << f.mantissa) - 1) ? NAN : INFINITY;
	return bits & sign_bit(f) ? -v : v;
}

/* All numbers of 16 bits, computed once; NULL without memory. */
static float *table_of(uint32_t dtype)
{
	static float *tables[SHMEMX_MOE_FP32];

	if (tables[dtype])
		return tables[dtype];
	tables[dtype] = malloc(sizeof(float) << 16);
	for (uint32_t i = 0; tables[dtype] && i < 1u << 16; i++)
		tables[dtype][i] = (float)decode_any(dtype, i);
	return tables[dtype];
}

double number_decode(uint32_t dtype, uint32_t bits)
{
	const float *table;
	float v;

	if (dtype == SHMEMX_MOE_FP32) {
		memcpy(&v, &bits, sizeof(v));
		return v;
	}
	table = table_of(dtype);
	return table ? table[bits] : decode_any(dtype, bits);
}

uint32_t number_random(uint32_t dtype, int exponent, uint64_t random)
{
	const struct format f = formats[dtype];
	const int e = exponent + (1 << (f.exponent - 1)) - 1;

	return ((uint32_t)(e > 0 ? e : 0) << f.mantissa) |
	       ((uint32_t)random & ((1u << f.mantissa) - 1)) |
	       (random >> 63 ? sign_bit(f) : 0);
}

uint8_t number_encode_e4m3(double v)
{
	uint64_t bits = 0x7f;

	if (!isnan(v))
		bits = fabs(v) >= 448 ? 0x7e : encode(e4m3, fabs(v));
	return (uint8_t)(bits | (signbit(v) ? sign_bit(e4m3) : 0));
}

double number_decode_e4m3(uint8_t bits)
{
	double v = (bits & 0x7f) == 0x7f ? NAN : decode(e4m3, bits & 0x7f);

	return bits & sign_bit(e4m3) ? -v : v;
}

uint32_t number_load(uint32_t dtype, const void *array, size_t i)
{
	uint32_t bits = 0;

	memcpy(&bits, (const char *)array + i * number_bytes(dtype),
	       number_bytes(dtype));
	return bits;
}

void number_store(uint32_t dtype, void *array, size_t i, uint32_t bits)
{
	memcpy((char *)array + i * number_bytes(dtype), &bits,
	       number_bytes(dtype));
}
