/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fence and quiet. Loads and stores need one instruction at most; conduits are
 * asked only where some PE is on another node.
 */
#include "base/order.h"
#include "conduits/gda/gda.h"
#include "conduits/proxy/proxy.h"
#include "host/check.h"
#include "host/far.h"

/* The context's transfers to other nodes: no other's are waited for. */
static void far(const char *api, shmem_ctx_t ctx,
		void (*order)(const char *api, struct shmem_ctx *ctx))
{
	if (unlikely(shmemi.net != NULL))
		order(api, shmemi_ctx(ctx));
}

static void quiet_all(const char *api, struct shmem_ctx *ctx)
{
	shmemi_far_quiet(api, ctx, -1);
}

static void fence(const char *api, shmem_ctx_t ctx)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	if (ctx == SHMEM_CTX_INVALID)
		return;
	store_before_store();
	far(api, ctx, shmemi_far_fence);
}

/* What kernels left to the proxy or to NICs, whatever context they named. */
static void by_kernels(void)
{
	if (likely(shmemi.net == NULL))
		return;
	proxy_quiet();
	gda_quiet();
}

static void quiet(const char *api, shmem_ctx_t ctx)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	if (ctx == SHMEM_CTX_INVALID)
		return;
	store_before_all();
	by_kernels();
	far(api, ctx, quiet_all);
}

static void pe_quiet(const char *api, shmem_ctx_t ctx, const int *pes,
		     size_t npes)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	if (ctx == SHMEM_CTX_INVALID || !npes)
		return;
	store_before_all();
	by_kernels();
	for (size_t i = 0; i < npes; i++) {
		if (unlikely(shmemi.guard))
			shmemi_check_pe(api, "target_pes", pes[i],
					shmemi_ctx(ctx)->team->n_pes);
		if (unlikely(shmemi.net != NULL))
			shmemi_far_quiet(api, shmemi_ctx(ctx),
					 shmemi_ctx_pe(ctx, pes[i]));
	}
}

void pshmem_fence(void)
{
	fence(__func__, SHMEM_CTX_DEFAULT);
}
weak_alias(pshmem_fence, shmem_fence);

void pshmem_ctx_fence(shmem_ctx_t ctx)
{
	fence(__func__, ctx);
}
weak_alias(pshmem_ctx_fence, shmem_ctx_fence);

void pshmem_quiet(void)
{
	quiet(__func__, SHMEM_CTX_DEFAULT);
}
weak_alias(pshmem_quiet, shmem_quiet);

void pshmem_ctx_quiet(shmem_ctx_t ctx)
{
	quiet(__func__, ctx);
}
weak_alias(pshmem_ctx_quiet, shmem_ctx_quiet);

void pshmem_pe_quiet(const int *target_pes, size_t npes)
{
	pe_quiet(__func__, SHMEM_CTX_DEFAULT, target_pes, npes);
}
weak_alias(pshmem_pe_quiet, shmem_pe_quiet);

void pshmem_ctx_pe_quiet(shmem_ctx_t ctx, const int *target_pes, size_t npes)
{
	pe_quiet(__func__, ctx, target_pes, npes);
}
weak_alias(pshmem_ctx_pe_quiet, shmem_ctx_pe_quiet);
