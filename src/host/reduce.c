/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/reduce.h"

#include <stdlib.h>

#include "base/log.h"
#include "host/check.h"
#include "host/coll_table.h"

/* A block of the accumulator stays in the first-level cache. */
#define BLOCK_BYTES 4096

/*
 * What a long reduction or scan works on: element 0 of each member's arrays,
 * NULL for one that is far.
 */
struct reduce {
	const struct coll_call *call;
	struct shmem_team *team;
	size_t esize;
	shmemi_reduce_fn op;
	char **dest;
	char **source;
};

typedef void (*block_fn)(const struct reduce *r, size_t at, size_t n);

/* A block's place may be the very one that it comes from. */
static void put_block(void *dest, const void *block, size_t bytes)
{
	if (shmemi_untouchable(dest))
		shmemi_move_any(dest, block, bytes);
	else
		memmove(dest, block, bytes);
}

static void put_far(const struct reduce *r, int member, size_t offset,
		    const void *block, size_t bytes)
{
	shmemi_far_put(r->call->api, &shmemi_own_ctx,
		       coll_place(r->call->api, r->team, member, r->call->dest,
				  offset),
		       block, bytes, 0);
}

static void put_to(const struct reduce *r, int member, size_t offset,
		   const void *block, size_t bytes)
{
	if (likely(r->dest[member] != NULL))
		put_block(r->dest[member] + offset, block, bytes);
	else
		put_far(r, member, offset, block, bytes);
}

/* Where the source can be read, or the bytes brought to bounce. */
static const void *fetch(const struct reduce *r, int member, size_t offset,
			 void *bounce, size_t bytes)
{
	if (likely(r->source[member] != NULL))
		return shmemi_fetch(r->source[member] + offset, bounce, bytes);
	shmemi_far_get(r->call->api, &shmemi_own_ctx, bounce,
		       coll_place(r->call->api, r->team, member,
				  r->call->source, offset),
		       bytes, 0);
	return bounce;
}

static void reduce_block(const struct reduce *r, size_t at, size_t n)
{
	_Alignas(CACHE_LINE_BYTES) char acc[BLOCK_BYTES];
	_Alignas(CACHE_LINE_BYTES) char bounce[BLOCK_BYTES];
	size_t offset = at * r->esize, bytes = n * r->esize;
	const void *sum = fetch(r, 0, offset, acc, bytes);

	for (int i = 1; i < r->team->n_pes; i++, sum = acc)
		r->op(acc, sum, fetch(r, i, offset, bounce, bytes), n);
	for (int i = 0; i < r->team->n_pes; i++)
		put_to(r, i, offset, sum, bytes);
}

static void inscan_block(const struct reduce *r, size_t at, size_t n)
{
	_Alignas(CACHE_LINE_BYTES) char acc[BLOCK_BYTES] = { 0 };
	_Alignas(CACHE_LINE_BYTES) char bounce[BLOCK_BYTES];
	size_t offset = at * r->esize, bytes = n * r->esize;

	for (int i = 0; i < r->team->n_pes; i++) {
		r->op(acc, acc, fetch(r, i, offset, bounce, bytes), n);
		put_to(r, i, offset, acc, bytes);
	}
}

/* Reads a source before it writes the dest that may be the same array. */
static void exscan_block(const struct reduce *r, size_t at, size_t n)
{
	_Alignas(CACHE_LINE_BYTES) char acc[BLOCK_BYTES] = { 0 };
	_Alignas(CACHE_LINE_BYTES) char next[BLOCK_BYTES];
	size_t offset = at * r->esize, bytes = n * r->esize;

	for (int i = 0; i < r->team->n_pes; i++) {
		const void *x = fetch(r, i, offset, next, bytes);

		if (x != next)
			memcpy(next, x, bytes);
		put_to(r, i, offset, acc, bytes);
		r->op(acc, acc, next, n);
	}
}

static void find_arrays(const struct reduce *r)
{
	const struct coll_call *call = r->call;

	for (int i = 0; i < r->team->n_pes; i++) {
		int far = coll_is_far(r->team, i);

		r->dest[i] =
			far ? NULL :
			      coll_direct(call->api, r->team, i, call->dest);
		r->source[i] =
			far ? NULL :
			      coll_direct(call->api, r->team, i, call->source);
	}
}

/*
 * Each member owns a part of the elements, reads that part of every source and
 * writes it to every dest. All meet before, so that sources are ready, and
 * after. Nobody else touches the part, so in place needs no copy.
 */
static void by_parts(const struct coll_call *call, block_fn fn)
{
	struct shmem_team *team = call->team;
	size_t n = (size_t)team->n_pes, esize = call->esize;
	size_t block = BLOCK_BYTES / esize;
	size_t per_line =
		esize < CACHE_LINE_BYTES ? CACHE_LINE_BYTES / esize : 1;
	size_t lines = (call->nelems + per_line - 1) / per_line;
	size_t part = (lines + n - 1) / n * per_line;
	size_t at = part * (size_t)team->me, end = at + part;
	char **arrays = malloc(2 * n * sizeof(*arrays));
	struct reduce r = {
		call, team, esize, call->reduce, arrays, arrays + n
	};

	if (!arrays)
		shmemi_fatal("%s: out of memory", shmemi_api(call->api));
	find_arrays(&r);
	coll_sync(team);
	for (end = end < call->nelems ? end : call->nelems; at < end;
	     at += block)
		fn(&r, at, end - at < block ? end - at : block);
	if (unlikely(team->nodes != NULL))
		shmemi_far_quiet(call->api, &shmemi_own_ctx, -1);
	coll_sync(team);
	free(arrays);
}

void coll_reduce_flat(const struct coll_call *call)
{
	if (call->nelems)
		by_parts(call, reduce_block);
}

void coll_scan_flat(const struct coll_call *call)
{
	if (call->nelems)
		by_parts(call, call->inclusive ? inscan_block : exscan_block);
}

/* Everybody's elements fit in slots: one flight, then each computes alone. */
static void reduce_inline(struct shmem_team *team, void *dest,
			  const void *source, size_t nelems, size_t esize,
			  shmemi_reduce_fn op)
{
	size_t bytes = nelems * esize;
	_Alignas(CACHE_LINE_BYTES) char acc[COLL_INLINE], own[COLL_INLINE];

	source = shmemi_fetch(source, own, bytes);
	coll_step_begin(team);
	for (int i = 1; i < team->n_pes; i++)
		coll_send(team, coll_peer(team, i), source, bytes);
	for (int i = 0; i < team->n_pes; i++) {
		const void *x = i == team->me ? source : coll_receive(team, i);

		if (i)
			op(acc, acc, x, nelems);
		else
			coll_copy(acc, x, bytes);
	}
	coll_copy(dest, acc, bytes);
	coll_step_end(team, 1);
}

void shmemi_reduce(const char *api, struct shmem_team *team, void *dest,
		   const void *source, size_t nelems, size_t esize,
		   shmemi_reduce_fn op)
{
	const struct coll_call call = {
		.api = api,
		.team = team,
		.dest = dest,
		.source = source,
		.nelems = nelems,
		.esize = esize,
		.reduce = op,
	};

	if (unlikely(shmemi.guard))
		coll_check_alike(api, team, dest, source, nelems, esize, -1);
	if (unlikely(team->nodes != NULL))
		coll_run(COLL_REDUCE, &call);
	else if (nelems * esize <= COLL_INLINE)
		reduce_inline(team, dest, source, nelems, esize, op);
	else
		by_parts(&call, reduce_block);
}

static void scan_inline(struct shmem_team *team, void *dest, const void *source,
			size_t nelems, size_t esize, shmemi_reduce_fn sum,
			int inclusive)
{
	size_t bytes = nelems * esize;
	_Alignas(CACHE_LINE_BYTES) char acc[COLL_INLINE] = { 0 };
	_Alignas(CACHE_LINE_BYTES) char own[COLL_INLINE];

	source = shmemi_fetch(source, own, bytes);
	coll_step_begin(team);
	for (int i = 1; i < team->n_pes; i++)
		coll_send(team, coll_peer(team, i), source, bytes);
	for (int i = 0; i < team->n_pes; i++) {
		const void *x = i == team->me ? source : coll_receive(team, i);

		if (i < team->me || (inclusive && i == team->me))
			sum(acc, acc, x, nelems);
	}
	coll_copy(dest, acc, bytes);
	coll_step_end(team, 1);
}

void shmemi_scan(const char *api, struct shmem_team *team, void *dest,
		 const void *source, size_t nelems, size_t esize,
		 shmemi_reduce_fn sum, int inclusive)
{
	const struct coll_call call = {
		.api = api,
		.team = team,
		.dest = dest,
		.source = source,
		.nelems = nelems,
		.esize = esize,
		.reduce = sum,
		.inclusive = inclusive,
	};

	if (unlikely(shmemi.guard))
		coll_check_alike(api, team, dest, source, nelems, esize, -1);
	if (unlikely(team->nodes != NULL))
		coll_run(COLL_SCAN, &call);
	else if (nelems * esize <= COLL_INLINE)
		scan_inline(team, dest, source, nelems, esize, sum, inclusive);
	else
		by_parts(&call, inclusive ? inscan_block : exscan_block);
}
