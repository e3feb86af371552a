/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies into and out of memory that other processes read. */
#ifndef BASE_COPY_H
#define BASE_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Copies of at least this many bytes bypass the caches. */
extern size_t shmemi_copy_nt_bytes;

/* dst and src do not overlap. Complete before any later release store. */
void shmemi_copy_long(void *dst, const void *src, size_t bytes);

/*
 * Copies pages of a program's data to zeroed pages; those that are zero stay
 * untouched. bytes is a multiple of the page size.
 */
void shmemi_copy_sparse(void *dst, const void *src, size_t bytes);

/* nblocks copies of block bytes; strides in bytes, from block to block. */
void shmemi_copy_strided(char *dst, ptrdiff_t dst_stride, const char *src,
			 ptrdiff_t src_stride, size_t block, size_t nblocks);

/* Words at any address; a cast would drop the alignment of 1. */
typedef uint64_t shmemi_any64 __attribute__((aligned(1), may_alias));
typedef uint32_t shmemi_any32 __attribute__((aligned(1), may_alias));

/* One load and one store each, so that a reader sees no torn element. */
static __always_inline void
shmemi_copy_word(void *dst, const void *src, size_t bytes)
{
	if (bytes == 8) {
		uint64_t v;

		memcpy(&v, src, 8);
		*(volatile shmemi_any64 *)dst = v;
	} else {
		uint32_t v;

		memcpy(&v, src, 4);
		*(volatile shmemi_any32 *)dst = v;
	}
}

/* dst and src do not overlap. */
static __always_inline void
shmemi_copy(void *dst, const void *src, size_t bytes)
{
	if (bytes == 8 || bytes == 4)
		shmemi_copy_word(dst, src, bytes);
	else if (__builtin_constant_p(bytes) && bytes <= 16)
		memcpy(dst, src, bytes);
	else
		shmemi_copy_long(dst, src, bytes);
}

#endif
