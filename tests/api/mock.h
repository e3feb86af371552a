/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef API_MOCK_H
#define API_MOCK_H

#include <shmem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The routine that was called last, and its context. */
extern const char *mock_called;
extern shmem_ctx_t mock_ctx;

/* A context that is not the default one; nobody looks into it. */
#define MOCK_CTX ((shmem_ctx_t)&mock_ctx)

/*
 * What was called is shmem_[ctx_]<N>_<verb>, with a name of N's type, on
 * MOCK_CTX or the default context; prints the difference. Returns 1 if not so.
 */
int mock_check(const char *ctx, const char *N, const char *verb);

#ifdef __cplusplus
}
#endif

#endif
