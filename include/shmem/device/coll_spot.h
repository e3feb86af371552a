/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A spot: where a block of symmetric memory lies, in one word that says the
 * same to all PEs; 0 for memory that is not symmetric.
 */
#ifndef SHMEM_DEVICE_COLL_SPOT_H
#define SHMEM_DEVICE_COLL_SPOT_H

#include <shmem/device/coll.h>

/* The place in its segment, and which one: 1 is the heap of kernels. */
#define SHMEMD_SPOT_SEGMENT 3u
#define SHMEMD_SPOT_SHIFT 2

SHMEMD_FN uint64_t shmemd_spot_of(const void *addr, size_t bytes)
{
	const char *base = shmemd_block.heap;
	unsigned int i;

	if (shmemd_in(base, shmemd_block.heap_bytes, addr, bytes))
		return (uint64_t)((const char *)addr - base)
			       << SHMEMD_SPOT_SHIFT |
		       1;
	for (i = 0; i < SHMEMD_NSEGMENTS; i++) {
		base = shmemd_block.other[i].base;
		if (shmemd_in(base, shmemd_block.other[i].bytes, addr, bytes))
			return (uint64_t)((const char *)addr - base)
				       << SHMEMD_SPOT_SHIFT |
			       (i + 2);
	}
	return 0;
}

/* Whether its segment holds bytes from there on, alike on all PEs. */
SHMEMD_FN int shmemd_spot_holds(uint64_t spot, size_t bytes)
{
	const unsigned int seg = spot & SHMEMD_SPOT_SEGMENT;
	const uint64_t at = spot >> SHMEMD_SPOT_SHIFT;
	const size_t room = seg < 2 ? shmemd_block.heap_bytes :
				      shmemd_block.other[seg - 2].bytes;

	return seg && at <= room && bytes <= room - at;
}

/* My address of it. */
SHMEMD_FN char *shmemd_spot_mine(uint64_t spot)
{
	const unsigned int seg = spot & SHMEMD_SPOT_SEGMENT;
	char *base =
		seg < 2 ? shmemd_block.heap : shmemd_block.other[seg - 2].base;

	return base + (spot >> SHMEMD_SPOT_SHIFT);
}

/* Where loads and stores reach near PE pe's. */
SHMEMD_FN char *shmemd_spot_on(uint64_t spot, int pe)
{
	const unsigned int seg = spot & SHMEMD_SPOT_SEGMENT;
	const struct shmemd_segment *other;

	if (seg < 2)
		return shmemd_spot_mine(spot) + shmemd_pe_delta(pe);
	if (pe == shmemd_block.me)
		return shmemd_spot_mine(spot);
	other = &shmemd_block.other[seg - 2];
	return other->first + pe * other->stride + (spot >> SHMEMD_SPOT_SHIFT);
}

#endif
