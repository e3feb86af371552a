/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conversions of moe_float.h by integers, for processors without
 * instructions for them. C and C++.
 */
#ifndef SHMEMD_MOE_FLOAT_BITS_H
#define SHMEMD_MOE_FLOAT_BITS_H

#include <shmem/device/arch.h>

union moe_word {
	float number;
	uint32_t bits;
};

SHMEMD_FN uint32_t moe_bits(float v)
{
	union moe_word word;

	word.number = v;
	return word.bits;
}

SHMEMD_FN float moe_bits_float(uint32_t bits)
{
	union moe_word word;

	word.bits = bits;
	return word.number;
}

SHMEMD_FN float moe_bits_of_bf16(uint32_t h)
{
	return moe_bits_float(h << 16);
}

SHMEMD_FN uint32_t moe_bits_bf16(float v)
{
	const uint32_t bits = moe_bits(v);

	if (v != v)
		return 0x7fff;
	return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/* 2^112 takes exponents from 15's bias to 127's; the product is exact. */
SHMEMD_FN float moe_bits_of_fp16(uint32_t h)
{
	const uint32_t sign = (h & 0x8000) << 16;
	const uint32_t rest = (h & 0x7fff) << 13;

	if (rest >= 0x7c00u << 13)
		return moe_bits_float(sign | 0x7f800000 | rest);
	return moe_bits_float(sign |
			      moe_bits(moe_bits_float(rest) *
				       moe_bits_float((127 + 112) << 23)));
}

/*
 * The magnitude of v with so many bits of mantissa, its exponent biased by
 * bias: a denormal is rounded by the addition of a number whose last bit is
 * that of denormals.
 */
SHMEMD_FN uint32_t moe_bits_round(uint32_t magnitude, unsigned int mantissa,
				  unsigned int bias)
{
	const unsigned int drop = 23 - mantissa;
	const uint32_t grid = (127 - bias + 1 + drop) << 23;

	if (magnitude < (127 - bias + 1) << 23)
		return moe_bits(moe_bits_float(magnitude) +
				moe_bits_float(grid)) -
		       grid;
	magnitude -= (127 - bias) << 23;
	return (magnitude + (1u << drop) / 2 - 1 + (magnitude >> drop & 1)) >>
	       drop;
}

SHMEMD_FN uint32_t moe_bits_fp16(float v)
{
	const uint32_t bits = moe_bits(v);
	const uint32_t magnitude = bits & 0x7fffffff;
	const uint32_t sign = bits >> 16 & 0x8000;

	if (v != v)
		return 0x7fff;
	/* What is 65520 or more is nearer to infinity. */
	if (magnitude >= 0x477ff000)
		return sign | 0x7c00;
	return sign | moe_bits_round(magnitude, 10, 15);
}

/* 2^120 takes exponents from 7's bias to 127's. */
SHMEMD_FN float moe_bits_of_e4m3(uint32_t q)
{
	const uint32_t sign = (q & 0x80) << 24;
	const uint32_t rest = (q & 0x7f) << 20;

	if ((q & 0x7f) == 0x7f)
		return moe_bits_float(0x7fffffff);
	return moe_bits_float(sign |
			      moe_bits(moe_bits_float(rest) *
				       moe_bits_float((127 + 120) << 23)));
}

SHMEMD_FN uint32_t moe_bits_e4m3(float v)
{
	const uint32_t bits = moe_bits(v);
	const uint32_t magnitude = bits & 0x7fffffff;
	const uint32_t sign = bits >> 24 & 0x80;

	if (v != v)
		return 0x7f;
	if (magnitude >= 0x43e00000) /* 448 */
		return sign | 0x7e;
	return sign | moe_bits_round(magnitude, 3, 7);
}

#endif
