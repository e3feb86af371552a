/* SPDX-License-Identifier: BSD-3-Clause */
/* moe_float.h on NVIDIA's GPUs: BF16 from 8.0 on, E4M3 from 8.9 on in PTX. */
#ifndef SHMEMD_MOE_FLOAT_NVIDIA_H
#define SHMEMD_MOE_FLOAT_NVIDIA_H

#include "device/moe_float_bits.h"

SHMEMD_FN float moe_add_product(float sum, float a, float b)
{
	return __fadd_rn(sum, __fmul_rn(a, b));
}

/* The compiler's own division calls a function for numbers that are far. */
SHMEMD_FN float moe_divide(float a, float b)
{
	float y, q;

	asm("rcp.approx.f32 %0, %1;" : "=f"(y) : "f"(b));
	y = __fmaf_rn(y, __fmaf_rn(-b, y, 1.0f), y);
	q = __fmul_rn(a, y);
	q = __fmaf_rn(y, __fmaf_rn(-b, q, a), q);
	return __fmaf_rn(y, __fmaf_rn(-b, q, a), q);
}

SHMEMD_FN float moe_abs_max(float most, float v)
{
	return fmaxf(most, fabsf(v));
}

SHMEMD_FN uint32_t moe_pack_fp16(float lo, float hi)
{
	uint16_t l, h;

	asm("cvt.rn.f16.f32 %0, %1;" : "=h"(l) : "f"(lo));
	asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(hi));
	return l | (uint32_t)h << 16;
}

SHMEMD_FN float moe_of_fp16(uint32_t half)
{
	float v;

	asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"((uint16_t)half));
	return v;
}

#if __CUDA_ARCH__ >= 800
SHMEMD_FN uint32_t moe_pack_bf16(float lo, float hi)
{
	uint32_t pair;

	asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(hi), "f"(lo));
	return pair;
}
#else
SHMEMD_FN uint32_t moe_pack_bf16(float lo, float hi)
{
	return moe_bits_bf16(lo) | moe_bits_bf16(hi) << 16;
}
#endif

#if __CUDA_ARCH__ >= 890
SHMEMD_FN uint32_t moe_pack_e4m3(float a, float b, float c, float d)
{
	uint16_t lo, hi;

	asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;"
	    : "=h"(lo)
	    : "f"(b), "f"(a));
	asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;"
	    : "=h"(hi)
	    : "f"(d), "f"(c));
	return lo | (uint32_t)hi << 16;
}

SHMEMD_FN float moe_of_e4m3(uint32_t q)
{
	uint32_t halves;

	asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"((uint16_t)q));
	return moe_of_fp16(halves & 0xffff);
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
