/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a format of queues is to gda: an entry to be made, and the functions
 * that each format has under its own prefix (gda_mlx5_, gda_bnxt_, gda_ionic_,
 * gda_verbs_; gda_format.h switches over them). None of them fences; order.h's
 * names stand between them in gda_ring.h. All sizes in places are of one entry
 * of the call; a place is what the format counts its queue in. What would do as
 * "None" says, a format does not have.
 *
 *   GDA_X_INLINE        bytes that one entry holds itself, at most GDA_INLINE
 *   unsigned gda_x_places(const struct gda_op *op)
 *                       places of the entry: 1 or 2. None: 1
 *   int gda_x_amo(const struct shmemd_gda_queue *q, struct gda_op *op,
 *                 enum shmemd_amo amo)
 *                       makes op, of op->bytes 4 or 8, whose data[0] is the
 *                       value and data[1] the comparand, what the NIC calls it
 *                       (kind and data); 0: it has no such atomic. None:
 *                       gda_plain_amo
 *   uint64_t gda_x_result(const struct shmemd_gda_queue *q,
 *                         unsigned int bytes, uint64_t word)
 *                       the value of an atomic of 4 or 8 bytes whose result
 *                       lies at the begin of a word of memory. None: word
 *   void gda_x_write(const struct shmemd_gda_queue *q, uint64_t at,
 *                    const struct gda_op *op, int completes)
 *                       stores the entry at place `at`, by stores128 as far as
 *                       can be, all of it; completes: it asks for a completion.
 *                       Items write theirs at the same time.
 *   void gda_x_seal(struct shmemd_gda_queue *q, const struct shmemd_gang *gang,
 *                   uint64_t at, const struct gda_op *op)
 *                       in the order of places, by all of a gang: what depends
 *                       on all entries before (packet numbers). q->moves is its
 *                       own. at is the item's own place. None: nothing does
 *   void gda_x_record(const struct shmemd_gda_queue *q, uint64_t upto)
 *                       by one item: entries before place upto are there; where
 *                       the NIC wants that in memory. None: it doesn't
 *   void gda_x_ring(const struct shmemd_gda_queue *q, uint64_t upto)
 *                       by one item: the same, to the NIC's register: one store
 *   int gda_x_poll(struct shmemd_gda_queue *q, struct gda_status *status)
 *                       by one item at a time: looks at the next completion.
 *                       0: none is there. Else status->done is the number of
 *                       places that are done, or status->code is nonzero. As
 *                       nothing else orders two that look, q->polled
 *                       moves by compare and swap.
 */
#ifndef SHMEM_DEVICE_GDA_OP_H
#define SHMEM_DEVICE_GDA_OP_H

#include <shmem/device/gda_wire.h>
#include <shmem/device/reach.h>

#define GDA_INLINE 32

struct gda_op {
	uint32_t kind;	     /* enum gda_kind */
	uint32_t bytes;	     /* of the transfer; of an atomic, 4 or 8 */
	uint64_t remote;     /* the peer's address */
	uint64_t local;	     /* of this PE: source, or where a result goes */
	uint32_t remote_key; /* in host order, as all of it */
	uint32_t local_key;
	uint64_t data[GDA_INLINE / 8];
};

struct gda_status {
	uint64_t done;
	uint32_t code;	 /* what the NIC says; nonzero: nothing more is done */
	uint32_t vendor; /* what it adds */
	uint32_t error;	 /* SHMEMX_ERROR_* */
};

/*
 * A count of the NIC that has fewer bits, as it stands in a completion: the
 * first count of 64 bits from `from` on that ends in it.
 */
SHMEMD_FN uint64_t gda_widen(uint64_t from, uint64_t low, unsigned int bits)
{
	const uint64_t mask = ((uint64_t)1 << bits) - 1;

	return from + ((low - from) & mask);
}

/* 16 bytes of an entry, from registers: by one store that bypasses caches. */
SHMEMD_FN void gda_segment_store(char *to, const void *segment)
{
	struct shmemd_vec v;

	__builtin_memcpy(&v, segment, sizeof(v));
	shmemd_store128(to, v);
}

/* Words that are stored by one instruction, in memory's order. */
SHMEMD_FN uint64_t gda_two32(uint32_t first, uint32_t second)
{
	return first | (uint64_t)second << 32;
}

/* Whether it is the caller who takes completion number at off the queue. */
SHMEMD_FN int gda_take(struct shmemd_gda_queue *q, uint64_t at)
{
	if (!q->alone)
		return shmemd_amo64(SHMEMD_CSWAP, &q->polled, at + 1, at) == at;
	shmemd_store64(&q->polled, at + 1);
	return 1;
}

/* Where the NIC has additions and compared swaps of 8 bytes alone. */
SHMEMD_FN int gda_plain_amo(struct gda_op *op, enum shmemd_amo amo)
{
	op->kind = amo == SHMEMD_CSWAP ? GDA_SWAP_IF : GDA_ADD;
	if (amo == SHMEMD_FETCH)
		op->data[0] = 0;
	return op->bytes == 8 && (amo == SHMEMD_FETCH || amo == SHMEMD_ADD ||
				  amo == SHMEMD_CSWAP);
}

/* Written out, as device compilers lack each other's builtins. */
SHMEMD_FN uint16_t gda_be16(uint16_t v)
{
	return (uint16_t)(v << 8 | v >> 8);
}

SHMEMD_FN uint32_t gda_be32(uint32_t v)
{
	return v << 24 | (v & 0xff00) << 8 | (v >> 8 & 0xff00) | v >> 24;
}

SHMEMD_FN uint64_t gda_be64(uint64_t v)
{
	return (uint64_t)gda_be32((uint32_t)v) << 32 |
	       gda_be32((uint32_t)(v >> 32));
}

#endif
