/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Types and operations of reductions and scans. A type is what its elements'
 * size, sign and kind are; elements travel in words of 8 bytes.
 */
#ifndef SHMEM_DEVICE_FOLD_H
#define SHMEM_DEVICE_FOLD_H

#include <shmem/device/coll.h>

enum shmemd_fold {
	SHMEMD_FOLD_AND,
	SHMEMD_FOLD_OR,
	SHMEMD_FOLD_XOR,
	SHMEMD_FOLD_MAX,
	SHMEMD_FOLD_MIN,
	SHMEMD_FOLD_SUM,
	SHMEMD_FOLD_PROD,
	SHMEMD_FOLD_INSCAN, /* sums */
	SHMEMD_FOLD_EXSCAN
};

/* The element's bytes, and whether it has a sign or is a real number. */
#define SHMEMD_KIND_SIGNED 16
#define SHMEMD_KIND_REAL 32
#define SHMEMD_KIND(T) \
	((unsigned int)sizeof(T) | ((T)-1 < (T)1 ? SHMEMD_KIND_SIGNED : 0u) | \
	 ((T)1 / (T)2 > (T)0 ? SHMEMD_KIND_REAL : 0u))

#define SHMEMD_T uint8_t
#define SHMEMD_COMBINE shmemd_combine_u8
#include <shmem/device/reduce.inc>
#define SHMEMD_T uint16_t
#define SHMEMD_COMBINE shmemd_combine_u16
#include <shmem/device/reduce.inc>
#define SHMEMD_T uint32_t
#define SHMEMD_COMBINE shmemd_combine_u32
#include <shmem/device/reduce.inc>
#define SHMEMD_T uint64_t
#define SHMEMD_COMBINE shmemd_combine_u64
#include <shmem/device/reduce.inc>
#define SHMEMD_T int8_t
#define SHMEMD_COMBINE shmemd_combine_i8
#include <shmem/device/reduce.inc>
#define SHMEMD_T int16_t
#define SHMEMD_COMBINE shmemd_combine_i16
#include <shmem/device/reduce.inc>
#define SHMEMD_T int32_t
#define SHMEMD_COMBINE shmemd_combine_i32
#include <shmem/device/reduce.inc>
#define SHMEMD_T int64_t
#define SHMEMD_COMBINE shmemd_combine_i64
#include <shmem/device/reduce.inc>
#define SHMEMD_T float
#define SHMEMD_COMBINE shmemd_combine_float
#include <shmem/device/reduce.inc>
#define SHMEMD_T double
#define SHMEMD_COMBINE shmemd_combine_double
#include <shmem/device/reduce.inc>

SHMEMD_FN uint64_t shmemd_combine_signed(enum shmemd_fold op,
					 unsigned int esize, uint64_t a,
					 uint64_t b)
{
	if (esize == 1)
		return shmemd_combine_i8(op, a, b);
	if (esize == 2)
		return shmemd_combine_i16(op, a, b);
	if (esize == 4)
		return shmemd_combine_i32(op, a, b);
	return shmemd_combine_i64(op, a, b);
}

SHMEMD_FN uint64_t shmemd_combine_unsigned(enum shmemd_fold op,
					   unsigned int esize, uint64_t a,
					   uint64_t b)
{
	if (esize == 1)
		return shmemd_combine_u8(op, a, b);
	if (esize == 2)
		return shmemd_combine_u16(op, a, b);
	if (esize == 4)
		return shmemd_combine_u32(op, a, b);
	return shmemd_combine_u64(op, a, b);
}

/* a of the earlier member. */
SHMEMD_FN uint64_t shmemd_combine(enum shmemd_fold op, unsigned int kind,
				  uint64_t a, uint64_t b)
{
	const unsigned int esize = kind & 15;

	if (op == SHMEMD_FOLD_AND)
		return a & b;
	if (op == SHMEMD_FOLD_OR)
		return a | b;
	if (op == SHMEMD_FOLD_XOR)
		return a ^ b;
	if (op == SHMEMD_FOLD_INSCAN || op == SHMEMD_FOLD_EXSCAN)
		op = SHMEMD_FOLD_SUM;
	if (kind & SHMEMD_KIND_REAL)
		return esize == 4 ? shmemd_combine_float(op, a, b) :
				    shmemd_combine_double(op, a, b);
	/* Sums and products wrap around: the same bits without a sign. */
	if ((kind & SHMEMD_KIND_SIGNED) &&
	    (op == SHMEMD_FOLD_MAX || op == SHMEMD_FOLD_MIN))
		return shmemd_combine_signed(op, esize, a, b);
	return shmemd_combine_unsigned(op, esize, a, b);
}

/* What a scan starts from is zero, a reduction from member 0's. */
SHMEMD_FN int shmemd_is_scan(enum shmemd_fold op)
{
	return op == SHMEMD_FOLD_INSCAN || op == SHMEMD_FOLD_EXSCAN;
}

/* A reduction of bytes a member. */
struct shmemd_reduction {
	const struct shmemd_team *team;
	char *dest;
	const char *source;
	size_t bytes;
	struct shmemd_array to, from; /* of a large one */
};

/* The members that count for this one: the first of so many. */
SHMEMD_FN int shmemd_fold_members(const struct shmemd_team *team,
				  enum shmemd_fold op)
{
	if (op == SHMEMD_FOLD_INSCAN)
		return team->me + 1;
	return op == SHMEMD_FOLD_EXSCAN ? team->me : team->n_pes;
}

#endif
