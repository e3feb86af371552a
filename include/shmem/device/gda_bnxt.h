/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queues of Broadcom's NICs (bnxt_re), as gda_op.h demands. gda_bnxt_wire.h has
 * the layout of what the NIC reads and writes.
 *
 * A place is one entry of three slots of 16 bytes: a head, what is remote, and
 * a source, 16 bytes of data or where a result goes.
 *
 * The NIC's ring has twice as many entries as there are places, so that what it
 * completes is never the index of both an empty and a full queue. Place p is
 * entry p & (2 * n_places - 1) of it.
 *
 * The host puts into a queue:
 *   entries        2 * n_places entries of 48 bytes; n_places <= 8192
 *   record         NULL
 *   doorbell       the register, for one store of 8 bytes
 *   completions    one completion of 32 bytes, zero: the NIC overwrites it
 *   n_completions  1
 *   number         of the queue pair
 *   own[0]         the table of messages that the NIC sends again from: 8 bytes
 *                  each
 *   own[1]         its entries, a power of two, at least 2 * n_places
 *   own[2]         log2 of the path's MTU
 *   moves[0]       number of the first packet, as set at RTS (24 bits)
 * Else moves: [0] is the number of the next packet, modulo nothing; polled
 * stays 0.
 *
 * Kinds: all but GDA_MASKED_SWAP and GDA_MASKED_ADD; atomics of 8 bytes alone.
 *
 * Order: entries and the table; doorbell. Indices in doorbell and table count
 * slots, the completion's counts entries.
 */
#ifndef SHMEM_DEVICE_GDA_BNXT_H
#define SHMEM_DEVICE_GDA_BNXT_H

#include <shmem/device/gda_bnxt_wire.h>
#include <shmem/device/gda_op.h>

#define GDA_BNXT_INLINE 16

/* Entries of the NIC's ring. */
SHMEMD_FN uint64_t gda_bnxt_ring_entries(const struct shmemd_gda_queue *q)
{
	return 2 * (uint64_t)q->n_places;
}

/* Of the ring, the entry's first. */
SHMEMD_FN uint32_t gda_bnxt_slot(const struct shmemd_gda_queue *q, uint64_t at)
{
	return (uint32_t)(at & (gda_bnxt_ring_entries(q) - 1)) * GDA_BNXT_SLOTS;
}

SHMEMD_FN uint32_t gda_bnxt_opcode(const struct gda_op *op)
{
	if (op->kind == GDA_READ)
		return GDA_BNXT_READ;
	if (op->kind == GDA_ADD)
		return GDA_BNXT_ADD;
	return op->kind == GDA_SWAP_IF ? GDA_BNXT_SWAP_IF : GDA_BNXT_WRITE;
}

SHMEMD_FN int gda_bnxt_is_atomic(const struct gda_op *op)
{
	return op->kind == GDA_ADD || op->kind == GDA_SWAP_IF;
}

SHMEMD_FN void gda_bnxt_begin(char *to, const struct gda_op *op, int completes)
{
	const int atomic = gda_bnxt_is_atomic(op);
	struct gda_bnxt_head head;

	head.opcode = gda_bnxt_opcode(op) | (uint32_t)GDA_BNXT_SLOTS << 16;
	if (completes)
		head.opcode |= GDA_BNXT_COMPLETES << 8;
	if (op->kind == GDA_WRITE_INLINE)
		head.opcode |= GDA_BNXT_INLINE_DATA << 8;
	head.key = atomic ? op->remote_key : 0;
	head.bytes = atomic ? op->remote : op->bytes;
	gda_segment_store(to, &head);
}

SHMEMD_FN void gda_bnxt_middle(char *to, const struct gda_op *op)
{
	struct gda_bnxt_remote remote;
	struct gda_bnxt_values values;

	if (gda_bnxt_is_atomic(op)) {
		values.value = op->data[0];
		values.compare = op->kind == GDA_ADD ? 0 : op->data[1];
		gda_segment_store(to, &values);
		return;
	}
	remote.address = op->remote;
	remote.key = op->remote_key;
	remote.unused = 0;
	gda_segment_store(to, &remote);
}

SHMEMD_FN void gda_bnxt_end(char *to, const struct gda_op *op)
{
	struct gda_bnxt_source source;

	if (op->kind == GDA_WRITE_INLINE) {
		gda_segment_store(to, op->data);
		return;
	}
	source.address = op->local;
	source.key = op->local_key;
	source.bytes = op->bytes;
	gda_segment_store(to, &source);
}

SHMEMD_FN void gda_bnxt_write(const struct shmemd_gda_queue *q, uint64_t at,
			      const struct gda_op *op, int completes)
{
	char *to =
		q->entries + (size_t)gda_bnxt_slot(q, at) * GDA_BNXT_SLOT_BYTES;

	gda_bnxt_begin(to, op, completes);
	gda_bnxt_middle(to + GDA_BNXT_SLOT_BYTES, op);
	gda_bnxt_end(to + 2 * GDA_BNXT_SLOT_BYTES, op);
}

/* That the message takes, its answer too. */
SHMEMD_FN uint64_t gda_bnxt_packets(const struct shmemd_gda_queue *q,
				    const struct gda_op *op)
{
	const unsigned int shift = (unsigned int)q->own[2];
	const uint64_t n = (op->bytes + ((uint64_t)1 << shift) - 1) >> shift;

	return n ? n : 1;
}

/* The number of the item's first packet; by all of a gang. */
SHMEMD_FN uint64_t gda_bnxt_number(struct shmemd_gda_queue *q,
				   const struct shmemd_gang *gang, uint64_t n)
{
	const uint64_t same = shmemd_gang_bcast(gang, n);
	uint64_t first = 0;
	unsigned int turn;

	if (!shmemd_gang_any(gang, same != n)) {
		if (gang->index == 0) {
			first = shmemd_load64(&q->moves[0]);
			shmemd_store64(&q->moves[0], first + gang->size * n);
		}
		return shmemd_gang_bcast(gang, first) + gang->index * n;
	}
	SHMEMD_ROLLED
	for (turn = 0; turn < gang->size; turn++) {
		if (turn == gang->index)
			first = shmemd_amo64(SHMEMD_ADD, &q->moves[0], n, 0);
		shmemd_gang_sync(gang);
	}
	return first;
}

SHMEMD_FN void gda_bnxt_seal(struct shmemd_gda_queue *q,
			     const struct shmemd_gang *gang, uint64_t at,
			     const struct gda_op *op)
{
	char *table = (char *)(uintptr_t)q->own[0];
	const uint64_t n = gda_bnxt_packets(q, op);
	const uint64_t first = gda_bnxt_number(q, gang, n);
	const uint64_t next = first + n;

	shmemd_store64(table + (at & (q->own[1] - 1)) *
				       sizeof(struct gda_bnxt_message),
		       (uint64_t)gda_bnxt_slot(q, at) << 48 |
			       (next & GDA_BNXT_PACKET_MASK) << 24 |
			       (first & GDA_BNXT_PACKET_MASK));
}

SHMEMD_FN void gda_bnxt_ring(const struct shmemd_gda_queue *q, uint64_t upto)
{
	uint32_t index = gda_bnxt_slot(q, upto);

	if (upto & gda_bnxt_ring_entries(q))
		index |= GDA_BNXT_EPOCH;
	shmemd_store64(q->doorbell,
		       gda_two32(index, (q->number & GDA_BNXT_NUMBER_MASK) |
						GDA_BNXT_DOORBELL_SEND));
}

SHMEMD_FN uint32_t gda_bnxt_error(uint32_t code)
{
	if (code == GDA_BNXT_FLUSHED)
		return SHMEMX_ERROR_FLUSHED;
	if (code == GDA_BNXT_RETRIES || code == GDA_BNXT_RECEIVER_RETRIES)
		return SHMEMX_ERROR_LINK;
	if (code == GDA_BNXT_BAD_RESPONSE ||
	    (code >= GDA_BNXT_REMOTE_REQUEST &&
	     code <= GDA_BNXT_REMOTE_OPERATION))
		return SHMEMX_ERROR_REMOTE;
	if (code >= GDA_BNXT_LOCAL_LENGTH && code <= GDA_BNXT_LOCAL_MEMORY)
		return SHMEMX_ERROR_LOCAL;
	return SHMEMX_ERROR_UNKNOWN;
}

/*
 * The NIC overwrites its one completion: the index is read before the status,
 * which stays bad once it is. done is read before both, so that it is not more
 * than what the index means.
 */
SHMEMD_FN int gda_bnxt_poll(struct shmemd_gda_queue *q,
			    struct gda_status *status)
{
	const char *cqe = q->completions;
	const uint64_t done = shmemd_load64(&q->done);
	const uint32_t index = shmemd_load32(
		cqe + offsetof(struct gda_bnxt_completion, index));
	const uint64_t more = (index - done) & (gda_bnxt_ring_entries(q) - 1);

	if (more)
		shmemd_completion_before_result();
	status->code = shmemd_load32(cqe + offsetof(struct gda_bnxt_completion,
						    status)) >>
			       8 &
		       0xff;
	if (SHMEMD_UNLIKELY(status->code)) {
		status->vendor = 0;
		status->error = gda_bnxt_error(status->code);
		return 1;
	}
	status->done = done + more;
	return more && more <= q->n_places;
}

#endif
