/* SPDX-License-Identifier: BSD-3-Clause */
/* Routines that only tell which one was called. */
#define SHMEMI_NO_GENERIC
#include <shmem.h>
#include "mock.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

const char *mock_called;
shmem_ctx_t mock_ctx;

#define MOCK_FN(name, ret, params, ctx) \
	ret name params \
	{ \
		mock_called = #name; \
		mock_ctx = ctx; \
		return (ret)0; \
	}
#define MOCK(ret, name, params) MOCK_FN(name, ret, params, NULL)
MOCK(void, shmem_wait, (long *ivar, long cmp_value))
MOCK(void, shmem_wait_until, (long *ivar, int cmp, long cmp_value))
MOCK(int, shmem_team_sync, (shmem_team_t team))
MOCK(void, shmem_sync, (int start, int stride, int size, long *psync))
MOCK(void, shmem_signal_add, (uint64_t *sig_addr, uint64_t signal, int pe))
MOCK(void, shmem_signal_set, (uint64_t *sig_addr, uint64_t signal, int pe))
MOCK(void, shmem_ctx_signal_add,
     (shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe))
MOCK(void, shmem_ctx_signal_set,
     (shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe))

#define SHMEMI_FN(stem, ret, params, ctx, ...) \
	MOCK_FN(shmem_##stem, ret, params, ctx)
#define SHMEMI_PLAIN(ret, name, params)
#include <shmem/expand.h>
