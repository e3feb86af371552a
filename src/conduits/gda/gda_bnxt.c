/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_provider.h"

#include <errno.h>
#include <stdlib.h>

#include <shmem/device/gda_bnxt_wire.h>

#define BROADCOM_VENDOR 0x14e4
#define INLINE_BYTES 16
#define MTU_256_LOG2 8

/*
 * The layouts of the vendor's bnxt_re_dv.h; rdma-core has no such calls (as of
 * version 60).
 */
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
	uint32_t max_send_wr;
	uint32_t max_recv_wr;
	uint32_t max_send_sge;
	uint32_t max_recv_sge;
	uint32_t max_inline_data;
	struct ibv_cq *send_cq;
	struct ibv_cq *recv_cq;
	struct ibv_srq *srq;
	uint64_t qp_handle;
	void *dbr_handle;
	void *sq_umem_handle;
	uint64_t sq_umem_offset;
	uint32_t sq_len;
	uint32_t sq_slots;
	void *rq_umem_handle;
	uint64_t rq_umem_offset;
	uint32_t sq_wqe_sz;
	uint32_t sq_psn_sz;
	uint32_t sq_npsn;
	uint32_t rq_len;
	uint32_t rq_slots;
	uint32_t rq_wqe_sz;
	uint64_t comp_mask;
};

_Static_assert(sizeof(struct bnxt_re_dv_db_region_attr) == 24, "its layout");
_Static_assert(sizeof(struct bnxt_re_dv_umem_reg_attr) == 48, "its layout");
_Static_assert(offsetof(struct bnxt_re_dv_umem_reg_attr, pgsz_bitmap) == 24,
	       "its layout");
_Static_assert(sizeof(struct bnxt_re_dv_cq_init_attr) == 32, "its layout");
_Static_assert(sizeof(struct bnxt_re_dv_qp_init_attr) == 136, "its layout");
_Static_assert(offsetof(struct bnxt_re_dv_qp_init_attr, sq_len) == 80,
	       "its layout");
_Static_assert(offsetof(struct bnxt_re_dv_qp_init_attr, sq_wqe_sz) == 104,
	       "its layout");

static struct {
	void *(*umem_reg)(struct ibv_context *context,
			  struct bnxt_re_dv_umem_reg_attr *attr);
	int (*umem_dereg)(void *umem);
	struct ibv_cq *(*create_cq)(struct ibv_context *context,
				    struct bnxt_re_dv_cq_init_attr *attr);
	int (*destroy_cq)(struct ibv_cq *cq);
	struct ibv_qp *(*create_qp)(struct ibv_pd *pd,
				    struct bnxt_re_dv_qp_init_attr *attr);
	int (*destroy_qp)(struct ibv_qp *qp);
	int (*modify_qp)(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
			 uint32_t type, uint32_t value);
	int (*modify_qp_udp_sport)(struct ibv_qp *qp, uint16_t port);
	struct bnxt_re_dv_db_region_attr *(*alloc_db_region)(
		struct ibv_context *context);
	int (*free_db_region)(struct ibv_context *context,
			      struct bnxt_re_dv_db_region_attr *region);
	int (*get_default_db_region)(struct ibv_context *context,
				     struct bnxt_re_dv_db_region_attr *region);
} dv;

#define SYMBOL(name, needed) \
	{ \
		"bnxt_re_dv_" #name, (void (**)(void)) & dv.name, needed \
	}
static const struct gda_symbol symbols[] = {
	SYMBOL(umem_reg, 1),
	SYMBOL(umem_dereg, 1),
	SYMBOL(create_cq, 1),
	SYMBOL(destroy_cq, 1),
	SYMBOL(create_qp, 1),
	SYMBOL(destroy_qp, 1),
	SYMBOL(modify_qp, 1),
	SYMBOL(modify_qp_udp_sport, 0),
	SYMBOL(alloc_db_region, 0),
	SYMBOL(free_db_region, 0),
	SYMBOL(get_default_db_region, 1),
	{ 0 },
};

struct bnxt_queue {
	struct bnxt_re_dv_db_region_attr *region; /* its own, or NULL */
	uint64_t *doorbell;			  /* that kernels have mapped */
	void *sq, *rq, *cq; /* memory as the NIC knows it */
};

static const char *const libraries[] = { "libbnxt_re.so",
					 "libbnxt_re-rdmav59.so",
					 "libbnxt_re-rdmav34.so", NULL };

static int bnxt_serves(struct ibv_device *device)
{
	return gda_device_is(device, BROADCOM_VENDOR, "bnxt_re");
}

/* Kernels may write half of the ring at most. */
static uint32_t ring_entries(unsigned int n_places)
{
	return 2 * n_places;
}

static uint32_t ring_slots(unsigned int n_places)
{
	return ring_entries(n_places) * GDA_BNXT_SLOTS;
}

static uint32_t messages(unsigned int n_places)
{
	uint32_t n = 1;

	while (n < ring_slots(n_places))
		n *= 2;
	return n / 2;
}

static size_t sq_bytes(unsigned int n_places)
{
	return gda_pages((size_t)ring_slots(n_places) * GDA_BNXT_SLOT_BYTES +
			 messages(n_places) * sizeof(struct gda_bnxt_message));
}

/* These NICs can't have queues in a device's memory: it brings its own. */
static size_t bnxt_memory_bytes(unsigned int n_places)
{
	(void)n_places;
	return 0;
}

/* Memory of the pool that the NIC knows; *umem is for umem_dereg. */
static void *ring_take(const struct gda_queue *q, size_t bytes, void **umem)
{
	struct bnxt_re_dv_umem_reg_attr attr = {
		.addr = gda_pool_host(bytes, gda_pages(1)),
		.size = bytes,
		.access_flags = IBV_ACCESS_LOCAL_WRITE,
	};

	if (!attr.addr)
		return NULL;
	*umem = dv.umem_reg(q->nic->context, &attr);
	return *umem ? attr.addr : NULL;
}

/* One completion, which the NIC overwrites: kernels want the newest alone. */
static int cq_create(struct gda_queue *q, struct bnxt_queue *own)
{
	struct bnxt_re_dv_cq_init_attr attr = { .ncqe = 1 };

	q->image.completions = ring_take(q, gda_pages(1), &own->cq);
	if (!q->image.completions)
		return gda_queue_failed(q, "memory of completions");
	attr.umem_handle = own->cq;
	q->cq = dv.create_cq(q->nic->context, &attr);
	if (!q->cq)
		return gda_queue_failed(q, "completion queue");
	q->image.n_completions = 1;
	return 0;
}

static int qp_create(struct gda_queue *q, struct bnxt_queue *own)
{
	const unsigned int n = q->image.n_places;
	struct bnxt_re_dv_qp_init_attr attr = {
		.qp_type = IBV_QPT_RC,
		.max_send_wr = ring_entries(n),
		.max_recv_wr = 1,
		.max_send_sge = 1,
		.max_recv_sge = 1,
		.max_inline_data = INLINE_BYTES,
		.send_cq = q->cq,
		.recv_cq = q->cq,
		.dbr_handle = own->region,
		.sq_len = (uint32_t)sq_bytes(n),
		.sq_slots = ring_slots(n),
		.sq_wqe_sz = GDA_BNXT_ENTRY_BYTES,
		.sq_psn_sz = sizeof(struct gda_bnxt_message),
		.sq_npsn = messages(n),
		.rq_len = (uint32_t)gda_pages(1),
		.rq_slots = GDA_BNXT_SLOTS,
		.rq_wqe_sz = GDA_BNXT_ENTRY_BYTES,
	};

	q->image.entries = ring_take(q, sq_bytes(n), &own->sq);
	if (!q->image.entries || !ring_take(q, gda_pages(1), &own->rq))
		return gda_queue_failed(q, "memory of entries");
	attr.sq_umem_handle = own->sq;
	attr.rq_umem_handle = own->rq;
	q->qp = dv.create_qp(q->nic->pd, &attr);
	if (!q->qp)
		return gda_queue_failed(q, "queue pair");
	q->image.number = q->qp->qp_num;
	q->image.own[0] =
		(uintptr_t)(q->image.entries +
			    (size_t)ring_slots(n) * GDA_BNXT_SLOT_BYTES);
	q->image.own[1] = messages(n);
	return 0;
}

/* A register that no other queue writes, where the library has more of them. */
static int doorbell_open(struct gda_queue *q, struct bnxt_queue *own)
{
	struct bnxt_re_dv_db_region_attr region = { 0 };
	int rc;

	if (dv.alloc_db_region && dv.free_db_region)
		own->region = dv.alloc_db_region(q->nic->context);
	rc = own->region ? 0 :
			   dv.get_default_db_region(q->nic->context, &region);
	if (rc) {
		errno = rc < 0 ? errno : rc;
		return gda_queue_failed(q, "doorbell");
	}
	own->doorbell = own->region ? own->region->dbr : region.dbr;
	q->image.doorbell = gda_pool_map(own->doorbell, sizeof(uint64_t));
	return q->image.doorbell ? 0 : -ENOMEM;
}

static void umem_drop(void *umem)
{
	if (umem)
		dv.umem_dereg(umem);
}

static void bnxt_destroy(struct gda_queue *q)
{
	struct bnxt_queue *own = q->own;

	if (q->qp)
		dv.destroy_qp(q->qp);
	if (q->cq)
		dv.destroy_cq(q->cq);
	umem_drop(own->sq);
	umem_drop(own->rq);
	umem_drop(own->cq);
	if (q->image.doorbell)
		gda_pool_unmap(own->doorbell, sizeof(uint64_t));
	if (own->region)
		dv.free_db_region(q->nic->context, own->region);
	free(own);
	q->image.doorbell = NULL;
	q->qp = NULL;
	q->cq = NULL;
	q->own = NULL;
}

static int bnxt_create(struct gda_queue *q)
{
	struct bnxt_queue *own = calloc(1, sizeof(*own));
	int rc;

	if (!own)
		return -ENOMEM;
	q->own = own;
	rc = doorbell_open(q, own);
	if (!rc)
		rc = cq_create(q, own);
	if (!rc)
		rc = qp_create(q, own);
	if (rc)
		bnxt_destroy(q);
	return rc;
}

/* Kernels number packets themselves, so they must know how long one may be. */
static int bnxt_modify(struct gda_queue *q, struct ibv_qp_attr *attr, int mask)
{
	if (mask & IBV_QP_PATH_MTU)
		q->image.own[2] = MTU_256_LOG2 - 1 + attr->path_mtu;
	if (mask & IBV_QP_SQ_PSN)
		q->image.moves[0] = attr->sq_psn;
	return gda_pair_modified(q->nic, q->qp, attr->qp_state,
				 dv.modify_qp(q->qp, attr, mask, 0, 0));
}

static int bnxt_udp_port(struct gda_queue *q, uint16_t port)
{
	if (!dv.modify_qp_udp_sport)
		return -EOPNOTSUPP;
	return -dv.modify_qp_udp_sport(q->qp, port);
}

static const struct gda_code codes[] = {
	{ GDA_BNXT_BAD_RESPONSE, IBV_WC_BAD_RESP_ERR },
	{ GDA_BNXT_LOCAL_LENGTH, IBV_WC_LOC_LEN_ERR },
	{ GDA_BNXT_LOCAL_OPERATION, IBV_WC_LOC_QP_OP_ERR },
	{ GDA_BNXT_LOCAL_PROTECTION, IBV_WC_LOC_PROT_ERR },
	{ GDA_BNXT_LOCAL_MEMORY, IBV_WC_LOC_ACCESS_ERR },
	{ GDA_BNXT_REMOTE_REQUEST, IBV_WC_REM_INV_REQ_ERR },
	{ GDA_BNXT_REMOTE_ACCESS, IBV_WC_REM_ACCESS_ERR },
	{ GDA_BNXT_REMOTE_OPERATION, IBV_WC_REM_OP_ERR },
	{ GDA_BNXT_RECEIVER_RETRIES, IBV_WC_RNR_RETRY_EXC_ERR },
	{ GDA_BNXT_RETRIES, IBV_WC_RETRY_EXC_ERR },
	{ GDA_BNXT_FLUSHED, IBV_WC_WR_FLUSH_ERR },
	{ 0 },
};

const struct gda_provider gda_bnxt = {
	.name = "bnxt_re",
	.format = SHMEMD_GDA_BNXT,
	.min_places = 32,
	.max_places = 8192,
	.libraries = libraries,
	.symbols = symbols,
	.serves = bnxt_serves,
	.memory_bytes = bnxt_memory_bytes,
	.create = bnxt_create,
	.modify = bnxt_modify,
	.udp_port = bnxt_udp_port,
	.destroy = bnxt_destroy,
	.codes = codes,
};
