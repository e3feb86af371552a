/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/ucx/ucx.h"

#include <errno.h>
#include <string.h>

#include "conduits/atomic.h"
#include "gpu/gpu.h"

static const ucp_atomic_op_t ops[] = {
	[CONDUIT_FETCH] = UCP_ATOMIC_OP_ADD,
	[CONDUIT_SET] = UCP_ATOMIC_OP_SWAP,
	[CONDUIT_SWAP] = UCP_ATOMIC_OP_SWAP,
	[CONDUIT_CSWAP] = UCP_ATOMIC_OP_CSWAP,
	[CONDUIT_ADD] = UCP_ATOMIC_OP_ADD,
	[CONDUIT_AND] = UCP_ATOMIC_OP_AND,
	[CONDUIT_OR] = UCP_ATOMIC_OP_OR,
	[CONDUIT_XOR] = UCP_ATOMIC_OP_XOR,
};

/* An atomic; it is listed where it is left. */
struct amo {
	ucp_atomic_op_t op;
	size_t bytes;
	enum conduit_segment seg;
	size_t offset;
	uint64_t operand;
	void *reply; /* or NULL */
};

static int amo_start(struct ucx_use *use, const struct amo *amo, int leave)
{
	struct ucx_lane *lane = use->lane;
	ucp_request_param_t param = UCX_LEFT(use);
	ucs_status_ptr_t request;

	if (!leave)
		param.op_attr_mask = 0;
	param.op_attr_mask |= UCP_OP_ATTR_FIELD_DATATYPE;
	param.datatype = ucp_dt_make_contig(amo->bytes);
	param.reply_buffer = amo->reply;
	if (amo->reply)
		param.op_attr_mask |= UCP_OP_ATTR_FIELD_REPLY_BUFFER;
	if (leave) {
		ucx_use_put(use, amo->bytes);
		use->amos = 1;
	}
	request =
		ucp_atomic_op_nbx(lane->ep, amo->op, &amo->operand, 1,
				  lane->peer->seg[amo->seg].base + amo->offset,
				  lane->rkey[amo->seg], &param);
	if (!request)
		return 0;
	return leave ? ucx_request_leave(use, request, "do an atomic on") :
		       ucx_request_wait(use, request, "do an atomic on");
}

int ucx_use_signal(struct ucx_use *use, enum conduit_segment seg, size_t offset,
		   uint64_t signal, enum conduit_amo op)
{
	const struct amo amo = {
		.op = ops[op],
		.bytes = sizeof(signal),
		.seg = seg,
		.offset = offset,
		.operand = signal,
		.reply = op == CONDUIT_SET ? &use->lane->worker->junk : NULL,
	};

	return amo_start(use, &amo, 1);
}

/* Nobody wants the value before: it may be left but for CSWAP's. */
static int use_post(struct ucx_use *use, enum conduit_amo op, struct amo *amo,
		    uint64_t operand, uint64_t cond)
{
	uint64_t swap = operand;

	if (op == CONDUIT_CSWAP) {
		amo->operand = cond;
		amo->reply = &swap;
		return amo_start(use, amo, 0);
	}
	if (op == CONDUIT_SET || op == CONDUIT_SWAP)
		amo->reply = &use->lane->worker->junk;
	return op == CONDUIT_FETCH ? 0 : amo_start(use, amo, 1);
}

static int give(void *old, uint64_t was, size_t bytes)
{
	if (ucx.staging && ucx_stage_is_device(old))
		return shmemg->copy(old, &was, bytes);
	memcpy(old, &was, bytes);
	return 0;
}

static int use_fetch(struct ucx_use *use, enum conduit_amo op, struct amo *amo,
		     uint64_t operand, uint64_t cond, void *old, int flags)
{
	uint64_t was = operand; /* of CSWAP: what goes there */
	int rc;

	if (op == CONDUIT_CSWAP)
		amo->operand = cond;
	if ((flags & CONDUIT_NBI) &&
	    !(ucx.staging && ucx_stage_is_device(old))) {
		memcpy(old, &was, amo->bytes);
		amo->reply = old;
		return amo_start(use, amo, 1);
	}
	amo->reply = &was;
	rc = amo_start(use, amo, 0);
	return rc ? rc : give(old, was, amo->bytes);
}

int ucx_amo(struct conduit_queue *q, struct conduit_ep *ep, enum conduit_amo op,
	    size_t bytes, enum conduit_segment seg, size_t offset,
	    uint64_t operand, uint64_t cond, void *old, int flags)
{
	struct amo amo = {
		.op = ops[op],
		.bytes = bytes,
		.seg = seg,
		.offset = offset,
		.operand = op == CONDUIT_FETCH ? 0 : operand,
	};
	char *at = ucx_direct(q, ep, seg, old);
	struct ucx_use *use;
	int rc = -EHOSTUNREACH;
	int am;

	if (at) {
		operand = shmemi_atomic(op, bytes, at + offset, operand, cond);
		return old ? give(old, operand, bytes) : 0;
	}
	ucx_enter(q->worker);
	use = ucx_use_get(q, ep);
	if (!use)
		goto unlock;
	am = ep->staged >> seg & 1;
	/* Atomics are in order among themselves. */
	rc = am || use->am_pending ? ucx_use_settle(use, am) : 0;
	if (rc)
		goto unlock;
	if (am)
		rc = ucx_am_amo(use, op, bytes, seg, offset, operand, cond, old,
				flags);
	else if (old)
		rc = use_fetch(use, op, &amo, operand, cond, old, flags);
	else
		rc = use_post(use, op, &amo, operand, cond);
unlock:
	ucx_unlock(q->worker);
	return rc;
}
