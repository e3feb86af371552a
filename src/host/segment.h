/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The segments of this PE, and the range of addresses in which those of host
 * memory have their places: a slot per PE. Device memory lies elsewhere.
 */
#ifndef SHMEMI_SEGMENT_H
#define SHMEMI_SEGMENT_H

#include "host/shmemi.h"

/* Mine, as their conduits made them; bytes are the same on all PEs. */
extern visibility_hidden struct conduit_region shmemi_mine[CONDUIT_NSEGMENTS];

/* After the conduits are open. 0 or a negative errno, logged. */
int shmemi_segments_open(void);
void shmemi_segments_close(void);

/* What peers need to import a segment of mine. */
int shmemi_segment_export(int seg, void *blob);

/* Where a segment of a PE is to be mapped; not for device memory. */
char *shmemi_slot(int pe, int seg);

/* Of the device segment, what is the user's; the rest lies behind. */
size_t shmemi_device_heap_bytes(void);

/* The variable that says how large a heap is. */
const char *shmemi_heap_variable(enum conduit_segment heap);

size_t shmemi_round_up(size_t bytes, size_t to);

#endif
