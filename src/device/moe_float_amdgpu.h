/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * moe_float.h on AMD's GPUs. gfx950 and gfx12 convert to OCP's E4M3; gfx942's
 * instructions of the same name are for another format.
 */
#ifndef SHMEMD_MOE_FLOAT_AMDGPU_H
#define SHMEMD_MOE_FLOAT_AMDGPU_H

#include "device/moe_float_bits.h"

SHMEMD_FN float moe_add_product(float sum, float a, float b)
{
#pragma clang fp contract(off)
	return sum + a * b;
}

SHMEMD_FN float moe_divide(float a, float b)
{
	return a / b;
}

SHMEMD_FN float moe_abs_max(float most, float v)
{
	return __builtin_fmaxf(most, __builtin_fabsf(v));
}

SHMEMD_FN uint32_t moe_pack_bf16(float lo, float hi)
{
	return moe_bits_bf16(lo) | moe_bits_bf16(hi) << 16;
}

SHMEMD_FN uint32_t moe_fp16(float v)
{
	if (v != v)
		return 0x7fff;
	return __builtin_bit_cast(uint16_t, (_Float16)v);
}

SHMEMD_FN uint32_t moe_pack_fp16(float lo, float hi)
{
	return moe_fp16(lo) | moe_fp16(hi) << 16;
}

SHMEMD_FN float moe_of_fp16(uint32_t h)
{
	return (float)__builtin_bit_cast(_Float16, (uint16_t)h);
}

#if defined(__gfx950__) || defined(__GFX12__)
/* The instruction makes NaN of what is beyond 448. */
SHMEMD_FN float moe_within_e4m3(float v)
{
	if (v != v)
		return moe_bits_float(0x7fffffff);
	return __builtin_amdgcn_fmed3f(v, 448.0f, -448.0f);
}

SHMEMD_FN uint32_t moe_pack_e4m3(float a, float b, float c, float d)
{
	const int low = __builtin_amdgcn_cvt_pk_fp8_f32(
		moe_within_e4m3(a), moe_within_e4m3(b), 0, false);

	return (uint32_t)__builtin_amdgcn_cvt_pk_fp8_f32(
		moe_within_e4m3(c), moe_within_e4m3(d), low, true);
}

SHMEMD_FN float moe_of_e4m3(uint32_t q)
{
	return __builtin_amdgcn_cvt_f32_fp8((int)q, 0);
}
#else
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

#endif
