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
#define SHMEMD_LAYOUT 4

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
	uint32_t far;	   /* members that only the proxy reaches */
	uint32_t packets_bytes; /* up to here an alltoall goes by packets */
	uint32_t unused;
};

/* How groups of one work-group or less make an alltoall between near PEs. */
enum shmemd_alltoall {
	SHMEMD_ALLTOALL_AUTO,	 /* by packets up to packets_bytes, else push */
	SHMEMD_ALLTOALL_PACKETS, /* by as many exchanges as it takes */
	SHMEMD_ALLTOALL_PUSH	 /* by copies between two meetings */
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
	char what[64];	   /* the argument's name and what was expected */
	uint64_t expected; /* counts: the number that value should have been */
	uint32_t counts;   /* 1: a misuse of counts, what stands behind it */
	uint32_t unused;
};

/*
 * The proxy: what loads and stores can't do, threads of this PE's host do for
 * its kernels. A ring has n_slots places for entries, which kernels number by
 * tail and threads do in this order; done counts those that have taken effect
 * and whose places are free again. entries, cells and done lie in host memory,
 * the rest is the kernels' own, in the device's.
 */
#define SHMEMD_ENTRY_BYTES 64
#define SHMEMD_INLINE_BYTES 24 /* that an entry holds itself */
#define SHMEMD_CARRY_BYTES 512 /* that places behind an entry hold */
#define SHMEMD_CELL_BYTES 64   /* that a get returns through a cell */
#define SHMEMD_RINGS_MAX 64

/* Kinds of entries. */
enum shmemd_entry_kind {
	SHMEMD_ENTRY_PUT,
	SHMEMD_ENTRY_GET,	 /* to memory of any kind */
	SHMEMD_ENTRY_PUT_SIGNAL, /* op: SHMEMD_SET or SHMEMD_ADD */
	SHMEMD_ENTRY_AMO,	 /* op: enum shmemd_amo, of 4 or 8 bytes */
	SHMEMD_ENTRY_FENCE
};

/* Flags of entries. */
enum {
	SHMEMD_ENTRY_INLINE = 1, /* data holds the bytes, src is none */
	SHMEMD_ENTRY_WHOLE = 2,	 /* each aligned word of 8 bytes at once */
	SHMEMD_ENTRY_AFTER = 4,	 /* after all earlier ones of its ring */
	SHMEMD_ENTRY_CELL = 8,	 /* the result goes to the place's cell */
	SHMEMD_ENTRY_CARRY = 16	 /* the bytes lie in the places that follow */
};

/*
 * stamp, of the first of those that are published together: its number << 8 |
 * how many they are; written last. Addresses of symmetric objects are those of
 * this PE's copies.
 */
struct shmemd_entry {
	uint64_t stamp;
	uint8_t kind;
	uint8_t op;
	uint8_t flags;
	uint8_t small; /* bytes of data or of an atomic */
	int32_t pe;    /* of the world */
	uint64_t dest; /* symmetric */
	union {
		uint64_t signal_addr;
		uint64_t cond;
	} a;
	uint64_t value; /* of a signal or an atomic */
	union {
		uint64_t data[SHMEMD_INLINE_BYTES / 8];
		struct {
			uint64_t addr; /* of this PE: a source, or a result's */
			uint64_t bytes;
			uint64_t unused;
		} local;
	} b;
};

struct shmemd_cell {
	uint64_t word[SHMEMD_CELL_BYTES / 8];
};

/* A counter with a cache line to itself. */
struct shmemd_count {
	uint64_t n;
	uint64_t unused[7];
};

struct shmemd_proxy {
	uint32_t n_rings; /* powers of two; 0: no proxy */
	uint32_t n_slots;
	struct shmemd_count *tail; /* by ring */
	struct shmemd_count *done;
	uint64_t *seen; /* by ring: a done that was read */
	/* By place, those of ring r from r * n_slots on. */
	struct shmemd_entry *entries;
	struct shmemd_cell *cells;
	uint32_t *held; /* 1: its cell has a result that nobody read yet */
	/*
	 * By context and ring: the number after that of its last entry, in
	 * lines of SHMEMD_MARKS rings, n_lines of them for a context.
	 */
	uint64_t *marks;
	uint32_t n_lines;
	uint32_t direct; /* the host stores the device's memory itself */
};
#define SHMEMD_MARKS 8

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
	/* All PEs share this device and no host heap: near fences do. */
	uint32_t near;
	uint32_t n_far;	   /* PEs that only the proxy reaches */
	uint32_t alltoall; /* enum shmemd_alltoall */
	struct shmemd_proxy proxy;
	ptrdiff_t delta[SHMEMD_NEAR];
};

#endif
