/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/ucx/ucx.h"

#include <errno.h>

#include "base/copy.h"
#include "conduits/atomic.h"

static const ucp_request_param_t waited;

static int use_put(struct ucx_use *use, enum conduit_segment seg, size_t offset,
		   const void *src, size_t bytes, int flags)
{
	struct ucx_lane *lane = use->lane;
	const ucp_request_param_t left = UCX_LEFT(use);
	int nbi = flags & CONDUIT_NBI;
	ucs_status_ptr_t request;

	ucx_use_put(use, bytes);
	request = ucp_put_nbx(lane->ep, src, bytes,
			      lane->peer->seg[seg].base + offset,
			      lane->rkey[seg], nbi ? &left : &waited);
	if (!request)
		return 0;
	return nbi ? ucx_request_leave(use, request, "put to") :
		     ucx_request_wait(use, request, "put to");
}

static int use_get(struct ucx_use *use, void *dst, enum conduit_segment seg,
		   size_t offset, size_t bytes, int flags)
{
	struct ucx_lane *lane = use->lane;
	const ucp_request_param_t left = UCX_LEFT(use);
	int nbi = flags & CONDUIT_NBI;
	ucs_status_ptr_t request;

	request = ucp_get_nbx(lane->ep, dst, bytes,
			      lane->peer->seg[seg].base + offset,
			      lane->rkey[seg], nbi ? &left : &waited);
	if (!request)
		return 0;
	if (!nbi)
		return ucx_request_wait(use, request, "get from");
	ucx_use_list(use, bytes);
	return ucx_request_leave(use, request, "get from");
}

int ucx_put(struct conduit_queue *q, struct conduit_ep *ep,
	    enum conduit_segment seg, size_t offset, const void *src,
	    size_t bytes, int flags)
{
	struct ucx_use *use;
	int rc = -EHOSTUNREACH;
	char *at;
	int am;

	if (!bytes)
		return 0;
	at = ucx_direct(q, ep, seg, src);
	if (at) {
		shmemi_copy(at + offset, src, bytes);
		return 0;
	}
	ucx_enter(q->worker);
	use = ucx_use_get(q, ep);
	if (!use)
		goto unlock;
	am = ucx_am_wants(ep, seg, src, flags);
	rc = ucx_use_settle(use, am);
	if (!rc && !am)
		rc = use_put(use, seg, offset, src, bytes, flags);
	else if (!rc)
		rc = ucx_am_put(use, seg, offset, src, bytes, flags);
unlock:
	ucx_unlock(q->worker);
	return rc;
}

int ucx_get(struct conduit_queue *q, struct conduit_ep *ep, void *dst,
	    enum conduit_segment seg, size_t offset, size_t bytes, int flags)
{
	struct ucx_use *use;
	int rc = -EHOSTUNREACH;
	const char *at;
	int am;

	if (!bytes)
		return 0;
	at = ucx_direct(q, ep, seg, dst);
	if (at) {
		shmemi_copy(dst, at + offset, bytes);
		return 0;
	}
	ucx_enter(q->worker);
	use = ucx_use_get(q, ep);
	if (!use)
		goto unlock;
	am = ucx_am_wants(ep, seg, dst, flags);
	rc = ucx_use_settle(use, am);
	if (!rc && !am)
		rc = use_get(use, dst, seg, offset, bytes, flags);
	else if (!rc)
		rc = ucx_am_get(use, dst, seg, offset, bytes, flags);
unlock:
	ucx_unlock(q->worker);
	return rc;
}

/* One flight of an active message, if it is small. */
static int am_wants_signal(const struct ucx_use *use, enum conduit_segment seg,
			   const void *src, size_t bytes,
			   enum conduit_segment sig_seg)
{
	const struct conduit_ep *ep = use->lane->peer;

	if (bytes <= UCX_AM_SIGNAL_BYTES)
		return 1;
	return ucx_am_wants(ep, sig_seg, NULL, 0) ||
	       (bytes && ucx_am_wants(ep, seg, src, 0));
}

static int use_put_signal(struct ucx_use *use, enum conduit_segment seg,
			  size_t offset, const void *src, size_t bytes,
			  enum conduit_segment sig_seg, size_t sig_offset,
			  uint64_t signal, enum conduit_amo op, int flags)
{
	ucs_status_t status = UCS_OK;
	int rc = 0;

	if (bytes) {
		rc = use_put(use, seg, offset, src, bytes, flags);
		status = ucp_worker_fence(use->lane->worker->ucp);
	}
	if (status != UCS_OK)
		return ucx_failed(use->lane->peer, "fence", status);
	return rc ? rc : ucx_use_signal(use, sig_seg, sig_offset, signal, op);
}

int ucx_put_signal(struct conduit_queue *q, struct conduit_ep *ep,
		   enum conduit_segment seg, size_t offset, const void *src,
		   size_t bytes, enum conduit_segment sig_seg,
		   size_t sig_offset, uint64_t signal, enum conduit_amo op,
		   int flags)
{
	char *at = bytes ? ucx_direct(q, ep, seg, src) : NULL;
	char *flag = ucx_direct(q, ep, sig_seg, NULL);
	struct ucx_use *use;
	int rc = -EHOSTUNREACH;
	int am;

	if (flag && (at || !bytes)) {
		if (bytes)
			shmemi_copy(at + offset, src, bytes);
		shmemi_signal(op, (uint64_t *)(flag + sig_offset), signal);
		return 0;
	}
	ucx_enter(q->worker);
	use = ucx_use_get(q, ep);
	if (!use)
		goto unlock;
	am = am_wants_signal(use, seg, src, bytes, sig_seg);
	rc = ucx_use_settle(use, am);
	if (!rc && !am)
		rc = use_put_signal(use, seg, offset, src, bytes, sig_seg,
				    sig_offset, signal, op, flags);
	else if (!rc)
		rc = ucx_am_put_signal(use, seg, offset, src, bytes, sig_seg,
				       sig_offset, signal, op, flags);
unlock:
	ucx_unlock(q->worker);
	return rc;
}
