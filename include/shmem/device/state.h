/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the library tells kernels: plain data, the same for host and device.
 * Each translation unit with kernels owns one shmemd_block in constant memory,
 * which the library fills at init (module.h).
 */
#ifndef SHMEM_DEVICE_STATE_H
#define SHMEM_DEVICE_STATE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Changes with the layout of what is here and in sync_block.h, and with how
 * members meet; kernels that were compiled for another one are refused.
 */
#define SHMEMD_LAYOUT 2

/* PEs whose distance lies in the constant block; the rest is in a table. */
#define SHMEMD_NEAR 64

/* Handles that kernels know; the host knows more. Device contexts follow. */
#define SHMEMD_TEAMS 256
#define SHMEMD_CTXS 1024
#define SHMEMD_DEVICE_CTXS 1024
#define SHMEMD_ALL_CTXS (SHMEMD_CTXS + SHMEMD_DEVICE_CTXS)

/* The distance of a PE that loads and stores do not reach. */
#define SHMEMD_FAR PTRDIFF_MIN

/*
 * Symmetric memory that is mapped in slots: a PE's copy of an object at addr
 * lies at addr - base + first + pe * stride, for pe other than me too.
 */
struct shmemd_segment {
	char *base;
	size_t bytes;
	char *first;
	ptrdiff_t stride;
};
#define SHMEMD_NSEGMENTS 2 /* host heap, static data */

/* A team, as its member sees it. All zero: no team. */
struct shmemd_team {
	int32_t me;
	int32_t n_pes; /* 0: not a team of this PE, or destroyed */
	int32_t start; /* world PE of member i: start + i * stride, or map[i] */
	int32_t stride;
	const int32_t *map;
	/* My sync block; every member's, NULL if all lie at my own's offset. */
	struct shmemd_sync *sync;
	struct shmemd_sync *const *syncs;
	uint32_t ll_bytes; /* data that one packet run of a pair can carry */
};

/* A context. All zero: not one, or destroyed. */
struct shmemd_ctx {
	uint32_t live;
	uint32_t team; /* handle */
	uint32_t options;
	uint32_t unused;
};

/* What has become of an error record. */
#define SHMEMD_ERROR_NONE 0
#define SHMEMD_ERROR_WRITING 1
#define SHMEMD_ERROR_WRITTEN 2

/* The first misuse that a kernel found; a later host call reports it. */
struct shmemd_error {
	uint32_t state; /* SHMEMD_ERROR_* */
	int32_t pe;	/* the argument, where there is one */
	uint32_t wg, item;
	uint64_t value; /* address, handle or number that was wrong */
	char routine[64];
	char what[64]; /* the argument's name and what was expected */
};

struct shmemd_block {
	uint32_t layout;
	int32_t me;
	int32_t n_pes;
	uint32_t n_near; /* PEs 0 to n_near - 1 are in delta and reachable */
	/*
	 * The default heap of kernels: a peer's copy of addr in it is at
	 * addr + delta[pe]. fast_bytes is heap_bytes, or 0 when every call
	 * must be checked.
	 */
	char *heap;
	size_t fast_bytes;
	size_t heap_bytes;
	const ptrdiff_t *deltas; /* of all PEs, in device memory */
	struct shmemd_segment other[SHMEMD_NSEGMENTS];
	struct shmemd_team world;
	struct shmemd_team shared;
	/* Tables in device memory by handle. */
	const struct shmemd_team *teams; /* SHMEMD_TEAMS */
	struct shmemd_ctx *ctxs;	 /* SHMEMD_ALL_CTXS */
	struct shmemd_error *error;	 /* host memory, mapped */
	uint32_t check;			 /* SHMEM_CHECK */
	/* All PEs share this device and no host heap is used: near fences do. */
	uint32_t near;
	ptrdiff_t delta[SHMEMD_NEAR];
};

#endif
