/* SPDX-License-Identifier: BSD-3-Clause */
#include <endian.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <string.h>

#include "nic_mlx5.h"

#define PAGE_BYTES 4096
#define RECORD_BYTES 8
/*
 * What libmlx5 counts for one request beside data: the longest of what a
 * reliable queue pair may be asked for, which registers memory.
 */
#define OVERHEAD_BYTES 128

static uint32_t power_of_two(uint32_t n)
{
	uint32_t p = 1;

	while (p < n)
		p *= 2;
	return p;
}

static void attr(struct ibv_device_attr *attr)
{
	strcpy(attr->fw_ver, "28.39.1002");
	attr->vendor_id = 0x02c9;
	attr->vendor_part_id = 4129;
	attr->max_qp_wr = 32768;
}

/* --- Queues --- */

static int cq_create(struct nic_cq *cq)
{
	struct mlx5_cq *c = calloc(1, sizeof(*c));
	struct mlx5_cqe64 none = { .op_own = MLX5_CQE_INVALID << 4 };

	if (!c)
		return ENOMEM;
	c->n = power_of_two((uint32_t)cq->cqe + 1);
	c->entries = nic_buffer_alloc(cq->pd, (size_t)c->n * sizeof(none),
				      PAGE_BYTES, MLX5DV_RES_TYPE_CQ);
	c->record = nic_buffer_alloc(cq->pd, RECORD_BYTES, RECORD_BYTES,
				     MLX5DV_RES_TYPE_DBR);
	cq->own = c;
	if (!c->entries || !c->record)
		return ENOMEM;
	for (uint32_t i = 0; i < c->n; i++)
		nic_store(c->entries + i * sizeof(none), &none, sizeof(none));
	cq->cqe = (int)c->n - 1;
	return 0;
}

static void cq_destroy(struct nic_cq *cq)
{
	struct mlx5_cq *c = cq->own;

	nic_buffer_free(cq->pd, c->entries, MLX5DV_RES_TYPE_CQ);
	nic_buffer_free(cq->pd, c->record, MLX5DV_RES_TYPE_DBR);
	free(c);
}

static struct mlx5_uar *uar_of(struct nic_qp *qp)
{
	void **owner = qp->pd->td ? &qp->pd->td->own : &qp->context->own;
	struct mlx5_uar *uar = *owner;

	if (uar)
		return uar;
	uar = calloc(1, sizeof(*uar));
	if (!uar)
		return NULL;
	uar->page = nic_registers_new();
	uar->owner = owner;
	*owner = uar;
	return uar;
}

static int uar_join(struct mlx5_queue *q)
{
	q->uar = uar_of(q->qp);
	if (!q->uar)
		return ENOMEM;
	q->next = q->uar->queues;
	q->uar->queues = q;
	return 0;
}

static void uar_leave(struct mlx5_queue *q)
{
	struct mlx5_queue **at = &q->uar->queues;

	while (*at != q)
		at = &(*at)->next;
	*at = q->next;
	if (q->uar->queues)
		return;
	*q->uar->owner = NULL;
	nic_registers_free(q->uar->page);
	free(q->uar);
}

static uint32_t align(uint32_t n, uint32_t to)
{
	return (n + to - 1) / to * to;
}

/* 0: more than the NIC takes. */
static uint32_t wqe_bytes(const struct ibv_qp_cap *cap)
{
	uint32_t data = cap->max_send_sge * 16;
	uint32_t inlined =
		cap->max_inline_data ? align(4 + cap->max_inline_data, 16) : 0;
	uint32_t bytes = OVERHEAD_BYTES + (data > inlined ? data : inlined);

	return bytes > MLX5_ENTRY_BYTES_MAX ? 0 :
					      align(bytes, MLX5_BLOCK_BYTES);
}

static int rings_size(struct mlx5_queue *q, struct ibv_qp_cap *cap)
{
	const uint32_t bytes = wqe_bytes(cap);

	if (!bytes)
		return EINVAL;
	q->n_blocks = cap->max_send_wr ?
			      power_of_two(cap->max_send_wr * bytes) /
				      MLX5_BLOCK_BYTES :
			      0;
	if (q->n_blocks > (uint32_t)q->qp->context->device->attr.max_qp_wr)
		return EINVAL;
	if (cap->max_send_wr)
		cap->max_inline_data = bytes - OVERHEAD_BYTES - 4;
	q->recv_stride = power_of_two(cap->max_recv_sge * 16);
	q->n_recv = cap->max_recv_wr ? power_of_two(cap->max_recv_wr) : 0;
	return 0;
}

static int qp_create(struct nic_qp *qp, struct ibv_qp_cap *cap)
{
	struct mlx5_queue *q = calloc(1, sizeof(*q));
	size_t recv, bytes;
	int rc;

	if (!q)
		return ENOMEM;
	q->qp = qp;
	qp->own = q;
	rc = rings_size(q, cap);
	if (rc)
		return rc;
	recv = align(q->n_recv * q->recv_stride, MLX5_BLOCK_BYTES);
	bytes = recv + (size_t)q->n_blocks * MLX5_BLOCK_BYTES;
	q->memory = nic_buffer_alloc(qp->pd, bytes ? bytes : MLX5_BLOCK_BYTES,
				     PAGE_BYTES, MLX5DV_RES_TYPE_QP);
	q->record = nic_buffer_alloc(qp->pd, RECORD_BYTES, RECORD_BYTES,
				     MLX5DV_RES_TYPE_DBR);
	if (!q->memory || !q->record)
		return ENOMEM;
	q->entries = q->memory + recv;
	return uar_join(q);
}

static void qp_destroy(struct nic_qp *qp)
{
	struct mlx5_queue *q = qp->own;

	uar_leave(q);
	nic_buffer_free(qp->pd, q->memory, MLX5DV_RES_TYPE_QP);
	nic_buffer_free(qp->pd, q->record, MLX5DV_RES_TYPE_DBR);
	free(q);
}

static void qp_modified(struct nic_qp *qp, enum ibv_qp_state from)
{
	static const uint32_t zero[2];
	struct mlx5_queue *q = qp->own;

	if (qp->state != IBV_QPS_RESET || from == IBV_QPS_RESET)
		return;
	q->rung = q->taken = q->done = 0;
	nic_store(q->record, zero, sizeof(zero));
}

/* --- Doorbells --- */

static uint32_t be_word(uint64_t value, int i)
{
	return be32toh((uint32_t)(value >> 32 * i));
}

/*
 * What a doorbell says: kernels write the blocks posted so far where the entry
 * has its index; hosts write the first 8 bytes of the last entry.
 */
static uint16_t doorbell_upto(const struct mlx5_queue *q, uint64_t value)
{
	const uint32_t first = be_word(value, 0), second = be_word(value, 1);
	const uint16_t index = (uint16_t)(first >> 8);
	const uint32_t ds = second & 0xff;

	if (!(first & 0xff0000ff) && !ds)
		return index;
	if (nic_load64(q->entries + (index & (q->n_blocks - 1)) *
					    (size_t)MLX5_BLOCK_BYTES) != value)
		nic_queue_refuse(q->qp,
				 "doorbell 0x%016llx, big-endian "
				 "0x%08x 0x%08x: expected blocks << 8 and "
				 "number << 8, or an entry's first 8 bytes",
				 (unsigned long long)value, first, second);
	return (uint16_t)(index + (ds + 3) / 4);
}

static void doorbell(struct mlx5_queue *q, uint64_t value)
{
	const uint16_t upto = doorbell_upto(q, value);
	const uint32_t record = be32toh(nic_load32(&q->record[MLX5_SND_DBR]));
	const uint16_t more = (uint16_t)(upto - (uint16_t)q->rung);
	const uint16_t ahead = (uint16_t)(record - upto);

	if (record >> 16)
		nic_queue_refuse(q->qp,
				 "the doorbell record has 0x%08x, "
				 "expected a count of 16 bits",
				 record);
	if (ahead > q->n_blocks)
		nic_queue_refuse(q->qp,
				 "the doorbell says %u blocks, but its "
				 "record %u: expected no less",
				 upto, record);
	if (q->rung + more - q->done > q->n_blocks)
		nic_queue_refuse(q->qp,
				 "the doorbell says %u blocks after "
				 "%llu of which %llu have completed: it goes "
				 "back, or laps a ring of %u",
				 upto, (unsigned long long)q->rung,
				 (unsigned long long)q->done, q->n_blocks);
	q->rung += more;
}

void mlx5_uar_look(struct mlx5_uar *uar)
{
	struct mlx5_queue *q = uar->queues;
	uint64_t value;
	uint32_t number;

	if (!nic_register_take(uar->page + MLX5_REGISTER_OFFSET / 8, &value))
		return;
	number = be_word(value, 1) >> 8;
	while (q && q->qp->ibv.qp_num != number)
		q = q->next;
	if (!q)
		nic_queue_refuse(uar->queues->qp,
				 "its register has a doorbell "
				 "for queue pair 0x%x: 0x%016llx",
				 number, (unsigned long long)value);
	doorbell(q, value);
}

/* --- Completions --- */

static uint8_t syndrome(enum ibv_wc_status status)
{
	static const uint8_t of[] = {
		[IBV_WC_LOC_LEN_ERR] = MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR,
		[IBV_WC_LOC_QP_OP_ERR] = MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR,
		[IBV_WC_LOC_PROT_ERR] = MLX5_CQE_SYNDROME_LOCAL_PROT_ERR,
		[IBV_WC_WR_FLUSH_ERR] = MLX5_CQE_SYNDROME_WR_FLUSH_ERR,
		[IBV_WC_MW_BIND_ERR] = MLX5_CQE_SYNDROME_MW_BIND_ERR,
		[IBV_WC_BAD_RESP_ERR] = MLX5_CQE_SYNDROME_BAD_RESP_ERR,
		[IBV_WC_LOC_ACCESS_ERR] = MLX5_CQE_SYNDROME_LOCAL_ACCESS_ERR,
		[IBV_WC_REM_INV_REQ_ERR] =
			MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR,
		[IBV_WC_REM_ACCESS_ERR] = MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR,
		[IBV_WC_REM_OP_ERR] = MLX5_CQE_SYNDROME_REMOTE_OP_ERR,
		[IBV_WC_RETRY_EXC_ERR] =
			MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR,
		[IBV_WC_RNR_RETRY_EXC_ERR] =
			MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR,
		[IBV_WC_REM_ABORT_ERR] = MLX5_CQE_SYNDROME_REMOTE_ABORTED_ERR,
	};

	if ((size_t)status < sizeof(of) && of[status])
		return of[status];
	return MLX5_CQE_SYNDROME_REMOTE_OP_ERR;
}

/* Like the NIC: its last 8 bytes, with the owner, in one store after all. */
static void cqe_write(const struct nic_qp *qp, struct mlx5_cq *c, void *cqe)
{
	char *to = c->entries + (c->made & (c->n - 1)) * 64;
	const size_t last = 64 - 8;

	((uint8_t *)cqe)[63] |= !!(c->made & c->n);
	if (!qp->cq->ignores_overrun &&
	    ((c->made - be32toh(nic_load32(c->record))) & 0xffffff) >= c->n)
		nic_queue_refuse(qp,
				 "completion queue %u has no room: %llu of "
				 "%u were not consumed",
				 qp->cq->object.number,
				 (unsigned long long)c->made, c->n);
	nic_store(to, cqe, last);
	nic_store(to + last, (char *)cqe + last, 8);
	c->made++;
	nic_counts.completions++;
}

static void cqe_good(struct nic_qp *qp, const struct nic_request *request)
{
	struct mlx5_cqe64 cqe = {
		.byte_cnt = htobe32(request->bytes),
		.sop_drop_qpn = htobe32((uint32_t)request->own[0] << 24 |
					qp->ibv.qp_num),
		.wqe_counter = htobe16((uint16_t)request->place),
		.op_own = MLX5_CQE_REQ << 4,
	};

	cqe_write(qp, qp->cq->own, &cqe);
}

static void cqe_bad(struct nic_qp *qp, const struct nic_request *request,
		    enum ibv_wc_status status)
{
	struct mlx5_err_cqe cqe = {
		.vendor_err_synd = (uint8_t)(0x80 | status),
		.syndrome = syndrome(status),
		.s_wqe_opcode_qpn = htobe32((uint32_t)request->own[0] << 24 |
					    qp->ibv.qp_num),
		.wqe_counter = htobe16((uint16_t)request->place),
		.op_own = MLX5_CQE_REQ_ERR << 4,
	};

	cqe_write(qp, qp->cq->own, &cqe);
}

static void complete(struct nic_qp *qp, const struct nic_request *request,
		     enum ibv_wc_status status)
{
	struct mlx5_queue *q = qp->own;

	q->done = request->place + request->own[1];
	if (status)
		cqe_bad(qp, request, status);
	else if (request->signaled || qp->sig_all)
		cqe_good(qp, request);
}

const struct nic_engine nic_mlx5 = {
	.name = "mlx5",
	.prefix = "mlx5_",
	.attr = attr,
	.cq_create = cq_create,
	.cq_destroy = cq_destroy,
	.qp_create = qp_create,
	.qp_destroy = qp_destroy,
	.qp_modified = qp_modified,
	.take = mlx5_take,
	.complete = complete,
};
