/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entries of the items that come together: those for one queue are posted
 * together, queue after queue. Kernels have this in their own code; what it
 * calls is in gda_post.h and gda_ring.h.
 */
#ifndef SHMEM_DEVICE_GDA_SEND_H
#define SHMEM_DEVICE_GDA_SEND_H

#include <shmem/device/gda_post.h>

/* What became of an entry. */
struct gda_ticket {
	uint64_t upto;	 /* done when so many places are; GDA_FAILED */
	uint64_t result; /* up to 8 bytes that were there before */
	uint32_t bytes;	 /* that it moves */
	uint32_t use;	 /* enum gda_use, or GDA_SENT_DIRECT */
};

/* An item's end of a context: the queue to a PE. */
struct gda_end {
	struct shmemd_gda_queue *q; /* NULL: refused */
	uint32_t options;
};

SHMEMD_FN struct gda_end gda_end_of(shmem_ctx_t ctx, int pe)
{
	struct gda_end end;

	end.options = gda_options(ctx);
	end.q = gda_queue_of(ctx, end.options, pe);
	return end;
}

/* Of bytes at theirs; the rest is the caller's to set. */
SHMEMD_FN struct gda_call gda_call_of(const struct gda_end *end, uint32_t way,
				      const void *theirs, size_t bytes)
{
	struct gda_call call;

	call.q = end->q;
	call.options = end->options;
	call.way = way;
	call.then = GDA_THEN_NONE;
	call.of_signal = 0;
	call.theirs = (const char *)theirs;
	call.x = call.y = call.z = 0;
	call.bytes = (uint32_t)bytes;
	return call;
}

/* Whether caches may hold what the NIC is to look at, or over it. */
SHMEMD_FN int gda_call_owes(const struct gda_call *call)
{
	return (call->way == GDA_PUT || call->way == GDA_GET) &&
	       !(call->options & SHMEMX_CTX_VISIBLE);
}

/* Whether a call can have a result: known where it is inlined. */
SHMEMD_FN int gda_call_fetches(const struct gda_call *call)
{
	return call->way == GDA_GET || call->way == GDA_LOAD ||
	       call->way >= GDA_AMO_FETCH;
}

/* The result, when it is there, or the queue has failed. */
SHMEMD_FN void gda_send_result(const struct gda_call *call,
			       struct gda_ticket *ticket)
{
	char *dst = (char *)(uintptr_t)(call->way < GDA_AMO ? call->x : 0);
	const uint64_t at = ticket->upto - 1;

	if (!gda_await(call->q, ticket->upto, call->options)) {
		ticket->upto = GDA_FAILED;
		ticket->bytes = 0;
	}
	ticket->result = gda_cell_take_out(call->q, at, dst, ticket->bytes);
}

/*
 * Atomics before place upto, whose results nobody waits for: a NIC may make
 * what is sent later before them, so that a fence has to wait.
 */
SHMEMD_FN void gda_amos_sent(struct shmemd_gda_queue *q, uint64_t upto)
{
	struct shmemd_gda_row *row = gda_row(q->ctx);

	if (row && !shmemd_load64(&row->amos))
		shmemd_store64(&row->amos, 1);
	if (!q->alone)
		shmemd_max64(&q->amos, upto);
	else
		shmemd_store64(&q->amos, upto);
}

/* Places from first on are free, of which so many are enough; 0: never. */
SHMEMD_FN int gda_room(const struct gda_call *call,
		       const struct shmemd_gang *gang, uint64_t first)
{
	struct shmemd_gda_queue *q = call->q;
	const uint64_t upto = first + 2 * (uint64_t)gang->size - q->n_places;
	const int there =
		gda_await(q, upto, call->options) && !shmemd_load32(&q->failed);

	return shmemd_gang_bcast(gang, (uint64_t)there) != 0;
}

SHMEMD_FN struct gda_sent gda_post_from(const struct gda_call *call,
					const struct shmemd_gang *gang,
					uint64_t first)
{
	if (call->of_signal)
		return gda_post_signal(
			call->q, call->options, gda_call_ways(call),
			call->theirs, call->x, call->y, call->z, call->bytes,
			first, gang->index, gang->size, gang->lanes);
	return gda_post_any(call->q, call->options, gda_call_ways(call),
			    call->theirs, call->x, call->y, call->bytes, first,
			    gang->index, gang->size, gang->lanes);
}

/* What is sent most has functions of its own. */
SHMEMD_FN struct gda_sent gda_post_first(const struct gda_call *call,
					 const struct shmemd_gang *gang)
{
	const uint64_t way = shmemd_wave_same(call->way);

	if (way == GDA_PUT && !call->of_signal)
		return gda_post_put(call->q, call->options, call->theirs,
				    call->x, call->bytes, gang->index,
				    gang->size, gang->lanes);
	if (way == GDA_WORD && !call->of_signal)
		return gda_post_word(call->q, call->options, call->theirs,
				     call->x, call->bytes, gang->index,
				     gang->size, gang->lanes);
	return gda_post_from(call, gang, GDA_FAILED);
}

/* By a gang whose entries are for one queue and go one way. */
SHMEMD_FN struct gda_sent gda_post_all(const struct gda_call *call,
				       const struct shmemd_gang *gang)
{
	struct gda_sent sent = gda_post_first(call, gang);
	uint64_t first;

	if (SHMEMD_LIKELY(!gda_is_full(sent.upto)))
		return sent;
	first = shmemd_wave_same(sent.upto) & ~GDA_FULL;
	sent.bytes = 0;
	if (gda_room(call, gang, first))
		sent = gda_post_from(call, gang, first);
	return sent;
}

/* What comes of it, and waits for a result. */
SHMEMD_FN void gda_send_gang(const struct gda_call *call,
			     const struct shmemd_gang *gang,
			     struct gda_ticket *ticket)
{
	const struct gda_sent sent = gda_post_all(call, gang);

	if (!sent.bytes)
		return;
	ticket->bytes = sent.bytes;
	ticket->use = sent.use;
	ticket->upto = sent.upto;
	if (((call->way >= GDA_AMO && call->way < GDA_AMO_FETCH) ||
	     call->then == GDA_THEN_ADD) &&
	    gang->index == gang->size - 1)
		gda_amos_sent(call->q, sent.upto);
	if (gda_call_fetches(call) && sent.use == GDA_CELL_RESULT)
		gda_send_result(call, ticket);
}

/*
 * By any items, at any time: those with one queue and one way together, most of
 * the time all. A loop that all leave together: an item that waits for others
 * of its wave holds no places and no cell.
 */
SHMEMD_FN struct gda_ticket gda_send(const struct gda_call *call)
{
	const struct shmemd_gang all = shmemd_gang();
	const int two = call->then || call->way >= GDA_AMO;
	const unsigned int limit = call->q->n_places >> (1 + two);
	uint64_t key =
		(uint64_t)(uintptr_t)call->q << 9 | (gda_call_ways(call) + 1);
	const int whole = !shmemd_gang_any(
		&all, key != shmemd_gang_bcast(&all, key) || all.size > limit);
	struct gda_ticket ticket = { GDA_FAILED, 0, 0, GDA_NO_CELL };
	struct shmemd_gang part = all;

	shmemd_source_before_entry(gda_call_owes(call));
	if (SHMEMD_UNLIKELY(!whole))
		part = shmemd_gang_part(&all, key, limit);
	SHMEMD_ROLLED
	while (part.size) {
		if (part.index != SHMEMD_GANG_OUT) {
			gda_send_gang(call, &part, &ticket);
			key = 0;
		}
		part = shmemd_gang_part(&all, key, limit);
	}
	return ticket;
}

#endif
