/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions and scans. */
#ifndef SHMEMI_REDUCE_H
#define SHMEMI_REDUCE_H

#include "host/coll.h"

/* out[i] = a[i] op b[i] for n elements; out may be a or b, but not overlap. */
typedef void (*shmemi_reduce_fn)(void *out, const void *a, const void *b,
				 size_t n);

/*
 * dest = the members' sources combined in team order, so that all members get
 * the same bits on each run. dest may be source.
 */
void shmemi_reduce(const char *api, struct shmem_team *team, void *dest,
		   const void *source, size_t nelems, size_t esize,
		   shmemi_reduce_fn op);

/* The sum of the sources up to this member's, itself included or not. */
void shmemi_scan(const char *api, struct shmem_team *team, void *dest,
		 const void *source, size_t nelems, size_t esize,
		 shmemi_reduce_fn sum, int inclusive);

/* One kernel for each (op, type): shmemi_<op>_<TYPENAME>. */
#define SHMEMI_KERNEL(N, T, op) \
	void shmemi_##op##_##N(void *out, const void *a, const void *b, \
			       size_t n);
SHMEMI_TYPES_BITS(SHMEMI_KERNEL, and)
SHMEMI_TYPES_BITS(SHMEMI_KERNEL, or)
SHMEMI_TYPES_BITS(SHMEMI_KERNEL, xor)
SHMEMI_TYPES_OLD_BITS(SHMEMI_KERNEL, and)
SHMEMI_TYPES_OLD_BITS(SHMEMI_KERNEL, or)
SHMEMI_TYPES_OLD_BITS(SHMEMI_KERNEL, xor)
SHMEMI_TYPES_RMA(SHMEMI_KERNEL, max)
SHMEMI_TYPES_RMA(SHMEMI_KERNEL, min)
SHMEMI_TYPES_SUM(SHMEMI_KERNEL, sum)
SHMEMI_TYPES_SUM(SHMEMI_KERNEL, prod)
#undef SHMEMI_KERNEL

#endif
