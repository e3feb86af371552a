/* SPDX-License-Identifier: BSD-3-Clause */
/* View of the tables: every routine and its profiling twin, as prototypes. */
#include <shmem.h>

#ifndef SHMEM_PROTOTYPES_H
#define SHMEM_PROTOTYPES_H

#ifdef __cplusplus
extern "C" {
#endif

/* What kernels may call too, and the rest. */
#define SHMEMI_FN(stem, ret, params, ctx, N, ...) \
	SHMEMI_WHERE(N) ret shmem_##stem params; \
	ret pshmem_##stem params;
#define SHMEMI_PLAIN(ret, name, params) \
	SHMEMI_HD ret name params; \
	ret p##name params;
#define SHMEMI_TABLES <shmem/device/tables.def>
#include <shmem/expand.h>

#define SHMEMI_FN(stem, ret, params, ...) \
	ret shmem_##stem params; \
	ret pshmem_##stem params;
#define SHMEMI_PLAIN(ret, name, params) \
	SHMEMI_WHERE_PLAIN(name) ret name params; \
	ret p##name params;
#define SHMEMI_TABLES <shmem/device/host.def>
#include <shmem/expand.h>

#ifdef __cplusplus
}
#endif

#endif
