/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers in kernels: the types of elements, four of a row at a time, and what
 * of <math.h> the layer needs, so that all platforms compute alike.
 */
#ifndef MOE_LAYER_NUMBER_H
#define MOE_LAYER_NUMBER_H

#include <shmem/device.h>

#include "kernels.h"

struct four_floats {
	float v[4];
} __attribute__((aligned(16)));

union float_or_bits {
	float v;
	uint32_t bits;
};

SHMEMX_FN uint32_t float_bits(float v)
{
	union float_or_bits u;

	u.v = v;
	return u.bits;
}

SHMEMX_FN float bits_float(uint32_t bits)
{
	union float_or_bits u;

	u.bits = bits;
	return u.v;
}

/* Formats with fewer bits of exponent are shifted and multiplied, which makes
 * their subnormal numbers right as well. */
SHMEMX_FN float fp16_float(uint32_t bits)
{
	return bits_float((bits & 0x7fff) << 13 | (bits & 0x8000) << 16) *
	       0x1p112f;
}

SHMEMX_FN float e4m3_float(uint32_t bits)
{
	return bits_float((bits & 0x7f) << 20 | (bits & 0x80) << 24) * 0x1p120f;
}

/* To the nearest, of two equally near to the even one. */
SHMEMX_FN uint32_t float_bf16(float v)
{
	const uint32_t bits = float_bits(v);

	return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

SHMEMX_FN uint32_t float_fp16(float v)
{
	const uint32_t bits = float_bits(v) & 0x7fffffff;
	const uint32_t sign = float_bits(v) >> 16 & 0x8000;

	if (bits >= 0x47800000)
		return sign | 0x7c00;
	/* Below its normal numbers, one unit is that of a float of 0.5. */
	if (bits < 0x38800000)
		return sign |
		       (float_bits(bits_float(bits) + 0.5f) - float_bits(0.5f));
	return sign | (((bits + 0xfff + (bits >> 13 & 1)) >> 13) - (112 << 10));
}

/* Elements at to at + 3 of a matrix; type is m->type, for the compiler. */
SHMEMX_FN void load4(float *v, const struct matrix *m, int type, size_t at)
{
	if (type == TYPE_FP32) {
		const struct four_floats four =
			((const struct four_floats *)m->data)[at / 4];

		for (int i = 0; i < 4; i++)
			v[i] = four.v[i];
	} else if (type == TYPE_FP8) {
		const uint32_t q = ((const uint32_t *)m->data)[at / 4];
		const float scale = m->scales[at / SCALE_ELEMS];

		for (int i = 0; i < 4; i++)
			v[i] = e4m3_float(q >> 8 * i & 0xff) * scale;
	} else {
		const uint64_t q = ((const uint64_t *)m->data)[at / 4];

		for (int i = 0; i < 4; i++) {
			const uint32_t bits = (uint32_t)(q >> 16 * i) & 0xffff;

			v[i] = type == TYPE_BF16 ? bits_float(bits << 16) :
						   fp16_float(bits);
		}
	}
}

SHMEMX_FN void store4(void *data, int type, size_t at, const float *v)
{
	if (type == TYPE_FP32) {
		struct four_floats four;

		for (int i = 0; i < 4; i++)
			four.v[i] = v[i];
		((struct four_floats *)data)[at / 4] = four;
	} else {
		uint64_t q = 0;

		for (int i = 0; i < 4; i++) {
			const uint64_t bits = type == TYPE_BF16 ?
						      float_bf16(v[i]) :
						      float_fp16(v[i]);

			q |= bits << 16 * i;
		}
		((uint64_t *)data)[at / 4] = q;
	}
}

/* v becomes what it is after store4 and load4. */
SHMEMX_FN void round4(float *v, int type)
{
	for (int i = 0; i < 4; i++)
		v[i] = type == TYPE_BF16 ? bits_float(float_bf16(v[i]) << 16) :
		       type == TYPE_FP16 ? fp16_float(float_fp16(v[i])) :
					   v[i];
}

/* e^x = 2^n e^r with r at most ln(2) / 2, where seven terms are enough. */
SHMEMX_FN float exponential(float x)
{
	const float clipped = x < -87 ? -87 : x > 87 ? 87 : x;
	const float t = clipped * 1.44269504f;
	const int n = (int)(t < 0 ? t - 0.5f : t + 0.5f);
	const float r =
		clipped - (float)n * 0.693359375f + (float)n * 2.12194440e-4f;
	float sum = 1 + r / 6;

	for (int i = 5; i > 0; i--)
		sum = 1 + r * sum / (float)i;
	return sum * bits_float((uint32_t)(n + 127) << 23);
}

/* The activation is x sigmoid(x). */
SHMEMX_FN float sigmoid(float x)
{
	return 1 / (1 + exponential(-x));
}

SHMEMX_FN float silu(float x)
{
	return x * sigmoid(x);
}

SHMEMX_FN float silu_slope(float x)
{
	const float s = sigmoid(x);

	return s * (1 + x * (1 - s));
}

SHMEMX_FN float clamp(float v, float most)
{
	return v > most ? most : v < -most ? -most : v;
}

/* SplitMix64: the i'th number of a stream, for any i. */
SHMEMX_FN uint64_t mix(uint64_t stream, uint64_t i)
{
	uint64_t z = stream + (i + 1) * 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* From -1 to 1. */
SHMEMX_FN float random_float(uint64_t stream, uint64_t i)
{
	return (float)(int32_t)(mix(stream, i) >> 32) * 0x1p-31f;
}

/* A token's number in the direction i, from the hashes of it and of the one
 * before. */
SHMEMX_FN float embedding(const uint64_t *token, uint64_t seed, uint64_t i)
{
	return random_float(mix(seed, token[0]), i) +
	       0.5f * random_float(mix(seed, token[-1]), i);
}

#endif
