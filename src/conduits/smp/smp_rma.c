/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/smp/smp_rma.h"

#include <errno.h>
#include <stdlib.h>

#include "conduits/atomic.h"
#include "base/copy.h"
#include "base/log.h"
#include "base/order.h"

struct conduit_ep {
	char *base[CONDUIT_NSEGMENTS];
};

int smp_connect(const struct conduit_peer *peer,
		const struct conduit_region *regions, struct conduit_ep **ep)
{
	struct conduit_ep *e = calloc(1, sizeof(*e));

	if (!e) {
		shmemi_log_error("out of memory for PE %d on %s", peer->pe,
				 peer->host);
		return -ENOMEM;
	}
	for (int seg = 0; seg < CONDUIT_NSEGMENTS; seg++)
		e->base[seg] = regions[seg].base;
	*ep = e;
	return 0;
}

int smp_disconnect(struct conduit_ep *ep)
{
	free(ep);
	return 0;
}

int smp_put(struct conduit_ep *ep, enum conduit_segment seg, size_t offset,
	    const void *src, size_t bytes)
{
	shmemi_copy(ep->base[seg] + offset, src, bytes);
	return 0;
}

int smp_get(struct conduit_ep *ep, void *dst, enum conduit_segment seg,
	    size_t offset, size_t bytes)
{
	shmemi_copy(dst, ep->base[seg] + offset, bytes);
	return 0;
}

int smp_amo(struct conduit_ep *ep, enum conduit_amo op, size_t bytes,
	    enum conduit_segment seg, size_t offset, uint64_t operand,
	    uint64_t cond, uint64_t *old)
{
	uint64_t was =
		shmemi_atomic(op, bytes, ep->base[seg] + offset, operand, cond);

	if (old)
		*old = was;
	return 0;
}

int smp_put_signal(struct conduit_ep *ep, enum conduit_segment seg,
		   size_t offset, const void *src, size_t bytes,
		   enum conduit_segment sig_seg, size_t sig_offset,
		   uint64_t signal, enum conduit_amo op)
{
	shmemi_copy(ep->base[seg] + offset, src, bytes);
	shmemi_signal(op, (uint64_t *)(ep->base[sig_seg] + sig_offset), signal);
	return 0;
}

int smp_fence(struct conduit_ep *ep)
{
	(void)ep;
	store_before_store();
	return 0;
}

int smp_quiet(struct conduit_ep *ep)
{
	(void)ep;
	store_before_all();
	return 0;
}
