/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts on queues that kernels drive: what the host may ask of them. */
#include <stdio.h>
#include <string.h>

#pragma GCC visibility push(default)
#include <shmem/network.h>
#pragma GCC visibility pop

#include "conduits/gda/gda.h"
#include "host/check.h"
#include "host/ctx.h"

/* Its handle; 0 for SHMEM_CTX_INVALID, and what is none. */
static unsigned int handle_of(const char *api, shmem_ctx_t ctx)
{
	const struct shmem_ctx *c;

	if (unlikely(shmemi.guard))
		shmemi_check_ctx(api, ctx);
	c = ctx == SHMEM_CTX_INVALID ? NULL : shmemi_ctx(ctx);
	return c ? c->handle : 0;
}

/*
 * The host's own operations are on their way when they return; kernels alone
 * can send what they kept back, for which one waits for all of it.
 */
void shmemx_ctx_flush(shmem_ctx_t ctx)
{
	if (handle_of(__func__, ctx) &&
	    shmemi_ctx(ctx)->options & SHMEMX_CTX_LATER)
		gda_quiet();
}

int shmemx_ctx_error(shmem_ctx_t ctx)
{
	const unsigned int handle = handle_of(__func__, ctx);

	return handle ? gda_error(handle, NULL, 0) : 0;
}

size_t shmemx_ctx_error_message(shmem_ctx_t ctx, char *text, size_t bytes)
{
	const unsigned int handle = handle_of(__func__, ctx);
	char line[512] = "";
	size_t n;

	if (handle)
		(void)gda_error(handle, line, sizeof(line));
	n = strlen(line);
	if (bytes)
		snprintf(text, bytes, "%s", line);
	return n;
}
