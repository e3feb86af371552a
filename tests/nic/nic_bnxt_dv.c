/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "nic_bnxt.h"

static const char umem_kind[] = "umem";
static const char region_kind[] = "doorbell region";

/* The vendor's calls, by name, as its library exports them. */
NIC_EXPORT void *bnxt_re_dv_umem_reg(struct ibv_context *context,
				     struct bnxt_re_dv_umem_reg_attr *attr);
NIC_EXPORT int bnxt_re_dv_umem_dereg(void *handle);
NIC_EXPORT struct ibv_cq *
bnxt_re_dv_create_cq(struct ibv_context *context,
		     struct bnxt_re_dv_cq_init_attr *attr);
NIC_EXPORT int bnxt_re_dv_destroy_cq(struct ibv_cq *cq);
NIC_EXPORT struct ibv_qp *
bnxt_re_dv_create_qp(struct ibv_pd *pd, struct bnxt_re_dv_qp_init_attr *attr);
NIC_EXPORT int bnxt_re_dv_destroy_qp(struct ibv_qp *qp);
NIC_EXPORT int bnxt_re_dv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr,
				    int mask, uint32_t type, uint32_t value);
NIC_EXPORT int bnxt_re_dv_modify_qp_udp_sport(struct ibv_qp *qp, uint16_t port);
NIC_EXPORT struct bnxt_re_dv_db_region_attr *
bnxt_re_dv_alloc_db_region(struct ibv_context *context);
NIC_EXPORT int
bnxt_re_dv_free_db_region(struct ibv_context *context,
			  struct bnxt_re_dv_db_region_attr *attr);
NIC_EXPORT int
bnxt_re_dv_get_default_db_region(struct ibv_context *context,
				 struct bnxt_re_dv_db_region_attr *out);

static struct nic_context *ours(struct ibv_context *ibv, const char *call)
{
	struct nic_context *context = nic_context_of(ibv, call);

	if (context->device->engine != &nic_bnxt)
		nic_refuse("%s: %s is another vendor's", call,
			   context->device->ibv.name);
	return context;
}

void *bnxt_re_dv_umem_reg(struct ibv_context *ibv,
			  struct bnxt_re_dv_umem_reg_attr *attr)
{
	static const char call[] = "bnxt_re_dv_umem_reg";
	struct nic_context *context = ours(ibv, call);
	struct bnxt_umem *umem;

	if (!attr->addr || !attr->size || (uintptr_t)attr->addr % 4096)
		nic_refuse("%s: %zu bytes at %p, expected pages", call,
			   attr->size, attr->addr);
	if (attr->comp_mask || !(attr->access_flags & IBV_ACCESS_LOCAL_WRITE))
		nic_refuse("%s: bits 0x%llx and access 0x%x, expected 0 and "
			   "the right to write",
			   call, (unsigned long long)attr->comp_mask,
			   attr->access_flags);
	umem = nic_object_new(umem_kind, sizeof(*umem));
	nic_lock();
	umem->context = context;
	umem->p = attr->addr;
	umem->bytes = attr->size;
	context->object.users++;
	nic_unlock();
	return umem;
}

int bnxt_re_dv_umem_dereg(void *handle)
{
	struct bnxt_umem *umem = handle;

	nic_lock();
	nic_object_end(handle, umem_kind, "bnxt_re_dv_umem_dereg");
	umem->context->object.users--;
	nic_unlock();
	return 0;
}

struct bnxt_umem *bnxt_umem_of(void *handle, uint64_t offset, size_t bytes,
			       const char *what)
{
	struct bnxt_umem *umem = handle;

	nic_object_check(handle, umem_kind, what);
	if (!bytes || bytes > umem->bytes || offset > umem->bytes - bytes)
		nic_refuse("%s: %zu bytes at %llu of %zu that are registered",
			   what, bytes, (unsigned long long)offset,
			   umem->bytes);
	return umem;
}

struct ibv_cq *bnxt_re_dv_create_cq(struct ibv_context *ibv,
				    struct bnxt_re_dv_cq_init_attr *attr)
{
	struct nic_context *context = ours(ibv, "bnxt_re_dv_create_cq");
	struct nic_cq *cq =
		nic_cq_new(context, NULL, (int)attr->ncqe, NULL, attr);

	return cq ? ibv_cq_ex_to_cq(&cq->ibv) : NULL;
}

int bnxt_re_dv_destroy_cq(struct ibv_cq *cq)
{
	static const char call[] = "bnxt_re_dv_destroy_cq";

	nic_cq_end(nic_cq_of(cq, call), call);
	return 0;
}

struct ibv_qp *bnxt_re_dv_create_qp(struct ibv_pd *ibv,
				    struct bnxt_re_dv_qp_init_attr *attr)
{
	static const char call[] = "bnxt_re_dv_create_qp";
	struct nic_pd *pd = nic_pd_of(ibv, call);
	struct ibv_qp_init_attr init = {
		.send_cq = attr->send_cq,
		.recv_cq = attr->recv_cq,
		.srq = attr->srq,
		.cap = { .max_send_wr = attr->max_send_wr,
			 .max_recv_wr = attr->max_recv_wr,
			 .max_send_sge = attr->max_send_sge,
			 .max_recv_sge = attr->max_recv_sge,
			 .max_inline_data = attr->max_inline_data },
		.qp_type = attr->qp_type,
	};
	struct nic_qp *qp;

	ours(ibv->context, call);
	qp = nic_qp_new(pd, &init, attr);
	return qp ? &qp->ibv : NULL;
}

int bnxt_re_dv_destroy_qp(struct ibv_qp *qp)
{
	static const char call[] = "bnxt_re_dv_destroy_qp";

	nic_qp_end(nic_qp_of(qp, call), call);
	return 0;
}

int bnxt_re_dv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
			 uint32_t type, uint32_t value)
{
	if (type || value)
		nic_refuse("bnxt_re_dv_modify_qp: type %u, value %u: not known",
			   type, value);
	return ibv_modify_qp(qp, attr, mask);
}

int bnxt_re_dv_modify_qp_udp_sport(struct ibv_qp *ibv, uint16_t port)
{
	static const char call[] = "bnxt_re_dv_modify_qp_udp_sport";
	const struct nic_qp *qp = nic_qp_of(ibv, call);

	if (!port)
		nic_refuse("%s: port 0", call);
	return qp->state == IBV_QPS_RTR || qp->state == IBV_QPS_RTS ? 0 :
								      EINVAL;
}

/* --- Doorbell regions --- */

static struct bnxt_region *region_new(struct nic_context *context)
{
	struct bnxt_region *region =
		nic_object_new(region_kind, sizeof(*region));

	region->context = context;
	region->attr.handle = region->object.number;
	region->attr.dpi = region->object.number;
	region->attr.dbr = nic_registers_new();
	region->attr.umdbr = (uintptr_t)region->attr.dbr;
	return region;
}

/* The context's, as long as that: nobody has to free it. */
struct bnxt_region *bnxt_region_default(struct nic_context *context)
{
	struct bnxt_region *region = context->own;

	if (region)
		return region;
	region = region_new(context);
	region->object.gone = 1;
	context->own = region;
	return region;
}

struct bnxt_region *bnxt_region_of(void *handle, struct nic_context *context,
				   const char *call)
{
	struct bnxt_region *region =
		(void *)((char *)handle - offsetof(struct bnxt_region, attr));

	nic_object_check(region, region_kind, call);
	if (region->context != context)
		nic_refuse("%s: the doorbell region is another context's",
			   call);
	return region;
}

struct bnxt_re_dv_db_region_attr *
bnxt_re_dv_alloc_db_region(struct ibv_context *ibv)
{
	struct nic_context *context = ours(ibv, "bnxt_re_dv_alloc_db_region");
	struct bnxt_region *region;

	nic_lock();
	region = region_new(context);
	context->object.users++;
	nic_unlock();
	return &region->attr;
}

int bnxt_re_dv_free_db_region(struct ibv_context *ibv,
			      struct bnxt_re_dv_db_region_attr *attr)
{
	static const char call[] = "bnxt_re_dv_free_db_region";
	struct nic_context *context = ours(ibv, call);
	struct bnxt_region *region = bnxt_region_of(attr, context, call);

	nic_lock();
	nic_object_end(region, region_kind, call);
	nic_registers_free(region->attr.dbr);
	context->object.users--;
	nic_unlock();
	return 0;
}

int bnxt_re_dv_get_default_db_region(struct ibv_context *ibv,
				     struct bnxt_re_dv_db_region_attr *out)
{
	struct nic_context *context =
		ours(ibv, "bnxt_re_dv_get_default_db_region");

	nic_lock();
	*out = bnxt_region_default(context)->attr;
	nic_unlock();
	return 0;
}
