/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The typed and sized rows of the tables that kernels have: a view names the
 * tables by ROWS and defines
 *
 *	ROW_<SHAPE>(stem, WITH, N, T, esize, body)	for each shape there
 *
 * WITH is CTX or PLAIN; N is mem and T void in the sized forms. What no kernel
 * has, long double and complex, is left out. One view, one include.
 *
 * ROW_TAKEN(body, row)(...) is row(...) if TAKE_<body> is defined as `0, 0`,
 * else nothing: for programs that test a part of a table.
 */
#ifndef GPU_ROWS_ONCE
#define GPU_ROWS_ONCE
#define ROW_DROP_longdouble 0, 0
#define ROW_DROP_complexd 0, 0
#define ROW_DROP_complexf 0, 0
#define ROW_NONE(...)
#define ROW_THIRD(a, b, c, ...) c
#define ROW_PICK(...) ROW_THIRD(__VA_ARGS__, 0)
#define ROW_IF(N, row) ROW_PICK(ROW_DROP_##N, ROW_NONE, row, 0)
#define ROW_TAKEN(body, row) ROW_PICK(TAKE_##body, row, ROW_NONE, 0)
#endif

#include <shmem/types.h>

#define ROW_TYPED(N, T, verb, SHAPE, body) \
	ROW_IF(N, ROW_##SHAPE)(N##_##verb, PLAIN, N, T, sizeof(T), body)
#define ROW_TYPED_CTX(N, T, verb, SHAPE, body) \
	ROW_TYPED(N, T, verb, SHAPE, body) \
	ROW_IF(N, ROW_##SHAPE)(ctx_##N##_##verb, CTX, N, T, sizeof(T), body)
#define ROW_SIZED_CTX(stem, SHAPE, esize, body) \
	ROW_##SHAPE(stem, PLAIN, mem, void, esize, body) \
	ROW_##SHAPE(ctx_##stem, CTX, mem, void, esize, body)
#define ROW_BITS_CTX(SIZE, verb, tail, SHAPE, body) \
	ROW_SIZED_CTX(verb##SIZE##tail, SHAPE, (SIZE / 8), body)

#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_PLAIN_C(ret, name, params)
#define SHMEMI_TYPED(verb, SHAPE, CLASS, body) \
	SHMEMI_TYPES_##CLASS(ROW_TYPED, verb, SHAPE, body)
#define SHMEMI_TYPED_CTX(verb, SHAPE, CLASS, body) \
	SHMEMI_TYPES_##CLASS(ROW_TYPED_CTX, verb, SHAPE, body)
#define SHMEMI_STRIDED(verb, SHAPE, body) ROWS_OF(verb, , SHAPE, body)
#define ROWS_OF(verb, tail, SHAPE, body) \
	SHMEMI_TYPES_RMA(ROW_TYPED_CTX, verb##tail, SHAPE, body) \
	SHMEMI_SIZES(ROW_BITS_CTX, verb, tail, SHAPE, body)
#define SHMEMI_RMA(verb, tail, SHAPE, body) \
	ROWS_OF(verb, tail, SHAPE, body) \
	ROW_SIZED_CTX(verb##mem##tail, SHAPE, 1, body)
#define SHMEMI_COLL(verb, SHAPE, body) \
	SHMEMI_TYPES_RMA(ROW_TYPED, verb, SHAPE, body) \
	ROW_##SHAPE(verb##mem, PLAIN, mem, void, 1, body)

#include ROWS

#undef ROW_TYPED
#undef ROW_TYPED_CTX
#undef ROW_SIZED_CTX
#undef ROW_BITS_CTX
#undef ROWS_OF
#include <shmem/undef.h>
