/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "nic_impl.h"

static const char kind[] = "QP";

struct nic_qp *nic_qp_of(struct ibv_qp *qp, const char *call)
{
	struct nic_qp *mine;

	if (!qp)
		nic_refuse("%s: the QP is NULL", call);
	mine = (void *)((char *)qp - offsetof(struct nic_qp, ibv));
	nic_object_check(mine, kind, call);
	return mine;
}

static void users_add(struct nic_qp *qp, int n)
{
	qp->context->object.users += (uint32_t)n;
	qp->pd->object.users += (uint32_t)n;
	qp->cq->object.users += (uint32_t)n;
	if (qp->recv_cq != qp->cq)
		qp->recv_cq->object.users += (uint32_t)n;
}

static void ibv_fill(struct nic_qp *qp, const struct ibv_qp_init_attr *attr)
{
	qp->ibv.context = &qp->context->verbs.context;
	qp->ibv.qp_context = attr->qp_context;
	qp->ibv.pd = &qp->pd->ibv;
	qp->ibv.send_cq = attr->send_cq;
	qp->ibv.recv_cq = attr->recv_cq;
	qp->ibv.handle = qp->object.number;
	qp->ibv.qp_type = attr->qp_type;
	qp->ibv.state = IBV_QPS_RESET;
	pthread_mutex_init(&qp->ibv.mutex, NULL);
	pthread_cond_init(&qp->ibv.cond, NULL);
}

static void publish(struct nic_qp *qp)
{
	struct nic_shared_qp *shared = nic_shared_qp_new(&qp->slot);

	shared->pd = qp->pd->real->object.number;
	shared->device = qp->context->device->index;
	qp->ibv.qp_num = shared->number;
}

static void withdraw(struct nic_qp *qp)
{
	__atomic_store_n(&nic_shared_qp_at(qp->slot)->number, 0,
			 __ATOMIC_RELEASE);
	qp->object.gone = 1;
}

struct nic_qp *nic_qp_new(struct nic_pd *pd, struct ibv_qp_init_attr *attr,
			  void *arg)
{
	static const char call[] = "ibv_create_qp";
	struct nic_qp *qp;
	int rc;

	nic_check_qp_init(pd, attr);
	qp = nic_object_new(kind, sizeof(*qp));
	nic_lock();
	qp->context = pd->context;
	qp->pd = pd;
	qp->cq = nic_cq_of(attr->send_cq, call);
	qp->recv_cq = nic_cq_of(attr->recv_cq, call);
	qp->cap = attr->cap;
	qp->sig_all = attr->sq_sig_all;
	qp->arg = arg;
	ibv_fill(qp, attr);
	publish(qp);
	rc = pd->context->device->engine->qp_create(qp, &qp->cap);
	if (rc) {
		withdraw(qp);
		nic_unlock();
		errno = rc;
		return NULL;
	}
	attr->cap = qp->cap;
	users_add(qp, 1);
	nic_counts.queues++;
	nic_thread_add(qp);
	nic_unlock();
	return qp;
}

NIC_EXPORT struct ibv_qp *ibv_create_qp(struct ibv_pd *pd,
					struct ibv_qp_init_attr *attr)
{
	struct nic_qp *qp =
		nic_qp_new(nic_pd_of(pd, "ibv_create_qp"), attr, NULL);

	return qp ? &qp->ibv : NULL;
}

struct ibv_qp *nic_create_qp_ex(struct ibv_context *context,
				struct ibv_qp_init_attr_ex *attr)
{
	struct ibv_qp_init_attr plain;
	struct ibv_qp *qp;

	nic_context_of(context, "ibv_create_qp_ex");
	if (attr->comp_mask &
	    ~(uint32_t)(IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS))
		nic_refuse("ibv_create_qp_ex: unknown bits %#x",
			   attr->comp_mask);
	memcpy(&plain, attr, sizeof(plain));
	qp = ibv_create_qp(attr->pd, &plain);
	attr->cap = plain.cap;
	return qp;
}

void nic_qp_end(struct nic_qp *qp, const char *call)
{
	nic_lock();
	nic_object_end(qp, kind, call);
	nic_thread_forget(qp);
	withdraw(qp);
	qp->context->device->engine->qp_destroy(qp);
	users_add(qp, -1);
	nic_unlock();
}

NIC_EXPORT int ibv_destroy_qp(struct ibv_qp *ibv)
{
	static const char call[] = "ibv_destroy_qp";

	nic_qp_end(nic_qp_of(ibv, call), call);
	return 0;
}

static void attr_merge_path(struct ibv_qp_attr *to,
			    const struct ibv_qp_attr *from, int mask)
{
	if (mask & IBV_QP_AV)
		to->ah_attr = from->ah_attr;
	if (mask & IBV_QP_PATH_MTU)
		to->path_mtu = from->path_mtu;
	if (mask & IBV_QP_DEST_QPN)
		to->dest_qp_num = from->dest_qp_num;
	if (mask & IBV_QP_TIMEOUT)
		to->timeout = from->timeout;
	if (mask & IBV_QP_RETRY_CNT)
		to->retry_cnt = from->retry_cnt;
	if (mask & IBV_QP_RNR_RETRY)
		to->rnr_retry = from->rnr_retry;
	if (mask & IBV_QP_MIN_RNR_TIMER)
		to->min_rnr_timer = from->min_rnr_timer;
}

static void attr_merge(struct ibv_qp_attr *to, const struct ibv_qp_attr *from,
		       int mask)
{
	attr_merge_path(to, from, mask);
	if (mask & IBV_QP_ACCESS_FLAGS)
		to->qp_access_flags = from->qp_access_flags;
	if (mask & IBV_QP_PKEY_INDEX)
		to->pkey_index = from->pkey_index;
	if (mask & IBV_QP_PORT)
		to->port_num = from->port_num;
	if (mask & IBV_QP_RQ_PSN)
		to->rq_psn = from->rq_psn;
	if (mask & IBV_QP_SQ_PSN)
		to->sq_psn = from->sq_psn;
	if (mask & IBV_QP_MAX_QP_RD_ATOMIC)
		to->max_rd_atomic = from->max_rd_atomic;
	if (mask & IBV_QP_MAX_DEST_RD_ATOMIC)
		to->max_dest_rd_atomic = from->max_dest_rd_atomic;
}

static void tell_others(const struct nic_qp *qp)
{
	struct nic_shared_qp *shared = nic_shared_qp_at(qp->slot);
	const struct ibv_qp_attr *attr = &qp->attr;

	shared->dest = attr->dest_qp_num;
	shared->access = attr->qp_access_flags;
	shared->rq_psn = attr->rq_psn;
	shared->sq_psn = attr->sq_psn;
	shared->mtu = attr->path_mtu;
	shared->max_dest_reads = attr->max_dest_rd_atomic;
	shared->gid_index = attr->ah_attr.grh.sgid_index;
	shared->down = (uint32_t)qp->context->device->port_down;
	__atomic_store_n(&shared->state, (uint32_t)qp->state, __ATOMIC_RELEASE);
}

void nic_qp_state(struct nic_qp *qp, enum ibv_qp_state state)
{
	const enum ibv_qp_state from = qp->state;
	const struct nic_engine *engine = qp->context->device->engine;

	qp->state = state;
	qp->ibv.state = state;
	if (state == IBV_QPS_RESET) {
		nic_thread_forget(qp);
		nic_thread_add(qp);
		memset(&qp->attr, 0, sizeof(qp->attr));
	}
	tell_others(qp);
	if (engine->qp_modified)
		engine->qp_modified(qp, from);
}

NIC_EXPORT int ibv_modify_qp(struct ibv_qp *ibv, struct ibv_qp_attr *attr,
			     int mask)
{
	struct nic_qp *qp = nic_qp_of(ibv, "ibv_modify_qp");

	nic_lock();
	nic_check_modify(qp, attr, mask);
	attr_merge(&qp->attr, attr, mask);
	nic_qp_state(qp, mask & IBV_QP_STATE ? attr->qp_state : qp->state);
	nic_unlock();
	nic_thread_wake();
	return 0;
}

NIC_EXPORT int ibv_query_qp(struct ibv_qp *ibv, struct ibv_qp_attr *attr,
			    int mask, struct ibv_qp_init_attr *init)
{
	const struct nic_qp *qp = nic_qp_of(ibv, "ibv_query_qp");

	(void)mask;
	nic_lock();
	*attr = qp->attr;
	attr->qp_state = attr->cur_qp_state = qp->state;
	attr->cap = qp->cap;
	*init = (struct ibv_qp_init_attr){
		.qp_context = ibv->qp_context,
		.send_cq = ibv->send_cq,
		.recv_cq = ibv->recv_cq,
		.cap = qp->cap,
		.qp_type = ibv->qp_type,
		.sq_sig_all = qp->sig_all,
	};
	nic_unlock();
	return 0;
}

int nic_post_send(struct ibv_qp *ibv, struct ibv_send_wr *wr,
		  struct ibv_send_wr **bad)
{
	struct nic_qp *qp = nic_qp_of(ibv, "ibv_post_send");
	const struct nic_engine *engine = qp->context->device->engine;
	int rc;

	if (!engine->post_send)
		nic_refuse("ibv_post_send: the queues of %s are the kernels'",
			   qp->context->device->ibv.name);
	nic_lock();
	rc = engine->post_send(qp, wr, bad);
	nic_unlock();
	return rc;
}
