/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/proxy/proxy_ring.h"

#include "base/order.h"

/* Entries between two looks at what is done: kernels wait for their places. */
#define BATCH_ENTRIES 512

/* What others may have to wait for. */
#define PIECE_BYTES ((size_t)1 << 20)
#define PIECE_BYTES_MAX ((size_t)16 << 20)

/* A stamp is an entry's number and how many were published with it. */
static int is_published(struct proxy_ring *ring)
{
	uint64_t stamp;

	if (ring->next < ring->end)
		return 1;
	stamp = flag_load(&proxy_ring_entry(ring, ring->next)->stamp);
	if (stamp >> 8 != ring->next || !(stamp & 0xff))
		return 0;
	flag_store(&ring->end, ring->next + (stamp & 0xff));
	return 1;
}

void proxy_ring_init(struct proxy_ring *ring)
{
	ring->piece_bytes = PIECE_BYTES;
	ring->ctx.team = &shmemi_team_world;
	ring->ctx.options = SHMEM_CTX_PRIVATE;
}

int proxy_ring_start(struct proxy_ring *ring)
{
	unsigned int n = 0;

	while (n++ < BATCH_ENTRIES && is_published(ring) &&
	       ring->started_bytes < PIECE_BYTES)
		(void)proxy_entry_start(ring);
	return ring->started;
}

/* Bytes of kernels in a stamp's place must not look like one. */
static void clear_stamps(struct proxy_ring *ring)
{
	for (uint64_t i = *ring->done; i < ring->next; i++)
		flag_store(&proxy_ring_entry(ring, i)->stamp, 0);
	ring->carried = 0;
}

/* Large transfers of a ring that is alone have pieces that grow. */
static size_t next_piece_bytes(const struct proxy_ring *ring, int alone)
{
	if (!alone || ring->started_bytes < PIECE_BYTES)
		return PIECE_BYTES;
	if (ring->piece_bytes >= PIECE_BYTES_MAX)
		return PIECE_BYTES_MAX;
	return 2 * ring->piece_bytes;
}

void proxy_ring_finish(struct proxy_ring *ring, int alone)
{
	shmemi_far_quiet("a kernel's quiet", &ring->ctx, -1);
	store_before_all();
	ring->piece_bytes = next_piece_bytes(ring, alone);
	ring->started_bytes = 0;
	ring->started = 0;
	if (ring->carried)
		clear_stamps(ring);
	flag_store(ring->done, ring->next);
}

uint64_t proxy_ring_published(const struct proxy_ring *ring)
{
	uint64_t end = flag_load(&ring->end);

	for (uint64_t i = 0; i < ring->n_slots; i++) {
		uint64_t stamp = flag_load(&proxy_ring_entry(ring, end)->stamp);

		if (stamp >> 8 != end || !(stamp & 0xff))
			break;
		end += stamp & 0xff;
	}
	return end;
}

uint64_t proxy_ring_done(const struct proxy_ring *ring)
{
	return flag_load(ring->done);
}
