/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a context and a PE to the queue between them. The host makes it when a
 * kernel asks: who finds no queue puts an ask into a list of the host's and
 * waits until the queue is there, or is refused, or the context has failed.
 *
 * n_queues of a context lead to a PE: a work-group has one of them by its
 * number, so that nothing is shared by all. Contexts that one item at a time
 * uses have the first alone.
 */
#ifndef SHMEM_DEVICE_GDA_ROW_H
#define SHMEM_DEVICE_GDA_ROW_H

#include <shmem/device/gda_format.h>
#include <shmem/device/reach.h>

/* Polls between two looks at what the host says of a context. */
#define GDA_LOOK 64

/* A context's options; none of SHMEM_CTX_DEFAULT and of what is no context. */
SHMEMD_FN uint32_t gda_options(shmem_ctx_t ctx)
{
	const struct shmemd_ctx *entry;

	if (ctx == SHMEM_CTX_DEFAULT)
		return 0;
	entry = shmemd_ctx_find(ctx);
	return entry ? shmemd_ctx_word(ctx, &entry->options) : 0;
}

/* Whether its options say that no two work-groups use it at once. */
SHMEMD_FN int gda_one_queue(uint32_t options)
{
	return shmemd_block.gda.n_queues == 1 ||
	       options & (SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE);
}

SHMEMD_FN unsigned int gda_index(uint32_t options)
{
	if (gda_one_queue(options))
		return 0;
	return shmemd_wg() & (shmemd_block.gda.n_queues - 1);
}

SHMEMD_FN struct shmemd_gda_failure *gda_failure(uintptr_t ctx)
{
	return &shmemd_block.gda.failures[ctx];
}

SHMEMD_FN int gda_ctx_failed(uintptr_t ctx)
{
	return shmemd_load32(&shmemd_block.gda.failed[ctx]) != 0;
}

/* NULL before the context's first queue. What lies in a cache may be old. */
SHMEMD_FN struct shmemd_gda_row *gda_row_cached(uintptr_t ctx)
{
	return (struct shmemd_gda_row *)(uintptr_t)shmemd_local_load64(
		(const uint64_t *)(const void *)&shmemd_block.gda.rows[ctx]);
}

SHMEMD_FN struct shmemd_gda_row *gda_row(uintptr_t ctx)
{
	return (struct shmemd_gda_row *)(uintptr_t)shmemd_load64(
		&shmemd_block.gda.rows[ctx]);
}

SHMEMD_FN size_t gda_word(int pe, unsigned int index)
{
	return (size_t)pe * shmemd_block.gda.n_queues + index;
}

/* A failed context's waits end, whatever they wait for. */
SHMEMD_FN int gda_ctx_vain(uintptr_t ctx, const struct shmemd_wait *wait)
{
	return wait->polls % GDA_LOOK == GDA_LOOK - 1 && gda_ctx_failed(ctx);
}

/* Puts the ask into the list, unless it finds it there. */
SHMEMD_FN void gda_ask(uintptr_t ctx, uint64_t ask)
{
	uint64_t *asks = shmemd_block.gda.asks;
	uint64_t at = shmemd_load64(shmemd_block.gda.n_asked);
	struct shmemd_wait wait = { { 0 }, 0 };

	SHMEMD_ROLLED
	for (; !gda_ctx_vain(ctx, &wait); at++) {
		uint64_t *slot = &asks[at % SHMEMD_GDA_ASKS];
		uint64_t had = shmemd_load64(slot);

		if (!had)
			had = shmemd_amo64(SHMEMD_CSWAP, slot, ask, 0);
		if (!had || had == ask)
			break;
		shmemd_wait_turn(&wait);
	}
	shmemd_store64(shmemd_block.gda.n_asked, at);
}

/* By those who call together: one of them asks for all with the same wish. */
SHMEMD_FN void gda_ask_together(uintptr_t ctx, int pe, unsigned int index)
{
	const uint64_t ask = (uint64_t)1 << 63 | (uint64_t)ctx << 40 |
			     (uint64_t)index << 32 | (uint32_t)pe;

	if (shmemd_lane_leads(ask))
		gda_ask(ctx, ask);
}

SHMEMD_FN struct shmemd_gda_row *gda_row_await(uintptr_t ctx)
{
	struct shmemd_wait wait = { { 0 }, 0 };
	struct shmemd_gda_row *row;

	while (!(row = gda_row(ctx)) && !gda_ctx_vain(ctx, &wait))
		shmemd_wait_turn(&wait);
	return row;
}

/* What its word says in the end: an address, or that there is no queue. */
SHMEMD_FN uint64_t gda_word_await(uintptr_t ctx, const uint64_t *word)
{
	struct shmemd_wait wait = { { 0 }, 0 };
	uint64_t v;

	while ((v = shmemd_load64(word)) < SHMEMD_GDA_REFUSED &&
	       !gda_ctx_vain(ctx, &wait))
		shmemd_wait_turn(&wait);
	shmemd_completion_before_result();
	return v;
}

SHMEMD_SLOW uint64_t gda_connect(uintptr_t ctx, int pe, unsigned int index)
{
	struct shmemd_gda_row *row = gda_row(ctx);
	uint64_t *word;

	if (!row) {
		gda_ask_together(ctx, pe, index);
		row = gda_row_await(ctx);
	}
	if (!row)
		return SHMEMD_GDA_REFUSED;
	word = &row->words[gda_word(pe, index)];
	if (shmemd_load64(word) == SHMEMD_GDA_UNASKED &&
	    shmemd_amo64(SHMEMD_CSWAP, word, SHMEMD_GDA_ASKED,
			 SHMEMD_GDA_UNASKED) == SHMEMD_GDA_UNASKED)
		gda_ask_together(ctx, pe, index);
	return gda_word_await(ctx, word);
}

/* NULL: there is none, and will be none. */
SHMEMD_FN struct shmemd_gda_queue *gda_queue_of(shmem_ctx_t ctx,
						uint32_t options, int pe)
{
	const unsigned int index = gda_index(options);
	const struct shmemd_gda_row *row = gda_row_cached((uintptr_t)ctx);
	uint64_t word = SHMEMD_GDA_UNASKED;

	if (SHMEMD_LIKELY(row != NULL))
		word = shmemd_local_load64(&row->words[gda_word(pe, index)]);
	if (SHMEMD_UNLIKELY(word < SHMEMD_GDA_WORDS))
		word = gda_connect((uintptr_t)ctx, pe, index);
	if (word < SHMEMD_GDA_WORDS)
		return NULL;
	return (struct shmemd_gda_queue *)(uintptr_t)word;
}

/* The queue of a word, NULL if nobody has used it: nothing is asked for. */
SHMEMD_FN struct shmemd_gda_queue *gda_queue_found(const uint64_t *word)
{
	const uint64_t v = shmemd_load64(word);

	if (v < SHMEMD_GDA_WORDS)
		return NULL;
	return (struct shmemd_gda_queue *)(uintptr_t)v;
}

#endif
