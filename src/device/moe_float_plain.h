/* SPDX-License-Identifier: BSD-3-Clause */
/* moe_float.h on the CPU. */
#ifndef SHMEMD_MOE_FLOAT_PLAIN_H
#define SHMEMD_MOE_FLOAT_PLAIN_H

#include "device/moe_float_bits.h"

/* What a compiler may fuse, it would: the product goes through memory. */
#ifdef __FP_FAST_FMAF
#define MOE_PRODUCT volatile float
#else
#define MOE_PRODUCT const float
#endif

SHMEMD_FN float moe_add_product(float sum, float a, float b)
{
	MOE_PRODUCT product = a * b;

	return sum + product;
}
#undef MOE_PRODUCT

SHMEMD_FN float moe_divide(float a, float b)
{
	return a / b;
}

SHMEMD_FN float moe_abs_max(float most, float v)
{
	const float magnitude = moe_bits_float(moe_bits(v) & 0x7fffffff);

	return magnitude > most ? magnitude : most;
}

SHMEMD_FN uint32_t moe_pack_bf16(float lo, float hi)
{
	return moe_bits_bf16(lo) | moe_bits_bf16(hi) << 16;
}

SHMEMD_FN uint32_t moe_pack_fp16(float lo, float hi)
{
	return moe_bits_fp16(lo) | moe_bits_fp16(hi) << 16;
}

SHMEMD_FN float moe_of_fp16(uint32_t h)
{
	return moe_bits_of_fp16(h);
}

SHMEMD_FN uint32_t moe_pack_e4m3(float a, float b, float c, float d)
{
	return moe_bits_e4m3(a) | moe_bits_e4m3(b) << 8 |
	       moe_bits_e4m3(c) << 16 | moe_bits_e4m3(d) << 24;
}

SHMEMD_FN float moe_of_e4m3(uint32_t q)
{
	return moe_bits_of_e4m3(q);
}

#endif
