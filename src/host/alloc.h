/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The symmetric-heap allocator.
 *
 * It hands out offsets in [0, size) of memory that it never touches, so that
 * one body serves host and device heaps.  All of its records are in private
 * memory.  It is deterministic: the same calls in the same order give the same
 * offsets in every process, which is what makes an allocation symmetric
 * without an exchange.
 *
 * Sizes and offsets are bytes.  Offsets and the heap's size are multiples of
 * SHMEMI_ALLOC_GRANULE.  Alignment is that of the offset: the caller places
 * offset 0 at an address of at least the alignment that it asks for.
 *
 * Not thread-safe: callers lock.  Nothing is logged; the caller, who knows the
 * routine, does.
 */
#ifndef SHMEMI_ALLOC_H
#define SHMEMI_ALLOC_H

#include <stddef.h>

#define SHMEMI_ALLOC_GRANULE 16

struct shmemi_alloc;

/*
 * A heap of @size_bytes, rounded down to the granule; 0 is a valid size.
 * 0; -EINVAL above SIZE_MAX / 2; -ENOMEM when there is no private memory.
 */
int shmemi_alloc_create(struct shmemi_alloc **alloc, size_t size_bytes);

/* Live blocks are forgotten.  NULL is allowed. */
void shmemi_alloc_destroy(struct shmemi_alloc *alloc);

/*
 * Reserves @bytes at a multiple of @align_bytes, a power of two; the granule
 * is the least alignment.  O(1) as long as a block of a larger size class is
 * free; fails only if no free block can hold the request.
 * 0 and *@offset; -ENOMEM; -EINVAL for no bytes or a bad alignment.
 */
int shmemi_alloc_get(struct shmemi_alloc *alloc, size_t align_bytes,
		     size_t bytes, size_t *offset);

/* -EINVAL if @offset is not the start of a live block.  O(log n). */
int shmemi_alloc_put(struct shmemi_alloc *alloc, size_t offset);

/*
 * Makes the live block at @offset @bytes long without moving it.  O(log n).
 * 0; -ENOMEM if what follows is in use (nothing has changed then); -EINVAL for
 * no bytes or if @offset is not the start of a live block.
 */
int shmemi_alloc_resize(struct shmemi_alloc *alloc, size_t offset,
			size_t bytes);

/*
 * The heap is now @size_bytes long, rounded down to the granule.
 * 0; -EINVAL if that is less than before or above SIZE_MAX / 2; -ENOMEM.
 */
int shmemi_alloc_grow(struct shmemi_alloc *alloc, size_t size_bytes);

/* Bytes asked for the live block that starts at @offset; 0 if none does. */
size_t shmemi_alloc_bytes(const struct shmemi_alloc *alloc, size_t offset);

/*
 * The live block that contains @offset, its bytes as they were asked for:
 * what rounding added does not belong to it.  O(log n).
 * 0, *@start and *@bytes; -ENOENT.
 */
int shmemi_alloc_find(const struct shmemi_alloc *alloc, size_t offset,
		      size_t *start, size_t *bytes);

/* Bytes are after rounding to the granule; n... are numbers of blocks. */
struct shmemi_alloc_stats {
	size_t size_bytes, used_bytes, peak_bytes, largest_free_bytes;
	size_t nlive, nfree;
};

void shmemi_alloc_stats(const struct shmemi_alloc *alloc,
			struct shmemi_alloc_stats *stats);

#endif
