/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/move.h"

#include "base/log.h"
#include "gpu/gpu.h"

/* Symmetric memory is told apart by its address, the rest by the platform. */
int shmemi_is_untouchable(const void *addr)
{
	size_t offset;
	int seg = shmemi_locate(addr, &offset);

	return seg < 0 ? shmemg->is_device(addr) : seg == CONDUIT_DEVICE;
}

void *shmemi_mapped(const void *addr, int pe)
{
	size_t offset;

	if (shmemi_locate(addr, &offset) != CONDUIT_DEVICE ||
	    !shmemi.peers[pe].device)
		return NULL;
	return shmemi.peers[pe].device + offset;
}

void shmemi_move_any(void *dst, const void *src, size_t bytes)
{
	int rc;

	if (!bytes)
		return;
	if (!shmemi_is_untouchable(dst) && !shmemi_is_untouchable(src)) {
		shmemi_copy(dst, src, bytes);
		return;
	}
	rc = shmemg->copy(dst, src, bytes);
	if (rc)
		shmemi_fatal("a copy of %zu bytes from %p to %p failed: %s",
			     bytes, src, dst, strerror(-rc));
}

void shmemi_move_strided_any(char *dst, ptrdiff_t dst_stride, const char *src,
			     ptrdiff_t src_stride, size_t block, size_t nblocks)
{
	if (!nblocks)
		return;
	if (!shmemi_is_untouchable(dst) && !shmemi_is_untouchable(src)) {
		shmemi_copy_strided(dst, dst_stride, src, src_stride, block,
				    nblocks);
		return;
	}
	for (size_t i = 0; i < nblocks; i++)
		shmemi_move_any(dst + (ptrdiff_t)i * dst_stride,
				src + (ptrdiff_t)i * src_stride, block);
}
