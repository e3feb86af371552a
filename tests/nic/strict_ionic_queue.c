/* SPDX-License-Identifier: BSD-3-Clause */
#include "nic_ionic.h"
#include "strict.h"

#define LINE 5 /* of registers: each line has all */

static struct own {
	struct ibv_pd *parent;
	struct ionic_dv_ctx ctx;
	struct ionic_dv_qp qp;
	struct ionic_dv_cq cq;
} own;

int strict_ionic_collapsed;

static struct ibv_cq *cq_make(struct strict *s)
{
	struct ibv_cq_ex *(*create)(struct ibv_context *,
				    struct ibv_cq_init_attr_ex *,
				    struct ionic_cq_init_attr_ex *) =
		strict_symbol("ionic_dv_create_cq_ex");
	struct ibv_cq_init_attr_ex attr = {
		.cqe = strict_ionic_collapsed ? 1 : 2 * STRICT_PLACES,
		.comp_mask = IBV_CQ_INIT_ATTR_MASK_PD,
		.parent_domain = own.parent,
	};
	struct ionic_cq_init_attr_ex more = { 1, 1 };

	return ibv_cq_ex_to_cq(strict_ionic_collapsed ?
				       create(s->context, &attr, &more) :
				       ibv_create_cq_ex(s->context, &attr));
}

static void make(struct strict *s)
{
	int (*set_mask)(struct ibv_pd *, uint8_t) =
		strict_symbol("ionic_dv_pd_set_udma_mask");
	struct ibv_parent_domain_init_attr parent = { .pd = s->pd };
	struct ibv_qp_init_attr qp = {
		.cap = { .max_send_wr = STRICT_PLACES,
			 .max_send_sge = 1,
			 .max_inline_data = 32 },
		.qp_type = IBV_QPT_RC,
	};

	own.parent = ibv_alloc_parent_domain(s->context, &parent);
	set_mask(own.parent, 2);
	s->cq = cq_make(s);
	qp.send_cq = qp.recv_cq = s->cq;
	s->qp = strict_create_qp(own.parent, &qp);
}

static void found(struct strict *s)
{
	int (*get_ctx)(struct ionic_dv_ctx *, struct ibv_context *) =
		strict_symbol("ionic_dv_get_ctx");
	int (*get_cq)(struct ionic_dv_cq *, struct ibv_cq *, uint8_t) =
		strict_symbol("ionic_dv_get_cq");
	int (*get_qp)(struct ionic_dv_qp *, struct ibv_qp *) =
		strict_symbol("ionic_dv_get_qp");

	strict_expect("get_ctx", (uint64_t)get_ctx(&own.ctx, s->context), 0);
	strict_expect("get_qp", (uint64_t)get_qp(&own.qp, s->qp), 0);
	strict_expect("get_cq", (uint64_t)get_cq(&own.cq, s->cq, 1), 0);
	strict_expect("get_cq of another", get_cq(&own.cq, s->cq, 0) > 0, 1);
	strict_expect("bytes of an entry", own.qp.sq.stride_log2, 6);
	strict_expect("entries", own.qp.sq.mask, 2 * STRICT_PLACES - 1);
	s->n = own.qp.sq.mask + 1u;
	s->entries = own.qp.sq.ptr;
	s->completions = own.cq.q.ptr;
	s->n_completions = strict_ionic_collapsed ? 1 : own.cq.q.mask + 1u;
	s->doorbell = own.ctx.db_ptr + 8 * LINE + own.ctx.sq_qtype;
	s->cq_doorbell = own.ctx.db_ptr + 8 * LINE + own.ctx.cq_qtype;
	s->sq_bits = own.qp.sq.db_val;
	s->cq_bits = own.cq.q.db_val;
}

static void end(struct strict *s)
{
	(void)s;
	strict_dealloc_pd(own.parent);
}

const struct strict_format strict_ionic = {
	.device = "ionic",
	.make = make,
	.found = found,
	.end = end,
	.destroy_qp = strict_destroy_qp,
	.destroy_cq = strict_destroy_cq,
	.modify_qp = strict_modify_qp,
};
