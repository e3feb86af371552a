/* SPDX-License-Identifier: BSD-3-Clause */
#include <infiniband/mlx5dv.h>

#include "strict.h"

#define BLOCK 64

static struct own {
	struct ibv_td *td;
	struct ibv_pd *parent;
	struct mlx5dv_qp qp;
	struct mlx5dv_cq cq;
} own;

int strict_mlx5_counts;

static void make(struct strict *s)
{
	struct ibv_td_init_attr td = { 0 };
	struct ibv_parent_domain_init_attr parent = { .pd = s->pd };
	struct ibv_cq_init_attr_ex cq = {
		.cqe = STRICT_PLACES - 1,
		.comp_mask =
			IBV_CQ_INIT_ATTR_MASK_FLAGS | IBV_CQ_INIT_ATTR_MASK_PD,
		.flags = strict_mlx5_counts ? 0 :
					      IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN,
	};
	struct ibv_qp_init_attr qp = {
		.cap = { .max_send_wr = STRICT_PLACES / 4,
			 .max_send_sge = 1,
			 .max_inline_data = 28 },
		.qp_type = IBV_QPT_RC,
	};

	own.td = ibv_alloc_td(s->context, &td);
	parent.td = own.td;
	own.parent = ibv_alloc_parent_domain(s->context, &parent);
	cq.parent_domain = own.parent;
	s->cq = ibv_cq_ex_to_cq(ibv_create_cq_ex(s->context, &cq));
	qp.send_cq = qp.recv_cq = s->cq;
	s->qp = strict_create_qp(own.parent, &qp);
}

static void found(struct strict *s)
{
	int (*init_obj)(struct mlx5dv_obj *, uint64_t) =
		strict_symbol("mlx5dv_init_obj");
	struct mlx5dv_obj obj = { .qp = { s->qp, &own.qp },
				  .cq = { s->cq, &own.cq } };

	init_obj(&obj, MLX5DV_OBJ_QP | MLX5DV_OBJ_CQ);
	strict_expect("blocks", own.qp.sq.wqe_cnt, STRICT_PLACES);
	strict_expect("bytes of a block", own.qp.sq.stride, BLOCK);
	strict_expect("completions", own.cq.cqe_cnt, STRICT_PLACES);
	s->n = own.qp.sq.wqe_cnt;
	s->entries = own.qp.sq.buf;
	s->completions = own.cq.buf;
	s->n_completions = own.cq.cqe_cnt;
	s->doorbell = own.qp.bf.reg;
	s->record = &own.qp.dbrec[MLX5_SND_DBR];
}

static void end(struct strict *s)
{
	(void)s;
	strict_dealloc_pd(own.parent);
	strict_expect("ibv_dealloc_td", (uint64_t)ibv_dealloc_td(own.td), 0);
}

const struct strict_format strict_mlx5 = {
	.device = "mlx5",
	.make = make,
	.found = found,
	.end = end,
	.destroy_qp = strict_destroy_qp,
	.destroy_cq = strict_destroy_cq,
	.modify_qp = strict_modify_qp,
};
