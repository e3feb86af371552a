/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "nic_impl.h"

static const char kind[] = "CQ";

struct nic_cq *nic_cq_of(struct ibv_cq *cq, const char *call)
{
	struct nic_cq *mine;

	if (!cq)
		nic_refuse("%s: the CQ is NULL", call);
	mine = (void *)((char *)cq - offsetof(struct nic_cq, ibv));
	nic_object_check(mine, kind, call);
	return mine;
}

struct nic_cq *nic_cq_new(struct nic_context *context, struct nic_pd *pd,
			  int cqe, void *cq_context, void *arg)
{
	struct nic_cq *cq = nic_object_new(kind, sizeof(*cq));
	int rc;

	nic_lock();
	cq->context = context;
	cq->pd = pd;
	cq->cqe = cqe;
	cq->arg = arg;
	cq->ibv.context = &context->verbs.context;
	cq->ibv.cq_context = cq_context;
	cq->ibv.handle = cq->object.number;
	cq->ibv.cqe = cqe;
	pthread_mutex_init(&cq->ibv.mutex, NULL);
	pthread_cond_init(&cq->ibv.cond, NULL);
	rc = context->device->engine->cq_create(cq);
	if (rc) {
		cq->object.gone = 1;
		errno = rc;
		cq = NULL;
	} else {
		cq->ibv.cqe = cq->cqe;
		context->object.users++;
		if (pd)
			pd->object.users++;
	}
	nic_unlock();
	return cq;
}

void nic_cq_end(struct nic_cq *cq, const char *call)
{
	nic_lock();
	nic_object_end(cq, kind, call);
	cq->context->device->engine->cq_destroy(cq);
	cq->context->object.users--;
	if (cq->pd)
		cq->pd->object.users--;
	nic_unlock();
}

static void check(const struct nic_context *context, long cqe,
		  const struct ibv_comp_channel *channel, int vector,
		  const char *call)
{
	if (cqe < 1 || cqe > context->device->attr.max_cqe)
		nic_refuse("%s: %ld completions; %s has 1 to %d", call, cqe,
			   context->device->ibv.name,
			   context->device->attr.max_cqe);
	if (channel)
		nic_refuse("%s: this NIC has no completion channels", call);
	if (vector < 0 || vector >= context->verbs.context.num_comp_vectors)
		nic_refuse("%s: there is no completion vector %d", call,
			   vector);
}

NIC_EXPORT struct ibv_cq *ibv_create_cq(struct ibv_context *ibv, int cqe,
					void *own,
					struct ibv_comp_channel *channel,
					int vector)
{
	static const char call[] = "ibv_create_cq";
	struct nic_context *context = nic_context_of(ibv, call);
	struct nic_cq *cq;

	check(context, cqe, channel, vector, call);
	cq = nic_cq_new(context, NULL, cqe, own, NULL);
	return cq ? ibv_cq_ex_to_cq(&cq->ibv) : NULL;
}

struct ibv_cq_ex *nic_create_cq_ex(struct ibv_context *ibv,
				   struct ibv_cq_init_attr_ex *attr)
{
	static const char call[] = "ibv_create_cq_ex";
	const uint32_t flags = IBV_CREATE_CQ_ATTR_SINGLE_THREADED |
			       IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN;
	struct nic_context *context = nic_context_of(ibv, call);
	struct nic_pd *pd = NULL;
	struct nic_cq *cq;

	check(context, attr->cqe, attr->channel, (int)attr->comp_vector, call);
	if (attr->comp_mask &
	    ~(uint32_t)(IBV_CQ_INIT_ATTR_MASK_FLAGS | IBV_CQ_INIT_ATTR_MASK_PD))
		nic_refuse("%s: unknown bits %#x", call, attr->comp_mask);
	if ((attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_FLAGS) &&
	    (attr->flags & ~flags))
		nic_refuse("%s: unknown flags %#x", call, attr->flags);
	if (attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_PD) {
		pd = nic_pd_of(attr->parent_domain, call);
		if (pd->real == pd)
			nic_refuse("%s: PD %u is no parent domain", call,
				   pd->object.number);
	}
	cq = nic_cq_new(context, pd, (int)attr->cqe, attr->cq_context, NULL);
	if (!cq)
		return NULL;
	cq->ignores_overrun = attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_FLAGS &&
			      attr->flags & IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN;
	return &cq->ibv;
}

NIC_EXPORT int ibv_destroy_cq(struct ibv_cq *ibv)
{
	static const char call[] = "ibv_destroy_cq";

	nic_cq_end(nic_cq_of(ibv, call), call);
	return 0;
}

int nic_poll_cq(struct ibv_cq *ibv, int n, struct ibv_wc *wc)
{
	struct nic_cq *cq = nic_cq_of(ibv, "ibv_poll_cq");
	const struct nic_engine *engine = cq->context->device->engine;
	int rc;

	if (!engine->poll_cq)
		nic_refuse("ibv_poll_cq: completions of %s are the kernels'",
			   cq->context->device->ibv.name);
	nic_lock();
	rc = engine->poll_cq(cq, n, wc);
	nic_unlock();
	return rc;
}
