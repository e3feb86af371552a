/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queues of NVIDIA's NICs (mlx5), as gda_op.h demands. gda_mlx5_wire.h has the
 * layout of what the NIC reads and writes.
 *
 * A place is a basic block of 64 bytes. An entry takes one; two, if it is a
 * masked swap of 8 bytes, whose second block may be in slot 0.
 *
 * The host puts into a queue:
 *   entries        n_places blocks; n_places <= 32768
 *   record         the send counter of the doorbell record: 32 bits that are
 *                  big-endian and 0; blocks posted so far, modulo 65536
 *   doorbell       the register, for one store of 8 bytes: two big-endian words
 *                  of 32 bits, (blocks << 8 & 0xffffff) and number << 8
 *   completions    n_completions entries of 64 bytes, all with the opcode
 *                  GDA_MLX5_CQE_NONE; their queue ignores overrun, is told of
 *                  nothing, and serves this queue alone
 *   n_completions  n_places; all of them, so that laps agree with the NIC's
 *   number         of the queue pair
 *   own[0]         GDA_MLX5_MASKED if the NIC has masked atomics of 4 and 8
 *                  bytes, else 0
 * moves: nothing.
 *
 * Kinds: all; without GDA_MLX5_MASKED, of the atomics GDA_ADD and GDA_SWAP_IF
 * of 8 bytes alone. Results of 4 bytes are big-endian in memory, those of 8
 * bytes are in the host's order, which the NIC was set to.
 *
 * Order: entries; record; doorbell. A good completion's last 8 bytes hold both
 * the entry's first block and the owner, and are seen at once.
 */
#ifndef SHMEM_DEVICE_GDA_MLX5_H
#define SHMEM_DEVICE_GDA_MLX5_H

#include <shmem/device/gda_mlx5_wire.h>
#include <shmem/device/gda_op.h>

#define GDA_MLX5_INLINE 28

SHMEMD_FN unsigned int gda_mlx5_places(const struct gda_op *op)
{
	return op->kind == GDA_MASKED_SWAP && op->bytes == 8 ? 2 : 1;
}

SHMEMD_FN void gda_mlx5_masked_swap(struct gda_op *op, uint64_t compare,
				    uint64_t mask, uint64_t compare_mask)
{
	op->kind = GDA_MASKED_SWAP;
	op->data[1] = compare;
	op->data[2] = mask;
	op->data[3] = compare_mask;
}

SHMEMD_FN void gda_mlx5_add(struct gda_op *op, uint64_t v, uint64_t boundary)
{
	op->kind = boundary ? GDA_MASKED_ADD : GDA_ADD;
	op->data[0] = v;
	op->data[1] = boundary;
}

SHMEMD_FN int gda_mlx5_amo(const struct shmemd_gda_queue *q, struct gda_op *op,
			   enum shmemd_amo amo)
{
	const uint64_t v = op->data[0], all = ~(uint64_t)0;

	if (amo == SHMEMD_FETCH)
		gda_mlx5_add(op, 0, 0);
	else if (amo == SHMEMD_ADD)
		gda_mlx5_add(op, v, 0);
	else if (amo == SHMEMD_XOR)
		gda_mlx5_add(op, v, all);
	else if (amo == SHMEMD_AND)
		gda_mlx5_masked_swap(op, 0, ~v, 0);
	else if (amo == SHMEMD_OR)
		gda_mlx5_masked_swap(op, 0, v, 0);
	else if (amo != SHMEMD_CSWAP)
		gda_mlx5_masked_swap(op, 0, all, 0);
	else if (op->bytes == 4)
		gda_mlx5_masked_swap(op, op->data[1], all, all);
	else
		op->kind = GDA_SWAP_IF;
	return (op->bytes == 8 &&
		(op->kind == GDA_ADD || op->kind == GDA_SWAP_IF)) ||
	       q->own[0] & GDA_MLX5_MASKED;
}

SHMEMD_FN uint64_t gda_mlx5_result(const struct shmemd_gda_queue *q,
				   unsigned int bytes, uint64_t word)
{
	(void)q;
	return bytes == 4 ? gda_be32((uint32_t)word) : word;
}

SHMEMD_FN char *gda_mlx5_block(const struct shmemd_gda_queue *q, uint64_t at)
{
	return q->entries + (at & (q->n_places - 1)) * GDA_MLX5_BLOCK_BYTES;
}

/* The opcode with its modifier. */
SHMEMD_FN uint32_t gda_mlx5_opcode(const struct gda_op *op)
{
	const uint32_t size = op->bytes == 8 ? GDA_MLX5_BYTES_8 << 24 :
					       GDA_MLX5_BYTES_4 << 24;

	if (op->kind == GDA_READ)
		return GDA_MLX5_READ;
	if (op->kind == GDA_SWAP_IF)
		return GDA_MLX5_SWAP_IF;
	if (op->kind == GDA_MASKED_SWAP)
		return GDA_MLX5_MASKED_SWAP | size;
	if (op->kind == GDA_MASKED_ADD ||
	    (op->kind == GDA_ADD && op->bytes == 4))
		return GDA_MLX5_MASKED_ADD | size;
	return op->kind == GDA_ADD ? GDA_MLX5_ADD : GDA_MLX5_WRITE;
}

SHMEMD_FN uint32_t gda_mlx5_segments(const struct gda_op *op)
{
	const uint32_t head = sizeof(uint32_t);

	if (op->kind == GDA_WRITE_INLINE)
		return 2 + (head + op->bytes + GDA_MLX5_SEGMENT_BYTES - 1) /
				   GDA_MLX5_SEGMENT_BYTES;
	if (op->kind == GDA_WRITE || op->kind == GDA_READ)
		return 3;
	return 3 + gda_mlx5_places(op);
}

/* Control and remote segment: the begin of all entries. */
SHMEMD_FN void gda_mlx5_begin(const struct shmemd_gda_queue *q, uint64_t at,
			      const struct gda_op *op, int completes)
{
	char *block = gda_mlx5_block(q, at);
	struct gda_mlx5_control control;
	struct gda_mlx5_remote remote;

	control.opcode = gda_be32(gda_mlx5_opcode(op) | (at & 0xffff) << 8);
	control.number = gda_be32(q->number << 8 | gda_mlx5_segments(op));
	control.flags = gda_be32(completes ? GDA_MLX5_COMPLETES : 0);
	control.immediate = 0;
	remote.address = gda_be64(op->remote);
	remote.key = gda_be32(op->remote_key);
	remote.unused = 0;
	gda_segment_store(block, &control);
	gda_segment_store(block + 16, &remote);
}

SHMEMD_FN void gda_mlx5_local(char *to, const struct gda_op *op)
{
	struct gda_mlx5_data data;

	data.bytes = gda_be32(op->bytes);
	data.key = gda_be32(op->local_key);
	data.address = gda_be64(op->local);
	gda_segment_store(to, &data);
}

/* The bytes stand behind a head of 4. */
SHMEMD_FN void gda_mlx5_inline(char *to, const struct gda_op *op)
{
	const uint32_t head = gda_be32(GDA_MLX5_INLINE_HEAD | op->bytes);
	const uint64_t *d = op->data;
	struct shmemd_vec first, second;

	first.a = head | d[0] << 32;
	first.b = d[0] >> 32 | d[1] << 32;
	second.a = d[1] >> 32 | d[2] << 32;
	second.b = d[2] >> 32 | d[3] << 32;
	shmemd_store128(to, first);
	shmemd_store128(to + 16, second);
}

/* An atomic's values, of 4 bytes each: of a swap all, of an addition two. */
SHMEMD_FN void gda_mlx5_values32(char *to, const struct gda_op *op)
{
	const int swap = op->kind == GDA_MASKED_SWAP;
	struct gda_mlx5_swap32 values;

	values.value = gda_be32((uint32_t)op->data[0]);
	values.compare =
		op->kind == GDA_ADD ? 0 : gda_be32((uint32_t)op->data[1]);
	values.value_mask = swap ? gda_be32((uint32_t)op->data[2]) : 0;
	values.compare_mask = swap ? gda_be32((uint32_t)op->data[3]) : 0;
	gda_segment_store(to, &values);
}

SHMEMD_FN void gda_mlx5_values64(char *to, uint64_t value, uint64_t compare)
{
	struct gda_mlx5_plain values;

	values.value = gda_be64(value);
	values.compare = gda_be64(compare);
	gda_segment_store(to, &values);
}

SHMEMD_FN void gda_mlx5_atomic(const struct shmemd_gda_queue *q, uint64_t at,
			       const struct gda_op *op)
{
	char *block = gda_mlx5_block(q, at);

	if (op->bytes == 4)
		gda_mlx5_values32(block + 32, op);
	else
		gda_mlx5_values64(block + 32, op->data[0],
				  op->kind == GDA_ADD ? 0 : op->data[1]);
	if (gda_mlx5_places(op) == 1) {
		gda_mlx5_local(block + 48, op);
		return;
	}
	gda_mlx5_values64(block + 48, op->data[2], op->data[3]);
	gda_mlx5_local(gda_mlx5_block(q, at + 1), op);
}

SHMEMD_FN void gda_mlx5_write(const struct shmemd_gda_queue *q, uint64_t at,
			      const struct gda_op *op, int completes)
{
	char *block = gda_mlx5_block(q, at);

	gda_mlx5_begin(q, at, op, completes);
	if (op->kind == GDA_WRITE_INLINE)
		gda_mlx5_inline(block + 32, op);
	else if (op->kind == GDA_WRITE || op->kind == GDA_READ)
		gda_mlx5_local(block + 32, op);
	else
		gda_mlx5_atomic(q, at, op);
}

SHMEMD_FN void gda_mlx5_record(const struct shmemd_gda_queue *q, uint64_t upto)
{
	shmemd_store32(q->record, gda_be32(upto & 0xffff));
}

SHMEMD_FN void gda_mlx5_ring(const struct shmemd_gda_queue *q, uint64_t upto)
{
	shmemd_store64(q->doorbell, gda_two32(gda_be32((upto & 0xffff) << 8),
					      gda_be32(q->number << 8)));
}

SHMEMD_FN uint32_t gda_mlx5_error(uint32_t syndrome)
{
	if (syndrome == GDA_MLX5_FLUSHED)
		return SHMEMX_ERROR_FLUSHED;
	if (syndrome == GDA_MLX5_RETRIES ||
	    syndrome == GDA_MLX5_RECEIVER_RETRIES)
		return SHMEMX_ERROR_LINK;
	if (syndrome == GDA_MLX5_BAD_RESPONSE ||
	    syndrome == GDA_MLX5_REMOTE_ABORTED ||
	    (syndrome >= GDA_MLX5_REMOTE_REQUEST &&
	     syndrome <= GDA_MLX5_REMOTE_OPERATION))
		return SHMEMX_ERROR_REMOTE;
	if ((syndrome && syndrome <= GDA_MLX5_LOCAL_WINDOW) ||
	    syndrome == GDA_MLX5_LOCAL_ACCESS)
		return SHMEMX_ERROR_LOCAL;
	return SHMEMX_ERROR_UNKNOWN;
}

/*
 * Places of the entry whose first one is `place`. Of those that the NIC did,
 * masked swaps alone may have two; it is in its block still, as its place was
 * not given back.
 */
SHMEMD_FN unsigned int gda_mlx5_completed(const struct shmemd_gda_queue *q,
					  uint64_t place, uint32_t opcode)
{
	const char *number = gda_mlx5_block(q, place) +
			     offsetof(struct gda_mlx5_control, number);

	if (SHMEMD_LIKELY(opcode != GDA_MLX5_MASKED_SWAP))
		return 1;
	return (gda_be32(shmemd_load32(number)) & 0x3f) > 4 ? 2 : 1;
}

/* last: the completion's last 8 bytes. */
SHMEMD_FN void gda_mlx5_read(const struct shmemd_gda_queue *q, const char *cqe,
			     uint64_t last, struct gda_status *status)
{
	const uint32_t opcode = gda_be32((uint32_t)last) >> 24;
	const unsigned int at = gda_be16((uint16_t)(last >> 32));
	uint64_t place, words;

	status->code = 0;
	if (SHMEMD_LIKELY(last >> 60 == GDA_MLX5_CQE_DONE)) {
		place = gda_widen(shmemd_load64(&q->done), at, 16);
		status->done = place + gda_mlx5_completed(q, place, opcode);
		return;
	}
	words = shmemd_load64(cqe + 48);
	status->vendor = words >> 48 & 0xff;
	status->error = gda_mlx5_error((uint32_t)(words >> 56));
	status->code = (uint32_t)(words >> 56);
	if (!status->code)
		status->code = ~0u;
}

/*
 * done is loaded after the completion was seen: it is at most that entry's
 * place, unless somebody else takes it.
 */
SHMEMD_FN int gda_mlx5_poll(struct shmemd_gda_queue *q,
			    struct gda_status *status)
{
	const uint64_t at = shmemd_load64(&q->polled);
	const char *cqe =
		q->completions + (at & (q->n_completions - 1)) *
					 sizeof(struct gda_mlx5_completion);
	const uint64_t last = shmemd_load64(
		cqe + offsetof(struct gda_mlx5_completion, opcode));
	const uint64_t lap = (at & q->n_completions) != 0;

	if (last >> 60 == GDA_MLX5_CQE_NONE || (last >> 56 & 1) != lap)
		return 0;
	gda_mlx5_read(q, cqe, last, status);
	return gda_take(q, at);
}

#endif
