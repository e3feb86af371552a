/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the engine for ionic and its vendor's calls share. The layouts are those
 * of the vendor's ionic_dv.h.
 *
 * NIC_IONIC_CCQE=0 in the environment: firmware without collapsed completions.
 */
#ifndef NIC_IONIC_H
#define NIC_IONIC_H

#include <stdbool.h>

#include "nic_entry.h"

#define IONIC_N_UDMA 2
#define IONIC_ENTRY_BYTES 64
#define IONIC_CQE_BYTES 32
#define IONIC_INLINE_BYTES 32

/* Of a line of registers; lines repeat over the page. */
#define IONIC_LINE_BYTES 64
#define IONIC_N_LINES (NIC_PAGE_BYTES / IONIC_LINE_BYTES)
enum { IONIC_SQ_TYPE = 3, IONIC_RQ_TYPE = 4, IONIC_CQ_TYPE = 5 };

/* Kinds of memory, to a parent domain's allocator. */
#define IONIC_TAG ((uint64_t)21 << 32) /* RDMA_DRIVER_IONIC */
#define IONIC_TAG_CQ (IONIC_TAG | 1)
#define IONIC_TAG_SQ (IONIC_TAG | 2)
#define IONIC_TAG_RQ (IONIC_TAG | 3)

struct ionic_dv_ctx {
	void *db_page;
	uint64_t *db_ptr;
	uint8_t sq_qtype, rq_qtype, cq_qtype;
};

struct ionic_dv_queue {
	void *ptr;
	size_t size;
	uint64_t db_val;
	uint16_t mask;
	uint8_t depth_log2;
	uint8_t stride_log2;
};

struct ionic_dv_cq {
	struct ionic_dv_queue q;
};

struct ionic_dv_qp {
	struct ionic_dv_queue rq, sq;
};

struct ionic_cq_init_attr_ex {
	uint32_t comp_mask; /* 1: flags */
	uint32_t flags;	    /* 1: collapsed */
};

/* Memory of a queue. */
struct ionic_ring {
	char *p;
	uint32_t n;	     /* entries; a power of two */
	uint32_t bytes_log2; /* of one */
};

/* A context's registers, and whose doorbells may come there. */
struct ionic_page {
	uint64_t *registers;
	struct ionic_queue *queues;
	struct ionic_cq *cqs;
	unsigned int next_line; /* to look at */
};

struct ionic_queue {
	struct nic_qp *qp;
	struct ionic_page *page;
	struct ionic_queue *next;
	struct ionic_ring sq, rq;
	unsigned int udma;
	unsigned int line;  /* where its last doorbell was */
	int rang;	    /* line is known */
	uint64_t unrung_ns; /* since when there is more than it rang */
	uint64_t told;	    /* by doorbells; rung may be more */
	uint64_t rung, taken, done;
};

/* One of a NIC's pipelines. */
struct ionic_half {
	struct ionic_ring ring;
	uint32_t number;
	uint64_t made, consumed;
};

struct ionic_cq {
	struct nic_cq *cq;
	struct ionic_page *page;
	struct ionic_cq *next;
	int collapsed;
	unsigned int mask; /* of halves that it has */
	struct ionic_half half[IONIC_N_UDMA];
};

int ionic_has_collapsed(void);
struct ionic_page *ionic_page_of(struct nic_context *context);
/* Pipelines that queues of pd may be of. */
unsigned int ionic_pd_mask(const struct nic_pd *pd);
/* Of cq_create: collapsed completions. */
extern const char ionic_is_collapsed[];

/* Looks at some registers, and at that of q. */
void ionic_page_look(struct ionic_queue *q);
/* nic_engine's take. */
int ionic_take(struct nic_qp *qp, struct nic_request *request);

#endif
