/* SPDX-License-Identifier: BSD-3-Clause */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nic_ionic.h"

#define PAGE_BYTES 4096
#define ENTRY_LOG2 6
#define CQE_LOG2 5
#define SPARE_COMPLETIONS 100 /* that the driver adds */
#define DEPTH_MAX 0xffff

const char ionic_is_collapsed[] = "collapsed";

/* A completion, all big-endian but for the index. */
struct cqe {
	uint32_t rsvd;
	uint32_t msg_msn;
	uint64_t rsvd2;
	uint64_t npg_wqe_idx_timestamp;
	uint32_t status_length;
	uint32_t qid_type_flags;
};
_Static_assert(sizeof(struct cqe) == IONIC_CQE_BYTES, "the NIC's");

enum { CQE_COLOUR = 1, CQE_ERROR = 2, CQE_BY_MESSAGE = 2, CQE_BY_INDEX = 3 };

int ionic_has_collapsed(void)
{
	const char *set = getenv("NIC_IONIC_CCQE");

	return !set || strcmp(set, "0");
}

static void attr(struct ibv_device_attr *attr)
{
	strcpy(attr->fw_ver,
	       ionic_has_collapsed() ? "1.117.5-a-77" : "1.117.1-a-14");
	attr->vendor_id = 0x1dd8;
	attr->vendor_part_id = 0x1008;
	attr->max_qp_wr = DEPTH_MAX;
	attr->max_sge = attr->max_sge_rd = 2;
	attr->max_cqe = DEPTH_MAX - SPARE_COMPLETIONS;
}

struct ionic_page *ionic_page_of(struct nic_context *context)
{
	struct ionic_page *page = context->own;

	if (page)
		return page;
	page = calloc(1, sizeof(*page));
	if (!page)
		nic_refuse("no memory for a page of doorbells");
	page->registers = nic_registers_new();
	context->own = page;
	return page;
}

static void context_close(struct nic_context *context)
{
	struct ionic_page *page = context->own;

	if (!page)
		return;
	nic_registers_free(page->registers);
	free(page);
	context->own = NULL;
}

/* As the driver rounds: more than depth, and whole pages. */
static int ring_alloc(struct ionic_ring *ring, struct nic_pd *pd, uint64_t tag,
		      uint32_t depth, uint32_t bytes_log2)
{
	uint32_t n = 1;

	if (depth > DEPTH_MAX)
		return EINVAL;
	while (n <= (depth ? depth : 1))
		n *= 2;
	while (n << bytes_log2 < PAGE_BYTES)
		n *= 2;
	ring->n = n;
	ring->bytes_log2 = bytes_log2;
	ring->p =
		nic_buffer_alloc(pd, (size_t)n << bytes_log2, PAGE_BYTES, tag);
	if (!ring->p)
		return ENOMEM;
	for (uint32_t i = 0; i < n && tag == IONIC_TAG_SQ; i++)
		nic_entry_retire(ring->p + ((size_t)i << bytes_log2),
				 IONIC_ENTRY_BYTES);
	return 0;
}

unsigned int ionic_pd_mask(const struct nic_pd *pd)
{
	const unsigned int all = (1u << IONIC_N_UDMA) - 1;

	return pd && pd->own ? (unsigned int)(uintptr_t)pd->own & all : all;
}

static int cq_create(struct nic_cq *cq)
{
	struct ionic_cq *c = calloc(1, sizeof(*c));
	int rc = 0;

	if (!c)
		return ENOMEM;
	c->cq = cq;
	c->collapsed = cq->arg == ionic_is_collapsed;
	c->mask = ionic_pd_mask(cq->pd);
	for (unsigned int i = 0; i < IONIC_N_UDMA && !rc; i++) {
		if (!(c->mask & 1u << i))
			continue;
		rc = ring_alloc(&c->half[i].ring, cq->pd, IONIC_TAG_CQ,
				(uint32_t)cq->cqe + SPARE_COMPLETIONS,
				CQE_LOG2);
		c->half[i].number = cq->object.number * IONIC_N_UDMA + i;
	}
	c->page = ionic_page_of(cq->context);
	c->next = c->page->cqs;
	c->page->cqs = c;
	cq->own = c;
	return rc;
}

static void cq_destroy(struct nic_cq *cq)
{
	struct ionic_cq *c = cq->own, **at = &c->page->cqs;

	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	for (unsigned int i = 0; i < IONIC_N_UDMA; i++)
		if (c->mask & 1u << i)
			nic_buffer_free(cq->pd, c->half[i].ring.p,
					IONIC_TAG_CQ);
	free(c);
}

static int udma_choose(struct ionic_queue *q)
{
	const struct ionic_cq *c = q->qp->cq->own;
	const unsigned int both = ionic_pd_mask(q->qp->pd) & c->mask;

	if (!both)
		nic_refuse("ibv_create_qp: its CQ is not of the pipelines 0x%x "
			   "of its PD",
			   ionic_pd_mask(q->qp->pd));
	q->udma = (unsigned int)__builtin_ctz(both);
	return 0;
}

static int qp_create(struct nic_qp *qp, struct ibv_qp_cap *cap)
{
	struct ionic_queue *q = calloc(1, sizeof(*q));
	int rc;

	if (!q)
		return ENOMEM;
	q->qp = qp;
	qp->own = q;
	if (cap->max_send_sge > 2 || cap->max_inline_data > IONIC_INLINE_BYTES)
		return EINVAL;
	rc = udma_choose(q);
	if (!rc)
		rc = ring_alloc(&q->sq, qp->pd, IONIC_TAG_SQ, cap->max_send_wr,
				ENTRY_LOG2);
	if (!rc)
		rc = ring_alloc(&q->rq, qp->pd, IONIC_TAG_RQ, cap->max_recv_wr,
				ENTRY_LOG2);
	if (rc)
		return rc;
	cap->max_send_wr = q->sq.n - 1;
	cap->max_recv_wr = q->rq.n - 1;
	cap->max_send_sge = cap->max_recv_sge = 2;
	cap->max_inline_data = IONIC_INLINE_BYTES;
	q->page = ionic_page_of(qp->context);
	q->next = q->page->queues;
	q->page->queues = q;
	return 0;
}

static void qp_destroy(struct nic_qp *qp)
{
	struct ionic_queue *q = qp->own, **at = &q->page->queues;

	while (*at != q)
		at = &(*at)->next;
	*at = q->next;
	nic_buffer_free(qp->pd, q->sq.p, IONIC_TAG_SQ);
	nic_buffer_free(qp->pd, q->rq.p, IONIC_TAG_RQ);
	free(q);
}

static void qp_modified(struct nic_qp *qp, enum ibv_qp_state from)
{
	struct ionic_queue *q = qp->own;

	(void)from;
	if (qp->state == IBV_QPS_RESET)
		q->told = q->rung = q->taken = q->done = 0;
}

/* --- Completions --- */

static uint32_t status_code(enum ibv_wc_status status)
{
	static const uint8_t of[] = {
		[IBV_WC_LOC_LEN_ERR] = 1,    [IBV_WC_LOC_QP_OP_ERR] = 2,
		[IBV_WC_LOC_PROT_ERR] = 3,   [IBV_WC_WR_FLUSH_ERR] = 4,
		[IBV_WC_MW_BIND_ERR] = 5,    [IBV_WC_BAD_RESP_ERR] = 6,
		[IBV_WC_LOC_ACCESS_ERR] = 7, [IBV_WC_REM_INV_REQ_ERR] = 8,
		[IBV_WC_REM_ACCESS_ERR] = 9, [IBV_WC_REM_OP_ERR] = 10,
		[IBV_WC_RETRY_EXC_ERR] = 11, [IBV_WC_RNR_RETRY_EXC_ERR] = 12,
	};

	if (!status)
		return 0;
	return (size_t)status < sizeof(of) && of[status] ? of[status] : 10;
}

static int is_local(enum ibv_wc_status status)
{
	return status == IBV_WC_LOC_LEN_ERR || status == IBV_WC_LOC_QP_OP_ERR ||
	       status == IBV_WC_LOC_PROT_ERR || status == IBV_WC_LOC_ACCESS_ERR;
}

/* As the driver: one entry of a ring is never used. */
static void check_room(const struct nic_qp *qp, const struct ionic_half *half)
{
	if (half->made - half->consumed >= half->ring.n - 1)
		nic_queue_refuse(
			qp,
			"completion queue 0x%x has no room: the "
			"doorbell says that %llu of %llu were "
			"consumed, and it holds %u",
			half->number, (unsigned long long)half->consumed,
			(unsigned long long)half->made, half->ring.n - 1);
}

/*
 * The word with colour and error last; in a collapsed one the count is last, so
 * that who sees the count of what failed sees that it failed.
 */
static void cqe_store(const struct ionic_cq *c, struct ionic_half *half,
		      const struct cqe *cqe)
{
	char *to = half->ring.p;

	if (!c->collapsed) {
		to += (half->made & (half->ring.n - 1)) * sizeof(*cqe);
		nic_store(to, cqe, 24);
		nic_store(to + 24, &cqe->status_length, 8);
	} else {
		nic_store(to + 16, &cqe->npg_wqe_idx_timestamp, 8);
		nic_store(to + 24, &cqe->status_length, 8);
		nic_store(to, cqe, 8);
	}
	half->made++;
	nic_counts.completions++;
}

static void cqe_write(const struct nic_qp *qp,
		      const struct nic_request *request,
		      enum ibv_wc_status status)
{
	const struct ionic_queue *q = qp->own;
	const struct ionic_cq *c = qp->cq->own;
	struct ionic_half *half =
		&((struct ionic_cq *)qp->cq->own)->half[q->udma];
	const int by_index = is_local(status) || status == IBV_WC_WR_FLUSH_ERR;
	const uint32_t colour = half->made & half->ring.n ? 0 : CQE_COLOUR;
	const struct cqe cqe = {
		.msg_msn = htobe32((uint32_t)(request->place + 1) & 0xffffff),
		.npg_wqe_idx_timestamp =
			htole64(request->place & (q->sq.n - 1)),
		.status_length = htobe32(status_code(status)),
		.qid_type_flags = htobe32(
			qp->ibv.qp_num << 8 |
			(by_index ? CQE_BY_INDEX : CQE_BY_MESSAGE) << 5 |
			(status ? CQE_ERROR : 0) | colour),
	};

	if (!c->collapsed)
		check_room(qp, half);
	cqe_store(c, half, &cqe);
}

/* One completion says that all which follow an error are flushed. */
static void complete(struct nic_qp *qp, const struct nic_request *request,
		     enum ibv_wc_status status)
{
	struct ionic_queue *q = qp->own;

	q->done = request->place + 1;
	if (status == IBV_WC_WR_FLUSH_ERR)
		return;
	if (status || request->signaled || qp->sig_all)
		cqe_write(qp, request, status);
}

const struct nic_engine nic_ionic = {
	.name = "ionic",
	.prefix = "ionic_",
	.attr = attr,
	.context_close = context_close,
	.cq_create = cq_create,
	.cq_destroy = cq_destroy,
	.qp_create = qp_create,
	.qp_destroy = qp_destroy,
	.qp_modified = qp_modified,
	.take = ionic_take,
	.complete = complete,
};
