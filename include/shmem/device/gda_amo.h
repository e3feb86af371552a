/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomics by NICs: those that the queue's format has, the rest by loops that
 * fetch the value and then compare and swap until nobody has changed it in
 * between. Where a NIC has them on 8 bytes alone, 4 bytes are changed as a part
 * of the aligned 8 around them. A fetch is a read.
 */
#ifndef SHMEM_DEVICE_GDA_AMO_H
#define SHMEM_DEVICE_GDA_AMO_H

#include <shmem/device/gda_send.h>

/* What is asked for; v and cond have no bits beyond mask. */
struct gda_amo_call {
	enum shmemd_amo amo;
	unsigned int bytes; /* 4 or 8 */
	uint64_t v, cond, mask;
};

/* Whether the NIC has it. */
SHMEMD_FN int gda_amo_has(const struct shmemd_gda_queue *q, enum shmemd_amo amo,
			  unsigned int bytes)
{
	struct gda_op op;

	op.kind = 0;
	op.bytes = bytes;
	op.remote = op.local = 0;
	op.remote_key = op.local_key = 0;
	op.data[0] = op.data[1] = op.data[2] = op.data[3] = 0;
	return gda_amo(q, &op, amo);
}

/* What the target is to become. */
SHMEMD_FN uint64_t gda_amo_apply(const struct gda_amo_call *a, uint64_t old)
{
	switch (a->amo) {
	case SHMEMD_FETCH:
		return old;
	case SHMEMD_SET:
	case SHMEMD_SWAP:
		return a->v;
	case SHMEMD_CSWAP:
		return old == a->cond ? a->v : old;
	case SHMEMD_ADD:
		return (old + a->v) & a->mask;
	case SHMEMD_AND:
		return old & a->v;
	case SHMEMD_OR:
		return old | a->v;
	case SHMEMD_XOR:
		return old ^ a->v;
	}
	return old;
}

/* The whole of what was there before. */
SHMEMD_FN uint64_t gda_amo_result(const struct gda_call *call,
				  const struct gda_ticket *ticket)
{
	uint64_t word = ticket->result;

	if (call->way >= GDA_AMO_FETCH)
		word = gda_result(call->q, call->bytes, word);
	return word & ~(uint64_t)0 >> (64 - 8 * call->bytes);
}

/* The value before, by swaps of `wide` bytes; 0 if the queue has failed. */
SHMEMD_FN uint64_t gda_amo_loop(const struct gda_end *end,
				const struct gda_amo_call *a,
				const void *target, unsigned int wide)
{
	const unsigned int off =
		wide == a->bytes ? 0 : (unsigned int)(uintptr_t)target & 7;
	struct gda_call call =
		gda_call_of(end, GDA_LOAD, (const char *)target - off, wide);
	struct gda_ticket ticket = gda_send(&call);
	uint64_t seen = 0, old = 0;
	int left = 1;

	SHMEMD_ROLLED
	while (left && ticket.upto != GDA_FAILED) {
		const uint64_t found = gda_amo_result(&call, &ticket);
		uint64_t next;

		left = call.way == GDA_LOAD || found != seen;
		seen = found;
		old = seen >> 8 * off & a->mask;
		next = gda_amo_apply(a, old);
		left = left && next != old;
		call.way = GDA_AMO_FETCH + (uint32_t)SHMEMD_CSWAP;
		call.x = seen ^ (old ^ next) << 8 * off;
		call.y = seen;
		if (left)
			ticket = gda_send(&call);
	}
	return left ? 0 : old;
}

SHMEMD_FN uint32_t gda_amo_way(const struct gda_amo_call *a, int fetches)
{
	if (a->amo == SHMEMD_FETCH)
		return GDA_LOAD;
	if (fetches)
		return GDA_AMO_FETCH + (uint32_t)a->amo;
	return GDA_AMO + (uint32_t)a->amo;
}

/* By one item. The value before; 0 where fetches is 0 or the queue fails. */
SHMEMD_FN uint64_t gda_amo_by(const struct gda_end *end,
			      const struct gda_amo_call *a, const void *target,
			      int fetches)
{
	const int is_swap = gda_amo_has(end->q, SHMEMD_CSWAP, a->bytes);
	struct gda_call call =
		gda_call_of(end, gda_amo_way(a, fetches), target, a->bytes);
	struct gda_ticket ticket;

	if (a->amo != SHMEMD_FETCH && !gda_amo_has(end->q, a->amo, a->bytes))
		return gda_amo_loop(end, a, target, is_swap ? a->bytes : 8);
	call.x = a->v;
	call.y = a->cond;
	ticket = gda_send(&call);
	if (ticket.upto == GDA_FAILED || !fetches)
		return 0;
	return gda_amo_result(&call, &ticket);
}

#endif
