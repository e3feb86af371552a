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

#include <shmem/network_constants.h>

/*
 * Changes with the layout of what is here and in sync_block.h, and with how
 * members meet; kernels that were compiled for another one are refused.
 */
#define SHMEMD_LAYOUT 6

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
	uint32_t far;	   /* members that loads and stores don't reach */
	uint32_t packets_bytes; /* up to here an alltoall goes by packets */
	uint32_t room_bytes; /* the same for an alltoall: ll_bytes or more */
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
	SHMEMD_ENTRY_INLINE = 1,  /* data holds the bytes, src is none */
	SHMEMD_ENTRY_WHOLE = 2,	  /* each aligned word of 8 bytes at once */
	SHMEMD_ENTRY_AFTER = 4,	  /* after all earlier ones of its ring */
	SHMEMD_ENTRY_CELL = 8,	  /* the result goes to the place's cell */
	SHMEMD_ENTRY_CARRY = 16,  /* the bytes lie in the places that follow */
	SHMEMD_ENTRY_AWAITED = 32 /* its kernel returns when it is done */
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

/*
 * gda: send queues of NICs that kernels fill and ring themselves. A queue
 * belongs to a context and leads to one PE; the host connects it when a kernel
 * asks (device/gda_row.h). Entries and completions have the NIC's own format.
 */
#define SHMEMD_GDA_CELL_BYTES 64
#define SHMEMD_GDA_ASKS 1024

enum shmemd_gda_format {
	SHMEMD_GDA_NONE, /* no gda: the proxy does it all */
	SHMEMD_GDA_MLX5,
	SHMEMD_GDA_BNXT,
	SHMEMD_GDA_IONIC,
	SHMEMD_GDA_VERBS /* entries of our own, which the host posts */
};

/* Keys of one chunk of memory: for data, and for atomics. In host order. */
struct shmemd_gda_key {
	uint32_t rma, amo;
};

/*
 * Memory of this PE that its NICs know, in chunks of 1 << chunk_log2 bytes
 * from base on; keys[nic * n_chunks + chunk] are the local ones.
 */
struct shmemd_gda_span {
	char *base;
	size_t bytes;
	const struct shmemd_gda_key *keys;
	uint64_t n_chunks;
};

/* The first spans are symmetric: peers have the same ones. */
enum shmemd_gda_symmetric {
	SHMEMD_GDA_DEVICE, /* device heap, and the sync blocks behind it */
	SHMEMD_GDA_HEAP,   /* host heap */
	SHMEMD_GDA_DATA,   /* static data */
	SHMEMD_GDA_SYMMETRIC
};

/* A peer's symmetric spans, as one of its NICs has them; by chunk. */
struct shmemd_gda_remote {
	uint64_t base[SHMEMD_GDA_SYMMETRIC];
	const struct shmemd_gda_key *keys[SHMEMD_GDA_SYMMETRIC];
};

/*
 * A queue of n_places, a power of two. Places are numbered from 0 on and never
 * wrap: place p is slot p & (n_places - 1). own is the format's. What kernels
 * write has lines apart from what they only read.
 */
struct shmemd_gda_queue {
	char *entries;
	char *record;	/* doorbell record, NULL if there is none */
	char *doorbell; /* a register of the NIC */
	char *completions;
	char *cells;	/* SHMEMD_GDA_CELL_BYTES a slot, the NIC knows them */
	uint32_t *held; /* by slot; 1: a result in its cell is yet unread */
	const struct shmemd_gda_remote *remote;
	uint32_t cell_key; /* local */
	uint32_t number;   /* of the queue pair */

	uint32_t n_places;
	uint32_t n_completions;
	uint32_t format;
	uint32_t ctx; /* handle */
	int32_t pe;   /* of the world */
	uint32_t nic;
	uint32_t alone; /* one item at a time: no atomics are needed */
	uint32_t unused;
	uint64_t own[4];

	uint64_t reserved; /* places given out */
	uint64_t posted;   /* places whose entries are complete, in order */
	uint64_t rung;	   /* places that the NIC was told of */
	uint64_t amos;	   /* places up to the last atomic nobody waited for */
	uint64_t moves[4]; /* the format's, under the order of posted */

	uint64_t done;	  /* places whose entries have completed */
	uint64_t polled;  /* completions that were looked at */
	uint32_t failed;  /* nonzero: nothing more completes */
	uint32_t ringing; /* 1: an item tells the NIC what was left for later */
	uint32_t looking; /* 1: an item looks at completions */
	uint32_t unused_rest[9]; /* of a line of its own */
};

/*
 * The queues of a context: word pe * n_queues + i is an address, or what
 * stands for none; behind the words is a list of the connected ones.
 */
enum {
	SHMEMD_GDA_UNASKED,
	SHMEMD_GDA_ASKED,
	SHMEMD_GDA_REFUSED, /* and will be: the context has failed */
	SHMEMD_GDA_WORDS
};

struct shmemd_gda_row {
	uint64_t n_connected;
	uint64_t amos; /* 1: some queue has had an atomic nobody waited for */
	uint64_t unused[6];
	uint64_t words[1]; /* n_pes * n_queues, then as many of the list */
};

/* What went wrong first on a context; host memory. */
struct shmemd_gda_failure {
	uint32_t state; /* SHMEMD_ERROR_* */
	int32_t pe;
	uint32_t nic;
	uint32_t format;
	uint32_t code;	 /* of the format: its completion's status */
	uint32_t vendor; /* what the NIC adds to it */
	uint32_t error;	 /* SHMEMX_ERROR_* */
	uint32_t number; /* of the queue pair */
};

struct shmemd_gda {
	uint32_t format;
	uint32_t n_queues; /* of a context and a PE, a power of two */
	uint32_t n_spans;
	uint32_t chunk_log2;
	uint32_t atomics; /* 1: the NIC makes atomics; 0: the proxy does */
	uint64_t message_bytes; /* that one entry moves at most */
	const struct shmemd_gda_span *spans;
	struct shmemd_gda_row **rows; /* by context; NULL before its first */
	/*
	 * Kernels put 1 << 63 | ctx << 40 | i << 32 | pe in one that is 0, the
	 * host takes it out. In host memory.
	 */
	uint64_t *asks;
	uint64_t *n_asked; /* in device memory: where to look first */
	struct shmemd_gda_failure *failures; /* by context; host memory */
	uint32_t *failed; /* by context, in device memory: 1: it has one */
};

struct shmemd_block {
	uint32_t layout;
	int32_t me;
	int32_t n_pes;
	uint32_t n_near; /* PEs 0 to n_near - 1 are in delta and reachable */
	/*
	 * The default heap of kernels: a peer's copy of addr in it is at
	 * addr + delta[pe]. fast_bytes is heap_bytes, or 0 when every call
	 * must be checked; amo_bytes is the same for atomics, and 0 too when
	 * the proxy makes those on this heap.
	 */
	char *heap;
	size_t fast_bytes;
	size_t amo_bytes;
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
	uint32_t n_far;	   /* PEs that loads and stores don't reach */
	uint32_t alltoall; /* enum shmemd_alltoall */
	/*
	 * 1: atomics that change host memory are the proxy's, since this
	 * device's don't mix with those of processors and other devices there.
	 */
	uint32_t host_atomics;
	uint32_t unused;
	struct shmemd_proxy proxy;
	struct shmemd_gda gda;
	ptrdiff_t delta[SHMEMD_NEAR];
};

#endif
