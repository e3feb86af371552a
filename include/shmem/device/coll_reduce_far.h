/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions and scans of teams with far members. Small ones: all bring all to
 * all. Large ones: each member combines a part of the elements, by chunks; far
 * members' come to its own slots and go from there.
 */
#ifndef SHMEM_DEVICE_COLL_REDUCE_FAR_H
#define SHMEM_DEVICE_COLL_REDUCE_FAR_H

#include <shmem/device/coll_far.h>
#include <shmem/device/fold.h>

/* With member i's word x; acc of those before. */
SHMEMD_SLOW uint64_t shmemd_far_fold(enum shmemd_fold op, unsigned int kind,
				     int i, uint64_t acc, uint64_t x)
{
	return i || shmemd_is_scan(op) ? shmemd_combine(op, kind, acc, x) : x;
}

/* Bytes that are combined at once: a word of elements, or one. */
SHMEMD_FN unsigned int shmemd_far_cell(const struct shmemd_reduction *r,
				       unsigned int kind, size_t bytes)
{
	const size_t odd = (uintptr_t)r->dest | (uintptr_t)r->source | bytes;

	return odd & 7 ? kind & 15 : 8;
}

/* The result at byte `at`, of what all brought to meeting number. */
SHMEMD_FN uint64_t shmemd_far_result(const struct shmemd_reduction *r,
				     enum shmemd_fold op, unsigned int kind,
				     uint64_t number, size_t at,
				     unsigned int cell)
{
	const struct shmemd_team *team = r->team;
	const int n = shmemd_fold_members(team, op);
	uint64_t acc = 0;
	int i;

	for (i = 0; i < n; i++) {
		const char *from =
			i == team->me ?
				r->source :
				shmemd_far_slot_of(team, team->me, i, number);

		acc = shmemd_far_fold(
			op, kind, i, acc,
			shmemd_copy_load(SHMEMD_FROM_PEER, from + at, cell));
	}
	return acc;
}

SHMEMD_FN void shmemd_far_reduce_small(enum shmemd_scope s,
				       const struct shmemd_reduction *r,
				       enum shmemd_fold op, unsigned int kind)
{
	const unsigned int cell = shmemd_far_cell(r, kind, r->bytes);
	const size_t step = (size_t)shmemd_scope_size(s) * cell;
	const uint64_t number =
		shmemd_far_exchange(s, r->team, r->source, 0, r->bytes);
	size_t at;

	for (at = (size_t)shmemd_scope_index(s) * cell; at < r->bytes;
	     at += step)
		shmemd_copy_store(
			SHMEMD_FROM_PEER, r->dest + at,
			shmemd_far_result(r, op, kind, number, at, cell), cell);
}

/* bytes at `at` of all members, whose far ones have slots of half. */
struct shmemd_far_chunk {
	const struct shmemd_reduction *r;
	size_t at, bytes;
	uint64_t half;
};

SHMEMD_FN char *shmemd_far_chunk_slot(const struct shmemd_far_chunk *c, int i)
{
	const struct shmemd_team *team = c->r->team;

	return shmemd_far_slot_of(team, team->me, i, c->half);
}

/* Where member i's part of an array is combined. */
SHMEMD_FN char *shmemd_far_chunk_of(const struct shmemd_far_chunk *c,
				    const struct shmemd_array *array, int i)
{
	if (shmemd_is_far(c->r->team, i))
		return shmemd_far_chunk_slot(c, i);
	return shmemd_array_of(array, c->r->team, i) + c->at;
}

/* As shmemd_reduce_cell: each store to a member follows the load from it. */
SHMEMD_FN void shmemd_far_chunk_fold(const struct shmemd_far_chunk *c,
				     enum shmemd_fold op, unsigned int kind,
				     size_t at, unsigned int cell)
{
	const struct shmemd_reduction *r = c->r;
	const int n = r->team->n_pes;
	uint64_t acc = 0, before;
	int i;

	for (i = 0; i < n; i++) {
		const char *from = shmemd_far_chunk_of(c, &r->from, i) + at;

		before = acc;
		acc = shmemd_far_fold(
			op, kind, i, acc,
			shmemd_copy_load(SHMEMD_FROM_PEER, from, cell));
		if (shmemd_is_scan(op))
			shmemd_copy_store(
				SHMEMD_TO_PEER,
				shmemd_far_chunk_of(c, &r->to, i) + at,
				op == SHMEMD_FOLD_INSCAN ? acc : before, cell);
	}
	for (i = 0; i < n && !shmemd_is_scan(op); i++)
		shmemd_copy_store(SHMEMD_TO_PEER,
				  shmemd_far_chunk_of(c, &r->to, i) + at, acc,
				  cell);
}

/* Far members' bytes to my slots, or from there. */
SHMEMD_FN void shmemd_far_chunk_move(enum shmemd_scope s,
				     const struct shmemd_far_chunk *c,
				     int results)
{
	const struct shmemd_reduction *r = c->r;
	int i;

	for (i = 0; i < r->team->n_pes; i++) {
		const int pe = shmemd_team_pe(r->team, i);

		if (!shmemd_is_far(r->team, i))
			continue;
		if (results)
			far_dev_put(s, SHMEM_CTX_DEFAULT, r->dest + c->at,
				    shmemd_far_chunk_slot(c, i), c->bytes, pe,
				    1);
		else
			far_dev_get(s, SHMEM_CTX_DEFAULT,
				    shmemd_far_chunk_slot(c, i),
				    r->source + c->at, c->bytes, pe, 1);
	}
}

/* The puts of the chunk before from this half are done by the gets' quiet. */
SHMEMD_FN void shmemd_far_reduce_chunk(enum shmemd_scope s,
				       const struct shmemd_far_chunk *c,
				       enum shmemd_fold op, unsigned int kind)
{
	const unsigned int cell = shmemd_far_cell(c->r, kind, c->bytes);
	const size_t step = (size_t)shmemd_scope_size(s) * cell;
	size_t at;

	shmemd_far_chunk_move(s, c, 0);
	far_dev_quiet(s, SHMEM_CTX_DEFAULT);
	shmemd_flag_before_payload(s);
	for (at = (size_t)shmemd_scope_index(s) * cell; at < c->bytes;
	     at += step)
		shmemd_far_chunk_fold(c, op, kind, at, cell);
	shmemd_far_payload_before_flag(s);
	shmemd_far_chunk_move(s, c, 1);
}

/* This member's part. Parts begin at multiples of 8 elements. */
SHMEMD_FN void shmemd_far_reduce_large(enum shmemd_scope s,
				       const struct shmemd_reduction *r,
				       enum shmemd_fold op, unsigned int kind)
{
	const size_t n = (size_t)r->team->n_pes, me = (size_t)r->team->me;
	const size_t line = 8 * (size_t)(kind & 15);
	const size_t part = (r->bytes / n / line + 1) * line;
	const size_t end =
		(me + 1) * part < r->bytes ? (me + 1) * part : r->bytes;
	const size_t slot = shmemd_far_slot_bytes(r->team);
	struct shmemd_far_chunk c;

	c.r = r;
	c.half = 0;
	for (c.at = me * part; c.at < end; c.at += c.bytes) {
		c.bytes = end - c.at < slot ? end - c.at : slot;
		shmemd_far_reduce_chunk(s, &c, op, kind);
		c.half ^= 1;
	}
}

SHMEMD_SLOW int shmemd_far_reduce(enum shmemd_scope s, const char *api,
				  const struct shmemd_team *team, void *dest,
				  const void *source, size_t bytes,
				  enum shmemd_fold op, unsigned int kind)
{
	const enum shmemd_scope mine = shmemd_within_wg(s);
	const size_t esize = kind & 15;
	struct shmemd_reduction r;

	r.team = team;
	r.dest = (char *)dest;
	r.source = (const char *)source;
	r.bytes = bytes;
	if (!shmemd_far_begin(s, team)) {
		/* The first work-group does it. */
	} else if (bytes <= shmemd_far_slot_bytes(team)) {
		shmemd_far_reduce_small(mine, &r, op, kind);
	} else {
		r.to = shmemd_array_at(api, dest, bytes, esize);
		r.from = shmemd_array_at(api, source, bytes, esize);
		shmemd_far_meet(mine, team);
		shmemd_far_reduce_large(mine, &r, op, kind);
		shmemd_far_meet(mine, team);
	}
	shmemd_far_end(s, team);
	return 0;
}

#endif
