/* SPDX-License-Identifier: BSD-3-Clause */
/* View of the tables: every routine and its profiling twin, as prototypes. */
#include <shmem.h>

#ifndef SHMEM_PROTOTYPES_H
#define SHMEM_PROTOTYPES_H

#ifdef __cplusplus
extern "C" {
#endif

#define SHMEMI_FN(name, ret, params, ...) \
	ret name params; \
	ret p##name params;
#define SHMEMI_PLAIN(ret, name, params) SHMEMI_FN(name, ret, params, )
#include <shmem/expand.h>

#ifdef __cplusplus
}
#endif

#endif
