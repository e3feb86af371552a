/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The view of kernel.def that makes prototypes: launches, streams and memory,
 * for the host. The contracts stand there.
 */
#ifndef SHMEM_PLATFORM_H
#define SHMEM_PLATFORM_H

#include <stddef.h>

/* A hipStream_t or cudaStream_t; of the CPU platform its own. NULL: default. */
typedef void *shmemx_stream_t;
typedef void *shmemx_graph_t;

struct shmemx_kernel;

#ifdef __cplusplus
extern "C" {
#endif

#define SHMEMI_PLAIN(ret, name, params) ret name params;
#include <shmem/kernel.def>
#undef SHMEMI_PLAIN

#ifdef __cplusplus
}
#endif

#endif
