/* SPDX-License-Identifier: BSD-3-Clause */
/* For network.h and for kernels; shmem.h has no such names. */
#ifndef SHMEM_NETWORK_CONSTANTS_H
#define SHMEM_NETWORK_CONSTANTS_H

/* Of kernels' transfers between nodes; shmemx_ctx_flush says what they mean. */
#define SHMEMX_CTX_LATER 256L
#define SHMEMX_CTX_VISIBLE 512L

/* Why a context has failed: shmemx_ctx_error. */
#define SHMEMX_ERROR_LINK 1    /* the peer did not answer, or a port is down */
#define SHMEMX_ERROR_REMOTE 2  /* the peer's NIC refused it */
#define SHMEMX_ERROR_LOCAL 3   /* this PE's NIC refused it */
#define SHMEMX_ERROR_CONNECT 4 /* no queue could be made */
#define SHMEMX_ERROR_FLUSHED 5 /* an earlier operation of the queue failed */
#define SHMEMX_ERROR_UNKNOWN 6

#endif
