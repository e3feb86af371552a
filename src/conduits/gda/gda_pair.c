/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_provider.h"

#include <errno.h>
#include <string.h>

#include "base/log.h"

/* Libraries may fail without telling why. */
static int error_now(void)
{
	return errno ? errno : EIO;
}

int gda_domain_pair(const struct gda_domain *domain, struct gda_queue *q,
		    unsigned int n_requests, unsigned int inline_bytes)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = q->cq,
		.recv_cq = q->cq,
		.cap = { .max_send_wr = n_requests,
			 .max_send_sge = 1,
			 .max_inline_data = inline_bytes },
		.qp_type = IBV_QPT_RC,
	};

	q->qp = gda_ibv.create_qp(domain->pd, &attr);
	return q->qp ? 0 : -error_now();
}

int gda_queue_made(const struct gda_queue *q, int rc)
{
	if (rc)
		shmemi_log_error("%s: no queue of %u places: %s", q->nic->name,
				 q->image.n_places, strerror(-rc));
	return rc;
}

int gda_queue_failed(const struct gda_queue *q, const char *what)
{
	const int rc = -error_now();

	shmemi_log_error("%s: no %s for a queue of %u places: %s", q->nic->name,
			 what, q->image.n_places, strerror(-rc));
	return rc;
}

static int pair_failed(const struct gda_nic *nic, const char *what)
{
	const int rc = -error_now();

	shmemi_log_error("%s: no %s: %s", nic->name, what, strerror(-rc));
	return rc;
}

int gda_pair_create(const struct gda_nic *nic, unsigned int n_requests,
		    int n_completions, struct ibv_qp **qp, struct ibv_cq **cq)
{
	struct ibv_qp_init_attr attr = {
		.qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = n_requests,
			 .max_recv_wr = 1,
			 .max_send_sge = 1,
			 .max_recv_sge = 1 },
	};

	*cq = gda_ibv.create_cq(nic->context, n_completions, NULL, NULL, 0);
	if (!*cq)
		return pair_failed(nic, "completion queue");
	attr.send_cq = attr.recv_cq = *cq;
	*qp = gda_ibv.create_qp(nic->pd, &attr);
	return *qp ? 0 : pair_failed(nic, "queue pair");
}

void gda_pair_destroy(struct ibv_qp **qp, struct ibv_cq **cq)
{
	if (*qp)
		gda_ibv.destroy_qp(*qp);
	if (*cq)
		gda_ibv.destroy_cq(*cq);
	*qp = NULL;
	*cq = NULL;
}

int gda_pair_modified(const struct gda_nic *nic, const struct ibv_qp *qp,
		      enum ibv_qp_state state, int rc)
{
	static const char *const names[] = { [IBV_QPS_INIT] = "INIT",
					     [IBV_QPS_RTR] = "RTR",
					     [IBV_QPS_RTS] = "RTS" };

	if (rc < 0) /* as some libraries do */
		rc = error_now();
	if (rc)
		shmemi_log_error("%s: queue pair %u can't go to %s: %s",
				 nic->name, qp->qp_num,
				 state <= IBV_QPS_RTS && names[state] ?
					 names[state] :
					 "another state",
				 strerror(rc));
	return -rc;
}

int gda_queue_modify(struct gda_queue *q, struct ibv_qp_attr *attr, int mask)
{
	return gda_pair_modified(q->nic, q->qp, attr->qp_state,
				 gda_ibv.modify_qp(q->qp, attr, mask));
}
