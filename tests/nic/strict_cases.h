/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cases that every vendor's format has: what is right in all of them, and
 * mistakes that all of them can have. A program has one format, strict_ops.
 */
#ifndef STRICT_CASES_H
#define STRICT_CASES_H

#include "strict.h"

#define STRICT_ENTRY 128 /* bytes, of the largest one */

enum strict_kind {
	WRITE,
	INLINE,
	READ,
	SWAP_IF, /* data: new, expected */
	ADD,	 /* data: what is added */
	/* Of mlx5 alone. Swaps' data: as above, then the masks of both. */
	MSWAP8,
	MSWAP4,
	MADD8, /* data: what is added, where carries end */
	MADD4,
};

struct strict_what {
	enum strict_kind kind;
	uint32_t bytes, local, remote; /* offsets in the regions */
	uint64_t data[4];
	int quiet; /* wants no completion */
};

struct strict_ops {
	uint32_t inline_bytes; /* the most */
	/* Makes w's entry for the next place in e, which is all zero. */
	void (*build)(const struct strict *s, const struct strict_what *w,
		      uint8_t *e);
	/* Posts e, which may be wrong; of it only the first bytes are written.
	 */
	void (*store)(struct strict *s, const struct strict_what *w,
		      const uint8_t *e, size_t bytes);
	/* Of all that was posted. */
	uint64_t (*doorbell)(const struct strict *s);
	/* Until the entry at place is done, well, with those before it. */
	void (*wait)(struct strict *s, uint64_t place);
	/* Until the first one of two has failed at the peer. */
	void (*wait_failed)(struct strict *s);
	/* Tells the NIC which completions were read; NULL: it asks nothing. */
	void (*consumed)(struct strict *s);
	/* Batches of inline writes, of which each `every`th entry is `other`.
	 */
	struct {
		uint64_t upto; /* places */
		unsigned int batch, every;
		struct strict_what other;
	} laps;
};
extern const struct strict_ops strict_ops;

/* What is right in every format, for strict_main. */
#define STRICT_N_RIGHT 8
extern const struct strict_case strict_right[STRICT_N_RIGHT];

void strict_post(struct strict *s, const struct strict_what *w);
/* The doorbell has this value; the record, if there is one, is right. */
void strict_ring_as(struct strict *s, uint64_t value);
void strict_ring(struct strict *s);
void strict_do_one(struct strict *s, const struct strict_what *w);
/* As many as the ring has places. */
void strict_do_lap(struct strict *s, const struct strict_what *w);
/* A write of 8 bytes, as wrong cases are made of. */
extern const struct strict_what strict_write8;

/* Of an atomic. */
uint32_t strict_result_bytes(enum strict_kind kind);

/* All below: for the column run. A right atomic of the kind, twice. */
void strict_atomics(struct strict *s, const struct strict_case *c);

/* Wrong ones. One byte, at offset, of a right entry of the kind is value. */
void strict_one_byte(struct strict *s, const struct strict_case *c);
void strict_out_of_bounds(struct strict *s, const struct strict_case *c);
/* An atomic of the kind, half of its bytes off. */
void strict_unaligned(struct strict *s, const struct strict_case *c);
/* value: after how many laps. */
void strict_not_written(struct strict *s, const struct strict_case *c);
/* But for the first 32 bytes; after a lap. */
void strict_half_written(struct strict *s, const struct strict_case *c);
/* Bits of a right doorbell, value << offset, are others. */
void strict_wrong_doorbell(struct strict *s, const struct strict_case *c);
void strict_goes_back(struct strict *s, const struct strict_case *c);
/* More entries than the ring has, at once. */
void strict_overrun(struct strict *s, const struct strict_case *c);
/* More completions than there is room for are not read. */
void strict_completions_overrun(struct strict *s, const struct strict_case *c);

#endif
