/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations of the host in the order of a stream: the view of stream.def that
 * makes prototypes. The contracts stand there.
 */
#ifndef SHMEM_STREAM_H
#define SHMEM_STREAM_H

#include <shmem.h>
#include <shmem/platform.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SHMEMI_STREAM_FN(name, ret, params, ...) ret name params;
#define SHMEMI_STREAM_PLAIN(ret, name, params) ret name params;
#include <shmem/stream_expand.h>

#ifdef __cplusplus
}
#endif

#endif
