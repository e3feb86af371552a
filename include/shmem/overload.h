/* SPDX-License-Identifier: BSD-3-Clause */
/* View of the tables: C++ overloads on the element type, with and without a
 * context. Each is one call to the typed routine. */
#include <shmem.h>

#ifndef SHMEM_OVERLOAD_H
#define SHMEM_OVERLOAD_H

/* Some compilers for GPUs need the first for the second. */
#include <cstdlib>
#include <complex>

#include <shmem/shapes.h>
#include <shmem/types.h>

#define SHMEMI_OVERLOAD(N, T, verb, SHAPE) \
	SHMEMI_WHERE_OVERLOAD(N) static inline SHMEMI_RET_##SHAPE(T) \
		shmem_##verb(SHMEMI_PARAMS_##SHAPE(T)) \
	{ \
		return shmem_##N##_##verb(SHMEMI_ARGS_##SHAPE); \
	}
#define SHMEMI_OVERLOAD_CTX(N, T, verb, SHAPE) \
	SHMEMI_OVERLOAD(N, T, verb, SHAPE) \
	SHMEMI_WHERE_OVERLOAD(N) static inline SHMEMI_RET_##SHAPE(T) \
		shmem_##verb(shmem_ctx_t ctx, SHMEMI_PARAMS_##SHAPE(T)) \
	{ \
		return shmem_ctx_##N##_##verb(ctx, SHMEMI_ARGS_##SHAPE); \
	}

#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_PLAIN_C(ret, name, params)
#define SHMEMI_OLD_COLL(verb, SHAPE, body)
#define SHMEMI_OLD_REDUCE(verb, CLASS)
#define SHMEMI_TYPED(verb, SHAPE, CLASS, body) \
	SHMEMI_TYPES_##CLASS##_DISTINCT(SHMEMI_OVERLOAD, verb, SHAPE)
#define SHMEMI_TYPED_CTX(verb, SHAPE, CLASS, body) \
	SHMEMI_TYPES_##CLASS##_DISTINCT(SHMEMI_OVERLOAD_CTX, verb, SHAPE)
#define SHMEMI_STRIDED(verb, SHAPE, body) \
	SHMEMI_TYPES_RMA_DISTINCT(SHMEMI_OVERLOAD_CTX, verb, SHAPE)
#define SHMEMI_RMA(verb, tail, SHAPE, body) \
	SHMEMI_TYPES_RMA_DISTINCT(SHMEMI_OVERLOAD_CTX, verb##tail, SHAPE)
#define SHMEMI_COLL(verb, SHAPE, body) \
	SHMEMI_TYPES_RMA_DISTINCT(SHMEMI_OVERLOAD, verb, SHAPE)

/* As in prototypes.h: what kernels may call too, and the rest. */
#define SHMEMI_WHERE_OVERLOAD SHMEMI_WHERE
#include <shmem/device/tables.def>
#undef SHMEMI_WHERE_OVERLOAD
#define SHMEMI_WHERE_OVERLOAD(N)
#include <shmem/device/host.def>
#undef SHMEMI_WHERE_OVERLOAD

/* The complex routines once more, for std::complex. */
#define SHMEMI_COMPLEX_COLL(N, E, verb) \
	static inline int shmem_##N##_##verb( \
		shmem_team_t team, std::complex<E> *dest, \
		const std::complex<E> *source, size_t nelems) \
	{ \
		return shmem_##N##_##verb( \
			team, reinterpret_cast<shmemi_##N *>(dest), \
			reinterpret_cast<const shmemi_##N *>(source), nelems); \
	} \
	static inline int shmem_##verb( \
		shmem_team_t team, std::complex<E> *dest, \
		const std::complex<E> *source, size_t nelems) \
	{ \
		return shmem_##N##_##verb(team, dest, source, nelems); \
	}
#define SHMEMI_COMPLEX_TO_ALL(N, E, verb) \
	static inline void shmem_##N##_##verb( \
		std::complex<E> *dest, const std::complex<E> *source, \
		int nreduce, SHMEMI_ACTIVE_SET, std::complex<E> *pWrk, \
		long *pSync) \
	{ \
		shmem_##N##_##verb( \
			reinterpret_cast<shmemi_##N *>(dest), \
			reinterpret_cast<const shmemi_##N *>(source), nreduce, \
			PE_start, logPE_stride, PE_size, \
			reinterpret_cast<shmemi_##N *>(pWrk), pSync); \
	}
#define SHMEMI_COMPLEX(FN, verb) \
	FN(complexf, float, verb) \
	FN(complexd, double, verb)
SHMEMI_COMPLEX(SHMEMI_COMPLEX_COLL, sum_reduce)
SHMEMI_COMPLEX(SHMEMI_COMPLEX_COLL, prod_reduce)
SHMEMI_COMPLEX(SHMEMI_COMPLEX_COLL, sum_inscan)
SHMEMI_COMPLEX(SHMEMI_COMPLEX_COLL, sum_exscan)
SHMEMI_COMPLEX(SHMEMI_COMPLEX_TO_ALL, sum_to_all)
SHMEMI_COMPLEX(SHMEMI_COMPLEX_TO_ALL, prod_to_all)
#undef SHMEMI_COMPLEX
#undef SHMEMI_COMPLEX_COLL
#undef SHMEMI_COMPLEX_TO_ALL

#undef SHMEMI_OVERLOAD
#undef SHMEMI_OVERLOAD_CTX
#include <shmem/undef.h>

SHMEMI_HD static inline void shmem_signal_add(shmem_ctx_t ctx,
					      uint64_t *sig_addr,
					      uint64_t signal, int pe)
{
	shmem_ctx_signal_add(ctx, sig_addr, signal, pe);
}

SHMEMI_HD static inline void shmem_signal_set(shmem_ctx_t ctx,
					      uint64_t *sig_addr,
					      uint64_t signal, int pe)
{
	shmem_ctx_signal_set(ctx, sig_addr, signal, pe);
}

SHMEMI_HD static inline int shmem_sync(shmem_team_t team)
{
	return shmem_team_sync(team);
}

#endif
