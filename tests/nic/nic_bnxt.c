/* SPDX-License-Identifier: BSD-3-Clause */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nic_bnxt.h"

#define PAGE_BYTES 4096
#define HEAD_SLOTS 2	/* of an entry, before what it moves */
#define SLOTS_MAX 65536 /* indices in the table have 16 bits */

/* A completion of a send queue; the last word is written last. */
struct cqe {
	uint64_t qp_handle;
	uint32_t con_indx;
	uint32_t rsvd1;
	uint64_t rsvd2;
	uint32_t flg_st_typ_ph;
	uint32_t opaque;
};
_Static_assert(sizeof(struct cqe) == BNXT_CQE_BYTES, "the NIC's");

static void attr(struct ibv_device_attr *attr)
{
	strcpy(attr->fw_ver, "233.2.104.0");
	attr->vendor_id = 0x14e4;
	attr->vendor_part_id = 0x1760;
	attr->max_qp_wr = 65407;
}

static int cq_create(struct nic_cq *cq)
{
	const struct bnxt_re_dv_cq_init_attr *a = cq->arg;
	struct bnxt_cq *c = calloc(1, sizeof(*c));

	if (!c)
		return ENOMEM;
	cq->own = c;
	if (!a)
		return 0;
	if (a->ncqe != 1)
		nic_refuse("bnxt_re_dv_create_cq: %u completions; this NIC "
			   "overwrites one",
			   a->ncqe);
	c->n = a->ncqe;
	c->umem = bnxt_umem_of(a->umem_handle, a->cq_umem_offset,
			       c->n * BNXT_CQE_BYTES, "completions");
	c->umem->object.users++;
	c->entries = c->umem->p + a->cq_umem_offset;
	return 0;
}

static void cq_destroy(struct nic_cq *cq)
{
	struct bnxt_cq *c = cq->own;

	if (c->umem)
		c->umem->object.users--;
	free(c);
}

static uint32_t power_of_two(uint32_t n)
{
	uint32_t p = 1;

	while (p < n)
		p *= 2;
	return p;
}

static void check_sizes(const struct bnxt_re_dv_qp_init_attr *a)
{
	const uint32_t slots = a->sq_wqe_sz / BNXT_SLOT_BYTES;
	const uint64_t bytes = (uint64_t)a->sq_slots * BNXT_SLOT_BYTES +
			       (uint64_t)a->sq_npsn * BNXT_TABLE_BYTES;

	if (a->sq_wqe_sz % BNXT_SLOT_BYTES || slots <= HEAD_SLOTS ||
	    !a->sq_slots || a->sq_slots % slots || a->sq_slots > SLOTS_MAX)
		nic_refuse("bnxt_re_dv_create_qp: %u slots for entries of %u "
			   "bytes",
			   a->sq_slots, a->sq_wqe_sz);
	if (a->sq_psn_sz != BNXT_TABLE_BYTES ||
	    a->sq_npsn != power_of_two(a->sq_slots) / 2)
		nic_refuse("bnxt_re_dv_create_qp: a table of %u messages, %u "
			   "bytes each, expected %u of 8",
			   a->sq_npsn, a->sq_psn_sz,
			   power_of_two(a->sq_slots) / 2);
	if (a->sq_len % PAGE_BYTES || a->sq_len < bytes)
		nic_refuse("bnxt_re_dv_create_qp: sq_len is %u, expected pages "
			   "for %llu bytes",
			   a->sq_len, (unsigned long long)bytes);
	if (a->max_inline_data > a->sq_wqe_sz - HEAD_SLOTS * BNXT_SLOT_BYTES)
		nic_refuse("bnxt_re_dv_create_qp: %u bytes inline in entries "
			   "of %u",
			   a->max_inline_data, a->sq_wqe_sz);
	if (a->comp_mask)
		nic_refuse("bnxt_re_dv_create_qp: unknown bits 0x%llx",
			   (unsigned long long)a->comp_mask);
}

static void rings_set(struct bnxt_queue *q,
		      const struct bnxt_re_dv_qp_init_attr *a)
{
	q->sq_umem = bnxt_umem_of(a->sq_umem_handle, a->sq_umem_offset,
				  a->sq_len, "the send queue");
	q->rq_umem = bnxt_umem_of(a->rq_umem_handle, a->rq_umem_offset,
				  a->rq_len, "the receive queue");
	if ((uint64_t)a->rq_slots * BNXT_SLOT_BYTES > a->rq_len)
		nic_refuse("bnxt_re_dv_create_qp: %u slots to receive in %u "
			   "bytes",
			   a->rq_slots, a->rq_len);
	q->sq_umem->object.users++;
	q->rq_umem->object.users++;
	q->entries = q->sq_umem->p + a->sq_umem_offset;
	q->table = q->entries + (size_t)a->sq_slots * BNXT_SLOT_BYTES;
	q->slots = a->sq_wqe_sz / BNXT_SLOT_BYTES;
	q->n = a->sq_slots / q->slots;
	q->n_table = a->sq_npsn;
	q->handle = a->qp_handle;
}

static int qp_create(struct nic_qp *qp, struct ibv_qp_cap *cap)
{
	const struct bnxt_re_dv_qp_init_attr *a = qp->arg;
	struct bnxt_queue *q = calloc(1, sizeof(*q));

	(void)cap;
	if (!q)
		return ENOMEM;
	q->qp = qp;
	qp->own = q;
	if (!a)
		return 0;
	check_sizes(a);
	rings_set(q, a);
	q->region = a->dbr_handle ? bnxt_region_of(a->dbr_handle, qp->context,
						   "bnxt_re_dv_create_qp") :
				    bnxt_region_default(qp->context);
	q->region->object.users++;
	q->next = q->region->queues;
	q->region->queues = q;
	return 0;
}

static void region_leave(struct bnxt_queue *q)
{
	struct bnxt_queue **at = &q->region->queues;

	while (*at != q)
		at = &(*at)->next;
	*at = q->next;
	q->region->object.users--;
}

static void qp_destroy(struct nic_qp *qp)
{
	struct bnxt_queue *q = qp->own;

	if (q->n) {
		q->sq_umem->object.users--;
		q->rq_umem->object.users--;
		region_leave(q);
	}
	free(q);
}

static void qp_modified(struct nic_qp *qp, enum ibv_qp_state from)
{
	struct bnxt_queue *q = qp->own;

	if (qp->state == IBV_QPS_RTS && from == IBV_QPS_RTR)
		q->psn = qp->attr.sq_psn & 0xffffff;
	if (qp->state == IBV_QPS_RESET)
		q->rung = q->taken = q->done = 0;
}

static uint32_t status_code(enum ibv_wc_status status)
{
	static const uint8_t of[] = {
		[IBV_WC_BAD_RESP_ERR] = 0x1,
		[IBV_WC_LOC_LEN_ERR] = 0x2,
		[IBV_WC_LOC_QP_OP_ERR] = 0x3,
		[IBV_WC_LOC_PROT_ERR] = 0x4,
		[IBV_WC_LOC_ACCESS_ERR] = 0x5,
		[IBV_WC_REM_INV_REQ_ERR] = 0x6,
		[IBV_WC_REM_ACCESS_ERR] = 0x7,
		[IBV_WC_REM_OP_ERR] = 0x8,
		[IBV_WC_RNR_RETRY_EXC_ERR] = 0x9,
		[IBV_WC_RETRY_EXC_ERR] = 0xa,
		[IBV_WC_WR_FLUSH_ERR] = 0xb,
	};

	if (!status)
		return 0;
	return (size_t)status < sizeof(of) && of[status] ? of[status] : 0x8;
}

/*
 * The one completion is overwritten. Its status comes before its index, so that
 * who sees the index of an entry that failed sees that it failed.
 */
static void cqe_write(const struct nic_qp *qp, uint64_t upto,
		      enum ibv_wc_status status)
{
	const struct bnxt_queue *q = qp->own;
	struct bnxt_cq *c = qp->cq->own;
	const struct cqe cqe = {
		.qp_handle = htole64(q->handle),
		.con_indx = htole32((uint32_t)(upto & (q->n - 1))),
		.flg_st_typ_ph = htole32(status_code(status) << 8 |
					 (c->made / c->n % 2 ? 0 : 1)),
	};
	char *to = c->entries + c->made % c->n * sizeof(cqe);

	nic_store(to, &cqe.qp_handle, 8);
	nic_store(to + 24, &cqe.flg_st_typ_ph, 8);
	nic_store(to + 8, &cqe.con_indx, 8);
	c->made++;
	nic_counts.completions++;
}

/* After an error the NIC says that it flushes, but not once for each entry. */
static void complete(struct nic_qp *qp, const struct nic_request *request,
		     enum ibv_wc_status status)
{
	struct bnxt_queue *q = qp->own;

	q->done = request->place + 1;
	if (status == IBV_WC_WR_FLUSH_ERR)
		return;
	if (status || request->signaled || qp->sig_all)
		cqe_write(qp, q->done, status);
}

const struct nic_engine nic_bnxt = {
	.name = "bnxt_re",
	.prefix = "bnxt_re",
	.attr = attr,
	.cq_create = cq_create,
	.cq_destroy = cq_destroy,
	.qp_create = qp_create,
	.qp_destroy = qp_destroy,
	.qp_modified = qp_modified,
	.take = bnxt_take,
	.complete = complete,
};
