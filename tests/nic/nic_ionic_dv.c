/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "nic_ionic.h"

/* The vendor's calls, by name, as its library exports them. */
NIC_EXPORT uint8_t ionic_dv_ctx_get_udma_count(struct ibv_context *context);
NIC_EXPORT uint8_t ionic_dv_ctx_get_udma_mask(struct ibv_context *context);
NIC_EXPORT uint8_t ionic_dv_pd_get_udma_mask(struct ibv_pd *pd);
NIC_EXPORT int ionic_dv_pd_set_udma_mask(struct ibv_pd *pd, uint8_t mask);
NIC_EXPORT int ionic_dv_pd_set_sqcmb(struct ibv_pd *pd, bool enable, bool expdb,
				     bool require);
NIC_EXPORT int ionic_dv_pd_set_rqcmb(struct ibv_pd *pd, bool enable, bool expdb,
				     bool require);
NIC_EXPORT int ionic_dv_get_ctx(struct ionic_dv_ctx *out,
				struct ibv_context *context);
NIC_EXPORT int ionic_dv_get_cq(struct ionic_dv_cq *out, struct ibv_cq *cq,
			       uint8_t udma);
NIC_EXPORT int ionic_dv_get_qp(struct ionic_dv_qp *out, struct ibv_qp *qp);
NIC_EXPORT uint8_t ionic_dv_qp_get_udma_idx(struct ibv_qp *qp);
NIC_EXPORT int ionic_dv_qp_set_gda(struct ibv_qp *qp, bool send, bool recv);
NIC_EXPORT struct ibv_cq_ex *
ionic_dv_create_cq_ex(struct ibv_context *context,
		      struct ibv_cq_init_attr_ex *attr,
		      struct ionic_cq_init_attr_ex *own);

static struct nic_context *ours(struct ibv_context *ibv, const char *call)
{
	struct nic_context *context = nic_context_of(ibv, call);

	if (context->device->engine != &nic_ionic)
		nic_refuse("%s: %s is another vendor's", call,
			   context->device->ibv.name);
	return context;
}

uint8_t ionic_dv_ctx_get_udma_count(struct ibv_context *context)
{
	ours(context, "ionic_dv_ctx_get_udma_count");
	return IONIC_N_UDMA;
}

uint8_t ionic_dv_ctx_get_udma_mask(struct ibv_context *context)
{
	ours(context, "ionic_dv_ctx_get_udma_mask");
	return (1u << IONIC_N_UDMA) - 1;
}

uint8_t ionic_dv_pd_get_udma_mask(struct ibv_pd *pd)
{
	return (uint8_t)ionic_pd_mask(
		nic_pd_of(pd, "ionic_dv_pd_get_udma_mask"));
}

int ionic_dv_pd_set_udma_mask(struct ibv_pd *ibv, uint8_t mask)
{
	struct nic_pd *pd = nic_pd_of(ibv, "ionic_dv_pd_set_udma_mask");

	if (!mask || mask >> IONIC_N_UDMA)
		return EINVAL;
	nic_lock();
	pd->own = (void *)(uintptr_t)mask;
	nic_unlock();
	return 0;
}

static int set_cmb(struct ibv_pd *pd, bool enable, const char *call)
{
	nic_pd_of(pd, call);
	if (enable)
		nic_refuse("%s: queues in the NIC's own memory are not known",
			   call);
	return 0;
}

int ionic_dv_pd_set_sqcmb(struct ibv_pd *pd, bool enable, bool expdb,
			  bool require)
{
	(void)expdb, (void)require;
	return set_cmb(pd, enable, "ionic_dv_pd_set_sqcmb");
}

int ionic_dv_pd_set_rqcmb(struct ibv_pd *pd, bool enable, bool expdb,
			  bool require)
{
	(void)expdb, (void)require;
	return set_cmb(pd, enable, "ionic_dv_pd_set_rqcmb");
}

int ionic_dv_get_ctx(struct ionic_dv_ctx *out, struct ibv_context *ibv)
{
	struct nic_context *context = ours(ibv, "ionic_dv_get_ctx");

	nic_lock();
	*out = (struct ionic_dv_ctx){
		.db_page = ionic_page_of(context)->registers,
		.db_ptr = ionic_page_of(context)->registers,
		.sq_qtype = IONIC_SQ_TYPE,
		.rq_qtype = IONIC_RQ_TYPE,
		.cq_qtype = IONIC_CQ_TYPE,
	};
	nic_unlock();
	return 0;
}

static struct ionic_dv_queue tell(const struct ionic_ring *ring,
				  uint32_t number)
{
	return (struct ionic_dv_queue){
		.ptr = ring->p,
		.size = (size_t)ring->n << ring->bytes_log2,
		.db_val = (uint64_t)number << 24,
		.mask = (uint16_t)(ring->n - 1),
		.depth_log2 = (uint8_t)__builtin_ctz(ring->n),
		.stride_log2 = (uint8_t)ring->bytes_log2,
	};
}

int ionic_dv_get_cq(struct ionic_dv_cq *out, struct ibv_cq *ibv, uint8_t udma)
{
	static const char call[] = "ionic_dv_get_cq";
	const struct nic_cq *cq = nic_cq_of(ibv, call);
	const struct ionic_cq *c = cq->own;

	ours(&cq->context->verbs.context, call);
	if (udma >= IONIC_N_UDMA || !(c->mask & 1u << udma))
		return EINVAL;
	out->q = tell(&c->half[udma].ring, c->half[udma].number);
	return 0;
}

int ionic_dv_get_qp(struct ionic_dv_qp *out, struct ibv_qp *ibv)
{
	static const char call[] = "ionic_dv_get_qp";
	const struct nic_qp *qp = nic_qp_of(ibv, call);
	const struct ionic_queue *q = qp->own;

	ours(&qp->context->verbs.context, call);
	out->sq = tell(&q->sq, qp->ibv.qp_num);
	out->rq = tell(&q->rq, qp->ibv.qp_num);
	return 0;
}

uint8_t ionic_dv_qp_get_udma_idx(struct ibv_qp *ibv)
{
	static const char call[] = "ionic_dv_qp_get_udma_idx";
	const struct nic_qp *qp = nic_qp_of(ibv, call);

	ours(&qp->context->verbs.context, call);
	return (uint8_t)((const struct ionic_queue *)qp->own)->udma;
}

/* For those who post by the library, which then leaves the doorbell to them. */
int ionic_dv_qp_set_gda(struct ibv_qp *ibv, bool send, bool recv)
{
	(void)send, (void)recv;
	nic_qp_of(ibv, "ionic_dv_qp_set_gda");
	return 0;
}

struct ibv_cq_ex *ionic_dv_create_cq_ex(struct ibv_context *ibv,
					struct ibv_cq_init_attr_ex *attr,
					struct ionic_cq_init_attr_ex *own)
{
	static const char call[] = "ionic_dv_create_cq_ex";
	struct nic_context *context = ours(ibv, call);
	struct nic_pd *pd = NULL;
	struct nic_cq *cq;

	if (!ionic_has_collapsed()) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	if (own->comp_mask != 1 || own->flags != 1 || attr->cqe != 1 ||
	    attr->comp_mask & ~(uint32_t)IBV_CQ_INIT_ATTR_MASK_PD)
		nic_refuse("%s: masks 0x%x and 0x%x, flags 0x%x, %u "
			   "completions; expected one that is collapsed",
			   call, attr->comp_mask, own->comp_mask, own->flags,
			   attr->cqe);
	if (attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_PD)
		pd = nic_pd_of(attr->parent_domain, call);
	cq = nic_cq_new(context, pd, 1, attr->cq_context,
			(void *)(uintptr_t)ionic_is_collapsed);
	return cq ? &cq->ibv : NULL;
}
