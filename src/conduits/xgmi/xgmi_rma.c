/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/xgmi/xgmi_rma.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "conduits/atomic.h"
#include "device/kernels.h"
#include "gpu/gpu.h"

struct conduit_ep {
	char *base; /* of the peer's device memory, as mapped here */
};

/* What atomics of the host need where it can't touch device memory. */
static struct {
	pthread_mutex_t lock;
	shmemg_stream stream; /* made by the first of them */
	uint64_t *old;	      /* where a kernel leaves the value before */
} xgmi = { .lock = PTHREAD_MUTEX_INITIALIZER };

int xgmi_open(struct conduit *conduit)
{
	(void)conduit;
	return 0;
}

int xgmi_close(struct conduit *conduit)
{
	(void)conduit;
	if (xgmi.old)
		shmemg->host_free(xgmi.old);
	if (xgmi.stream)
		shmemg->stream_destroy(xgmi.stream);
	xgmi.old = NULL;
	xgmi.stream = NULL;
	return 0;
}

int xgmi_connect(const struct conduit_peer *peer,
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
	e->base = regions[CONDUIT_DEVICE].base;
	*ep = e;
	return 0;
}

int xgmi_disconnect(struct conduit_ep *ep)
{
	free(ep);
	return 0;
}

int xgmi_put(struct conduit_queue *q, struct conduit_ep *ep,
	     enum conduit_segment seg, size_t offset, const void *src,
	     size_t bytes, int flags)
{
	(void)q, (void)seg, (void)flags;
	return bytes ? shmemg->copy(ep->base + offset, src, bytes) : 0;
}

int xgmi_get(struct conduit_queue *q, struct conduit_ep *ep, void *dst,
	     enum conduit_segment seg, size_t offset, size_t bytes, int flags)
{
	(void)q, (void)seg, (void)flags;
	return bytes ? shmemg->copy(dst, ep->base + offset, bytes) : 0;
}

static int kernel_ready(void)
{
	void *p;
	int rc;

	if (!xgmi.stream) {
		rc = shmemg->stream_create(&xgmi.stream);
		if (rc)
			return rc;
	}
	if (!xgmi.old) {
		rc = shmemg->host_alloc(sizeof(*xgmi.old), &p);
		if (rc)
			return rc;
		xgmi.old = p;
	}
	return 0;
}

/* One work-item does it; the host waits for its answer. */
int xgmi_amo_by_kernel(enum conduit_amo op, size_t bytes, void *target,
		       uint64_t operand, uint64_t cond, void *old)
{
	struct shmemd_args_amo args = {
		.at = target,
		.operand = operand,
		.cond = cond,
		.op = (uint32_t)op,
		.bytes = (uint32_t)bytes,
	};
	int rc;

	pthread_mutex_lock(&xgmi.lock);
	rc = kernel_ready();
	args.old = xgmi.old;
	if (!rc)
		rc = shmemg->launch(&shmemd_kernel_amo, 1, 1, &args,
				    sizeof(args), xgmi.stream);
	if (!rc)
		rc = shmemg->stream_sync(xgmi.stream);
	if (!rc && old)
		memcpy(old, xgmi.old, bytes);
	pthread_mutex_unlock(&xgmi.lock);
	return rc;
}

int xgmi_amo(struct conduit_queue *q, struct conduit_ep *ep,
	     enum conduit_amo op, size_t bytes, enum conduit_segment seg,
	     size_t offset, uint64_t operand, uint64_t cond, void *old,
	     int flags)
{
	char *target = ep->base + offset;
	uint64_t was;

	(void)q, (void)seg, (void)flags;
	if (!shmemg_device.host_access)
		return xgmi_amo_by_kernel(op, bytes, target, operand, cond,
					  old);
	was = shmemi_atomic(op, bytes, target, operand, cond);
	if (old)
		memcpy(old, &was, bytes);
	return 0;
}

int xgmi_put_signal(struct conduit_queue *q, struct conduit_ep *ep,
		    enum conduit_segment seg, size_t offset, const void *src,
		    size_t bytes, enum conduit_segment sig_seg,
		    size_t sig_offset, uint64_t signal, enum conduit_amo op,
		    int flags)
{
	int rc = xgmi_put(q, ep, seg, offset, src, bytes, flags);

	if (rc)
		return rc;
	return xgmi_amo(q, ep, op, sizeof(signal), sig_seg, sig_offset, signal,
			0, NULL, flags);
}
