/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/smp/smp_rma.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "base/log.h"
#include "conduits/atomic.h"

struct conduit_ep {
	char *base[CONDUIT_NSEGMENTS];
};

int smp_connect(const struct conduit_peer *peer,
		const struct conduit_region *regions, const void *card,
		struct conduit_ep **ep)
{
	struct conduit_ep *e = calloc(1, sizeof(*e));

	(void)card;
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

int smp_put(struct conduit_queue *q, struct conduit_ep *ep,
	    enum conduit_segment seg, size_t offset, const void *src,
	    size_t bytes, int flags)
{
	(void)q, (void)flags;
	shmemi_copy(ep->base[seg] + offset, src, bytes);
	return 0;
}

int smp_get(struct conduit_queue *q, struct conduit_ep *ep, void *dst,
	    enum conduit_segment seg, size_t offset, size_t bytes, int flags)
{
	(void)q, (void)flags;
	shmemi_copy(dst, ep->base[seg] + offset, bytes);
	return 0;
}

int smp_amo(struct conduit_queue *q, struct conduit_ep *ep, enum conduit_amo op,
	    size_t bytes, enum conduit_segment seg, size_t offset,
	    uint64_t operand, uint64_t cond, void *old, int flags)
{
	uint64_t was =
		shmemi_atomic(op, bytes, ep->base[seg] + offset, operand, cond);

	(void)q, (void)flags;
	if (old)
		memcpy(old, &was, bytes);
	return 0;
}

int smp_put_signal(struct conduit_queue *q, struct conduit_ep *ep,
		   enum conduit_segment seg, size_t offset, const void *src,
		   size_t bytes, enum conduit_segment sig_seg,
		   size_t sig_offset, uint64_t signal, enum conduit_amo op,
		   int flags)
{
	(void)q, (void)flags;
	shmemi_copy(ep->base[seg] + offset, src, bytes);
	shmemi_signal(op, (uint64_t *)(ep->base[sig_seg] + sig_offset), signal);
	return 0;
}
