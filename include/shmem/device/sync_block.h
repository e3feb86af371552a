/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a team's members meet by: one block a member, in memory that the GPUs
 * of all members map, zero when the team is made and never reset. Plain C for
 * the host, which allocates the blocks. A block is
 *
 *	struct shmemd_sync
 *	struct shmemd_mail [n_pes]	from member i, the owner too
 *	packets [2][n_pes][room_bytes / 8]  16 bytes each, from member i
 *
 * A packet is {data, seq, data, seq} of 32 bits: each half arrives with its
 * number. Those of exchange seq lie in half seq & 1. Teams with far members
 * have slots in their place, of 2 * ll_bytes each (sync_far.h).
 */
#ifndef SHMEM_DEVICE_SYNC_BLOCK_H
#define SHMEM_DEVICE_SYNC_BLOCK_H

#include <stddef.h>
#include <stdint.h>

/*
 * Data that the packets of a pair carry, in bytes: 4 KiB; less in a team of
 * more than 32, whose block stays at half a MiB.
 */
#define SHMEMD_LL_MOST 4096u
#define SHMEMD_LL_LEAST 64u
#define SHMEMD_LL_FIT(n_pes) (131072u / (uint32_t)(n_pes) & ~63u)
#define SHMEMD_LL_CAP(bytes) \
	((bytes) < SHMEMD_LL_LEAST ? SHMEMD_LL_LEAST : \
	 (bytes) > SHMEMD_LL_MOST  ? SHMEMD_LL_MOST : \
				     (bytes))
#define SHMEMD_LL_BYTES(n_pes) SHMEMD_LL_CAP(SHMEMD_LL_FIT(n_pes))

/*
 * Room that packets of a pair have: few members' alltoalls use more, up to as
 * much as 64 KiB of all blocks, where a meeting more takes as long.
 */
#define SHMEMD_ROOM_ALL 65536u
#define SHMEMD_ROOM_MOST 16384u

static inline uint32_t shmemd_room_bytes(int n_pes)
{
	const uint32_t least = SHMEMD_LL_BYTES(n_pes);
	const uint32_t fit = SHMEMD_ROOM_ALL / (uint32_t)n_pes & ~63u;

	if (fit < least)
		return least;
	return fit < SHMEMD_ROOM_MOST ? fit : SHMEMD_ROOM_MOST;
}

/* What one meeting of a member's grid adds to a count, whatever its shape. */
#define SHMEMD_ARRIVAL ((uint64_t)1 << 20)

/* How a member arrived, at meetings of one kind. */
struct shmemd_arrival {
	uint64_t count;	   /* of its meetings; a grid's: times SHMEMD_ARRIVAL */
	uint64_t value[2]; /* what it brought to meeting number i: [i & 1] */
	uint64_t word;	   /* by group: what came; by grid: what was taken */
};

/*
 * Written by one member. A cache line, so that members don't disturb. The words
 * are coll_alltoallv.h's; the owner's own count gatherings of its grid.
 */
struct shmemd_mail {
	struct shmemd_arrival group, grid;
};

struct shmemd_sync {
	uint64_t seq; /* exchanges of packets done; the owner's alone */
	uint64_t over; /* 1: the network has failed; the owner's alone */
	uint64_t unused[6];
};

/* Bytes of a block, aligned to 64; room_bytes: a multiple of 8. */
static inline size_t shmemd_sync_bytes(int n_pes, uint32_t room_bytes)
{
	size_t pair_bytes = sizeof(struct shmemd_mail) + 4 * (size_t)room_bytes;

	return sizeof(struct shmemd_sync) + (size_t)n_pes * pair_bytes;
}

#endif
