/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns the rows of stream.def into functions: a view defines
 *
 *	SHMEMI_STREAM_FN(name, ret, params, N, T, esize, body, SHAPE)
 *	SHMEMI_STREAM_PLAIN(ret, name, params)
 *
 * and includes this file, which expands every row to these two and undefines
 * them at the end. Names are whole; params has the stream as its last; SHAPE
 * is the row's in shapes.h. The rest is as in expand.h. No include guard: one
 * view, one include.
 */
#include <shmem/shapes.h>
#include <shmem/types.h>
#include <shmem/where.h>

/* Rows of types that kernels don't have are dropped; where.h lists these. */
#define SHMEMI_STREAM_DROP(...)
#define SHMEMI_STREAM_SECOND(a, b, ...) b
#define SHMEMI_STREAM_CHOOSE(...) SHMEMI_STREAM_SECOND(__VA_ARGS__)

#define SHMEMI_STREAM_ANY(N, T, verb, SHAPE, body) \
	SHMEMI_STREAM_FN(shmemx_##N##_##verb##_on_stream, \
			 SHMEMI_RET_##SHAPE(T), \
			 (SHMEMI_PARAMS_##SHAPE(T), shmemx_stream_t stream), \
			 N, T, sizeof(T), body, SHAPE)
#define SHMEMI_STREAM_DEVICE(N, T, verb, SHAPE, body) \
	SHMEMI_STREAM_CHOOSE(SHMEMI_ONLY_HOST_##N SHMEMI_STREAM_DROP, \
			     SHMEMI_STREAM_ANY, ) \
	(N, T, verb, SHAPE, body)
#define SHMEMI_STREAM_SIZED(name, SHAPE, esize, body) \
	SHMEMI_STREAM_FN(shmemx_##name##_on_stream, SHMEMI_RET_##SHAPE(void), \
			 (SHMEMI_PARAMS_##SHAPE(void), shmemx_stream_t stream), \
			 mem, void, esize, body, SHAPE)
#define SHMEMI_STREAM_BITS(SIZE, verb, tail, SHAPE, body) \
	SHMEMI_STREAM_SIZED(verb##SIZE##tail, SHAPE, ((SIZE) / 8), body)

/* The row macros that stream.def uses. */
#define SHMEMI_STREAM_TYPED(verb, SHAPE, CLASS, body) \
	SHMEMI_TYPES_##CLASS(SHMEMI_STREAM_DEVICE, verb, SHAPE, body)
#define SHMEMI_STREAM_RMA(verb, tail, SHAPE, body) \
	SHMEMI_TYPES_RMA(SHMEMI_STREAM_ANY, verb##tail, SHAPE, body) \
	SHMEMI_SIZES(SHMEMI_STREAM_BITS, verb, tail, SHAPE, body) \
	SHMEMI_STREAM_SIZED(verb##mem##tail, SHAPE, 1, body)
#define SHMEMI_STREAM_COLL(verb, SHAPE, body) \
	SHMEMI_TYPES_RMA(SHMEMI_STREAM_DEVICE, verb, SHAPE, body) \
	SHMEMI_STREAM_SIZED(verb##mem, SHAPE, 1, body)

#include <shmem/stream.def>

#undef SHMEMI_STREAM_FN
#undef SHMEMI_STREAM_PLAIN
#undef SHMEMI_STREAM_DROP
#undef SHMEMI_STREAM_SECOND
#undef SHMEMI_STREAM_CHOOSE
#undef SHMEMI_STREAM_ANY
#undef SHMEMI_STREAM_DEVICE
#undef SHMEMI_STREAM_SIZED
#undef SHMEMI_STREAM_BITS
#undef SHMEMI_STREAM_TYPED
#undef SHMEMI_STREAM_RMA
#undef SHMEMI_STREAM_COLL
