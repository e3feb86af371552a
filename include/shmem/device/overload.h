/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * View of the tables: C++ overloads of what groups call, on the element type,
 * with and without a context: shmemx_put_wg. Each is one call to the typed one.
 */
#ifndef SHMEM_DEVICE_OVERLOAD_H
#define SHMEM_DEVICE_OVERLOAD_H

#define SHMEMX_OVERLOAD(N, T, verb, SHAPE, group) \
	SHMEMI_DEVICE static inline SHMEMI_RET_##SHAPE(T) \
		shmemx_##verb##_##group(SHMEMI_PARAMS_##SHAPE(T)) \
	{ \
		return shmemx_##N##_##verb##_##group(SHMEMI_ARGS_##SHAPE); \
	}
#define SHMEMX_OVERLOAD_CTX(N, T, verb, SHAPE, group) \
	SHMEMX_OVERLOAD(N, T, verb, SHAPE, group) \
	SHMEMI_DEVICE static inline SHMEMI_RET_##SHAPE(T) \
		shmemx_##verb##_##group(shmem_ctx_t ctx, \
					SHMEMI_PARAMS_##SHAPE(T)) \
	{ \
		return shmemx_ctx_##N##_##verb##_##group( \
			ctx, SHMEMI_ARGS_##SHAPE); \
	}

#undef SHMEMI_HOST_TYPES
#define SHMEMI_HOST_TYPES(...)

#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_TYPED_CTX(verb, SHAPE, CLASS, body)
#define SHMEMI_TYPED(verb, SHAPE, CLASS, body) \
	SHMEMI_TYPES_##CLASS##_DISTINCT(SHMEMX_OVERLOAD, verb, SHAPE, wave) \
	SHMEMI_TYPES_##CLASS##_DISTINCT(SHMEMX_OVERLOAD, verb, SHAPE, wg)
#define SHMEMI_STRIDED(verb, SHAPE, body) \
	SHMEMI_TYPES_RMA_DISTINCT(SHMEMX_OVERLOAD_CTX, verb, SHAPE, wave) \
	SHMEMI_TYPES_RMA_DISTINCT(SHMEMX_OVERLOAD_CTX, verb, SHAPE, wg)
#define SHMEMI_RMA(verb, tail, SHAPE, body) \
	SHMEMI_STRIDED(verb##tail, SHAPE, body)
#include <shmem/rma.def>
#include <shmem/signal.def>
#include <shmem/sync.def>
#include <shmem/undef.h>

#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_TYPED(verb, SHAPE, CLASS, body) \
	SHMEMI_TYPES_##CLASS##_DISTINCT(SHMEMX_OVERLOAD, verb, SHAPE, wave) \
	SHMEMI_TYPES_##CLASS##_DISTINCT(SHMEMX_OVERLOAD, verb, SHAPE, wg) \
	SHMEMI_TYPES_##CLASS##_DISTINCT(SHMEMX_OVERLOAD, verb, SHAPE, grid)
#define SHMEMI_COLL(verb, SHAPE, body) SHMEMI_TYPED(verb, SHAPE, RMA, body)
#include <shmem/collective.def>
#include <shmem/exchange.def>
#include <shmem/undef.h>

#undef SHMEMI_HOST_TYPES
#define SHMEMI_HOST_TYPES(...) __VA_ARGS__

#undef SHMEMX_OVERLOAD
#undef SHMEMX_OVERLOAD_CTX

#endif
