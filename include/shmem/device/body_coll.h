/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the rows of sync, team and collective and signal_wait_until do in
 * kernels: api.h tells what a body is.
 */
#include <shmem.h>

#ifndef SHMEM_DEVICE_BODY_COLL_H
#define SHMEM_DEVICE_BODY_COLL_H

#include <shmem/device/coll_alltoall.h>
#include <shmem/device/coll_alltoallv.h>
#include <shmem/device/coll_alltoallv_2d.h>
#include <shmem/device/coll_broadcast.h>
#include <shmem/device/coll_collect.h>
#include <shmem/device/coll_reduce.h>
#include <shmem/device/coll_sync.h>
#include <shmem/device/wait.h>

/* Teams. */
#define SHMEMD_BODY_team_my_pe(s, api, ...) return shmemd_team_my_pe(api, team);
#define SHMEMD_BODY_team_n_pes(s, api, ...) return shmemd_team_n_pes(api, team);
#define SHMEMD_BODY_team_translate_pe(s, api, ...) \
	return shmemd_team_translate(api, src_team, src_pe, dest_team);

/* Waits and tests of one variable. */
#define SHMEMD_BODY_wait_until(s, api, ctx, N, T, esize) \
	shmemd_wait_until(s, api, ivar, esize, SHMEMD_SIGNED(T), cmp, \
			  (uint64_t)cmp_value);
#define SHMEMD_BODY_test(s, api, ctx, N, T, esize) \
	return shmemd_test(s, api, ivar, esize, SHMEMD_SIGNED(T), cmp, \
			   (uint64_t)cmp_value);

#define SHMEMD_BODY_signal_wait_until(s, api, ...) \
	return shmemd_signal_wait(s, api, sig_addr, cmp, cmp_value);

/* Of a set: each compared with one value, or with its own. */
#define SHMEMD_SET(T, esize) \
	const struct shmemd_wait_set set = shmemd_wait_set_of( \
		ivars, nelems, status, esize, SHMEMD_SIGNED(T), cmp, \
		(uint64_t)cmp_value, NULL)
#define SHMEMD_SET_VECTOR(T, esize) \
	const struct shmemd_wait_set set = \
		shmemd_wait_set_of(ivars, nelems, status, esize, \
				   SHMEMD_SIGNED(T), cmp, 0, cmp_values)

#define SHMEMD_BODY_wait_until_all(s, api, ctx, N, T, esize) \
	SHMEMD_SET(T, esize); \
	shmemd_wait_all(s, api, &set);
#define SHMEMD_BODY_wait_until_any(s, api, ctx, N, T, esize) \
	SHMEMD_SET(T, esize); \
	return shmemd_wait_any(s, api, &set);
#define SHMEMD_BODY_wait_until_some(s, api, ctx, N, T, esize) \
	SHMEMD_SET(T, esize); \
	return shmemd_wait_some(s, api, &set, indices);
#define SHMEMD_BODY_wait_until_all_vector(s, api, ctx, N, T, esize) \
	SHMEMD_SET_VECTOR(T, esize); \
	shmemd_wait_all(s, api, &set);
#define SHMEMD_BODY_wait_until_any_vector(s, api, ctx, N, T, esize) \
	SHMEMD_SET_VECTOR(T, esize); \
	return shmemd_wait_any(s, api, &set);
#define SHMEMD_BODY_wait_until_some_vector(s, api, ctx, N, T, esize) \
	SHMEMD_SET_VECTOR(T, esize); \
	return shmemd_wait_some(s, api, &set, indices);
#define SHMEMD_BODY_test_all(s, api, ctx, N, T, esize) \
	SHMEMD_SET(T, esize); \
	return shmemd_test_all(s, api, &set);
#define SHMEMD_BODY_test_any(s, api, ctx, N, T, esize) \
	SHMEMD_SET(T, esize); \
	return shmemd_test_any(s, api, &set);
#define SHMEMD_BODY_test_some(s, api, ctx, N, T, esize) \
	SHMEMD_SET(T, esize); \
	return shmemd_test_some(s, api, &set, indices);
#define SHMEMD_BODY_test_all_vector(s, api, ctx, N, T, esize) \
	SHMEMD_SET_VECTOR(T, esize); \
	return shmemd_test_all(s, api, &set);
#define SHMEMD_BODY_test_any_vector(s, api, ctx, N, T, esize) \
	SHMEMD_SET_VECTOR(T, esize); \
	return shmemd_test_any(s, api, &set);
#define SHMEMD_BODY_test_some_vector(s, api, ctx, N, T, esize) \
	SHMEMD_SET_VECTOR(T, esize); \
	return shmemd_test_some(s, api, &set, indices);

/* Collectives. */
#define SHMEMD_BODY_barrier_all(s, ...) shmemd_barrier_all(s);
#define SHMEMD_BODY_sync_all(s, ...) shmemd_sync_all(s);
#define SHMEMD_BODY_team_sync(s, api, ...) \
	return shmemd_team_sync(s, api, team);
#define SHMEMD_BODY_alltoall(s, api, ctx, N, T, esize) \
	return shmemd_alltoall(s, api, team, dest, source, nelems, esize);
#define SHMEMD_BODY_alltoalls(s, api, ctx, N, T, esize) \
	return shmemd_alltoalls(s, api, team, dest, source, dst, sst, nelems, \
				esize);
#define SHMEMD_BODY_alltoallv(s, api, ctx, N, T, esize) \
	return shmemd_alltoallv(s, api, team, dest, dest_nelems, dest_offsets, \
				source, source_nelems, source_offsets, esize);
#define SHMEMD_BODY_alltoallv_2d(s, api, ...) \
	return shmemd_alltoallv_2d(s, api, team, dest, source, row_bytes, \
				   n_local, align, dest_rows, in_counts, NULL, \
				   out_counts, out_offsets);
#define SHMEMD_BODY_alltoallv_2d_offset(s, api, ...) \
	return shmemd_alltoallv_2d(s, api, team, dest, source, row_bytes, \
				   n_local, 1, dest_rows, in_counts, \
				   in_offsets, out_counts, out_offsets);
#define SHMEMD_BODY_broadcast(s, api, ctx, N, T, esize) \
	return shmemd_broadcast(s, api, team, dest, source, nelems, esize, \
				PE_root);
#define SHMEMD_BODY_collect(s, api, ctx, N, T, esize) \
	return shmemd_collect(s, api, team, dest, source, nelems, esize);
#define SHMEMD_BODY_fcollect(s, api, ctx, N, T, esize) \
	return shmemd_fcollect(s, api, team, dest, source, nelems, esize);

#define SHMEMD_FOLD(s, api, op, T) \
	return shmemd_reduce(s, api, op, SHMEMD_KIND(T), team, dest, source, \
			     nelems);
#define SHMEMD_BODY_and_reduce(s, api, ctx, N, T, esize) \
	SHMEMD_FOLD(s, api, SHMEMD_FOLD_AND, T)
#define SHMEMD_BODY_or_reduce(s, api, ctx, N, T, esize) \
	SHMEMD_FOLD(s, api, SHMEMD_FOLD_OR, T)
#define SHMEMD_BODY_xor_reduce(s, api, ctx, N, T, esize) \
	SHMEMD_FOLD(s, api, SHMEMD_FOLD_XOR, T)
#define SHMEMD_BODY_max_reduce(s, api, ctx, N, T, esize) \
	SHMEMD_FOLD(s, api, SHMEMD_FOLD_MAX, T)
#define SHMEMD_BODY_min_reduce(s, api, ctx, N, T, esize) \
	SHMEMD_FOLD(s, api, SHMEMD_FOLD_MIN, T)
#define SHMEMD_BODY_sum_reduce(s, api, ctx, N, T, esize) \
	SHMEMD_FOLD(s, api, SHMEMD_FOLD_SUM, T)
#define SHMEMD_BODY_prod_reduce(s, api, ctx, N, T, esize) \
	SHMEMD_FOLD(s, api, SHMEMD_FOLD_PROD, T)
#define SHMEMD_BODY_sum_inscan(s, api, ctx, N, T, esize) \
	SHMEMD_FOLD(s, api, SHMEMD_FOLD_INSCAN, T)
#define SHMEMD_BODY_sum_exscan(s, api, ctx, N, T, esize) \
	SHMEMD_FOLD(s, api, SHMEMD_FOLD_EXSCAN, T)

#endif
