/* SPDX-License-Identifier: BSD-3-Clause */
/* RMA and AMO rows of the smp conduit. See conduit.h for the contracts. */
#ifndef SMP_RMA_H
#define SMP_RMA_H

#include "conduits/conduit.h"

int smp_connect(const struct conduit_peer *peer,
		const struct conduit_region *regions, const void *card,
		struct conduit_ep **ep);
int smp_disconnect(struct conduit_ep *ep);
int smp_put(struct conduit_queue *q, struct conduit_ep *ep,
	    enum conduit_segment seg, size_t offset, const void *src,
	    size_t bytes, int flags);
int smp_get(struct conduit_queue *q, struct conduit_ep *ep, void *dst,
	    enum conduit_segment seg, size_t offset, size_t bytes, int flags);
int smp_amo(struct conduit_queue *q, struct conduit_ep *ep, enum conduit_amo op,
	    size_t bytes, enum conduit_segment seg, size_t offset,
	    uint64_t operand, uint64_t cond, void *old, int flags);
int smp_put_signal(struct conduit_queue *q, struct conduit_ep *ep,
		   enum conduit_segment seg, size_t offset, const void *src,
		   size_t bytes, enum conduit_segment sig_seg,
		   size_t sig_offset, uint64_t signal, enum conduit_amo op,
		   int flags);

#endif
