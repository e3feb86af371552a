/* SPDX-License-Identifier: BSD-3-Clause */
/* The view of network.def that makes prototypes. The contracts stand there. */
#ifndef SHMEM_NETWORK_H
#define SHMEM_NETWORK_H

#include <shmem.h>
#include <shmem/network_constants.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SHMEMI_PLAIN(ret, name, params) \
	SHMEMI_WHERE_PLAIN(name) ret name params;
#include <shmem/network.def>
#undef SHMEMI_PLAIN

#ifdef __cplusplus
}
#endif

#endif
