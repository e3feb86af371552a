/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/far.h"

#include <string.h>

#include "base/log.h"
#include "host/check.h"

/* A conduit that fails in a call without a return value can't be survived. */
static void must(const char *api, int rc, int pe)
{
	if (rc)
		shmemi_fatal("%s: the transfer with PE %d on %s failed: %s",
			     shmemi_api(api), pe, shmemi.peers[pe].host,
			     strerror(-rc));
}

static const struct conduit_ops *ops(struct shmemi_place at)
{
	return &shmemi.peers[at.pe].conduit[at.seg]->ops;
}

static struct conduit_ep *ep(struct shmemi_place at)
{
	return shmemi.peers[at.pe].ep[at.seg];
}

/* Conduits that map have none. */
static struct conduit_queue *queue(struct shmem_ctx *ctx,
				   struct shmemi_place at)
{
	return shmemi.peers[at.pe].conduit[at.seg] == shmemi.net ?
		       shmemi_ctx_queue(ctx) :
		       NULL;
}

void shmemi_far_put(const char *api, struct shmem_ctx *ctx,
		    struct shmemi_place to, const void *src, size_t bytes,
		    int flags)
{
	must(api,
	     ops(to)->put(queue(ctx, to), ep(to), to.seg, to.offset, src, bytes,
			  flags),
	     to.pe);
}

void shmemi_far_get(const char *api, struct shmem_ctx *ctx, void *dst,
		    struct shmemi_place from, size_t bytes, int flags)
{
	must(api,
	     ops(from)->get(queue(ctx, from), ep(from), dst, from.seg,
			    from.offset, bytes, flags),
	     from.pe);
}

void shmemi_far_amo(const char *api, struct shmem_ctx *ctx, enum conduit_amo op,
		    size_t bytes, struct shmemi_place at, uint64_t operand,
		    uint64_t cond, void *old, int flags)
{
	must(api,
	     ops(at)->amo(queue(ctx, at), ep(at), op, bytes, at.seg, at.offset,
			  operand, cond, old, flags),
	     at.pe);
}

void shmemi_far_put_signal(const char *api, struct shmem_ctx *ctx,
			   struct shmemi_place to, const void *src,
			   size_t bytes, struct shmemi_place signal,
			   uint64_t value, enum conduit_amo op, int flags)
{
	must(api,
	     ops(to)->put_signal(queue(ctx, to), ep(to), to.seg, to.offset, src,
				 bytes, signal.seg, signal.offset, value, op,
				 flags),
	     to.pe);
}

/* Another thread may just open it, in a transfer that is not awaited here. */
static struct conduit_queue *opened(const struct shmem_ctx *ctx)
{
	return __atomic_load_n(&ctx->queue, __ATOMIC_ACQUIRE);
}

void shmemi_far_fence(const char *api, struct shmem_ctx *ctx)
{
	struct conduit_queue *q = opened(ctx);
	int rc;

	if (!q)
		return;
	rc = shmemi.net->ops.fence(q);
	if (rc)
		shmemi_fatal("%s: %s", shmemi_api(api), strerror(-rc));
}

/* A PE's segments share their endpoint of the network. */
static struct conduit_ep *net_ep(int pe)
{
	const struct shmemi_peer *peer = &shmemi.peers[pe];

	for (int seg = 0; seg < CONDUIT_NSEGMENTS; seg++)
		if (peer->conduit[seg] == shmemi.net)
			return peer->ep[seg];
	return NULL;
}

void shmemi_far_quiet(const char *api, struct shmem_ctx *ctx, int pe)
{
	struct conduit_queue *q = opened(ctx);
	struct conduit_ep *only = NULL;
	int rc;

	if (!q)
		return;
	if (pe >= 0) {
		only = net_ep(pe);
		if (!only)
			return;
	}
	rc = shmemi.net->ops.quiet(q, only);
	if (rc)
		shmemi_fatal("%s: %s", shmemi_api(api), strerror(-rc));
}
