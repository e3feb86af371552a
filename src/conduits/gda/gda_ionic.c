/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_provider.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shmem/device/gda_ionic_wire.h>

#include "base/log.h"

/* What libionic calls them in its allocator's types, low half. */
#define TYPE_SQ 2

#define IONIC_VENDOR 0x1dd8
#define INLINE_BYTES 32
/* A line has a register for each kind of queue; lines repeat over a page. */
#define LINE_BYTES 64
#define SPARE_COMPLETIONS 100 /* that libionic adds */

/* The layouts of ionic_dv.h, where libionic has direct calls for queues. */
struct ionic_dv_ctx {
	void *db_page;
	uint64_t *db_ptr;
	uint8_t sq_qtype;
	uint8_t rq_qtype;
	uint8_t cq_qtype;
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
	struct ionic_dv_queue rq;
	struct ionic_dv_queue sq;
};

_Static_assert(sizeof(struct ionic_dv_ctx) == 24, "libionic's layout");
_Static_assert(sizeof(struct ionic_dv_queue) == 32, "libionic's layout");
_Static_assert(offsetof(struct ionic_dv_queue, mask) == 24, "its layout");
_Static_assert(sizeof(struct ionic_dv_cq) == 32, "libionic's layout");
_Static_assert(sizeof(struct ionic_dv_qp) == 64, "libionic's layout");
_Static_assert(offsetof(struct ionic_dv_qp, sq) == 32, "libionic's layout");

/* For ionic_dv_create_cq_ex: completions that overwrite each other. */
struct ionic_cq_init_attr_ex {
	uint32_t comp_mask;
	uint32_t flags;
};
#define CQ_MASK_FLAGS 1
#define CQ_COLLAPSED 1

static struct {
	uint8_t (*ctx_get_udma_mask)(struct ibv_context *context);
	int (*pd_set_udma_mask)(struct ibv_pd *pd, uint8_t mask);
	int (*pd_set_sqcmb)(struct ibv_pd *pd, bool enable, bool express,
			    bool require);
	int (*pd_set_rqcmb)(struct ibv_pd *pd, bool enable, bool express,
			    bool require);
	int (*get_ctx)(struct ionic_dv_ctx *out, struct ibv_context *context);
	int (*get_cq)(struct ionic_dv_cq *out, struct ibv_cq *cq, uint8_t udma);
	int (*get_qp)(struct ionic_dv_qp *out, struct ibv_qp *qp);
	struct ibv_cq_ex *(*create_cq_ex)(struct ibv_context *context,
					  struct ibv_cq_init_attr_ex *attr,
					  struct ionic_cq_init_attr_ex *own);
} dv;

#define SYMBOL(name, needed) \
	{ \
		"ionic_dv_" #name, (void (**)(void)) & dv.name, needed \
	}
static const struct gda_symbol symbols[] = {
	SYMBOL(ctx_get_udma_mask, 1),
	SYMBOL(pd_set_udma_mask, 1),
	SYMBOL(pd_set_sqcmb, 1),
	SYMBOL(pd_set_rqcmb, 1),
	SYMBOL(get_ctx, 1),
	SYMBOL(get_cq, 1),
	SYMBOL(get_qp, 1),
	SYMBOL(create_cq_ex, 0),
	{ 0 },
};

struct ionic_nic {
	struct ionic_dv_ctx ctx;
	uint8_t udmas;	      /* pipelines that queues go through, a mask */
	uint8_t next;	      /* for the next queue */
	unsigned int n_lines; /* of doorbells that were given out */
	int collapses;	      /* completions */
};

struct ionic_queue {
	struct gda_domain domain;
	uint8_t udma;
	unsigned int line; /* of doorbells */
	struct ionic_dv_cq cq;
	struct ionic_dv_qp qp;
};

static const char *const libraries[] = { "libionic.so.1", "libionic.so", NULL };

static int ionic_serves(struct ibv_device *device)
{
	return gda_device_is(device, IONIC_VENDOR, "ionic");
}

/* No call tells; firmware from 1.117.5-a-58 on is known to. */
static int firmware_collapses(const char *version)
{
	static const int known[] = { 1, 117, 5, 58 };
	int have[4];

	if (sscanf(version, "%d.%d.%d-%*c-%d", &have[0], &have[1], &have[2],
		   &have[3]) != 4 &&
	    sscanf(version, "%d.%d.%d-%*c%d", &have[0], &have[1], &have[2],
		   &have[3]) != 4)
		return 0;
	for (int i = 0; i < 4; i++)
		if (have[i] != known[i])
			return have[i] > known[i];
	return 1;
}

static int ionic_nic_open(struct gda_nic *nic)
{
	struct ionic_nic *own = calloc(1, sizeof(*own));
	int rc;

	if (!own)
		return -ENOMEM;
	own->udmas = dv.ctx_get_udma_mask(nic->context);
	own->collapses =
		dv.create_cq_ex && firmware_collapses(nic->device.fw_ver);
	rc = -dv.get_ctx(&own->ctx, nic->context);
	if (!rc && !own->udmas)
		rc = -ENODEV;
	if (rc) {
		shmemi_log_error("%s: libionic tells no doorbells: %s",
				 nic->name, strerror(-rc));
		free(own);
		return rc;
	}
	nic->own = own;
	return 0;
}

static void ionic_nic_close(struct gda_nic *nic)
{
	free(nic->own);
	nic->own = NULL;
}

/* libionic's rule: a power of two above what was asked for, at least a page. */
static size_t ring_bytes(unsigned int n_asked, size_t each)
{
	size_t n = 1;

	while (n <= n_asked)
		n *= 2;
	return gda_pages(n * each);
}

/* Kernels may write half of the rings at most. */
static unsigned int entries_asked(unsigned int n_places)
{
	return 2 * n_places - 1;
}

/* Entries, completions, and pages for receives, of which there are none. */
static size_t ionic_memory_bytes(unsigned int n_places)
{
	const unsigned int n = entries_asked(n_places);

	return ring_bytes(n, GDA_IONIC_ENTRY_BYTES) +
	       ring_bytes(n + SPARE_COMPLETIONS,
			  sizeof(struct gda_ionic_completion)) +
	       2 * gda_pages(1);
}

/* The next pipeline of the NIC: queues are spread over all. */
static uint8_t udma_next(struct ionic_nic *nic)
{
	uint8_t udma;

	do
		udma = nic->next++ % 8;
	while (!(nic->udmas & 1u << udma));
	return udma;
}

/* Rings in our memory, not in the NIC's. */
static int domain_set(const struct gda_queue *q, struct ionic_queue *own)
{
	struct ibv_pd *pd = own->domain.pd;
	int rc;

	own->udma = udma_next(q->nic->own);
	own->line = ((struct ionic_nic *)q->nic->own)->n_lines++;
	rc = dv.pd_set_udma_mask(pd, (uint8_t)(1u << own->udma));
	if (!rc)
		rc = dv.pd_set_sqcmb(pd, false, false, false);
	if (!rc)
		rc = dv.pd_set_rqcmb(pd, false, false, false);
	return -rc;
}

static int cq_create(struct gda_queue *q, struct ionic_queue *own)
{
	const struct ionic_nic *nic = q->nic->own;
	struct ibv_cq_init_attr_ex attr = {
		.cqe = nic->collapses ? 1 : entries_asked(q->image.n_places),
		.comp_mask = IBV_CQ_INIT_ATTR_MASK_PD,
		.parent_domain = own->domain.pd,
	};
	struct ionic_cq_init_attr_ex collapsed = { CQ_MASK_FLAGS,
						   CQ_COLLAPSED };
	struct ibv_cq_ex *cq;

	if (nic->collapses)
		cq = dv.create_cq_ex(q->nic->context, &attr, &collapsed);
	else
		cq = ibv_create_cq_ex(q->nic->context, &attr);
	if (!cq)
		return errno ? -errno : -EIO;
	q->cq = ibv_cq_ex_to_cq(cq);
	return -dv.get_cq(&own->cq, q->cq, own->udma);
}

static int qp_create(struct gda_queue *q, struct ionic_queue *own)
{
	const int rc =
		gda_domain_pair(&own->domain, q,
				entries_asked(q->image.n_places), INLINE_BYTES);

	return rc ? rc : -dv.get_qp(&own->qp, q->qp);
}

static int make(struct gda_queue *q, struct ionic_queue *own)
{
	int rc = domain_set(q, own);

	if (!rc)
		rc = cq_create(q, own);
	if (!rc)
		rc = qp_create(q, own);
	return gda_queue_made(q, rc);
}

static int check(const struct gda_queue *q, const struct ionic_queue *own)
{
	const struct ionic_nic *nic = q->nic->own;
	const struct ionic_dv_queue *sq = &own->qp.sq, *cq = &own->cq.q;
	const unsigned int n = entries_asked(q->image.n_places);

	if (sq->mask >= n && 1u << sq->stride_log2 == GDA_IONIC_ENTRY_BYTES &&
	    (nic->collapses || cq->mask >= n) &&
	    1u << cq->stride_log2 == sizeof(struct gda_ionic_completion))
		return 0;
	shmemi_log_error("%s: libionic made a ring of %u entries of %u bytes "
			 "and %u completions of %u; expected %u of %u and %zu",
			 q->nic->name, sq->mask + 1u, 1u << sq->stride_log2,
			 cq->mask + 1u, 1u << cq->stride_log2, n + 1,
			 GDA_IONIC_ENTRY_BYTES,
			 sizeof(struct gda_ionic_completion));
	return -ENOTSUP;
}

/* What two queues store to one register in the same moment, one may lose. */
static char *line_of(const struct gda_queue *q)
{
	const struct ionic_nic *nic = q->nic->own;
	const struct ionic_queue *own = q->own;
	const size_t first = (uintptr_t)nic->ctx.db_ptr % gda_pages(1);
	char *page = (char *)nic->ctx.db_ptr - first;

	return page + (first + (size_t)own->line * LINE_BYTES) % gda_pages(1);
}

static int fill_image(struct gda_queue *q, const struct ionic_queue *own)
{
	const struct ionic_nic *nic = q->nic->own;
	const size_t bytes = ionic_memory_bytes(q->image.n_places);
	struct shmemd_gda_queue *image = &q->image;
	uint64_t *doorbells;

	doorbells = gda_pool_map(line_of(q), LINE_BYTES);
	if (!doorbells)
		return -ENOMEM;
	image->entries = gda_queue_address(q, bytes, own->qp.sq.ptr);
	image->doorbell = (char *)&doorbells[nic->ctx.sq_qtype];
	image->completions = gda_queue_address(q, bytes, own->cq.q.ptr);
	image->n_completions = nic->collapses ? 1 : own->cq.q.mask + 1u;
	image->number = q->qp->qp_num;
	image->own[0] = own->qp.sq.db_val;
	image->own[1] = own->qp.sq.mask;
	image->own[2] = (uintptr_t)&doorbells[nic->ctx.cq_qtype];
	image->own[3] = own->cq.q.db_val;
	return 0;
}

static void ionic_destroy(struct gda_queue *q)
{
	struct ionic_queue *own = q->own;

	if (q->image.doorbell)
		gda_pool_unmap(line_of(q), LINE_BYTES);
	gda_pair_destroy(&q->qp, &q->cq);
	gda_domain_close(&own->domain);
	free(own);
	q->image.doorbell = NULL;
	q->own = NULL;
}

static int ionic_create(struct gda_queue *q)
{
	struct ionic_queue *own = calloc(1, sizeof(*own));
	int rc;

	if (!own)
		return -ENOMEM;
	q->own = own;
	rc = gda_domain_open(&own->domain, q,
			     ionic_memory_bytes(q->image.n_places), TYPE_SQ);
	if (!rc)
		rc = make(q, own);
	if (!rc)
		rc = check(q, own);
	if (!rc)
		rc = fill_image(q, own);
	if (rc)
		ionic_destroy(q);
	return rc;
}

static const struct gda_code codes[] = {
	{ GDA_IONIC_LOCAL_LENGTH, IBV_WC_LOC_LEN_ERR },
	{ GDA_IONIC_LOCAL_OPERATION, IBV_WC_LOC_QP_OP_ERR },
	{ GDA_IONIC_LOCAL_PROTECTION, IBV_WC_LOC_PROT_ERR },
	{ GDA_IONIC_FLUSHED, IBV_WC_WR_FLUSH_ERR },
	{ GDA_IONIC_LOCAL_MEMORY, IBV_WC_MW_BIND_ERR },
	{ GDA_IONIC_BAD_RESPONSE, IBV_WC_BAD_RESP_ERR },
	{ GDA_IONIC_LOCAL_ACCESS, IBV_WC_LOC_ACCESS_ERR },
	{ GDA_IONIC_REMOTE_REQUEST, IBV_WC_REM_INV_REQ_ERR },
	{ GDA_IONIC_REMOTE_ACCESS, IBV_WC_REM_ACCESS_ERR },
	{ GDA_IONIC_REMOTE_OPERATION, IBV_WC_REM_OP_ERR },
	{ GDA_IONIC_RETRIES, IBV_WC_RETRY_EXC_ERR },
	{ GDA_IONIC_RECEIVER_RETRIES, IBV_WC_RNR_RETRY_EXC_ERR },
	{ 0 },
};

const struct gda_provider gda_ionic = {
	.name = "ionic",
	.format = SHMEMD_GDA_IONIC,
	.min_places = 16,
	.max_places = 16384,
	.libraries = libraries,
	.symbols = symbols,
	.serves = ionic_serves,
	.nic_open = ionic_nic_open,
	.nic_close = ionic_nic_close,
	.memory_bytes = ionic_memory_bytes,
	.create = ionic_create,
	.modify = gda_queue_modify,
	.destroy = ionic_destroy,
	.codes = codes,
};
