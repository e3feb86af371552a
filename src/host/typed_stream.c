/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines the typed operations on streams. */
#include "host/stream.h"
#include "host/sync.h"

#define SHMEMI_STREAM_BODY_put(N, T, esize) \
	shmemi_stream_put(__func__, dest, source, nelems, esize, pe, stream);
#define SHMEMI_STREAM_BODY_get(N, T, esize) \
	shmemi_stream_get(__func__, dest, source, nelems, esize, pe, stream);
#define SHMEMI_STREAM_BODY_put_signal(N, T, esize) \
	shmemi_stream_put_signal(__func__, dest, source, nelems, esize, \
				 sig_addr, signal, sig_op, pe, stream);
#define SHMEMI_STREAM_BODY_wait_until(N, T, esize) \
	shmemi_stream_wait(__func__, ivar, esize, SHMEMI_SIGNED(T), cmp, \
			   (uint64_t)cmp_value, stream);

#define SHMEMI_STREAM_CALL(...) \
	return shmemi_stream_coll( \
		__func__, team, \
		&(const struct shmemi_stream_coll){ .dest = dest, \
						    .source = source, \
						    .nelems = nelems, \
						    __VA_ARGS__ }, \
		stream);
#define SHMEMI_STREAM_BODY_alltoall(N, T, size) \
	SHMEMI_STREAM_CALL(.kernel = SHMEMD_KERNEL_alltoall, .esize = size)
#define SHMEMI_STREAM_BODY_alltoalls(N, T, size) \
	SHMEMI_STREAM_CALL(.kernel = SHMEMD_KERNEL_alltoalls, .esize = size, \
			   .dst = dst, .sst = sst)
#define SHMEMI_STREAM_BODY_alltoallv(N, T, size) \
	return shmemi_stream_alltoallv( \
		__func__, team, \
		(struct shmemd_args_alltoallv){ \
			.dest = dest, \
			.dest_nelems = dest_nelems, \
			.dest_offsets = dest_offsets, \
			.source = source, \
			.source_nelems = source_nelems, \
			.source_offsets = source_offsets, \
			.esize = size, \
		}, \
		stream);
#define SHMEMI_STREAM_BODY_broadcast(N, T, size) \
	SHMEMI_STREAM_CALL(.kernel = SHMEMD_KERNEL_broadcast, .esize = size, \
			   .root = PE_root)
#define SHMEMI_STREAM_BODY_collect(N, T, size) \
	SHMEMI_STREAM_CALL(.kernel = SHMEMD_KERNEL_collect, .esize = size)
#define SHMEMI_STREAM_BODY_fcollect(N, T, size) \
	SHMEMI_STREAM_CALL(.kernel = SHMEMD_KERNEL_fcollect, .esize = size)
#define SHMEMI_STREAM_REDUCE(T, size, operation) \
	SHMEMI_STREAM_CALL(.kernel = shmemi_reduce_kernel( \
				   SHMEMI_STREAM_KIND(T), size, \
				   SHMEMD_REDUCE_##operation), \
			   .esize = size, .op = SHMEMD_REDUCE_##operation)
#define SHMEMI_STREAM_BODY_and_reduce(N, T, size) \
	SHMEMI_STREAM_REDUCE(T, size, and)
#define SHMEMI_STREAM_BODY_or_reduce(N, T, size) \
	SHMEMI_STREAM_REDUCE(T, size, or)
#define SHMEMI_STREAM_BODY_xor_reduce(N, T, size) \
	SHMEMI_STREAM_REDUCE(T, size, xor)
#define SHMEMI_STREAM_BODY_max_reduce(N, T, size) \
	SHMEMI_STREAM_REDUCE(T, size, max)
#define SHMEMI_STREAM_BODY_min_reduce(N, T, size) \
	SHMEMI_STREAM_REDUCE(T, size, min)
#define SHMEMI_STREAM_BODY_sum_reduce(N, T, size) \
	SHMEMI_STREAM_REDUCE(T, size, sum)
#define SHMEMI_STREAM_BODY_prod_reduce(N, T, size) \
	SHMEMI_STREAM_REDUCE(T, size, prod)
#define SHMEMI_STREAM_BODY_sum_inscan(N, T, size) \
	SHMEMI_STREAM_REDUCE(T, size, inscan)
#define SHMEMI_STREAM_BODY_sum_exscan(N, T, size) \
	SHMEMI_STREAM_REDUCE(T, size, exscan)

#define SHMEMI_STREAM_EXPAND(m, ...) m(__VA_ARGS__)
#define SHMEMI_STREAM_FN(name, ret, params, N, T, esize, body, SHAPE) \
	ret name params \
	{ \
		SHMEMI_STREAM_EXPAND(SHMEMI_STREAM_BODY_##body, N, T, esize) \
	}
#define SHMEMI_STREAM_PLAIN(ret, name, params)
#include <shmem/stream_expand.h>
