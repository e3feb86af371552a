/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts on queues that kernels drive: what the host may ask of them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#pragma GCC visibility push(default)
#include <shmem/network.h>
#pragma GCC visibility pop

#include "conduits/gda/gda.h"
#include "host/check.h"
#include "host/ctx.h"

/* NULL for SHMEM_CTX_INVALID, and what is none. */
static const struct shmem_ctx *ctx_of(const char *api, shmem_ctx_t ctx)
{
	if (unlikely(shmemi.guard))
		shmemi_check_ctx(api, ctx);
	return ctx == SHMEM_CTX_INVALID ? NULL : shmemi_ctx(ctx);
}

/* text: NULL, or it has bytes for a line. */
static int error_of(const char *api, shmem_ctx_t ctx, char *text, size_t bytes)
{
	const struct shmem_ctx *c = ctx_of(api, ctx);

	if (c)
		return gda_error(c->handle, text, bytes);
	if (ctx == SHMEM_CTX_INVALID)
		return 0;
	if (bytes)
		snprintf(text, bytes,
			 "%p is no context, or one that was destroyed",
			 (void *)ctx);
	return -EINVAL;
}

/*
 * The host's own operations are on their way when they return; kernels alone
 * can send what they kept back, for which one waits for all of it.
 */
void shmemx_ctx_flush(shmem_ctx_t ctx)
{
	const struct shmem_ctx *c = ctx_of(__func__, ctx);

	if (c && c->options & SHMEMX_CTX_LATER)
		gda_quiet();
}

int shmemx_ctx_error(shmem_ctx_t ctx)
{
	return error_of(__func__, ctx, NULL, 0);
}

size_t shmemx_ctx_error_message(shmem_ctx_t ctx, char *text, size_t bytes)
{
	char line[512] = "";

	(void)error_of(__func__, ctx, line, sizeof(line));
	if (bytes)
		snprintf(text, bytes, "%s", line);
	return strlen(line);
}
