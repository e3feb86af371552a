/* SPDX-License-Identifier: BSD-3-Clause */
/* A ring, by the thread that it belongs to; transfers end the job on errors. */
#ifndef PROXY_RING_H
#define PROXY_RING_H

#include <shmem/device/state.h>

#include "host/far.h"

struct proxy_ring {
	struct shmemd_entry *entries;
	struct shmemd_cell *cells;
	uint64_t *done;
	uint64_t n_slots;
	uint64_t next; /* number of the entry to take next */
	uint64_t end;  /* of those known to be published; others load it */
	/* Since finish: */
	size_t started_bytes;
	int started; /* something was */
	int carried; /* places held bytes */
	/* A large transfer goes piece by piece, so that others come between. */
	size_t piece_bytes;
	size_t moved_bytes; /* of the entry to take next */
	struct shmem_ctx ctx;
};

/* The memory of kernels is set by the caller, the rest is zero before. */
void proxy_ring_init(struct proxy_ring *ring);

/*
 * Starts what the ring has, up to a limit of entries and bytes; whether there
 * was something. finish waits for it and frees the places; alone: no other ring
 * of this thread had something.
 */
int proxy_ring_start(struct proxy_ring *ring);
void proxy_ring_finish(struct proxy_ring *ring, int alone);

/* For any thread: the entries published so far, and those that are done. */
uint64_t proxy_ring_published(const struct proxy_ring *ring);
uint64_t proxy_ring_done(const struct proxy_ring *ring);

/* Starts the entry to take next, or a piece of it; whether that was all. */
int proxy_entry_start(struct proxy_ring *ring);

static inline struct shmemd_entry *
proxy_ring_entry(const struct proxy_ring *ring, uint64_t number)
{
	return &ring->entries[number & (ring->n_slots - 1)];
}

#endif
