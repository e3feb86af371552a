/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bodies of the collective rows. The team forms return nonzero for
 * SHMEM_TEAM_INVALID; the active-set forms have no result.
 */
#ifndef SHMEMI_COLL_TYPED_H
#define SHMEMI_COLL_TYPED_H

#include "host/check.h"
#include "host/reduce.h"

/* The team behind a handle, or NULL. */
static inline struct shmem_team *coll_team(const char *api, shmem_team_t team)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	return shmemi_team(team);
}

#define SHMEMI_ON_TEAM(call, ...) \
	struct shmem_team *on = coll_team(__func__, team); \
	if (on) \
		call(__func__, on, dest, source, __VA_ARGS__); \
	return on ? 0 : -1;
#define SHMEMI_ON_SET(call, ...) \
	(void)pSync; \
	call(__func__, \
	     shmemi_active_set(__func__, PE_start, logPE_stride, PE_size), \
	     dest, source, __VA_ARGS__);

#define SHMEMI_BODY_alltoall(ctx, N, T, esize) \
	SHMEMI_ON_TEAM(shmemi_alltoall, nelems, esize)
#define SHMEMI_BODY_alltoalls(ctx, N, T, esize) \
	SHMEMI_ON_TEAM(shmemi_alltoalls, dst, sst, nelems, esize)
#define SHMEMI_BODY_broadcast(ctx, N, T, esize) \
	SHMEMI_ON_TEAM(shmemi_broadcast, nelems, esize, PE_root, 1)
#define SHMEMI_BODY_collect(ctx, N, T, esize) \
	SHMEMI_ON_TEAM(shmemi_collect, nelems, esize)
#define SHMEMI_BODY_fcollect(ctx, N, T, esize) \
	SHMEMI_ON_TEAM(shmemi_fcollect, nelems, esize)

#define SHMEMI_BODY_old_alltoall(ctx, N, T, esize) \
	SHMEMI_ON_SET(shmemi_alltoall, nelems, esize)
#define SHMEMI_BODY_old_alltoalls(ctx, N, T, esize) \
	SHMEMI_ON_SET(shmemi_alltoalls, dst, sst, nelems, esize)
#define SHMEMI_BODY_old_broadcast(ctx, N, T, esize) \
	SHMEMI_ON_SET(shmemi_broadcast, nelems, esize, PE_root, 0)
#define SHMEMI_BODY_old_collect(ctx, N, T, esize) \
	SHMEMI_ON_SET(shmemi_collect, nelems, esize)
#define SHMEMI_BODY_old_fcollect(ctx, N, T, esize) \
	SHMEMI_ON_SET(shmemi_fcollect, nelems, esize)

#define SHMEMI_REDUCE_BODY(op, N, esize) \
	SHMEMI_ON_TEAM(shmemi_reduce, nelems, esize, shmemi_##op##_##N)
#define SHMEMI_BODY_and_reduce(ctx, N, T, esize) \
	SHMEMI_REDUCE_BODY(and, N, esize)
#define SHMEMI_BODY_or_reduce(ctx, N, T, esize) SHMEMI_REDUCE_BODY(or, N, esize)
#define SHMEMI_BODY_xor_reduce(ctx, N, T, esize) \
	SHMEMI_REDUCE_BODY(xor, N, esize)
#define SHMEMI_BODY_max_reduce(ctx, N, T, esize) \
	SHMEMI_REDUCE_BODY(max, N, esize)
#define SHMEMI_BODY_min_reduce(ctx, N, T, esize) \
	SHMEMI_REDUCE_BODY(min, N, esize)
#define SHMEMI_BODY_sum_reduce(ctx, N, T, esize) \
	SHMEMI_REDUCE_BODY(sum, N, esize)
#define SHMEMI_BODY_prod_reduce(ctx, N, T, esize) \
	SHMEMI_REDUCE_BODY(prod, N, esize)
#define SHMEMI_BODY_sum_inscan(ctx, N, T, esize) \
	SHMEMI_ON_TEAM(shmemi_scan, nelems, esize, shmemi_sum_##N, 1)
#define SHMEMI_BODY_sum_exscan(ctx, N, T, esize) \
	SHMEMI_ON_TEAM(shmemi_scan, nelems, esize, shmemi_sum_##N, 0)

#define SHMEMI_TO_ALL_BODY(op, N, esize) \
	(void)pWrk; \
	SHMEMI_ON_SET(shmemi_reduce, (size_t)nreduce, esize, shmemi_##op##_##N)
#define SHMEMI_BODY_and_to_all(ctx, N, T, esize) \
	SHMEMI_TO_ALL_BODY(and, N, esize)
#define SHMEMI_BODY_or_to_all(ctx, N, T, esize) SHMEMI_TO_ALL_BODY(or, N, esize)
#define SHMEMI_BODY_xor_to_all(ctx, N, T, esize) \
	SHMEMI_TO_ALL_BODY(xor, N, esize)
#define SHMEMI_BODY_max_to_all(ctx, N, T, esize) \
	SHMEMI_TO_ALL_BODY(max, N, esize)
#define SHMEMI_BODY_min_to_all(ctx, N, T, esize) \
	SHMEMI_TO_ALL_BODY(min, N, esize)
#define SHMEMI_BODY_sum_to_all(ctx, N, T, esize) \
	SHMEMI_TO_ALL_BODY(sum, N, esize)
#define SHMEMI_BODY_prod_to_all(ctx, N, T, esize) \
	SHMEMI_TO_ALL_BODY(prod, N, esize)

#endif
