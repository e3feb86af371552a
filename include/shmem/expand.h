/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns the rows of the .def files into functions: a view defines
 *
 *	SHMEMI_FN(stem, ret, params, ctx, N, T, esize, body, args)
 *	SHMEMI_PLAIN(ret, name, params)
 *
 * and includes this file, which expands every row of the tables to these two
 * and undefines them at the end; SHMEMI_TABLES may name fewer tables. stem is
 * the routine's name without shmem_, ctx the context that it works on, N the
 * TYPENAME, T the element type, esize the element's size in bytes, body the
 * name of what the row does, args the list in parentheses that forwards params.
 * A view may define SHMEMI_TYPED_CTX itself, empty, to leave these rows out.
 * No include guard: one view, one include.
 */
#include <shmem/shapes.h>
#include <shmem/types.h>

#define SHMEMI_CTX_PARAM shmem_ctx_t ctx

/* One typed function, without and with a context. */
#define SHMEMI_FN_TYPED(N, T, verb, SHAPE, body) \
	SHMEMI_FN(N##_##verb, SHMEMI_RET_##SHAPE(T), \
		  (SHMEMI_PARAMS_##SHAPE(T)), SHMEM_CTX_DEFAULT, N, T, \
		  sizeof(T), body, (SHMEMI_ARGS_##SHAPE))
#define SHMEMI_FN_TYPED_CTX(N, T, verb, SHAPE, body) \
	SHMEMI_FN_TYPED(N, T, verb, SHAPE, body) \
	SHMEMI_FN(ctx_##N##_##verb, SHMEMI_RET_##SHAPE(T), \
		  (SHMEMI_CTX_PARAM, SHMEMI_PARAMS_##SHAPE(T)), ctx, N, T, \
		  sizeof(T), body, (ctx, SHMEMI_ARGS_##SHAPE))

/* One function named by the size of its elements: 8 to 128 bits, or mem. */
#define SHMEMI_FN_SIZED(name, SHAPE, esize, body) \
	SHMEMI_FN(name, SHMEMI_RET_##SHAPE(void), \
		  (SHMEMI_PARAMS_##SHAPE(void)), SHMEM_CTX_DEFAULT, mem, \
		  void, esize, body, (SHMEMI_ARGS_##SHAPE))
#define SHMEMI_FN_SIZED_CTX(name, SHAPE, esize, body) \
	SHMEMI_FN_SIZED(name, SHAPE, esize, body) \
	SHMEMI_FN(ctx_##name, SHMEMI_RET_##SHAPE(void), \
		  (SHMEMI_CTX_PARAM, SHMEMI_PARAMS_##SHAPE(void)), ctx, mem, \
		  void, esize, body, (ctx, SHMEMI_ARGS_##SHAPE))
#define SHMEMI_FN_BITS_CTX(SIZE, verb, tail, SHAPE, body) \
	SHMEMI_FN_SIZED_CTX(verb##SIZE##tail, SHAPE, ((SIZE) / 8), body)
#define SHMEMI_FN_BITS(SIZE, verb, SHAPE, body) \
	SHMEMI_FN_SIZED(verb##SIZE, SHAPE, ((SIZE) / 8), body)

/* The row macros that the .def files use. */
#define SHMEMI_TYPED(verb, SHAPE, CLASS, body) \
	SHMEMI_TYPES_##CLASS(SHMEMI_FN_TYPED, verb, SHAPE, body)
#ifndef SHMEMI_TYPED_CTX
#define SHMEMI_TYPED_CTX(verb, SHAPE, CLASS, body) \
	SHMEMI_TYPES_##CLASS(SHMEMI_FN_TYPED_CTX, verb, SHAPE, body)
#endif
#define SHMEMI_STRIDED(verb, SHAPE, body) \
	SHMEMI_TYPES_RMA(SHMEMI_FN_TYPED_CTX, verb, SHAPE, body) \
	SHMEMI_SIZES(SHMEMI_FN_BITS_CTX, verb, , SHAPE, body)
#define SHMEMI_RMA(verb, tail, SHAPE, body) \
	SHMEMI_TYPES_RMA(SHMEMI_FN_TYPED_CTX, verb##tail, SHAPE, body) \
	SHMEMI_SIZES(SHMEMI_FN_BITS_CTX, verb, tail, SHAPE, body) \
	SHMEMI_FN_SIZED_CTX(verb##mem##tail, SHAPE, 1, body)
#define SHMEMI_COLL(verb, SHAPE, body) \
	SHMEMI_TYPES_RMA(SHMEMI_FN_TYPED, verb, SHAPE, body) \
	SHMEMI_FN_SIZED(verb##mem, SHAPE, 1, body)
#define SHMEMI_OLD_COLL(verb, SHAPE, body) \
	SHMEMI_SIZES_OLD(SHMEMI_FN_BITS, verb, SHAPE, body)

#define SHMEMI_OLD_REDUCE(verb, CLASS) \
	SHMEMI_TYPES_##CLASS(SHMEMI_FN_TYPED, verb, TO_ALL, verb)

/* A routine whose place in C++ is taken by an overload of the same name. */
#ifdef __cplusplus
#define SHMEMI_PLAIN_C(ret, name, params)
#else
#define SHMEMI_PLAIN_C(ret, name, params) SHMEMI_PLAIN(ret, name, params)
#endif

#ifndef SHMEMI_TABLES
#define SHMEMI_TABLES <shmem/tables.def>
#endif
#include SHMEMI_TABLES
#undef SHMEMI_TABLES

#undef SHMEMI_FN
#undef SHMEMI_CTX_PARAM
#undef SHMEMI_FN_TYPED
#undef SHMEMI_FN_TYPED_CTX
#undef SHMEMI_FN_SIZED
#undef SHMEMI_FN_SIZED_CTX
#undef SHMEMI_FN_BITS_CTX
#undef SHMEMI_FN_BITS
#include <shmem/undef.h>
