/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits for what a context has sent, by its list of queues, however many PEs
 * there are: for what is posted when they begin, never for what others post
 * later.
 */
#ifndef SHMEM_DEVICE_GDA_SETTLE_H
#define SHMEM_DEVICE_GDA_SETTLE_H

#include <shmem/device/gda_ring.h>

/*
 * Every step-th of n words of a row: what is posted, when its turn comes, of
 * those that are queues.
 */
SHMEMD_FN void gda_words_settle(const uint64_t *word, uint64_t n,
				unsigned int step, uint32_t options)
{
	const unsigned int polls =
		options & SHMEMX_CTX_LATER ? GDA_POLLS_LATER : GDA_POLLS;
	uint64_t i = 0, upto = GDA_FAILED;

	SHMEMD_ROLLED
	while (i < n) {
		struct shmemd_gda_queue *q = gda_queue_found(word + i);
		int state = GDA_WAIT_DONE;

		if (q && upto == GDA_FAILED)
			upto = shmemd_load64(&q->posted);
		if (q && options & SHMEMX_CTX_LATER)
			gda_tell_rest(q);
		if (q)
			state = gda_wait(q, upto, polls);
		if (state != GDA_WAIT_ON) {
			i += step;
			upto = GDA_FAILED;
		}
	}
}

/* Queue i of those that the context has. */
SHMEMD_FN struct shmemd_gda_queue *
gda_queue_listed(const struct shmemd_gda_row *row, uint64_t i)
{
	const size_t list = gda_word(shmemd_block.n_pes, 0);

	return gda_queue_found(&row->words[list + i]);
}

/* By items in turn: all that the context has in queues. */
SHMEMD_FN void gda_settle(shmem_ctx_t ctx, unsigned int index,
			  unsigned int size)
{
	const struct shmemd_gda_row *row = gda_row((uintptr_t)ctx);
	const size_t list = gda_word(shmemd_block.n_pes, 0) + index;
	uint64_t n;

	if (!row)
		return;
	n = shmemd_load64(&row->n_connected);
	if (index < n)
		gda_words_settle(row->words + list, n - index, size,
				 gda_options(ctx));
}

/* By items in turn: atomics that nobody waited for, before what comes now. */
SHMEMD_FN void gda_amos_settle(shmem_ctx_t ctx, unsigned int index,
			       unsigned int size)
{
	const struct shmemd_gda_row *row = gda_row((uintptr_t)ctx);
	const uint32_t options = gda_options(ctx);
	uint64_t i, n;

	if (!row || !shmemd_load64(&row->amos))
		return;
	n = shmemd_load64(&row->n_connected);
	SHMEMD_ROLLED
	for (i = index; i < n; i += size) {
		struct shmemd_gda_queue *q = gda_queue_listed(row, i);

		if (q)
			(void)gda_await(q, shmemd_load64(&q->amos), options);
	}
}

/* By one item: all that it has there for one PE. */
SHMEMD_FN void gda_pe_settle(shmem_ctx_t ctx, int pe)
{
	const struct shmemd_gda_row *row = gda_row((uintptr_t)ctx);

	if (row)
		gda_words_settle(row->words + gda_word(pe, 0),
				 shmemd_block.gda.n_queues, 1,
				 gda_options(ctx));
	shmemd_completion_before_result();
}

/*
 * By one item, one look at what it has there for one PE: it may have failed.
 * Calls no function, so that kernels need no stack.
 */
SHMEMD_SLOW void gda_pe_look(uintptr_t ctx, int pe)
{
	const struct shmemd_gda_row *row = gda_row(ctx);
	const unsigned int n = row ? shmemd_block.gda.n_queues : 0;
	unsigned int i;

	SHMEMD_ROLLED
	for (i = 0; i < n; i++) {
		struct shmemd_gda_queue *q =
			gda_queue_found(&row->words[gda_word(pe, i)]);

		if (q && shmemd_load64(&q->done) < shmemd_load64(&q->posted))
			gda_look(q, 0);
	}
}

/* Tells the NIC of what is posted by now. */
SHMEMD_FN void gda_queue_flush(struct shmemd_gda_queue *q)
{
	const uint64_t upto = shmemd_load64(&q->posted);
	struct shmemd_wait wait = { { 0 }, 0 };

	while (shmemd_load64(&q->rung) < upto && !gda_vain(q, &wait)) {
		gda_tell_rest(q);
		shmemd_wait_turn(&wait);
	}
}

/* By items in turn: all that the context has left for later. */
SHMEMD_FN void gda_flush(shmem_ctx_t ctx, unsigned int index, unsigned int size)
{
	const struct shmemd_gda_row *row = gda_row((uintptr_t)ctx);
	const uint64_t n = row ? shmemd_load64(&row->n_connected) : 0;
	uint64_t i;

	SHMEMD_ROLLED
	for (i = index; i < n; i += size) {
		struct shmemd_gda_queue *q = gda_queue_listed(row, i);

		if (q)
			gda_queue_flush(q);
	}
}

#endif
