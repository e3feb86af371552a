/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_verbs.h"

#include <errno.h>
#include <stdlib.h>

#include "base/line.h"
#include "conduits/gda/gda_provider.h"

static int verbs_serves(struct ibv_device *device)
{
	(void)device;
	return 1;
}

/* The host reads entries: it takes its own memory, wherever others have it. */
static size_t verbs_memory_bytes(unsigned int n_places)
{
	(void)n_places;
	return 0;
}

static int ring_open(struct gda_queue *q, struct gda_verbs_ring *ring)
{
	const size_t bytes = (size_t)q->image.n_places * sizeof(*ring->entries);
	char *memory =
		gda_pool_host(bytes + 2 * CACHE_LINE_BYTES, gda_pages(1));

	if (!memory)
		return -ENOMEM;
	ring->q = q;
	ring->entries = (void *)memory;
	ring->doorbell = (void *)(memory + bytes);
	ring->done = (void *)(memory + bytes + CACHE_LINE_BYTES);
	q->image.entries = memory;
	q->image.doorbell = (char *)ring->doorbell;
	q->image.completions = (char *)ring->done;
	q->image.n_completions = 1;
	return gda_memory_of_queue(q->nic, memory, bytes, &ring->key);
}

static int least(int a, unsigned int b)
{
	return a > 0 && (unsigned int)a < b ? a : (int)b;
}

static int pair_create(struct gda_queue *q, struct gda_verbs_ring *ring)
{
	const int n = least(q->nic->device.max_qp_wr, q->image.n_places);
	const int n_done = least(q->nic->device.max_cqe, (uint32_t)n);
	const int rc =
		gda_pair_create(q->nic, (uint32_t)n, n_done, &q->qp, &q->cq);

	if (rc)
		return rc;
	q->image.number = q->qp->qp_num;
	ring->most = (uint64_t)n;
	return 0;
}

static void verbs_destroy(struct gda_queue *q)
{
	gda_pair_destroy(&q->qp, &q->cq);
	free(q->own);
	q->own = NULL;
}

static int verbs_create(struct gda_queue *q)
{
	struct gda_verbs_ring *ring = calloc(1, sizeof(*ring));
	int rc;

	if (!ring)
		return -ENOMEM;
	q->own = ring;
	rc = ring_open(q, ring);
	if (!rc)
		rc = pair_create(q, ring);
	if (rc)
		verbs_destroy(q);
	return rc;
}

static int verbs_start(struct gda_queue *q)
{
	return gda_verbs_thread_add(q->own);
}

static void verbs_stop(struct gda_queue *q)
{
	gda_verbs_thread_remove(q->own);
}

const struct gda_provider gda_verbs = {
	.name = "verbs",
	.format = SHMEMD_GDA_VERBS,
	.by_host = 1,
	.min_places = 16,
	.max_places = 16384,
	.serves = verbs_serves,
	.memory_bytes = verbs_memory_bytes,
	.create = verbs_create,
	.modify = gda_queue_modify,
	.destroy = verbs_destroy,
	.start = verbs_start,
	.stop = verbs_stop,
};
