/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of `verbs`: work requests by ibv_post_send and ibv_poll_cq. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nic.h"

/* Places are free again when a completion of later ones is polled. */
struct soft_queue {
	struct nic_request *ring;
	uint32_t n;
	uint64_t posted, taken, freed;
};

struct soft_completion {
	struct ibv_wc wc;
	struct nic_qp *qp; /* NULL: of one that was destroyed */
	uint64_t place;
};

struct soft_cq {
	struct soft_completion *ring;
	uint64_t written, polled;
};

static int soft_cq_create(struct nic_cq *cq)
{
	struct soft_cq *own = calloc(1, sizeof(*own));

	if (!own)
		return ENOMEM;
	own->ring = calloc((size_t)cq->cqe, sizeof(*own->ring));
	if (!own->ring) {
		free(own);
		return ENOMEM;
	}
	cq->own = own;
	return 0;
}

static void soft_cq_destroy(struct nic_cq *cq)
{
	struct soft_cq *own = cq->own;

	free(own->ring);
	free(own);
}

static int soft_qp_create(struct nic_qp *qp, struct ibv_qp_cap *cap)
{
	struct soft_queue *own = calloc(1, sizeof(*own));

	if (!own)
		return ENOMEM;
	own->n = cap->max_send_wr ? cap->max_send_wr : 1;
	own->ring = calloc(own->n, sizeof(*own->ring));
	if (!own->ring) {
		free(own);
		return ENOMEM;
	}
	qp->own = own;
	return 0;
}

static void completions_drop(const struct nic_qp *qp)
{
	struct soft_cq *cq = qp->cq->own;

	for (uint64_t i = cq->polled; i < cq->written; i++)
		if (cq->ring[i % (uint64_t)qp->cq->cqe].qp == qp)
			cq->ring[i % (uint64_t)qp->cq->cqe].qp = NULL;
}

static void soft_qp_destroy(struct nic_qp *qp)
{
	struct soft_queue *own = qp->own;

	completions_drop(qp);
	free(own->ring);
	free(own);
}

static void soft_modified(struct nic_qp *qp, enum ibv_qp_state from)
{
	struct soft_queue *own = qp->own;

	(void)from;
	if (qp->state != IBV_QPS_RESET)
		return;
	completions_drop(qp);
	own->posted = own->taken = own->freed = 0;
}

static int soft_take(struct nic_qp *qp, struct nic_request *request)
{
	struct soft_queue *own = qp->own;

	if (own->taken == own->posted)
		return 0;
	*request = own->ring[own->taken++ % own->n];
	return 1;
}

static enum ibv_wc_opcode wc_opcode(enum nic_op op)
{
	switch (op) {
	case NIC_WRITE:
		return IBV_WC_RDMA_WRITE;
	case NIC_READ:
		return IBV_WC_RDMA_READ;
	case NIC_SWAP_IF:
		return IBV_WC_COMP_SWAP;
	default:
		return IBV_WC_FETCH_ADD;
	}
}

static void soft_complete(struct nic_qp *qp, const struct nic_request *request,
			  enum ibv_wc_status status)
{
	struct soft_cq *cq = qp->cq->own;
	struct soft_completion *c;

	if (!request->signaled && status == IBV_WC_SUCCESS)
		return;
	if (cq->written - cq->polled == (uint64_t)qp->cq->cqe)
		nic_refuse("CQ %u overruns: %d completions were not polled",
			   qp->cq->object.number, qp->cq->cqe);
	c = &cq->ring[cq->written++ % (uint64_t)qp->cq->cqe];
	memset(c, 0, sizeof(*c));
	c->qp = qp;
	c->place = request->place;
	c->wc.wr_id = request->wr_id;
	c->wc.status = status;
	c->wc.opcode = wc_opcode(request->op);
	c->wc.qp_num = qp->ibv.qp_num;
	nic_counts.completions++;
}

static int soft_poll(struct nic_cq *cq, int n, struct ibv_wc *wc)
{
	struct soft_cq *own = cq->own;
	int got = 0;

	while (got < n && own->polled < own->written) {
		const struct soft_completion *c =
			&own->ring[own->polled++ % (uint64_t)cq->cqe];

		if (!c->qp)
			continue;
		((struct soft_queue *)c->qp->own)->freed = c->place + 1;
		wc[got++] = c->wc;
	}
	return got;
}

static void op_fill(struct nic_qp *qp, struct nic_request *r,
		    const struct ibv_send_wr *wr)
{
	r->remote = wr->wr.rdma.remote_addr;
	r->rkey = wr->wr.rdma.rkey;
	if (wr->opcode == IBV_WR_RDMA_WRITE) {
		r->op = NIC_WRITE;
	} else if (wr->opcode == IBV_WR_RDMA_READ) {
		r->op = NIC_READ;
	} else if (wr->opcode == IBV_WR_ATOMIC_CMP_AND_SWP ||
		   wr->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		const int swap = wr->opcode == IBV_WR_ATOMIC_CMP_AND_SWP;

		r->op = swap ? NIC_SWAP_IF : NIC_ADD;
		r->bytes = 8;
		r->data[0] =
			swap ? wr->wr.atomic.swap : wr->wr.atomic.compare_add;
		r->data[1] = swap ? wr->wr.atomic.compare_add : 0;
		r->remote = wr->wr.atomic.remote_addr;
		r->rkey = wr->wr.atomic.rkey;
	} else {
		nic_refuse("ibv_post_send: QP %#x: opcode %d", qp->ibv.qp_num,
			   wr->opcode);
	}
}

static void inline_fill(struct nic_qp *qp, struct nic_request *r,
			const struct ibv_send_wr *wr)
{
	for (int i = 0; i < wr->num_sge; i++) {
		const struct ibv_sge *sge = &wr->sg_list[i];

		if (r->inline_bytes + sge->length > qp->cap.max_inline_data)
			nic_refuse("ibv_post_send: QP %#x: more inline bytes "
				   "than %u",
				   qp->ibv.qp_num, qp->cap.max_inline_data);
		memcpy(r->inline_data + r->inline_bytes,
		       (const void *)(uintptr_t)sge->addr, sge->length);
		r->inline_bytes += sge->length;
	}
	r->n_sge = 0;
}

static void request_fill(struct nic_qp *qp, struct nic_request *r,
			 const struct ibv_send_wr *wr)
{
	if (wr->num_sge < 0 || (uint32_t)wr->num_sge > qp->cap.max_send_sge ||
	    wr->num_sge > NIC_SGES)
		nic_refuse("ibv_post_send: QP %#x: %d pieces", qp->ibv.qp_num,
			   wr->num_sge);
	memset(r, 0, sizeof(*r));
	op_fill(qp, r, wr);
	r->signaled = qp->sig_all || (wr->send_flags & IBV_SEND_SIGNALED);
	r->fence = (wr->send_flags & IBV_SEND_FENCE) != 0;
	r->wr_id = wr->wr_id;
	if (wr->send_flags & IBV_SEND_INLINE) {
		inline_fill(qp, r, wr);
		return;
	}
	r->n_sge = (unsigned int)wr->num_sge;
	for (int i = 0; i < wr->num_sge; i++)
		r->sge[i] = (struct nic_sge){ wr->sg_list[i].addr,
					      wr->sg_list[i].length,
					      wr->sg_list[i].lkey };
}

static int soft_post(struct nic_qp *qp, struct ibv_send_wr *wr,
		     struct ibv_send_wr **bad)
{
	struct soft_queue *own = qp->own;

	if (qp->state != IBV_QPS_RTS && qp->state != IBV_QPS_ERR)
		nic_refuse("ibv_post_send: QP %#x is not in RTS",
			   qp->ibv.qp_num);
	for (; wr; wr = wr->next) {
		if (own->posted - own->freed == own->n) {
			*bad = wr;
			return ENOMEM;
		}
		request_fill(qp, &own->ring[own->posted % own->n], wr);
		own->ring[own->posted % own->n].place = own->posted;
		own->posted++;
		nic_counts.entries++;
	}
	nic_counts.doorbells++;
	nic_thread_wake();
	return 0;
}

const struct nic_engine nic_soft = {
	.name = "verbs",
	.prefix = "soft_",
	.cq_create = soft_cq_create,
	.cq_destroy = soft_cq_destroy,
	.qp_create = soft_qp_create,
	.qp_destroy = soft_qp_destroy,
	.qp_modified = soft_modified,
	.take = soft_take,
	.complete = soft_complete,
	.post_send = soft_post,
	.poll_cq = soft_poll,
};
