/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether both sides let a request happen; who does not says why. */
#include "nic_impl.h"

int nic_op_atomic(enum nic_op op)
{
	return op == NIC_ADD || op == NIC_SWAP_IF || op == NIC_MASKED_SWAP ||
	       op == NIC_MASKED_ADD;
}

static enum ibv_wc_status local_check(const struct nic_qp *qp,
				      const struct nic_sge *sge, int write)
{
	const struct nic_mr *mr = nic_mr_local(sge->lkey);
	const uint32_t number = qp->ibv.qp_num;

	if (!mr) {
		nic_say("QP %#x: there is no local key %#x", number, sge->lkey);
	} else if (mr->pd != qp->pd->real) {
		nic_say("QP %#x: local key %#x is of another PD", number,
			sge->lkey);
	} else if (sge->addr < mr->addr ||
		   sge->addr - mr->addr > mr->bytes - sge->bytes ||
		   sge->bytes > mr->bytes) {
		nic_say("QP %#x: %u bytes at %#llx are not in the region of "
			"local key %#x, %zu bytes at %#llx",
			number, sge->bytes, (unsigned long long)sge->addr,
			sge->lkey, mr->bytes, (unsigned long long)mr->addr);
	} else if (write && !(mr->access & IBV_ACCESS_LOCAL_WRITE)) {
		nic_say("QP %#x: the region of local key %#x is not to be "
			"written",
			number, sge->lkey);
	} else {
		return IBV_WC_SUCCESS;
	}
	return IBV_WC_LOC_PROT_ERR;
}

static enum ibv_wc_status locals_check(struct nic_work *work)
{
	const struct nic_request *r = work->request;
	const int write = r->op == NIC_READ || nic_op_atomic(r->op);
	enum ibv_wc_status status = IBV_WC_SUCCESS;

	work->bytes = r->inline_bytes;
	if (r->inline_bytes && (r->n_sge || r->op != NIC_WRITE)) {
		nic_say("QP %#x: only a write has inline bytes, and no others",
			work->qp->ibv.qp_num);
		return IBV_WC_LOC_QP_OP_ERR;
	}
	for (unsigned int i = 0; i < r->n_sge && !status; i++) {
		work->bytes += r->sge[i].bytes;
		if (r->sge[i].bytes)
			status = local_check(work->qp, &r->sge[i], write);
	}
	if (!status && work->bytes > NIC_MAX_MESSAGE) {
		nic_say("QP %#x: a message of %zu bytes", work->qp->ibv.qp_num,
			work->bytes);
		return IBV_WC_LOC_LEN_ERR;
	}
	return status;
}

static unsigned int right_for(enum nic_op op)
{
	if (op == NIC_WRITE)
		return IBV_ACCESS_REMOTE_WRITE;
	return op == NIC_READ ? IBV_ACCESS_REMOTE_READ :
				IBV_ACCESS_REMOTE_ATOMIC;
}

/* Why the other side refuses, or NULL. */
static const char *remote_fault(const struct nic_work *work)
{
	const struct nic_shared_mr *mr = work->mr;
	const struct nic_request *r = work->request;
	const unsigned int right = right_for(r->op);

	if (!mr || mr->pid != work->peer->pid)
		return "has no such key";
	if (mr->pd != work->peer->pd)
		return "has that key in another PD";
	if (mr->device != work->peer->device)
		return "has that key at another NIC";
	if (work->bytes > mr->bytes || r->remote < mr->addr ||
	    r->remote - mr->addr > mr->bytes - work->bytes)
		return "has a region there that doesn't hold it";
	if (!(mr->access & right))
		return "has a region there without that right";
	if (!(work->peer->access & right))
		return "has a queue pair without that right";
	return NULL;
}

static const char *op_name(enum nic_op op)
{
	static const char *const names[] = {
		"write",       "read",	     "add", "compare and swap",
		"masked swap", "masked add", "nop",
	};

	return (unsigned int)op < 7 ? names[op] : "?";
}

static enum ibv_wc_status remote_check(struct nic_work *work)
{
	const struct nic_request *r = work->request;
	const char *fault;

	if (!work->bytes && !nic_op_atomic(r->op))
		return IBV_WC_SUCCESS;
	work->mr = nic_shared_mr_find(r->rkey);
	fault = remote_fault(work);
	if (!fault)
		return IBV_WC_SUCCESS;
	nic_say("QP %#x: a %s of %zu bytes at %#llx by remote key %#x: process "
		"%d %s",
		work->qp->ibv.qp_num, op_name(r->op), work->bytes,
		(unsigned long long)r->remote, r->rkey, work->peer->pid, fault);
	return IBV_WC_REM_ACCESS_ERR;
}

static enum ibv_wc_status atomic_check(const struct nic_work *work)
{
	const struct nic_request *r = work->request;

	if (!nic_op_atomic(r->op))
		return IBV_WC_SUCCESS;
	if ((r->bytes != 4 && r->bytes != 8) || work->bytes != r->bytes) {
		nic_say("QP %#x: an atomic of %u bytes, whose result has %zu",
			work->qp->ibv.qp_num, r->bytes, work->bytes);
		return IBV_WC_LOC_QP_OP_ERR;
	}
	if (r->remote % r->bytes) {
		nic_say("QP %#x: an atomic of %u bytes at %#llx is not aligned",
			work->qp->ibv.qp_num, r->bytes,
			(unsigned long long)r->remote);
		return IBV_WC_REM_INV_REQ_ERR;
	}
	if (!work->qp->attr.max_rd_atomic || !work->peer->max_dest_reads) {
		nic_say("QP %#x: an atomic, but no atomics were agreed on",
			work->qp->ibv.qp_num);
		return IBV_WC_REM_INV_REQ_ERR;
	}
	return IBV_WC_SUCCESS;
}

enum ibv_wc_status nic_access_check(struct nic_work *work)
{
	enum ibv_wc_status status = locals_check(work);

	if (work->request->op == NIC_NOP)
		return status;
	if (!status)
		status = atomic_check(work);
	if (!status)
		status = remote_check(work);
	return status;
}
