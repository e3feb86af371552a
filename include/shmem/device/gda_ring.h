/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One queue: places, the order in which entries become the NIC's, doorbells,
 * completions, failures.
 *
 * A gang takes places for all its items' entries by one addition, the items
 * write theirs at once, and when all entries before are posted, its item 0
 * tells the NIC and gives the next one the turn: record and doorbell never go
 * back. In contexts with SHMEMX_CTX_LATER no poster tells the NIC, but whoever
 * flushes, or waits: one at a time.
 *
 * Nobody waits between taking places and posting their entries for one who
 * might wait for these. Places become free by entries posted before, which the
 * waiter itself tells the NIC of; a turn comes from one who has places already;
 * a cell is given back by one whose result is there. An item that waits for
 * others of its wave has no places that are not posted, and holds no cell.
 *
 * A queue that has failed completes nothing more: waits on it end, and what is
 * posted then is dropped. Counters have 64 bits and never go back.
 */
#ifndef SHMEM_DEVICE_GDA_RING_H
#define SHMEM_DEVICE_GDA_RING_H

#include <shmem/device/gda_row.h>

/* As a place: the queue has failed. */
#define GDA_FAILED UINT64_MAX

/* The first failure of a context is kept; whatever comes later is dropped. */
SHMEMD_FN void gda_fail(struct shmemd_gda_queue *q,
			const struct gda_status *status)
{
	struct shmemd_gda_failure *f = gda_failure(q->ctx);

	if (shmemd_amo32(SHMEMD_CSWAP, &f->state, SHMEMD_ERROR_WRITING,
			 SHMEMD_ERROR_NONE) == SHMEMD_ERROR_NONE) {
		shmemd_store32(&f->pe, (uint32_t)q->pe);
		shmemd_store32(&f->nic, q->nic);
		shmemd_store32(&f->format, q->format);
		shmemd_store32(&f->code, status->code);
		shmemd_store32(&f->vendor, status->vendor);
		shmemd_store32(&f->error, status->error);
		shmemd_store32(&f->number, q->number);
		shmemd_failure_before_end();
		shmemd_store32(&f->state, SHMEMD_ERROR_WRITTEN);
		shmemd_store32(&shmemd_block.gda.failed[q->ctx], 1);
	}
	shmemd_failure_before_end();
	shmemd_store32(&q->failed, 1);
}

SHMEMD_FN void gda_done(struct shmemd_gda_queue *q, uint64_t done)
{
	if (!q->alone)
		shmemd_max64(&q->done, done);
	else if (done > shmemd_load64(&q->done))
		shmemd_store64(&q->done, done);
}

/* A completion; returns the places that are done by it, 0 if there is none. */
SHMEMD_FN uint64_t gda_reap(struct shmemd_gda_queue *q)
{
	struct gda_status status;

	status.done = 0;
	status.code = status.vendor = status.error = 0;
	if (!gda_poll(q, &status))
		return 0;
	if (SHMEMD_LIKELY(!status.code)) {
		gda_done(q, status.done);
		return status.done;
	}
	gda_fail(q, &status);
	return 0;
}

/*
 * Takes completions until entries before place upto are done, or there is no
 * more. One item of all does at a time: a GPU's loads of one place in the
 * host's memory come one after the other, and everybody's entries and doorbells
 * behind them.
 */
SHMEMD_FN void gda_look(struct shmemd_gda_queue *q, uint64_t upto)
{
	uint64_t done;

	if (!shmemd_lane_leads((uint64_t)(uintptr_t)q))
		return;
	if (!q->alone && shmemd_amo32(SHMEMD_CSWAP, &q->looking, 1, 0))
		return;
	do
		done = gda_reap(q);
	while (done && done < upto);
	if (!q->alone)
		shmemd_store32(&q->looking, 0);
}

/* Whether a wait on the queue would be in vain. */
SHMEMD_FN int gda_vain(struct shmemd_gda_queue *q,
		       const struct shmemd_wait *wait)
{
	if (SHMEMD_UNLIKELY(shmemd_load32(&q->failed)))
		return 1;
	if (SHMEMD_LIKELY(!gda_ctx_vain(q->ctx, wait)))
		return 0;
	shmemd_store32(&q->failed, 1);
	return 1;
}

/* Tells the NIC of entries before place upto; fixed: the same queue's. */
SHMEMD_FN void gda_tell(struct shmemd_gda_queue *q,
			const struct shmemd_gda_queue *fixed, uint64_t upto)
{
	gda_record(fixed, upto);
	shmemd_record_before_doorbell();
	gda_ring(fixed, upto);
	shmemd_store64(&q->rung, upto);
}

/* Of what was left for later; does nothing while another item does it. */
SHMEMD_SLOW void gda_tell_rest(struct shmemd_gda_queue *q)
{
	const struct shmemd_gang one = shmemd_gang_one();
	uint64_t upto = shmemd_load64(&q->posted);

	if (shmemd_load64(&q->rung) >= upto)
		return;
	if (!q->alone && shmemd_amo32(SHMEMD_CSWAP, &q->ringing, 1, 0))
		return;
	shmemd_turn_before_record(&one);
	upto = shmemd_load64(&q->posted);
	if (shmemd_load64(&q->rung) < upto)
		gda_tell(q, q, upto);
	if (q->alone)
		return;
	shmemd_doorbell_before_turn();
	shmemd_store32(&q->ringing, 0);
}

/* What a wait came to. */
enum { GDA_WAIT_VAIN, GDA_WAIT_DONE, GDA_WAIT_ON };

/*
 * Until entries before place upto are done, or the queue has failed; or for
 * some polls.
 */
SHMEMD_SLOW int gda_wait(struct shmemd_gda_queue *q, uint64_t upto,
			 unsigned int polls)
{
	struct shmemd_wait wait = { { 0 }, 0 };
	int state = GDA_WAIT_ON;

	while (state == GDA_WAIT_ON && wait.polls < polls) {
		if (shmemd_load64(&q->done) >= upto)
			state = GDA_WAIT_DONE;
		else if (gda_vain(q, &wait))
			state = GDA_WAIT_VAIN;
		else
			gda_look(q, upto);
		shmemd_wait_turn(&wait);
	}
	return state;
}

/*
 * Polls between two looks at what was left for later, and without such. In
 * both, waits look at the context's failure.
 */
#define GDA_POLLS_LATER GDA_LOOK
#define GDA_POLLS (1u << 30)

/* Until entries before place upto are done; 0: they will not be. */
SHMEMD_FN int gda_await(struct shmemd_gda_queue *q, uint64_t upto,
			uint32_t options)
{
	const int later = (options & SHMEMX_CTX_LATER) != 0;
	int state = GDA_WAIT_ON;

	SHMEMD_ROLLED
	while (state == GDA_WAIT_ON) {
		if (later)
			gda_tell_rest(q);
		state = gda_wait(q, upto, later ? GDA_POLLS_LATER : GDA_POLLS);
	}
	return state == GDA_WAIT_DONE;
}

/* As a bit of a place: entries have yet to wait until places are free. */
#define GDA_FULL ((uint64_t)1 << 63)

SHMEMD_FN int gda_is_full(uint64_t at)
{
	return (int32_t)shmemd_wave_same(at >> 32) < 0;
}

/*
 * Of a queue, what kernels only read, so that it can stay in registers where
 * there are enough of these: on AMD's.
 */
#define GDA_MANY_REGISTERS SHMEMD_RELEASE_BEFORE_BARRIER

SHMEMD_FN struct shmemd_gda_queue gda_fixed(const struct shmemd_gda_queue *q)
{
	struct shmemd_gda_queue fixed;

	__builtin_memcpy(&fixed, q,
			 offsetof(struct shmemd_gda_queue, reserved));
	return fixed;
}

/* n places, by one item: the first. */
SHMEMD_FN uint64_t gda_places_take(struct shmemd_gda_queue *q, uint64_t n,
				   uint32_t options)
{
	uint64_t at;

	if (!(options & SHMEM_CTX_PRIVATE))
		return shmemd_amo64(SHMEMD_ADD, &q->reserved, n, 0);
	at = shmemd_load64(&q->reserved);
	shmemd_store64(&q->reserved, at + n);
	return at;
}

/*
 * The first of n places for a gang, with GDA_FULL unless they are known to be
 * free, in a queue that has not failed.
 */
SHMEMD_FN uint64_t gda_reserve(struct shmemd_gda_queue *q,
			       const struct shmemd_gang *gang, uint64_t n,
			       uint32_t n_places, uint32_t options)
{
	uint64_t at = 0;

	if (gang->index == 0) {
		const uint64_t done = shmemd_load64(&q->done);
		const uint32_t failed = shmemd_load32(&q->failed);
		uint32_t used;

		at = gda_places_take(q, n, options);
		used = (uint32_t)(at + n - done) | failed << 31;
		if (used > n_places)
			at |= GDA_FULL;
	}
	return shmemd_gang_bcast(gang, at);
}

/*
 * Between two polls for what an item gives that has places, or a result: it
 * makes no other call before that, so that no misuse can end it.
 */
SHMEMD_FN void gda_pause(struct shmemd_wait *wait)
{
	wait->polls++;
	shmemd_pause(&wait->pause);
}

/* All places before `at` are posted; 0: they will not be. */
SHMEMD_FN int gda_turn_await(struct shmemd_gda_queue *q, uint64_t at)
{
	struct shmemd_wait wait = { { 0 }, 0 };

	while (shmemd_wave_same(shmemd_load64(&q->posted)) != at) {
		if (shmemd_wave_same((uint64_t)gda_vain(q, &wait)))
			return 0;
		gda_pause(&wait);
	}
	return 1;
}

/*
 * By all of a gang, whose entries before place upto are written, when it is
 * their turn and they are sealed: they become the NIC's.
 */
SHMEMD_FN void gda_publish(struct shmemd_gda_queue *q,
			   const struct shmemd_gda_queue *fixed,
			   const struct shmemd_gang *gang, uint64_t upto,
			   uint32_t options)
{
	shmemd_gang_sync(gang);
	if (gang->index != 0)
		return;
	if (!(options & SHMEMX_CTX_LATER))
		gda_tell(q, fixed, upto);
	if (!(options & SHMEM_CTX_PRIVATE))
		shmemd_doorbell_before_turn();
	shmemd_store64(&q->posted, upto);
}

/*
 * By all of a gang that has written its entries from place first on. 0: the
 * queue has failed.
 */
SHMEMD_FN int gda_turn(struct shmemd_gda_queue *q,
		       const struct shmemd_gang *gang, uint64_t first,
		       uint32_t options)
{
	uint64_t mine = 1;

	shmemd_entry_before_record(gang);
	if (!(options & SHMEM_CTX_PRIVATE))
		mine = (uint64_t)gda_turn_await(q, first);
	if (!shmemd_gang_bcast(gang, mine))
		return 0;
	shmemd_turn_before_record(gang);
	return 1;
}

SHMEMD_FN size_t gda_slot(const struct shmemd_gda_queue *q, uint64_t at)
{
	return (size_t)(at & (q->n_places - 1));
}

SHMEMD_FN char *gda_cell(const struct shmemd_gda_queue *q, uint64_t at)
{
	return q->cells + gda_slot(q, at) * SHMEMD_GDA_CELL_BYTES;
}

/* The place's former user may have yet to read its result. */
SHMEMD_FN void gda_cell_take(struct shmemd_gda_queue *q, uint64_t at, int holds)
{
	uint32_t *held = &q->held[gda_slot(q, at)];
	struct shmemd_wait wait = { { 0 }, 0 };

	while (shmemd_load32(held) && !gda_vain(q, &wait))
		gda_pause(&wait);
	if (holds)
		shmemd_store32(held, 1);
}

SHMEMD_FN void gda_cell_release(struct shmemd_gda_queue *q, uint64_t at)
{
	shmemd_cell_before_release();
	shmemd_store32(&q->held[gda_slot(q, at)], 0);
}

#endif
