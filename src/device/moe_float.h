/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers of few bits, by the processor's instructions where it has them; all
 * processors give the same bits. To the nearest, of two equally near the even
 * one; denormals are numbers like others. FP16 and BF16 go to infinity, E4M3
 * (without infinities) stays at 448. Whatever NaN becomes 0x7fff or 0x7f.
 *
 *   uint32_t moe_pack_bf16(float lo, float hi), moe_pack_fp16(...)
 *   uint32_t moe_pack_e4m3(float a, float b, float c, float d)
 *                                      the first in the lowest bits
 *   float moe_of_bf16(uint32_t h)      the number; bits above are 0
 *   float moe_of_fp16(uint32_t h)
 *   float moe_of_e4m3(uint32_t q)
 *   float moe_add_product(float sum, float a, float b)
 *                                      sum + a * b, both rounded
 *   float moe_divide(float a, float b) a / b, of numbers in 2^-100..2^100, as
 *                                      the quotient is
 *   float moe_abs_max(float most, float v)
 *                                      the larger of most and |v|; NaN is none
 */
#ifndef SHMEMD_MOE_FLOAT_H
#define SHMEMD_MOE_FLOAT_H

#include "device/moe_float_bits.h"

#if defined(__HIP_DEVICE_COMPILE__)
#include "device/moe_float_amdgpu.h"
#elif defined(__CUDACC__)
#include "device/moe_float_nvidia.h"
#else
#include "device/moe_float_plain.h"
#endif

SHMEMD_FN float moe_of_bf16(uint32_t h)
{
	return moe_bits_of_bf16(h);
}

#endif
