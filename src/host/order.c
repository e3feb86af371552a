/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fence and quiet. Loads and stores need one instruction at most; conduits are
 * called only for peers that have no such route.
 */
#include "base/log.h"
#include "base/order.h"

#include <string.h>

#include "host/check.h"
#include "host/ctx.h"

static void far_segment(const char *api, int pe, int seg, int quiet)
{
	const struct shmemi_peer *peer = &shmemi.peers[pe];
	const struct conduit_ops *ops = &peer->conduit[seg]->ops;
	int rc = quiet ? ops->quiet(peer->ep[seg]) : ops->fence(peer->ep[seg]);

	if (rc)
		shmemi_fatal("%s: PE %d: %s", shmemi_api(api), pe,
			     strerror(-rc));
}

static void far_peer(const char *api, int pe, int quiet)
{
	const struct shmemi_peer *peer = &shmemi.peers[pe];

	for (int seg = 0; seg < CONDUIT_NSEGMENTS; seg++)
		if (peer->ep[seg] && !shmemi.routes[pe].base[seg])
			far_segment(api, pe, seg, quiet);
}

static void far_peers(const char *api, int quiet)
{
	for (int pe = 0; unlikely(shmemi.n_far) && pe < shmemi.n_pes; pe++)
		far_peer(api, pe, quiet);
}

static void fence(const char *api, shmem_ctx_t ctx)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	if (ctx == SHMEM_CTX_INVALID)
		return;
	store_before_store();
	far_peers(api, 0);
}

static void quiet(const char *api, shmem_ctx_t ctx)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	if (ctx == SHMEM_CTX_INVALID)
		return;
	store_before_all();
	far_peers(api, 1);
}

static void pe_quiet(const char *api, shmem_ctx_t ctx, const int *pes,
		     size_t npes)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	if (ctx == SHMEM_CTX_INVALID || !npes)
		return;
	store_before_all();
	for (size_t i = 0; i < npes; i++) {
		if (unlikely(shmemi.guard))
			shmemi_check_pe(api, "target_pes", pes[i],
					shmemi_ctx(ctx)->team->n_pes);
		far_peer(api, shmemi_ctx_pe(ctx, pes[i]), 1);
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
