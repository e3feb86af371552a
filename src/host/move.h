/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies between any two kinds of memory, where one end may be memory of the
 * device that the host must not touch. Where there is no such memory each is
 * one test and what it would be without.
 */
#ifndef SHMEMI_MOVE_H
#define SHMEMI_MOVE_H

#include <string.h>

#include "base/copy.h"
#include "host/shmemi.h"

/* Whether the host must not load and store at addr; while the guard is set. */
int shmemi_is_untouchable(const void *addr);

static __always_inline int shmemi_untouchable(const void *addr)
{
	return unlikely(shmemi.guard & SHMEMI_GUARD_DEVICE) &&
	       shmemi_is_untouchable(addr);
}

/* Where kernels of this PE find the peer's copy of device memory, or NULL. */
void *shmemi_mapped(const void *addr, int pe);

void shmemi_move_any(void *dst, const void *src, size_t bytes);
void shmemi_move_strided_any(char *dst, ptrdiff_t dst_stride, const char *src,
			     ptrdiff_t src_stride, size_t block,
			     size_t nblocks);

/* As shmemi_copy() and shmemi_copy_strided(), but for any memory. */
static __always_inline void shmemi_move(void *dst, const void *src,
					size_t bytes)
{
	if (unlikely(shmemi.guard & SHMEMI_GUARD_DEVICE))
		shmemi_move_any(dst, src, bytes);
	else
		shmemi_copy(dst, src, bytes);
}

static inline void shmemi_move_strided(char *dst, ptrdiff_t dst_stride,
				       const char *src, ptrdiff_t src_stride,
				       size_t block, size_t nblocks)
{
	if (unlikely(shmemi.guard & SHMEMI_GUARD_DEVICE))
		shmemi_move_strided_any(dst, dst_stride, src, src_stride, block,
					nblocks);
	else
		shmemi_copy_strided(dst, dst_stride, src, src_stride, block,
				    nblocks);
}

/* A result of an atomic, to the caller's variable. */
static __always_inline void shmemi_give(void *dst, const void *value,
					size_t bytes)
{
	if (unlikely(shmemi.guard & SHMEMI_GUARD_DEVICE))
		shmemi_move_any(dst, value, bytes);
	else
		memcpy(dst, value, bytes);
}

/*
 * What a host loop can read: addr itself, or the bytes brought to bounce, which
 * has room for them.
 */
static inline const void *shmemi_fetch(const void *addr, void *bounce,
				       size_t bytes)
{
	if (!shmemi_untouchable(addr))
		return addr;
	shmemi_move_any(bounce, addr, bytes);
	return bounce;
}

#endif
