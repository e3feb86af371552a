/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges of blocks of different lengths: the view of exchange.def that makes
 * the host's prototypes, a C11 generic and C++ overloads. The contracts stand
 * there.
 */
#ifndef SHMEM_EXCHANGE_H
#define SHMEM_EXCHANGE_H

#include <shmem.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SHMEMI_FN(stem, ret, params, ...) ret shmemx_##stem params;
#define SHMEMI_PLAIN(ret, name, params) ret name params;
#define SHMEMI_TABLES <shmem/exchange.def>
#include <shmem/expand.h>

#ifdef __cplusplus
}
#endif

#ifndef SHMEMI_NO_GENERIC
#ifdef __cplusplus

#define SHMEMI_OVERLOAD(N, T, verb, SHAPE) \
	static inline SHMEMI_RET_##SHAPE(T) \
		shmemx_##verb(SHMEMI_PARAMS_##SHAPE(T)) \
	{ \
		return shmemx_##N##_##verb(SHMEMI_ARGS_##SHAPE); \
	}
#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_COLL(verb, SHAPE, body) \
	SHMEMI_TYPES_RMA_DISTINCT(SHMEMI_OVERLOAD, verb, SHAPE)
#include <shmem/exchange.def>
#include <shmem/undef.h>
#undef SHMEMI_OVERLOAD

#elif __STDC_VERSION__ >= 201112L

#define SHMEMI_MATCH_EXCHANGE(N, T, verb) T * : shmemx_##N##_##verb,
#define shmemx_alltoallv(...) \
	SHMEMI_SELECT(SHMEMI_MATCH_EXCHANGE, RMA, alltoallv, \
		      SHMEMI_SECOND(__VA_ARGS__, ))(__VA_ARGS__)

#endif
#endif

#endif
