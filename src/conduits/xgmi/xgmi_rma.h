/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of the xgmi conduit that work. See conduit.h for the contracts. */
#ifndef XGMI_RMA_H
#define XGMI_RMA_H

#include "conduits/conduit.h"

int xgmi_open(struct conduit *conduit);
int xgmi_close(struct conduit *conduit);
int xgmi_connect(const struct conduit_peer *peer,
		 const struct conduit_region *regions, const void *card,
		 struct conduit_ep **ep);
int xgmi_disconnect(struct conduit_ep *ep);
int xgmi_put(struct conduit_queue *q, struct conduit_ep *ep,
	     enum conduit_segment seg, size_t offset, const void *src,
	     size_t bytes, int flags);
int xgmi_get(struct conduit_queue *q, struct conduit_ep *ep, void *dst,
	     enum conduit_segment seg, size_t offset, size_t bytes, int flags);
int xgmi_amo(struct conduit_queue *q, struct conduit_ep *ep,
	     enum conduit_amo op, size_t bytes, enum conduit_segment seg,
	     size_t offset, uint64_t operand, uint64_t cond, void *old,
	     int flags);
int xgmi_put_signal(struct conduit_queue *q, struct conduit_ep *ep,
		    enum conduit_segment seg, size_t offset, const void *src,
		    size_t bytes, enum conduit_segment sig_seg,
		    size_t sig_offset, uint64_t signal, enum conduit_amo op,
		    int flags);

/* On device memory that kernels of this PE reach at target; old may be NULL. */
int xgmi_amo_by_kernel(enum conduit_amo op, size_t bytes, void *target,
		       uint64_t operand, uint64_t cond, void *old);

#endif
