/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of tokens: one to several peers, several into one. All work-items of s,
 * SHMEMD_WAVE or SHMEMD_WG, call with the same arguments. Rows are aligned to
 * 16 bytes and a multiple of them long. Stores to peers bypass the caches,
 * loads of peers' rows see what peers stored; who orders them is the caller.
 *
 * Arrays of targets and sources stay in registers if the caller fills them in
 * loops of constant length and n is constant, or n is at most MOE_ROW_GROUP.
 */
#ifndef SHMEMD_MOE_ROW_H
#define SHMEMD_MOE_ROW_H

#include <shmem/device/copy.h>
#include <shmem/moe.h>

#include "device/moe_float.h"

/* Rows that one pass writes or reads. */
#define MOE_ROW_GROUP 8

/* Lanes of 16 elements each that share a scale. */
#define MOE_ROW_SHARE 8
#define MOE_E4M3_MAX 448.0f

struct moe_to {
	char *row;     /* NULL: none */
	float *scales; /* with FP8 */
	float weight;
};

struct moe_from {
	const char *row; /* NULL: none */
	float weight;
	int is_float; /* the row is FP32, and is added without a weight */
};

/* The specialisations know dtype; their names end in _of. */
#define MOE_BY_DTYPE(dtype, call, ...) \
	do { \
		if ((dtype) == SHMEMX_MOE_BF16) \
			call(SHMEMX_MOE_BF16, __VA_ARGS__); \
		else if ((dtype) == SHMEMX_MOE_FP16) \
			call(SHMEMX_MOE_FP16, __VA_ARGS__); \
		else \
			call(SHMEMX_MOE_FP32, __VA_ARGS__); \
	} while (0)

SHMEMD_FN unsigned int moe_dtype_bytes(uint32_t dtype)
{
	return dtype == SHMEMX_MOE_FP32 ? 4 : 2;
}

/* What all of the wave have in common. */
SHMEMD_FN char *moe_same_row(const char *row)
{
	return (char *)(uintptr_t)shmemd_wave_same((uintptr_t)row);
}

SHMEMD_FN float moe_same_weight(float weight)
{
	return moe_bits_float((uint32_t)shmemd_wave_same(moe_bits(weight)));
}

/* Elements of 16 bytes. */
SHMEMD_FN unsigned int moe_vec_elems(uint32_t dtype)
{
	return 16 / moe_dtype_bytes(dtype);
}

SHMEMD_FN void moe_unpack_pair(uint32_t dtype, uint32_t pair, float *x)
{
	if (dtype == SHMEMX_MOE_BF16) {
		x[0] = moe_of_bf16(pair & 0xffff);
		x[1] = moe_of_bf16(pair >> 16);
	} else {
		x[0] = moe_of_fp16(pair & 0xffff);
		x[1] = moe_of_fp16(pair >> 16);
	}
}

/* 16 bytes as 8 floats, 4 of FP32. */
SHMEMD_FN void moe_unpack(uint32_t dtype, struct shmemd_vec v, float *x)
{
	const uint32_t word[4] = { (uint32_t)v.a, (uint32_t)(v.a >> 32),
				   (uint32_t)v.b, (uint32_t)(v.b >> 32) };
	int i;

	SHMEMD_UNROLL
	for (i = 0; i < 4; i++) {
		if (dtype == SHMEMX_MOE_FP32)
			x[i] = moe_bits_float(word[i]);
		else
			moe_unpack_pair(dtype, word[i], x + 2 * i);
	}
}

SHMEMD_FN struct shmemd_vec moe_pack(uint32_t dtype, const float *x)
{
	uint32_t word[4];
	struct shmemd_vec v;
	int i;

	SHMEMD_UNROLL
	for (i = 0; i < 4; i++)
		word[i] = dtype == SHMEMX_MOE_FP32 ?
				  moe_bits(x[i]) :
			  dtype == SHMEMX_MOE_BF16 ?
				  moe_pack_bf16(x[2 * i], x[2 * i + 1]) :
				  moe_pack_fp16(x[2 * i], x[2 * i + 1]);
	v.a = word[0] | (uint64_t)word[1] << 32;
	v.b = word[2] | (uint64_t)word[3] << 32;
	return v;
}

#include "device/moe_spread.h"
#include "device/moe_gather.h"

#endif
