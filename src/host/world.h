/* SPDX-License-Identifier: BSD-3-Clause */
/* The global address space: segments of all PEs, mapped and routed. */
#ifndef SHMEMI_WORLD_H
#define SHMEMI_WORLD_H

#include <stddef.h>

#include "conduits/conduit.h"

struct boot;

/*
 * The largest alignment that a block of a heap can have: it begins at a
 * multiple of it on all PEs. In host memory, the heap's size, rounded up to a
 * power of two, up to 1 GiB; in device memory, 2 MiB.
 */
size_t shmemi_world_align(enum conduit_segment heap);

/*
 * Collective, one exchange. Shares this PE's segments, maps those of its
 * peers and chooses a route to each; fills shmemi.me, n_pes, peers, segment.
 * 0 or a negative errno that is logged; everything is undone then.
 */
int shmemi_world_open(struct boot *boot);

/* Unmaps all but the static data, which stays shared until the PE ends. */
void shmemi_world_close(void);

#endif
