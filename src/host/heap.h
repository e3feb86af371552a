/* SPDX-License-Identifier: BSD-3-Clause */
/* The symmetric heap, and the blocks of the library's own sync segment. */
#ifndef SHMEMI_HEAP_H
#define SHMEMI_HEAP_H

#include <stddef.h>

/* After the segments are mapped; heap_close forgets every block. */
int shmemi_heap_open(void);
void shmemi_heap_close(void);

/*
 * Bytes of the live heap block that holds addr, from addr to its end; 0 if
 * none does.
 */
size_t shmemi_heap_room(const void *addr);

/*
 * A zeroed block of the sync segment: 0 and its offset, or -ENOMEM. No peer
 * touches a block that is put.
 */
int shmemi_sync_get(size_t bytes, size_t *offset);
void shmemi_sync_put(size_t offset);

#endif
