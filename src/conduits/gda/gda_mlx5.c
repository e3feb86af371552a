/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_provider.h"

#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <string.h>

#include <shmem/device/gda_mlx5_wire.h>

#include "base/log.h"

/* Blocks that libmlx5 counts for one request, as far as known. */
#define PAIR_BLOCKS 4
#define INLINE_BYTES 28

/* The NIC's command that asks what atomics it has, by bytes. */
#define QUERY_BYTES 16
#define ANSWER_BYTES (16 + 4096)
#define QUERY_HCA_CAP 0x100
#define CAP_ATOMIC_NOW (3 << 1 | 1)
#define ANSWER_OPERATIONS (16 + 0x12)
#define ANSWER_SIZES (16 + 0x16)
#define OPERATIONS_MASKED (1 << 2 | 1 << 3)
#define SIZES_4_AND_8 (1 << 2 | 1 << 3)

static struct {
	bool (*is_supported)(struct ibv_device *device);
	int (*init_obj)(struct mlx5dv_obj *obj, uint64_t type);
	int (*modify_qp_udp_sport)(struct ibv_qp *qp, uint16_t port);
	int (*devx_general_cmd)(struct ibv_context *context, const void *in,
				size_t in_bytes, void *out, size_t out_bytes);
} dv;

static const struct gda_symbol symbols[] = {
	{ "mlx5dv_is_supported", (void (**)(void)) & dv.is_supported, 1 },
	{ "mlx5dv_init_obj", (void (**)(void)) & dv.init_obj, 1 },
	{ "mlx5dv_modify_qp_udp_sport",
	  (void (**)(void)) & dv.modify_qp_udp_sport, 0 },
	{ "mlx5dv_devx_general_cmd", (void (**)(void)) & dv.devx_general_cmd,
	  0 },
	{ 0 },
};

struct mlx5_queue {
	struct gda_domain domain;
	struct mlx5dv_qp qp;
	struct mlx5dv_cq cq;
};

static const char *const libraries[] = { "libmlx5.so.1", "libmlx5.so", NULL };

static int mlx5_serves(struct ibv_device *device)
{
	return dv.is_supported(device);
}

static unsigned int get_be16(const uint8_t *p)
{
	return (unsigned int)p[0] << 8 | p[1];
}

/* Atomics of 4 bytes, and those that change some bits alone: no verb says. */
static int has_masked_atomics(const struct gda_nic *nic)
{
	const uint8_t in[QUERY_BYTES] = { QUERY_HCA_CAP >> 8,
					  QUERY_HCA_CAP & 0xff, [6] = 0,
					  CAP_ATOMIC_NOW };
	uint8_t out[ANSWER_BYTES] = { 0 };
	unsigned int operations, sizes;

	if (!dv.devx_general_cmd ||
	    dv.devx_general_cmd(nic->context, in, sizeof(in), out, sizeof(out)))
		return 0;
	operations = get_be16(out + ANSWER_OPERATIONS);
	sizes = get_be16(out + ANSWER_SIZES);
	return (operations & OPERATIONS_MASKED) == OPERATIONS_MASKED &&
	       (sizes & SIZES_4_AND_8) == SIZES_4_AND_8;
}

/* own: what goes into own[0] of its queues. */
static int mlx5_nic_open(struct gda_nic *nic)
{
	nic->own =
		(void *)(uintptr_t)(has_masked_atomics(nic) ? GDA_MLX5_MASKED :
							      0);
	return 0;
}

/* Entries, completions, and behind each the page of its record. */
static size_t mlx5_memory_bytes(unsigned int n_places)
{
	return 2 * gda_pages((size_t)n_places * GDA_MLX5_BLOCK_BYTES) +
	       2 * gda_pages(1);
}

/*
 * A thread domain is how a queue pair of verbs gets a doorbell register that no
 * other one has; without, queues share some, which only costs time.
 */
static struct ibv_td *td_alloc(const struct gda_nic *nic)
{
	struct ibv_td_init_attr attr = { 0 };
	struct ibv_td *td = ibv_alloc_td(nic->context, &attr);
	static int told;

	if (!td && !told++)
		shmemi_log_warn("%s: a queue shares its doorbell with others, "
				"the NIC has no more of them: %s",
				nic->name, strerror(errno));
	return td;
}

static int cq_create(struct gda_queue *q, struct mlx5_queue *own)
{
	struct ibv_cq_init_attr_ex attr = {
		.cqe = q->image.n_places - 1,
		.comp_mask =
			IBV_CQ_INIT_ATTR_MASK_FLAGS | IBV_CQ_INIT_ATTR_MASK_PD,
		.flags = IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN,
		.parent_domain = own->domain.pd,
	};
	struct ibv_cq_ex *cq = ibv_create_cq_ex(q->nic->context, &attr);
	struct mlx5dv_obj obj = { .cq = { .out = &own->cq } };

	if (!cq)
		return errno ? -errno : -EIO;
	q->cq = ibv_cq_ex_to_cq(cq);
	obj.cq.in = q->cq;
	return -dv.init_obj(&obj, MLX5DV_OBJ_CQ);
}

static int qp_create(struct gda_queue *q, struct mlx5_queue *own,
		     unsigned int n_requests)
{
	struct mlx5dv_obj obj = { .qp = { .out = &own->qp } };
	const int rc =
		gda_domain_pair(&own->domain, q, n_requests, INLINE_BYTES);

	if (rc)
		return rc;
	obj.qp.in = q->qp;
	return -dv.init_obj(&obj, MLX5DV_OBJ_QP);
}

/*
 * How many blocks the library makes of a request is its own affair, but the
 * ring must have as many as kernels count with: what came out tells.
 */
static int qp_create_fitting(struct gda_queue *q, struct mlx5_queue *own)
{
	const struct gda_domain before = own->domain;
	unsigned int n = q->image.n_places / PAIR_BLOCKS;
	int rc = qp_create(q, own, n);

	if (rc || own->qp.sq.wqe_cnt == q->image.n_places ||
	    !own->qp.sq.wqe_cnt)
		return rc;
	n = (unsigned int)((uint64_t)n * q->image.n_places /
			   own->qp.sq.wqe_cnt);
	rc = -gda_ibv.destroy_qp(q->qp);
	q->qp = NULL;
	if (rc)
		return rc;
	own->domain = before;
	return qp_create(q, own, n);
}

static int check(const struct gda_queue *q, const struct mlx5_queue *own)
{
	const unsigned int n = q->image.n_places;

	if (own->qp.sq.wqe_cnt == n &&
	    own->qp.sq.stride == GDA_MLX5_BLOCK_BYTES && own->cq.cqe_cnt == n &&
	    own->cq.cqe_size == GDA_MLX5_BLOCK_BYTES)
		return 0;
	shmemi_log_error("%s: libmlx5 made a ring of %u entries of %u bytes "
			 "and %u completions of %u; expected %u of %u each",
			 q->nic->name, own->qp.sq.wqe_cnt, own->qp.sq.stride,
			 own->cq.cqe_cnt, own->cq.cqe_size, n,
			 GDA_MLX5_BLOCK_BYTES);
	return -ENOTSUP;
}

static int fill_image(struct gda_queue *q, const struct mlx5_queue *own)
{
	const size_t bytes = mlx5_memory_bytes(q->image.n_places);
	struct shmemd_gda_queue *image = &q->image;

	image->doorbell = gda_pool_map(own->qp.bf.reg, sizeof(uint64_t));
	if (!image->doorbell)
		return -ENOMEM;
	image->entries = gda_queue_address(q, bytes, own->qp.sq.buf);
	image->record = gda_queue_address(q, bytes,
					  (void *)&own->qp.dbrec[MLX5_SND_DBR]);
	image->completions = gda_queue_address(q, bytes, own->cq.buf);
	image->n_completions = own->cq.cqe_cnt;
	image->number = q->qp->qp_num;
	image->own[0] = (uintptr_t)q->nic->own;
	return 0;
}

static void mlx5_destroy(struct gda_queue *q)
{
	struct mlx5_queue *own = q->own;

	if (q->image.doorbell)
		gda_pool_unmap(own->qp.bf.reg, sizeof(uint64_t));
	gda_pair_destroy(&q->qp, &q->cq);
	gda_domain_close(&own->domain);
	free(own);
	q->image.doorbell = NULL;
	q->own = NULL;
}

static int make(struct gda_queue *q, struct mlx5_queue *own)
{
	int rc = cq_create(q, own);

	if (!rc)
		rc = qp_create_fitting(q, own);
	return gda_queue_made(q, rc);
}

static int mlx5_create(struct gda_queue *q)
{
	struct mlx5_queue *own = calloc(1, sizeof(*own));
	int rc;

	if (!own)
		return -ENOMEM;
	q->own = own;
	own->domain.td = td_alloc(q->nic);
	rc = gda_domain_open(&own->domain, q,
			     mlx5_memory_bytes(q->image.n_places),
			     (uint32_t)MLX5DV_RES_TYPE_QP);
	if (!rc)
		rc = make(q, own);
	if (!rc)
		rc = check(q, own);
	if (!rc)
		rc = fill_image(q, own);
	if (rc)
		mlx5_destroy(q);
	return rc;
}

static int mlx5_udp_port(struct gda_queue *q, uint16_t port)
{
	if (!dv.modify_qp_udp_sport)
		return -EOPNOTSUPP;
	return -dv.modify_qp_udp_sport(q->qp, port);
}

/* By the syndrome of a completion. */
static const struct gda_code codes[] = {
	{ GDA_MLX5_LOCAL_LENGTH, IBV_WC_LOC_LEN_ERR },
	{ GDA_MLX5_LOCAL_OPERATION, IBV_WC_LOC_QP_OP_ERR },
	{ GDA_MLX5_LOCAL_PROTECTION, IBV_WC_LOC_PROT_ERR },
	{ GDA_MLX5_FLUSHED, IBV_WC_WR_FLUSH_ERR },
	{ GDA_MLX5_LOCAL_WINDOW, IBV_WC_MW_BIND_ERR },
	{ GDA_MLX5_BAD_RESPONSE, IBV_WC_BAD_RESP_ERR },
	{ GDA_MLX5_LOCAL_ACCESS, IBV_WC_LOC_ACCESS_ERR },
	{ GDA_MLX5_REMOTE_REQUEST, IBV_WC_REM_INV_REQ_ERR },
	{ GDA_MLX5_REMOTE_ACCESS, IBV_WC_REM_ACCESS_ERR },
	{ GDA_MLX5_REMOTE_OPERATION, IBV_WC_REM_OP_ERR },
	{ GDA_MLX5_RETRIES, IBV_WC_RETRY_EXC_ERR },
	{ GDA_MLX5_RECEIVER_RETRIES, IBV_WC_RNR_RETRY_EXC_ERR },
	{ GDA_MLX5_REMOTE_ABORTED, IBV_WC_REM_ABORT_ERR },
	{ 0 },
};

const struct gda_provider gda_mlx5 = {
	.name = "mlx5",
	.format = SHMEMD_GDA_MLX5,
	.min_places = 16,
	.max_places = 32768,
	.libraries = libraries,
	.symbols = symbols,
	.serves = mlx5_serves,
	.nic_open = mlx5_nic_open,
	.memory_bytes = mlx5_memory_bytes,
	.create = mlx5_create,
	.modify = gda_queue_modify,
	.udp_port = mlx5_udp_port,
	.destroy = mlx5_destroy,
	.codes = codes,
};
