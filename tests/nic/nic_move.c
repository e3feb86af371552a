/* SPDX-License-Identifier: BSD-3-Clause */
#include "nic_impl.h"

static void local_span(const struct nic_sge *sge, struct nic_span *span)
{
	const struct nic_mr *mr = nic_mr_local(sge->lkey);

	*span = (struct nic_span){
		.p = mr->host ? mr->host + (sge->addr - mr->addr) :
				(char *)(uintptr_t)sge->addr,
		.bytes = sge->bytes,
		.gpu = !mr->host,
	};
}

static enum ibv_wc_status not_there(const struct nic_work *work, uint64_t at)
{
	if (!nic_alive(work->mr->pid))
		return IBV_WC_RETRY_EXC_ERR;
	nic_say("QP %#x: memory of process %d at %#llx is not there any more",
		work->qp->ibv.qp_num, work->mr->pid, (unsigned long long)at);
	return IBV_WC_REM_OP_ERR;
}

/* One piece of the local side, to or from the remote bytes that begin at. */
static enum ibv_wc_status piece_move(const struct nic_work *work, uint64_t at,
				     struct nic_span local, int read)
{
	struct nic_span remote;

	while (local.bytes) {
		if (nic_map_remote(work->mr, at, local.bytes, &remote))
			return not_there(work, at);
		if (read)
			nic_copy(&local, &remote, remote.bytes);
		else
			nic_copy(&remote, &local, remote.bytes);
		local.p += remote.bytes;
		local.bytes -= remote.bytes;
		at += remote.bytes;
	}
	return IBV_WC_SUCCESS;
}

static enum ibv_wc_status bytes_move(const struct nic_work *work)
{
	const struct nic_request *r = work->request;
	enum ibv_wc_status status = IBV_WC_SUCCESS;
	struct nic_span local = { (char *)(uintptr_t)r->inline_data,
				  r->inline_bytes, 0, 0 };
	uint64_t at = r->remote;

	if (r->inline_bytes)
		return piece_move(work, at, local, 0);
	for (unsigned int i = 0; i < r->n_sge && !status; i++) {
		if (!r->sge[i].bytes)
			continue;
		local_span(&r->sge[i], &local);
		status = piece_move(work, at, local, r->op == NIC_READ);
		at += local.bytes;
	}
	return status;
}

/* Only among NICs, as real ones are in memory of a GPU. */
static uint64_t atomic_copies(const struct nic_request *r,
			      const struct nic_span *span)
{
	uint64_t was = 0, next;

	nic_shared_lock();
	nic_copy_from(&was, span, r->bytes);
	next = nic_atomic_next(r, was);
	nic_copy_to(span, &next, r->bytes);
	nic_shared_unlock();
	return was;
}

static uint64_t result_order(const struct nic_request *r, uint64_t was)
{
	if (!r->big_endian)
		return was;
	return r->bytes == 8 ? __builtin_bswap64(was) :
			       __builtin_bswap32((uint32_t)was);
}

static enum ibv_wc_status atomic_move(const struct nic_work *work)
{
	const struct nic_request *r = work->request;
	struct nic_span remote, local;
	uint64_t was;

	if (nic_map_remote(work->mr, r->remote, r->bytes, &remote))
		return not_there(work, r->remote);
	was = nic_mapped(&remote) ? nic_atomic_cpu(r, remote.p) :
				    atomic_copies(r, &remote);
	was = result_order(r, was);
	local_span(&r->sge[0], &local);
	nic_copy_to(&local, &was, r->bytes);
	return IBV_WC_SUCCESS;
}

static void count(const struct nic_work *work)
{
	const struct nic_request *r = work->request;

	nic_counts.writes += r->op == NIC_WRITE;
	nic_counts.reads += r->op == NIC_READ;
	nic_counts.atomics += (uint64_t)nic_op_atomic(r->op);
	nic_counts.inlines += r->inline_bytes != 0;
	nic_counts.bytes += work->bytes;
}

static enum ibv_wc_status execute(struct nic_work *work)
{
	enum ibv_wc_status status = nic_access_check(work);

	if (status)
		return status;
	count(work);
	if (work->request->op == NIC_NOP || nic_mode_count())
		return IBV_WC_SUCCESS;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	status = nic_op_atomic(work->request->op) ? atomic_move(work) :
						    bytes_move(work);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	return status;
}

enum ibv_wc_status nic_execute(struct nic_qp *qp,
			       const struct nic_request *request)
{
	struct nic_work work = { .request = request, .qp = qp };
	enum ibv_wc_status status = IBV_WC_RETRY_EXC_ERR;

	work.peer = nic_shared_qp_find(qp->attr.dest_qp_num);
	if (work.peer)
		status = execute(&work);
	if (status == IBV_WC_REM_ACCESS_ERR)
		nic_shared_qp_find(qp->attr.dest_qp_num)->refused = 1;
	if (status && nic_mode_strict())
		nic_refuse("QP %#x: a request ends in error %d", qp->ibv.qp_num,
			   status);
	return status;
}
