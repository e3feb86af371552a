/* SPDX-License-Identifier: BSD-3-Clause */
/* What the providers share: their tables, devices, domains, queue pairs. */
#ifndef GDA_PROVIDER_H
#define GDA_PROVIDER_H

#include "conduits/gda/gda_impl.h"

/* A NIC's completion code, as libibverbs calls it; zeroes end the table. */
struct gda_code {
	uint32_t code;
	enum ibv_wc_status status;
};

/* 1: the PCI function behind it has this vendor, or its name begins so. */
int gda_device_is(const struct ibv_device *device, unsigned int vendor,
		  const char *name);

/* Functions of a vendor's library; a row of zeroes ends the table. */
struct gda_symbol {
	const char *name;
	void (**function)(void);
	int needed;
};

/* Memory that is given out piece by piece. */
struct gda_pieces {
	char *next, *end;
};

/*
 * A parent domain of one queue. The vendor's library takes rings and records
 * from the queue's memory, bytes long, through it. What the library itself
 * writes, all but resources of the kind `ring` (the low half of its type), lies
 * in host memory.
 */
struct gda_domain {
	struct ibv_td *td; /* gives a doorbell of its own; or NULL */
	struct ibv_pd *pd;
	struct gda_pieces rings;
	struct gda_pieces records; /* empty: they may lie in rings */
	uint32_t ring;
};

/* 0 or a negative errno, logged. td is set before, or NULL; close frees it. */
int gda_domain_open(struct gda_domain *domain, const struct gda_queue *q,
		    size_t bytes, uint32_t ring);
void gda_domain_close(struct gda_domain *domain);

/* p in q's memory, bytes long, or elsewhere in the host's: as kernels say. */
char *gda_queue_address(const struct gda_queue *q, size_t bytes, void *p);

/* Makes q->qp in its domain, with q->cq; 0 or a negative errno, not logged. */
int gda_domain_pair(const struct gda_domain *domain, struct gda_queue *q,
		    unsigned int n_requests, unsigned int inline_bytes);
/* rc, logged if q could not be made; failed: by errno, for want of what. */
int gda_queue_made(const struct gda_queue *q, int rc);
int gda_queue_failed(const struct gda_queue *q, const char *what);

/*
 * A queue pair without a domain, and its completions; 0 or a negative errno,
 * logged. destroy: what there is of them, of any pair that libibverbs made.
 */
int gda_pair_create(const struct gda_nic *nic, unsigned int n_requests,
		    int n_completions, struct ibv_qp **qp, struct ibv_cq **cq);
void gda_pair_destroy(struct ibv_qp **qp, struct ibv_cq **cq);

/* The row `modify` of queue pairs that libibverbs made. */
int gda_queue_modify(struct gda_queue *q, struct ibv_qp_attr *attr, int mask);
/* rc of such a call: positive or 0. 0 or a negative errno, logged. */
int gda_pair_modified(const struct gda_nic *nic, const struct ibv_qp *qp,
		      enum ibv_qp_state state, int rc);

/* Rounded up to whole pages of the system. */
size_t gda_pages(size_t bytes);

#endif
