/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queues of AMD's NICs (ionic: Pensando, with its second set of opcodes), as
 * gda_op.h demands. gda_ionic_wire.h has the layout of what the NIC reads and
 * writes.
 *
 * A place is one entry of 64 bytes. The NIC's ring has more entries than there
 * are places, as its driver makes it: place p is entry p & own[1].
 *
 * The host puts into a queue:
 *   entries        own[1] + 1 entries of 64 bytes, zero; n_places <= 16384
 *   record         NULL
 *   doorbell       the register of send queues, for one store of 8 bytes
 *   completions    n_completions entries of 32 bytes, zero
 *   n_completions  a power of two, at least 2 * n_places; or 1: the NIC
 *                  overwrites it, without colours, and wants no doorbell
 *   number         of the queue pair
 *   own[0]         the send queue's bits in the doorbell's value
 *   own[1]         entries of the send queue - 1: 2 * n_places - 1 or more
 *   own[2]         the register of completion queues
 *   own[3]         the completion queue's bits in that one's value
 * moves: nothing.
 *
 * Kinds: all but GDA_MASKED_SWAP and GDA_MASKED_ADD; atomics of 8 bytes alone.
 *
 * Order: entries; doorbell: own[0] | (entries posted & own[1]). Entries of the
 * first, third ... lap of the ring have a colour, and so have completions.
 * These count messages; each entry is one. own[2] is told of every quarter of
 * the completions that was looked at: own[3] | (polled & (n_completions - 1)).
 */
#ifndef SHMEM_DEVICE_GDA_IONIC_H
#define SHMEM_DEVICE_GDA_IONIC_H

#include <shmem/device/gda_ionic_wire.h>
#include <shmem/device/gda_op.h>

#define GDA_IONIC_INLINE 32

SHMEMD_FN uint8_t gda_ionic_opcode(const struct gda_op *op)
{
	if (op->kind == GDA_READ)
		return GDA_IONIC_READ;
	if (op->kind == GDA_ADD)
		return GDA_IONIC_ADD;
	return op->kind == GDA_SWAP_IF ? GDA_IONIC_SWAP_IF : GDA_IONIC_WRITE;
}

/* The colour of the first lap, the third ... is 1. */
SHMEMD_FN void gda_ionic_begin(const struct shmemd_gda_queue *q, char *to,
			       uint64_t at, const struct gda_op *op,
			       int completes)
{
	const int data = op->kind == GDA_WRITE_INLINE;
	struct gda_ionic_head head;
	unsigned int flags = 0;

	if (!(at & (q->own[1] + 1)))
		flags |= GDA_IONIC_COLOUR;
	if (completes)
		flags |= GDA_IONIC_COMPLETES;
	if (data)
		flags |= GDA_IONIC_INLINE_DATA;
	head.index_le = at & q->own[1];
	head.opcode = gda_ionic_opcode(op);
	head.n_locals = !data;
	head.flags = gda_be16((uint16_t)flags);
	head.immediate = 0;
	gda_segment_store(to, &head);
}

SHMEMD_FN void gda_ionic_data_store(char *to, const struct gda_op *op)
{
	struct gda_ionic_remote remote;
	struct gda_ionic_local local;
	struct shmemd_vec none;

	remote.address = gda_be64(op->remote);
	remote.key = gda_be32(op->remote_key);
	remote.bytes = gda_be32(op->bytes);
	gda_segment_store(to, &remote);
	if (op->kind == GDA_WRITE_INLINE) {
		gda_segment_store(to + 16, op->data);
		gda_segment_store(to + 32, op->data + 2);
		return;
	}
	local.address = gda_be64(op->local);
	local.bytes = gda_be32(op->bytes);
	local.key = gda_be32(op->local_key);
	none.a = none.b = 0;
	gda_segment_store(to + 16, &local);
	shmemd_store128(to + 32, none);
}

SHMEMD_FN void gda_ionic_amo_store(char *to, const struct gda_op *op)
{
	const uint64_t v = op->data[0];
	const uint64_t compare = op->kind == GDA_ADD ? 0 : op->data[1];
	struct shmemd_vec a, b, c;

	a.a = gda_be64(op->remote);
	a.b = gda_two32(gda_be32(op->remote_key), gda_be32(v >> 32));
	b.a = gda_two32(gda_be32((uint32_t)v), gda_be32(compare >> 32));
	b.b = gda_two32(gda_be32((uint32_t)compare), gda_be32(op->local_key));
	c.a = gda_be64(op->local);
	c.b = 0;
	shmemd_store128(to, a);
	shmemd_store128(to + 16, b);
	shmemd_store128(to + 32, c);
}

SHMEMD_FN void gda_ionic_write(const struct shmemd_gda_queue *q, uint64_t at,
			       const struct gda_op *op, int completes)
{
	char *to = q->entries + (at & q->own[1]) * GDA_IONIC_ENTRY_BYTES;

	gda_ionic_begin(q, to, at, op, completes);
	if (op->kind == GDA_ADD || op->kind == GDA_SWAP_IF)
		gda_ionic_amo_store(to + sizeof(struct gda_ionic_head), op);
	else
		gda_ionic_data_store(to + sizeof(struct gda_ionic_head), op);
}

SHMEMD_FN void gda_ionic_ring(const struct shmemd_gda_queue *q, uint64_t upto)
{
	shmemd_store64(q->doorbell, q->own[0] | (upto & q->own[1]));
}

SHMEMD_FN uint32_t gda_ionic_error(uint32_t code)
{
	if (code == GDA_IONIC_FLUSHED)
		return SHMEMX_ERROR_FLUSHED;
	if (code == GDA_IONIC_RETRIES || code == GDA_IONIC_RECEIVER_RETRIES)
		return SHMEMX_ERROR_LINK;
	if (code == GDA_IONIC_BAD_RESPONSE ||
	    (code >= GDA_IONIC_REMOTE_REQUEST &&
	     code <= GDA_IONIC_REMOTE_OPERATION))
		return SHMEMX_ERROR_REMOTE;
	if (code >= GDA_IONIC_LOCAL_LENGTH && code <= GDA_IONIC_LOCAL_ACCESS)
		return SHMEMX_ERROR_LOCAL;
	return SHMEMX_ERROR_UNKNOWN;
}

/* Tells the NIC how far completions were looked at, before the next looks. */
SHMEMD_FN void gda_ionic_tell(struct shmemd_gda_queue *q)
{
	const uint64_t polled = shmemd_load64(&q->polled);

	shmemd_store64((char *)(uintptr_t)q->own[2],
		       q->own[3] | (polled & (q->n_completions - 1)));
	shmemd_doorbell_before_turn();
}

SHMEMD_FN uint64_t gda_ionic_messages(const struct shmemd_gda_queue *q,
				      const char *cqe, uint64_t done)
{
	const uint32_t n = gda_be32(shmemd_load32(
		cqe + offsetof(struct gda_ionic_completion, n_messages)));

	return (n - done) & q->own[1];
}

/* Status and flags, as one word of memory. */
SHMEMD_FN uint64_t gda_ionic_end(const char *cqe)
{
	return shmemd_load64(cqe +
			     offsetof(struct gda_ionic_completion, status));
}

SHMEMD_FN int gda_ionic_failed(uint64_t end, struct gda_status *status)
{
	status->code = 0;
	if (SHMEMD_LIKELY(!(gda_be32(end >> 32) & GDA_IONIC_CQE_ERROR)))
		return 0;
	status->code = gda_be32((uint32_t)end);
	status->vendor = 0;
	status->error = gda_ionic_error(status->code);
	if (!status->code)
		status->code = ~0u;
	return 1;
}

/* The one completion that the NIC overwrites; as in gda_bnxt_poll. */
SHMEMD_FN int gda_ionic_poll_one(struct shmemd_gda_queue *q,
				 struct gda_status *status)
{
	const uint64_t done = shmemd_load64(&q->done);
	const uint64_t more = gda_ionic_messages(q, q->completions, done);

	if (more)
		shmemd_completion_before_result();
	if (gda_ionic_failed(gda_ionic_end(q->completions), status))
		return 1;
	status->done = done + more;
	return more && more <= q->n_places;
}

/* done is loaded after the completion was seen, as in gda_mlx5_poll. */
SHMEMD_FN int gda_ionic_poll(struct shmemd_gda_queue *q,
			     struct gda_status *status)
{
	const uint64_t at = shmemd_load64(&q->polled);
	const char *cqe =
		q->completions + (at & (q->n_completions - 1)) *
					 sizeof(struct gda_ionic_completion);
	const uint32_t colour = !(at & q->n_completions);
	uint64_t end, done;

	if (q->n_completions == 1)
		return gda_ionic_poll_one(q, status);
	end = gda_ionic_end(cqe);
	if ((gda_be32(end >> 32) & GDA_IONIC_CQE_COLOUR) != colour)
		return 0;
	if (!gda_ionic_failed(end, status)) {
		done = shmemd_load64(&q->done);
		status->done = done + gda_ionic_messages(q, cqe, done);
	}
	if (!gda_take(q, at))
		return 0;
	if (!((at + 1) & (q->n_completions / 4 - 1)))
		gda_ionic_tell(q);
	return 1;
}

#endif
