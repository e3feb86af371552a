/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include <shmem.h>

#include "moe.h"

enum { OUT, BACK };

/* Each expert's place in the tables. */
static long *make_places(const struct exchange *x, int experts)
{
	long *places = local_alloc((size_t)experts * sizeof(*places));

	for (int pe = 0; pe < x->npes; pe++)
		for (long slot = 0; slot < x->experts[pe].count; slot++)
			places[x->experts[pe].first + slot] =
				(long)pe * x->slots + slot;
	return places;
}

void exchange_make(struct exchange *x, const struct model *m, long ntokens,
		   long ntokens_max)
{
	const size_t row_bytes = (size_t)m->hidden * sizeof(float);
	size_t nblocks;

	*x = (struct exchange){
		.me = shmem_my_pe(),
		.npes = shmem_n_pes(),
		.npairs = ntokens * m->top_k,
	};
	x->slots = (m->experts + x->npes - 1) / x->npes;
	x->experts = local_alloc((size_t)x->npes * sizeof(*x->experts));
	for (int pe = 0; pe < x->npes; pe++)
		x->experts[pe] = share_of(m->experts, x->npes, pe);
	x->place = make_places(x, m->experts);
	x->sent = local_alloc((size_t)x->npairs * row_bytes);
	x->position = local_alloc((size_t)x->npairs * sizeof(*x->position));

	nblocks = (size_t)x->npes * (size_t)x->slots;
	x->asked = symmetric_alloc(nblocks * sizeof(*x->asked));
	x->offered = symmetric_alloc(nblocks * sizeof(*x->offered));
	x->base = symmetric_alloc(nblocks * sizeof(*x->base));
	x->granted = symmetric_alloc(nblocks * sizeof(*x->granted));
	x->nrows_max = symmetric_alloc(2 * sizeof(*x->nrows_max));
	x->arrived = symmetric_alloc(2 * sizeof(*x->arrived));
	/* No signal comes before the first step has synchronised the PEs. */
	memset(x->arrived, 0, 2 * sizeof(*x->arrived));
	x->returned = symmetric_alloc((size_t)ntokens_max * (size_t)m->top_k *
				      row_bytes);
	x->received = symmetric_alloc(row_bytes);
	x->received_room = 1;
}

void exchange_free(struct exchange *x)
{
	shmem_free(x->received);
	shmem_free(x->returned);
	shmem_free(x->arrived);
	shmem_free(x->nrows_max);
	shmem_free(x->granted);
	shmem_free(x->base);
	shmem_free(x->offered);
	shmem_free(x->asked);
	free(x->position);
	free(x->sent);
	free(x->place);
	free(x->experts);
}

/* Counts this PE's pairs by expert and gives each pair its position. */
static void sort_pairs(struct exchange *x, const struct model *m,
		       const struct batch *b)
{
	const long nblocks = (long)x->npes * x->slots;
	long *next = local_alloc((size_t)m->experts * sizeof(*next));
	long from = 0;

	memset(x->asked, 0, (size_t)nblocks * sizeof(*x->asked));
	for (long pair = 0; pair < x->npairs; pair++)
		x->asked[x->place[b->chosen[pair]]].nrows++;
	for (int e = 0; e < m->experts; e++) {
		struct block *block = &x->asked[x->place[e]];

		block->from = next[e] = from;
		from += block->nrows;
	}
	for (long pair = 0; pair < x->npairs; pair++)
		x->position[pair] = next[b->chosen[pair]]++;
	free(next);
}

/* Lays out `received`: by expert, and for each expert by PE. */
static long lay_out(struct exchange *x)
{
	long at = 0;

	for (int slot = 0; slot < x->slots; slot++)
		for (int pe = 0; pe < x->npes; pe++) {
			const long i = (long)pe * x->slots + slot;

			x->base[i] = at;
			at += x->offered[i].nrows;
		}
	return at;
}

/* A symmetric object has one size on all PEs: that of the PE with most. */
static void make_room(struct exchange *x, const struct model *m, long nrows)
{
	x->nrows_max[0] = nrows;
	shmem_long_max_reduce(SHMEM_TEAM_WORLD, &x->nrows_max[1],
			      &x->nrows_max[0], 1);
	if (x->nrows_max[1] <= x->received_room)
		return;
	shmem_free(x->received);
	x->received_room = x->nrows_max[1];
	x->received = symmetric_alloc((size_t)x->received_room *
				      (size_t)m->hidden * sizeof(float));
}

void exchange_counts(struct exchange *x, const struct model *m,
		     const struct batch *b)
{
	const size_t slots = (size_t)x->slots;

	sort_pairs(x, m, b);
	/* Until here another PE may read what the last step gave it. */
	shmem_sync_all();
	shmem_alltoallmem(SHMEM_TEAM_WORLD, x->offered, x->asked,
			  slots * sizeof(*x->asked));
	make_room(x, m, lay_out(x));
	shmem_long_alltoall(SHMEM_TEAM_WORLD, x->granted, x->base, slots);
}

static void count_bytes(struct exchange *x, const struct model *m, int pe,
			long nrows)
{
	if (pe != x->me)
		x->bytes_to_others += nrows * m->hidden * (long)sizeof(float);
}

/* Sends PE pe its blocks, straight to where it has granted them room. The
 * signal comes after the rows, so a counted block is a block in place. */
static void send_blocks(struct exchange *x, const struct model *m, int pe)
{
	for (int slot = 0; slot < x->slots; slot++) {
		const long i = (long)pe * x->slots + slot;
		const struct block *block = &x->asked[i];

		if (!block->nrows)
			continue;
		shmem_float_put_signal(x->received + x->granted[i] * m->hidden,
				       x->sent + block->from * m->hidden,
				       (size_t)(block->nrows * m->hidden),
				       &x->arrived[OUT], 1, SHMEM_SIGNAL_ADD,
				       pe);
		count_bytes(x, m, pe, block->nrows);
	}
}

static void return_blocks(struct exchange *x, const struct model *m, int pe)
{
	for (int slot = 0; slot < x->slots; slot++) {
		const long i = (long)pe * x->slots + slot;
		const struct block *block = &x->offered[i];

		if (!block->nrows)
			continue;
		shmem_float_put_signal(x->returned + block->from * m->hidden,
				       x->received + x->base[i] * m->hidden,
				       (size_t)(block->nrows * m->hidden),
				       &x->arrived[BACK], 1, SHMEM_SIGNAL_ADD,
				       pe);
		count_bytes(x, m, pe, block->nrows);
	}
}

/* Waits for all the blocks that are not empty. The counter only grows, so
 * that nobody has to reset it between two steps. */
static void wait_for(struct exchange *x, int way, const struct block *blocks)
{
	for (long i = 0; i < (long)x->npes * x->slots; i++)
		x->expected[way] += blocks[i].nrows > 0;
	shmem_signal_wait_until(&x->arrived[way], SHMEM_CMP_GE,
				x->expected[way]);
}

void exchange_dispatch(struct exchange *x, const struct model *m,
		       const struct batch *b)
{
	const size_t row_bytes = (size_t)m->hidden * sizeof(float);

	for (long pair = 0; pair < x->npairs; pair++)
		memcpy(x->sent + x->position[pair] * m->hidden,
		       b->x + pair / m->top_k * m->hidden, row_bytes);
	/* Each starts at another peer, so that no PE is hit by all at once. */
	for (int i = 1; i <= x->npes; i++)
		send_blocks(x, m, (x->me + i) % x->npes);
	wait_for(x, OUT, x->offered);
}

void exchange_return(struct exchange *x, const struct model *m)
{
	for (int i = 1; i <= x->npes; i++)
		return_blocks(x, m, (x->me + i) % x->npes);
	wait_for(x, BACK, x->asked);
}

struct share exchange_rows(const struct exchange *x, int slot)
{
	struct share rows = { x->base[slot], 0 };

	for (int pe = 0; pe < x->npes; pe++)
		rows.count += x->offered[(long)pe * x->slots + slot].nrows;
	return rows;
}
