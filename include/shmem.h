/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM 1.6 for C11 and C++17. The routines stand, with their contracts,
 * in the tables <shmem/NAME.def>; this header holds the types and constants and
 * expands the tables to prototypes, C11 generics and C++ overloads.
 */
#ifndef SHMEM_H
#define SHMEM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define SHMEMI_NORETURN [[noreturn]]
#else
#define SHMEMI_NORETURN _Noreturn
#endif

#include <shmem/where.h>

/* An extension in C++, where std::complex has the same layout: overload.h. */
__extension__ typedef double _Complex shmemi_complexd;
__extension__ typedef float _Complex shmemi_complexf;

#include <shmem/constants.h>

/* Opaque handles. They are local to a PE and compare with ==. */
typedef struct shmem_team *shmem_team_t;
typedef struct shmem_ctx *shmem_ctx_t;

typedef struct {
	int num_contexts;
} shmem_team_config_t;

typedef struct {
	size_t total_ops;
} shmem_ctx_session_config_t;

#include <shmem/prototypes.h>

/* GPU compilers: what kernels call. On the CPU, see <shmem/device.h>. */
#if defined(__CUDACC__) || defined(__HIP__)
#include <shmem/device/api.h>
#endif

#ifndef SHMEMI_NO_GENERIC
#ifdef __cplusplus
#include <shmem/overload.h>
#ifdef SHMEM_DEVICE_API_H
#include <shmem/device/overload.h>
#endif
#elif __STDC_VERSION__ >= 201112L
#include <shmem/generic.h>
#endif
#endif

#endif
