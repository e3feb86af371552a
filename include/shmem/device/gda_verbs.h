/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queues whose entries a thread of the host posts to any NIC by libibverbs, as
 * gda_op.h demands. gda_verbs_wire.h has the layout of what both sides read and
 * write.
 *
 * A place is one struct gda_verbs_entry of 64 bytes.
 *
 * The host puts into a queue:
 *   entries        n_places entries, in host memory
 *   record         NULL
 *   doorbell       a word of 64 bits in host memory, 0: places posted so far.
 *                  The thread looks at it, then (acquire) at the entries.
 *   completions    a struct gda_verbs_done in host memory, zero. done: places
 *                  that have completed without error, written by the thread
 *                  alone. code and vendor: one store of 8 bytes, at the first
 *                  error; code is an ibv_wc_status.
 *   n_completions  1
 *   number         of the queue pair
 *   own            nothing
 * moves: nothing; polled stays 0.
 *
 * Kinds: all but GDA_MASKED_SWAP and GDA_MASKED_ADD; atomics of 8 bytes alone.
 *
 * Order: entries; doorbell.
 */
#ifndef SHMEM_DEVICE_GDA_VERBS_H
#define SHMEM_DEVICE_GDA_VERBS_H

#include <shmem/device/gda_op.h>
#include <shmem/device/gda_verbs_wire.h>

#define GDA_VERBS_INLINE 32

SHMEMD_FN void gda_verbs_write(const struct shmemd_gda_queue *q, uint64_t at,
			       const struct gda_op *op, int completes)
{
	char *to =
		q->entries + (at & (q->n_places - 1)) * GDA_VERBS_ENTRY_BYTES;
	struct shmemd_vec first, second;

	first.a = op->kind | (completes ? 1u << 16 : 0) |
		  (uint64_t)op->bytes << 32;
	first.b = op->remote;
	second.a = op->local;
	second.b = gda_two32(op->remote_key, op->local_key);
	shmemd_store128(to, first);
	shmemd_store128(to + 16, second);
	gda_segment_store(to + 32, op->data);
	gda_segment_store(to + 48, op->data + 2);
}

SHMEMD_FN void gda_verbs_ring(const struct shmemd_gda_queue *q, uint64_t upto)
{
	shmemd_store64(q->doorbell, upto);
}

/* Numbers of enum ibv_wc_status, which libibverbs keeps. */
SHMEMD_FN uint32_t gda_verbs_error(uint32_t code)
{
	if (code == 5) /* flushed */
		return SHMEMX_ERROR_FLUSHED;
	if (code == 12 || code == 13) /* retries, the receiver's too */
		return SHMEMX_ERROR_LINK;
	if (code == 7 || code == 16 || (code >= 9 && code <= 11)) /* remote */
		return SHMEMX_ERROR_REMOTE;
	if (code && code <= 8) /* local */
		return SHMEMX_ERROR_LOCAL;
	return SHMEMX_ERROR_UNKNOWN;
}

SHMEMD_FN int gda_verbs_poll(struct shmemd_gda_queue *q,
			     struct gda_status *status)
{
	const uint64_t done = shmemd_load64(&q->done);
	const uint64_t error = shmemd_load64(
		q->completions + offsetof(struct gda_verbs_done, code));

	status->done = shmemd_load64(q->completions);
	status->code = (uint32_t)error;
	if (SHMEMD_UNLIKELY(status->code)) {
		status->vendor = (uint32_t)(error >> 32);
		status->error = gda_verbs_error(status->code);
		return 1;
	}
	return status->done > done;
}

#endif
