/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "nic_bnxt.h"
#include "strict.h"

#define ENTRY 48
#define SLOTS 3
#define N (2 * STRICT_PLACES)
#define N_TABLE (4 * STRICT_PLACES) /* half of the slots, rounded up */
#define SQ_BYTES 12288

static struct own {
	struct bnxt_re_dv_db_region_attr *region;
	void *umem[3]; /* sends, receives, completions */
	char *memory[3];
} own;

static void *umem(struct strict *s, int i, size_t bytes)
{
	void *(*reg)(struct ibv_context *, struct bnxt_re_dv_umem_reg_attr *) =
		strict_symbol("bnxt_re_dv_umem_reg");
	struct bnxt_re_dv_umem_reg_attr attr = {
		.size = bytes,
		.access_flags = IBV_ACCESS_LOCAL_WRITE,
	};

	own.memory[i] = aligned_alloc(4096, bytes);
	memset(own.memory[i], 0, bytes);
	attr.addr = own.memory[i];
	own.umem[i] = reg(s->context, &attr);
	return own.umem[i];
}

static void make(struct strict *s)
{
	struct ibv_cq *(*create_cq)(struct ibv_context *,
				    struct bnxt_re_dv_cq_init_attr *) =
		strict_symbol("bnxt_re_dv_create_cq");
	struct ibv_qp *(*create_qp)(struct ibv_pd *,
				    struct bnxt_re_dv_qp_init_attr *) =
		strict_symbol("bnxt_re_dv_create_qp");
	struct bnxt_re_dv_db_region_attr *(*alloc)(struct ibv_context *) =
		strict_symbol("bnxt_re_dv_alloc_db_region");
	struct bnxt_re_dv_cq_init_attr cq = { .ncqe = 1 };
	struct bnxt_re_dv_qp_init_attr qp = {
		.qp_type = IBV_QPT_RC,
		.max_send_wr = STRICT_PLACES,
		.max_send_sge = 1,
		.max_inline_data = 16,
		.qp_handle = 0x1234567890,
		.sq_len = SQ_BYTES,
		.sq_slots = N * SLOTS,
		.sq_wqe_sz = ENTRY,
		.sq_psn_sz = 8,
		.sq_npsn = N_TABLE,
		.rq_len = 4096,
		.rq_slots = SLOTS,
		.rq_wqe_sz = ENTRY,
	};

	own.region = alloc(s->context);
	cq.umem_handle = umem(s, 2, 4096);
	s->cq = create_cq(s->context, &cq);
	qp.dbr_handle = own.region;
	qp.send_cq = qp.recv_cq = s->cq;
	qp.sq_umem_handle = umem(s, 0, SQ_BYTES);
	qp.rq_umem_handle = umem(s, 1, 4096);
	s->qp = create_qp(s->pd, &qp);
	if (!s->qp)
		strict_fail("no queue");
}

static void found(struct strict *s)
{
	s->n = N;
	s->entries = own.memory[0];
	s->table = own.memory[0] + N * ENTRY;
	s->n_table = N_TABLE;
	s->completions = own.memory[2];
	s->n_completions = 1;
	s->doorbell = own.region->dbr;
}

static void end(struct strict *s)
{
	int (*dereg)(void *) = strict_symbol("bnxt_re_dv_umem_dereg");
	int (*free_region)(struct ibv_context *,
			   struct bnxt_re_dv_db_region_attr *) =
		strict_symbol("bnxt_re_dv_free_db_region");

	for (int i = 0; i < 3; i++) {
		strict_expect("dereg", (uint64_t)dereg(own.umem[i]), 0);
		free(own.memory[i]);
	}
	free_region(s->context, own.region);
}

static void destroy_qp(struct ibv_qp *qp)
{
	int (*destroy)(struct ibv_qp *) =
		strict_symbol("bnxt_re_dv_destroy_qp");

	strict_expect("destroy_qp", (uint64_t)destroy(qp), 0);
}

static void destroy_cq(struct ibv_cq *cq)
{
	int (*destroy)(struct ibv_cq *) =
		strict_symbol("bnxt_re_dv_destroy_cq");

	strict_expect("destroy_cq", (uint64_t)destroy(cq), 0);
}

static int modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	int (*modify)(struct ibv_qp *, struct ibv_qp_attr *, int, uint32_t,
		      uint32_t) = strict_symbol("bnxt_re_dv_modify_qp");

	return modify(qp, attr, mask, 0, 0);
}

const struct strict_format strict_bnxt = {
	.device = "bnxt_re",
	.make = make,
	.found = found,
	.end = end,
	.destroy_qp = destroy_qp,
	.destroy_cq = destroy_cq,
	.modify_qp = modify_qp,
};
