/* SPDX-License-Identifier: BSD-3-Clause */
/* The global address space: segments of all PEs, mapped and routed. */
#ifndef SHMEMI_WORLD_H
#define SHMEMI_WORLD_H

#include <stddef.h>

struct boot;

/* Heaps begin at a multiple of this on all PEs: the largest alignment. */
#define SHMEMI_HEAP_ALIGN ((size_t)1 << 30)

/*
 * Collective, one exchange. Shares this PE's segments, maps those of its
 * peers and chooses a route to each; fills shmemi.me, n_pes, peers, segment.
 * 0 or a negative errno that is logged; everything is undone then.
 */
int shmemi_world_open(struct boot *boot);

/* Unmaps all but the static data, which stays shared until the PE ends. */
void shmemi_world_close(void);

#endif
