/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shapes: the parameter lists that routines share. For each, RET(T) is the
 * result, PARAMS(T) declares and ARGS forwards; T is the element type, void
 * in the forms that are sized in bits or bytes.
 */
#ifndef SHMEM_SHAPES_H
#define SHMEM_SHAPES_H

#define SHMEMI_RET_PUT(T) void
#define SHMEMI_PARAMS_PUT(T) T *dest, const T *source, size_t nelems, int pe
#define SHMEMI_ARGS_PUT dest, source, nelems, pe

#define SHMEMI_RET_P(T) void
#define SHMEMI_PARAMS_P(T) T *dest, T value, int pe
#define SHMEMI_ARGS_P dest, value, pe

#define SHMEMI_RET_G(T) T
#define SHMEMI_PARAMS_G(T) const T *source, int pe
#define SHMEMI_ARGS_G source, pe

#define SHMEMI_RET_IPUT(T) void
#define SHMEMI_PARAMS_IPUT(T) \
	T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, \
	size_t nelems, int pe
#define SHMEMI_ARGS_IPUT dest, source, dst, sst, nelems, pe

#define SHMEMI_RET_IBPUT(T) void
#define SHMEMI_PARAMS_IBPUT(T) \
	T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, \
	size_t bsize, size_t nblocks, int pe
#define SHMEMI_ARGS_IBPUT dest, source, dst, sst, bsize, nblocks, pe

#define SHMEMI_RET_PUT_SIGNAL(T) void
#define SHMEMI_PARAMS_PUT_SIGNAL(T) \
	T *dest, const T *source, size_t nelems, uint64_t *sig_addr, \
	uint64_t signal, int sig_op, int pe
#define SHMEMI_ARGS_PUT_SIGNAL \
	dest, source, nelems, sig_addr, signal, sig_op, pe

#define SHMEMI_RET_INC(T) void
#define SHMEMI_PARAMS_INC(T) T *dest, int pe
#define SHMEMI_ARGS_INC dest, pe

#define SHMEMI_RET_FETCH_INC(T) T
#define SHMEMI_PARAMS_FETCH_INC(T) SHMEMI_PARAMS_INC(T)
#define SHMEMI_ARGS_FETCH_INC SHMEMI_ARGS_INC

#define SHMEMI_RET_FETCH_OP(T) T
#define SHMEMI_PARAMS_FETCH_OP(T) SHMEMI_PARAMS_P(T)
#define SHMEMI_ARGS_FETCH_OP SHMEMI_ARGS_P

#define SHMEMI_RET_CSWAP(T) T
#define SHMEMI_PARAMS_CSWAP(T) T *dest, T cond, T value, int pe
#define SHMEMI_ARGS_CSWAP dest, cond, value, pe

#define SHMEMI_RET_FETCH_NBI(T) void
#define SHMEMI_PARAMS_FETCH_NBI(T) T *fetch, const T *source, int pe
#define SHMEMI_ARGS_FETCH_NBI fetch, source, pe

#define SHMEMI_RET_FETCH_INC_NBI(T) void
#define SHMEMI_PARAMS_FETCH_INC_NBI(T) T *fetch, SHMEMI_PARAMS_INC(T)
#define SHMEMI_ARGS_FETCH_INC_NBI fetch, SHMEMI_ARGS_INC

#define SHMEMI_RET_FETCH_OP_NBI(T) void
#define SHMEMI_PARAMS_FETCH_OP_NBI(T) T *fetch, SHMEMI_PARAMS_P(T)
#define SHMEMI_ARGS_FETCH_OP_NBI fetch, SHMEMI_ARGS_P

#define SHMEMI_RET_CSWAP_NBI(T) void
#define SHMEMI_PARAMS_CSWAP_NBI(T) T *fetch, SHMEMI_PARAMS_CSWAP(T)
#define SHMEMI_ARGS_CSWAP_NBI fetch, SHMEMI_ARGS_CSWAP

#define SHMEMI_RET_WAIT(T) void
#define SHMEMI_PARAMS_WAIT(T) T *ivar, int cmp, T cmp_value
#define SHMEMI_ARGS_WAIT ivar, cmp, cmp_value

#define SHMEMI_RET_TEST(T) int
#define SHMEMI_PARAMS_TEST(T) SHMEMI_PARAMS_WAIT(T)
#define SHMEMI_ARGS_TEST SHMEMI_ARGS_WAIT

#define SHMEMI_RET_WAIT_ALL(T) void
#define SHMEMI_PARAMS_WAIT_ALL(T) \
	T *ivars, size_t nelems, const int *status, int cmp, T cmp_value
#define SHMEMI_ARGS_WAIT_ALL ivars, nelems, status, cmp, cmp_value

#define SHMEMI_RET_WAIT_ALL_VECTOR(T) void
#define SHMEMI_PARAMS_WAIT_ALL_VECTOR(T) \
	T *ivars, size_t nelems, const int *status, int cmp, \
	const T *cmp_values
#define SHMEMI_ARGS_WAIT_ALL_VECTOR ivars, nelems, status, cmp, cmp_values

#define SHMEMI_RET_TEST_ALL(T) int
#define SHMEMI_PARAMS_TEST_ALL(T) SHMEMI_PARAMS_WAIT_ALL(T)
#define SHMEMI_ARGS_TEST_ALL SHMEMI_ARGS_WAIT_ALL

#define SHMEMI_RET_TEST_ALL_VECTOR(T) int
#define SHMEMI_PARAMS_TEST_ALL_VECTOR(T) SHMEMI_PARAMS_WAIT_ALL_VECTOR(T)
#define SHMEMI_ARGS_TEST_ALL_VECTOR SHMEMI_ARGS_WAIT_ALL_VECTOR

#define SHMEMI_RET_ANY(T) size_t
#define SHMEMI_PARAMS_ANY(T) SHMEMI_PARAMS_WAIT_ALL(T)
#define SHMEMI_ARGS_ANY SHMEMI_ARGS_WAIT_ALL

#define SHMEMI_RET_ANY_VECTOR(T) size_t
#define SHMEMI_PARAMS_ANY_VECTOR(T) SHMEMI_PARAMS_WAIT_ALL_VECTOR(T)
#define SHMEMI_ARGS_ANY_VECTOR SHMEMI_ARGS_WAIT_ALL_VECTOR

#define SHMEMI_RET_SOME(T) size_t
#define SHMEMI_PARAMS_SOME(T) \
	T *ivars, size_t nelems, size_t *indices, const int *status, \
	int cmp, T cmp_value
#define SHMEMI_ARGS_SOME ivars, nelems, indices, status, cmp, cmp_value

#define SHMEMI_RET_SOME_VECTOR(T) size_t
#define SHMEMI_PARAMS_SOME_VECTOR(T) \
	T *ivars, size_t nelems, size_t *indices, const int *status, \
	int cmp, const T *cmp_values
#define SHMEMI_ARGS_SOME_VECTOR \
	ivars, nelems, indices, status, cmp, cmp_values

#define SHMEMI_RET_COLL(T) int
#define SHMEMI_PARAMS_COLL(T) \
	shmem_team_t team, T *dest, const T *source, size_t nelems
#define SHMEMI_ARGS_COLL team, dest, source, nelems

#define SHMEMI_RET_BROADCAST(T) int
#define SHMEMI_PARAMS_BROADCAST(T) SHMEMI_PARAMS_COLL(T), int PE_root
#define SHMEMI_ARGS_BROADCAST SHMEMI_ARGS_COLL, PE_root

#define SHMEMI_RET_ALLTOALLS(T) int
#define SHMEMI_PARAMS_ALLTOALLS(T) \
	shmem_team_t team, T *dest, const T *source, ptrdiff_t dst, \
	ptrdiff_t sst, size_t nelems
#define SHMEMI_ARGS_ALLTOALLS team, dest, source, dst, sst, nelems

#define SHMEMI_RET_ALLTOALLV(T) int
#define SHMEMI_PARAMS_ALLTOALLV(T) \
	shmem_team_t team, T *dest, const size_t *dest_nelems, \
	const size_t *dest_offsets, const T *source, \
	const size_t *source_nelems, const size_t *source_offsets
#define SHMEMI_ARGS_ALLTOALLV \
	team, dest, dest_nelems, dest_offsets, source, source_nelems, \
	source_offsets

/* Deprecated: collectives over an active set, and the first waits. */
#define SHMEMI_ACTIVE_SET int PE_start, int logPE_stride, int PE_size
#define SHMEMI_ARGS_SET PE_start, logPE_stride, PE_size

#define SHMEMI_RET_OLD_COLL(T) void
#define SHMEMI_PARAMS_OLD_COLL(T) \
	T *dest, const T *source, size_t nelems, SHMEMI_ACTIVE_SET, long *pSync
#define SHMEMI_ARGS_OLD_COLL dest, source, nelems, SHMEMI_ARGS_SET, pSync

#define SHMEMI_RET_OLD_BROADCAST(T) void
#define SHMEMI_PARAMS_OLD_BROADCAST(T) \
	T *dest, const T *source, size_t nelems, int PE_root, \
	SHMEMI_ACTIVE_SET, long *pSync
#define SHMEMI_ARGS_OLD_BROADCAST \
	dest, source, nelems, PE_root, SHMEMI_ARGS_SET, pSync

#define SHMEMI_RET_OLD_ALLTOALLS(T) void
#define SHMEMI_PARAMS_OLD_ALLTOALLS(T) \
	T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, \
	size_t nelems, SHMEMI_ACTIVE_SET, long *pSync
#define SHMEMI_ARGS_OLD_ALLTOALLS \
	dest, source, dst, sst, nelems, SHMEMI_ARGS_SET, pSync

#define SHMEMI_RET_TO_ALL(T) void
#define SHMEMI_PARAMS_TO_ALL(T) \
	T *dest, const T *source, int nreduce, SHMEMI_ACTIVE_SET, T *pWrk, \
	long *pSync
#define SHMEMI_ARGS_TO_ALL \
	dest, source, nreduce, SHMEMI_ARGS_SET, pWrk, pSync

#define SHMEMI_RET_OLD_WAIT(T) void
#define SHMEMI_PARAMS_OLD_WAIT(T) T *ivar, T cmp_value
#define SHMEMI_ARGS_OLD_WAIT ivar, cmp_value

#endif
