/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * As <shmem/expand.h>, but tells the shape: a view defines
 *
 *	ROW(name, WITH, N, T, SHAPE, body)
 *
 * and includes this, which expands it for each typed and sized routine. WITH
 * is CTX or PLAIN; N is mem or bits<SIZE>, T void, in the sized forms.
 */
#define ROW_TYPED(N, T, verb, SHAPE, body) \
	ROW(shmem_##N##_##verb, PLAIN, N, T, SHAPE, body)
#define ROW_TYPED_CTX(N, T, verb, SHAPE, body) \
	ROW_TYPED(N, T, verb, SHAPE, body) \
	ROW(shmem_ctx_##N##_##verb, CTX, N, T, SHAPE, body)
#define ROW_BITS(SIZE, verb, SHAPE, body) \
	ROW(shmem_##verb##SIZE, PLAIN, bits##SIZE, void, SHAPE, body)
#define ROW_BITS_CTX(SIZE, verb, tail, SHAPE, body) \
	ROW(shmem_##verb##SIZE##tail, PLAIN, bits##SIZE, void, SHAPE, body) \
	ROW(shmem_ctx_##verb##SIZE##tail, CTX, bits##SIZE, void, SHAPE, body)

#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_PLAIN_C(ret, name, params)
#define SHMEMI_TYPED(verb, SHAPE, CLASS, body) \
	SHMEMI_TYPES_##CLASS(ROW_TYPED, verb, SHAPE, body)
#define SHMEMI_TYPED_CTX(verb, SHAPE, CLASS, body) \
	SHMEMI_TYPES_##CLASS(ROW_TYPED_CTX, verb, SHAPE, body)
#define SHMEMI_STRIDED(verb, SHAPE, body) SHMEMI_RMA_TYPED(verb, , SHAPE, body)
#define SHMEMI_RMA_TYPED(verb, tail, SHAPE, body) \
	SHMEMI_TYPES_RMA(ROW_TYPED_CTX, verb##tail, SHAPE, body) \
	SHMEMI_SIZES(ROW_BITS_CTX, verb, tail, SHAPE, body)
#define SHMEMI_RMA(verb, tail, SHAPE, body) \
	SHMEMI_RMA_TYPED(verb, tail, SHAPE, body) \
	ROW(shmem_##verb##mem##tail, PLAIN, mem, void, SHAPE, body) \
	ROW(shmem_ctx_##verb##mem##tail, CTX, mem, void, SHAPE, body)
#define SHMEMI_COLL(verb, SHAPE, body) \
	SHMEMI_TYPES_RMA(ROW_TYPED, verb, SHAPE, body) \
	ROW(shmem_##verb##mem, PLAIN, mem, void, SHAPE, body)
#define SHMEMI_OLD_COLL(verb, SHAPE, body) \
	SHMEMI_SIZES_OLD(ROW_BITS, verb, SHAPE, body)
#define SHMEMI_OLD_REDUCE(verb, CLASS) \
	SHMEMI_TYPES_##CLASS(ROW_TYPED, verb, TO_ALL, verb)

#include <shmem/tables.def>

#undef ROW
#undef SHMEMI_RMA_TYPED
#include <shmem/undef.h>
