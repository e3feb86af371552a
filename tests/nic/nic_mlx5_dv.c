/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <infiniband/mlx5dv.h>

#include "nic_mlx5.h"

NIC_EXPORT bool mlx5dv_is_supported(struct ibv_device *device)
{
	return nic_device_of(device, "mlx5dv_is_supported")->engine ==
	       &nic_mlx5;
}

static void must_be_ours(const struct nic_context *context, const char *call)
{
	if (context->device->engine != &nic_mlx5)
		nic_refuse("%s: %s is another vendor's", call,
			   context->device->ibv.name);
}

static void qp_tell(struct ibv_qp *ibv, struct mlx5dv_qp *out)
{
	static const char call[] = "mlx5dv_init_obj";
	const struct nic_qp *qp = nic_qp_of(ibv, call);
	const struct mlx5_queue *q = qp->own;

	must_be_ours(qp->context, call);
	out->comp_mask = 0;
	out->dbrec = q->record;
	out->rq.buf = q->memory;
	out->rq.wqe_cnt = q->n_recv;
	out->rq.stride = q->recv_stride;
	out->sq.buf = q->entries;
	out->sq.wqe_cnt = q->n_blocks;
	out->sq.stride = MLX5_BLOCK_BYTES;
	out->bf.reg = (char *)q->uar->page + MLX5_REGISTER_OFFSET;
	out->bf.size = MLX5_REGISTER_BYTES;
}

static void cq_tell(struct ibv_cq *ibv, struct mlx5dv_cq *out)
{
	static const char call[] = "mlx5dv_init_obj";
	const struct nic_cq *cq = nic_cq_of(ibv, call);
	const struct mlx5_cq *c = cq->own;

	must_be_ours(cq->context, call);
	out->comp_mask = 0;
	out->buf = c->entries;
	out->dbrec = c->record;
	out->cqe_cnt = c->n;
	out->cqe_size = sizeof(struct mlx5_cqe64);
	out->cq_uar = NULL;
	out->cqn = cq->object.number;
}

NIC_EXPORT int mlx5dv_init_obj(struct mlx5dv_obj *obj, uint64_t type)
{
	if (type & ~(uint64_t)(MLX5DV_OBJ_QP | MLX5DV_OBJ_CQ))
		nic_refuse("mlx5dv_init_obj: only queue pairs and completion "
			   "queues, not 0x%llx",
			   (unsigned long long)type);
	nic_lock();
	if (type & MLX5DV_OBJ_QP)
		qp_tell(obj->qp.in, obj->qp.out);
	if (type & MLX5DV_OBJ_CQ)
		cq_tell(obj->cq.in, obj->cq.out);
	nic_unlock();
	return 0;
}

NIC_EXPORT int mlx5dv_modify_qp_udp_sport(struct ibv_qp *ibv, uint16_t port)
{
	static const char call[] = "mlx5dv_modify_qp_udp_sport";
	const struct nic_qp *qp = nic_qp_of(ibv, call);

	must_be_ours(qp->context, call);
	if (!port)
		nic_refuse("%s: port 0", call);
	return qp->state == IBV_QPS_RTS ? 0 : EINVAL;
}
