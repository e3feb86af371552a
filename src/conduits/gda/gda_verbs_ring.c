/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_verbs.h"

#include <string.h>

#include "base/log.h"
#include "base/order.h"

#define BATCH_ENTRIES 32

/* A list of work requests, the last of which tells that all are done. */
struct batch {
	struct ibv_send_wr requests[BATCH_ENTRIES];
	struct ibv_sge locals[BATCH_ENTRIES];
};

static void set_rdma(struct ibv_send_wr *wr, const struct gda_verbs_entry *e,
		     enum ibv_wr_opcode opcode)
{
	wr->opcode = opcode;
	wr->wr.rdma.remote_addr = e->remote;
	wr->wr.rdma.rkey = e->remote_key;
}

static void set_atomic(struct ibv_send_wr *wr, const struct gda_verbs_entry *e)
{
	wr->wr.atomic.remote_addr = e->remote;
	wr->wr.atomic.rkey = e->remote_key;
	if (e->kind == GDA_ADD) {
		wr->opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
		wr->wr.atomic.compare_add = e->data[0];
	} else {
		wr->opcode = IBV_WR_ATOMIC_CMP_AND_SWP;
		wr->wr.atomic.compare_add = e->data[1];
		wr->wr.atomic.swap = e->data[0];
	}
}

static void set_request(const struct gda_verbs_ring *ring, uint64_t at,
			struct ibv_send_wr *wr, struct ibv_sge *local)
{
	const struct gda_verbs_entry *e =
		&ring->entries[at & (ring->q->image.n_places - 1)];

	*local = (struct ibv_sge){ e->local, e->bytes, e->local_key };
	*wr = (struct ibv_send_wr){ .sg_list = local, .num_sge = 1 };
	wr->wr_id = at + 1;
	switch (e->kind) {
	case GDA_WRITE:
		set_rdma(wr, e, IBV_WR_RDMA_WRITE);
		return;
	case GDA_WRITE_INLINE:
		/* The place is not given out again before this is done. */
		local->addr = (uintptr_t)e->data;
		local->lkey = ring->key;
		set_rdma(wr, e, IBV_WR_RDMA_WRITE);
		return;
	case GDA_READ:
		set_rdma(wr, e, IBV_WR_RDMA_READ);
		return;
	case GDA_ADD:
	case GDA_SWAP_IF:
		set_atomic(wr, e);
		return;
	}
	shmemi_fatal("a kernel has left an unknown entry, %u, to PE %d",
		     (unsigned int)e->kind, ring->q->image.pe);
}

static unsigned int fill(const struct gda_verbs_ring *ring, uint64_t upto,
			 struct batch *batch)
{
	unsigned int n = 0;

	while (n < BATCH_ENTRIES && ring->posted + n < upto) {
		set_request(ring, ring->posted + n, &batch->requests[n],
			    &batch->locals[n]);
		if (n)
			batch->requests[n - 1].next = &batch->requests[n];
		n++;
	}
	if (n)
		batch->requests[n - 1].send_flags = IBV_SEND_SIGNALED;
	return n;
}

/* Kernels see the first failure; both words at once. */
static void fail(struct gda_verbs_ring *ring, enum ibv_wc_status status,
		 uint32_t vendor)
{
	if (ring->failed)
		return;
	ring->failed = 1;
	flag_store((uint64_t *)&ring->done->code,
		   (uint64_t)vendor << 32 | (uint32_t)status);
}

static int post(struct gda_verbs_ring *ring)
{
	uint64_t upto = flag_load(ring->doorbell);
	struct batch batch;
	struct ibv_send_wr *bad;
	unsigned int n;
	int rc;

	if (upto > ring->finished + ring->most)
		upto = ring->finished + ring->most;
	n = ring->failed ? 0 : fill(ring, upto, &batch);
	if (!n)
		return 0;
	rc = ibv_post_send(ring->q->qp, batch.requests, &bad);
	ring->posted += n;
	if (rc)
		fail(ring, IBV_WC_LOC_QP_OP_ERR, (uint32_t)rc);
	return 1;
}

static void take(struct gda_verbs_ring *ring, const struct ibv_wc *wc)
{
	if (wc->status != IBV_WC_SUCCESS) {
		fail(ring, wc->status, wc->vendor_err);
		return;
	}
	if (ring->failed)
		return;
	ring->finished = wc->wr_id;
	flag_store(&ring->done->done, ring->finished);
}

static int reap(struct gda_verbs_ring *ring)
{
	struct ibv_wc wc[BATCH_ENTRIES];
	int n;

	if (ring->finished == ring->posted)
		return 0;
	n = ibv_poll_cq(ring->q->cq, BATCH_ENTRIES, wc);
	for (int i = 0; i < n; i++)
		take(ring, &wc[i]);
	if (n < 0)
		fail(ring, IBV_WC_GENERAL_ERR, (uint32_t)-n);
	return n > 0;
}

int gda_verbs_ring_serve(struct gda_verbs_ring *ring)
{
	const int posted = post(ring);

	return reap(ring) || posted;
}
