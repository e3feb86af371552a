/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the engine for bnxt_re and its vendor's calls share. The layouts are
 * those of the vendor's bnxt_re_dv.h.
 */
#ifndef NIC_BNXT_H
#define NIC_BNXT_H

#include "nic_entry.h"

#define BNXT_SLOT_BYTES 16
#define BNXT_CQE_BYTES 32
#define BNXT_TABLE_BYTES 8 /* an entry of the table of messages */

struct bnxt_re_dv_db_region_attr {
	uint32_t handle;
	uint32_t dpi;
	uint64_t umdbr;
	uint64_t *dbr;
};

struct bnxt_re_dv_umem_reg_attr {
	void *addr;
	size_t size;
	uint32_t access_flags;
	uint64_t pgsz_bitmap;
	uint64_t comp_mask;
	int dmabuf_fd;
};

struct bnxt_re_dv_cq_init_attr {
	uint64_t cq_handle;
	void *umem_handle;
	uint64_t cq_umem_offset;
	uint32_t ncqe;
};

struct bnxt_re_dv_qp_init_attr {
	enum ibv_qp_type qp_type;
	uint32_t max_send_wr, max_recv_wr;
	uint32_t max_send_sge, max_recv_sge;
	uint32_t max_inline_data;
	struct ibv_cq *send_cq, *recv_cq;
	struct ibv_srq *srq;
	uint64_t qp_handle;
	void *dbr_handle;
	void *sq_umem_handle;
	uint64_t sq_umem_offset;
	uint32_t sq_len;   /* bytes of ring and table */
	uint32_t sq_slots; /* of the ring */
	void *rq_umem_handle;
	uint64_t rq_umem_offset;
	uint32_t sq_wqe_sz; /* bytes of an entry */
	uint32_t sq_psn_sz; /* bytes of an entry of the table */
	uint32_t sq_npsn;   /* entries of the table */
	uint32_t rq_len, rq_slots, rq_wqe_sz;
	uint64_t comp_mask;
};

struct bnxt_umem {
	struct nic_object object;
	struct nic_context *context;
	char *p;
	size_t bytes;
};

/* Where doorbells go: a queue's alone, or the context's default. */
struct bnxt_region {
	struct nic_object object;
	struct bnxt_re_dv_db_region_attr attr;
	struct nic_context *context;
	struct bnxt_queue *queues;
};

struct bnxt_queue {
	struct nic_qp *qp;
	struct bnxt_umem *sq_umem, *rq_umem;
	struct bnxt_region *region;
	struct bnxt_queue *next; /* of the region */
	uint64_t handle;
	char *entries;
	char *table;
	uint32_t n; /* entries of the ring; 0: it can't post */
	uint32_t n_table;
	uint32_t slots; /* of an entry */
	uint32_t psn;	/* of the next packet, 24 bits */
	/* In entries. */
	uint64_t rung, taken, done;
};

struct bnxt_cq {
	struct bnxt_umem *umem;
	char *entries;
	uint32_t n;
	uint64_t made;
};

/* Refuses memory that is not there. */
struct bnxt_umem *bnxt_umem_of(void *handle, uint64_t offset, size_t bytes,
			       const char *what);
/* The context's default one is made when it is asked for. */
struct bnxt_region *bnxt_region_default(struct nic_context *context);
struct bnxt_region *bnxt_region_of(void *handle, struct nic_context *context,
				   const char *call);

/* nic_engine's take. */
int bnxt_take(struct nic_qp *qp, struct nic_request *request);

#endif
