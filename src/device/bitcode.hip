/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device API for compilers that link LLVM bitcode into their kernels, such
 * as Triton's: every function by its C name, one file an architecture.
 */
/* The types and prototypes first, without the definitions. */
#define SHMEMI_NO_GENERIC
#define SHMEM_DEVICE_API_H
#include <shmem.h>
#undef SHMEM_DEVICE_API_H

/* Declared as used ahead of the definitions, which nothing here calls. */
#define USED __attribute__((device, used))

#include <shmem/types.h>
#undef SHMEMI_HOST_TYPES
#define SHMEMI_HOST_TYPES(...)

extern "C" {

#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_FN(stem, ret, params, ctx, N, T, esize, body, args) \
	SHMEMI_HD USED ret shmem_##stem params;
#define SHMEMI_TABLES <shmem/device/thread.def>
#include <shmem/expand.h>

#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_TYPED_CTX(verb, SHAPE, CLASS, body)
#define SHMEMI_FN(stem, ret, params, ctx, N, T, esize, body, args) \
	USED ret shmemx_##stem##_wave params; \
	USED ret shmemx_##stem##_wg params;
#define SHMEMI_TABLES <shmem/device/groups.def>
#include <shmem/expand.h>

#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_FN(stem, ret, params, ctx, N, T, esize, body, args) \
	USED ret shmemx_##stem##_wave params; \
	USED ret shmemx_##stem##_wg params; \
	USED ret shmemx_##stem##_grid params;
#define SHMEMI_TABLES <shmem/device/collective.def>
#include <shmem/expand.h>

}

#include <shmem/device/api.h>
