/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions and scans, combined in team order, so that all members get the
 * same bits on each run.
 */
#ifndef SHMEM_DEVICE_COLL_REDUCE_H
#define SHMEM_DEVICE_COLL_REDUCE_H

#include <shmem/device/coll_reduce_far.h>

/*
 * Four members' packets of one word, from member `first` on, combined on top
 * of acc. They move up, so that the loop need not be unrolled: combining any
 * type by any operation takes much code.
 */
SHMEMD_FN uint64_t shmemd_reduce_take4(const struct shmemd_team *team,
				       enum shmemd_fold op, unsigned int kind,
				       uint64_t acc, uint64_t mine,
				       struct shmemd_vec v[4], int first)
{
	const int n = shmemd_fold_members(team, op);
	int i;

	for (i = first; i < n && i < first + 4; i++) {
		const uint64_t x =
			i == team->me ? mine : shmemd_packet_data(v[0]);

		v[0] = v[1];
		v[1] = v[2];
		v[2] = v[3];
		acc = i || shmemd_is_scan(op) ?
			      shmemd_combine(op, kind, acc, x) :
			      x;
	}
	return acc;
}

/* Packets of one word from members first to first + 3, as far as there are. */
SHMEMD_FN void shmemd_reduce_look4(const struct shmemd_team *team,
				   struct shmemd_vec v[4], const char *at,
				   size_t step, int first)
{
	int k;

	if (first + 4 <= team->n_pes) {
		shmemd_load128x4(v, at, step);
		return;
	}
	SHMEMD_UNROLL
	for (k = 0; k < 4; k++) {
		v[k].a = v[k].b = 0;
		if (first + k < team->n_pes)
			v[k] = shmemd_load128(at + (size_t)k * step);
	}
}

/* Waits for those of them that others send. */
SHMEMD_FN void shmemd_reduce_await4(const struct shmemd_team *team,
				    struct shmemd_vec v[4], const char *at,
				    size_t step, int first, uint32_t seq)
{
	struct shmemd_wait wait = { { 0 }, 0 };
	int came, k;

	for (;;) {
		shmemd_reduce_look4(team, v, at, step, first);
		came = 1;
		SHMEMD_UNROLL
		for (k = 0; k < 4; k++)
			came &= first + k == team->me ||
				first + k >= team->n_pes ||
				shmemd_packet_came(v[k], seq);
		if (came)
			return;
		shmemd_wait_turn(&wait);
	}
}

/* The result of word k, of `words` that each member sent. */
SHMEMD_FN uint64_t shmemd_reduce_word(const struct shmemd_team *team,
				      enum shmemd_fold op, unsigned int kind,
				      uint64_t mine, unsigned int k,
				      unsigned int words, uint32_t seq)
{
	const char *packets = shmemd_packets_mine(team, seq);
	const size_t step = (size_t)words * SHMEMD_PACKET_BYTES;
	const char *at = packets + (size_t)k * SHMEMD_PACKET_BYTES;
	struct shmemd_vec v[4];
	uint64_t acc = 0;
	int i;

	for (i = 0; i < team->n_pes; i += 4, at += 4 * step) {
		shmemd_reduce_await4(team, v, at, step, i, seq);
		acc = shmemd_reduce_take4(team, op, kind, acc, mine, v, i);
	}
	return acc;
}

/* All send all to all; an item has the same words in both loops. */
SHMEMD_FN void shmemd_reduce_small(enum shmemd_scope s,
				   const struct shmemd_reduction *r,
				   enum shmemd_fold op, unsigned int kind)
{
	const struct shmemd_team *team = r->team;
	const unsigned int bytes = (unsigned int)r->bytes;
	const unsigned int words = (bytes + 7) / 8;
	const unsigned int mine = words * (unsigned int)team->me;
	const unsigned int first = shmemd_scope_index(s);
	const unsigned int step = shmemd_scope_size(s);
	const uint32_t seq = shmemd_exchange_next(s, team);
	uint64_t data = 0;
	unsigned int k;
	int i;

	shmemd_exchange_enter(s, team, seq);
	for (k = first; k < words; k += step) {
		data = shmemd_word_get(r->source + 8 * k, bytes - 8 * k);
		for (i = 0; i < team->n_pes; i++)
			if (i != team->me)
				shmemd_packet_send(shmemd_packets(team, i, seq),
						   mine + k, data, seq);
	}
	for (k = first; k < words; k += step) {
		if (words > step)
			data = shmemd_word_get(r->source + 8 * k,
					       bytes - 8 * k);
		shmemd_word_set(
			r->dest + 8 * k,
			shmemd_reduce_word(team, op, kind, data, k, words, seq),
			bytes - 8 * k);
	}
	shmemd_scope_sync(s);
}

/* A cell: 16 bytes, or one element; the unit of large reductions. */
SHMEMD_FN struct shmemd_vec shmemd_cell_load(const char *p, unsigned int cell)
{
	struct shmemd_vec v;

	if (cell == 16)
		return shmemd_load128(p);
	v.a = cell == 8 ? shmemd_load64(p) :
	      cell == 4 ? shmemd_load32(p) :
	      cell == 2 ? shmemd_load16(p) :
			  shmemd_load8(p);
	v.b = 0;
	return v;
}

SHMEMD_FN void shmemd_cell_store(char *p, struct shmemd_vec v,
				 unsigned int cell)
{
	if (cell == 16)
		shmemd_store128(p, v);
	else if (cell == 8)
		shmemd_store64(p, v.a);
	else if (cell == 4)
		shmemd_store32(p, (uint32_t)v.a);
	else if (cell == 2)
		shmemd_store16(p, (uint16_t)v.a);
	else
		shmemd_store8(p, (uint8_t)v.a);
}

/* Members' cells at `at`, first and on, at most four. */
SHMEMD_FN void shmemd_reduce_load4(const struct shmemd_reduction *r,
				   struct shmemd_vec v[4], size_t at, int first,
				   unsigned int cell)
{
	int k;

	SHMEMD_UNROLL
	for (k = 0; k < 4; k++)
		if (first + k < r->team->n_pes)
			v[k] = shmemd_cell_load(
				shmemd_array_of(&r->from, r->team, first + k) +
					at,
				cell);
}

/* A scan's cell of one member, before and after its own was added. */
SHMEMD_FN void shmemd_scan_store(const struct shmemd_reduction *r,
				 enum shmemd_fold op, int i, size_t at,
				 struct shmemd_vec before,
				 struct shmemd_vec after, unsigned int cell)
{
	if (shmemd_is_scan(op))
		shmemd_cell_store(shmemd_array_of(&r->to, r->team, i) + at,
				  op == SHMEMD_FOLD_INSCAN ? after : before,
				  cell);
}

/* As take4, for cells of 8 bytes or less, or 16. */
SHMEMD_FN struct shmemd_vec shmemd_cell_take4(const struct shmemd_reduction *r,
					      enum shmemd_fold op,
					      unsigned int kind, size_t at,
					      unsigned int cell, int first,
					      struct shmemd_vec acc)
{
	const int n = r->team->n_pes;
	struct shmemd_vec v[4], before;
	int i;

	shmemd_reduce_load4(r, v, at, first, cell);
	for (i = first; i < n && i < first + 4; i++) {
		before = acc;
		acc = v[0];
		v[0] = v[1];
		v[1] = v[2];
		v[2] = v[3];
		if (i || shmemd_is_scan(op)) {
			acc.a = shmemd_combine(op, kind, before.a, acc.a);
			acc.b = shmemd_combine(op, kind, before.b, acc.b);
		}
		shmemd_scan_store(r, op, i, at, before, acc, cell);
	}
	return acc;
}

/*
 * One cell of all members: combined, and stored to all. A scan stores as it
 * goes; each store to a member follows the load of its source, which may be
 * the same array.
 */
SHMEMD_FN void shmemd_reduce_cell(const struct shmemd_reduction *r,
				  enum shmemd_fold op, unsigned int kind,
				  size_t at, unsigned int cell)
{
	const int n = r->team->n_pes;
	struct shmemd_vec acc = { 0, 0 };
	int i, to = r->team->me;

	for (i = 0; i < n; i += 4)
		acc = shmemd_cell_take4(r, op, kind, at, cell, i, acc);
	for (i = 0; i < n && !shmemd_is_scan(op); i++) {
		shmemd_cell_store(shmemd_array_of(&r->to, r->team, to) + at,
				  acc, cell);
		to = to + 1 < n ? to + 1 : 0;
	}
}

/* This member's part of n cells that begin at `at`. */
SHMEMD_FN void shmemd_reduce_cells(enum shmemd_scope s,
				   const struct shmemd_reduction *r,
				   enum shmemd_fold op, unsigned int kind,
				   size_t at, size_t n, unsigned int cell)
{
	const size_t all = (size_t)r->team->n_pes, me = (size_t)r->team->me;
	const size_t part = (n + all - 1) / all;
	const size_t end = (me + 1) * part < n ? (me + 1) * part : n;
	const size_t step = shmemd_scope_size(s);
	size_t k;

	for (k = me * part + shmemd_scope_index(s); k < end; k += step)
		shmemd_reduce_cell(r, op, kind, at + k * cell, cell);
}

/*
 * Each member combines a part of the elements, which it reads from all and
 * stores to all. Nobody else touches the part, so in place needs no copy.
 * First by lines of 16 bytes, then what is left by elements.
 */
SHMEMD_FN void shmemd_reduce_large(enum shmemd_scope s,
				   const struct shmemd_reduction *r,
				   enum shmemd_fold op, unsigned int kind)
{
	const uintptr_t odd = (uintptr_t)r->dest | (uintptr_t)r->source;
	const size_t lines = odd & 15 ? 0 : r->bytes / 16;
	size_t at = 0, n = lines;
	unsigned int cell = 16;

	shmemd_meet(s, r->team, SHMEMD_OWED_STORES);
	while (cell) {
		shmemd_reduce_cells(s, r, op, kind, at, n, cell);
		at = 16 * lines;
		cell = cell == 16 ? kind & 15 : 0;
		n = cell ? (r->bytes - at) / cell : 0;
	}
	shmemd_meet(s, r->team, SHMEMD_OWED_PUTS);
}

SHMEMD_FN int shmemd_reduce_in(enum shmemd_scope s, const char *api,
			       enum shmemd_fold op, unsigned int kind,
			       shmem_team_t handle, void *dest,
			       const void *source, size_t nelems)
{
	const size_t esize = kind & 15;
	struct shmemd_reduction r;

	r.team = shmemd_team_arg(api, handle);
	r.dest = (char *)dest;
	r.source = (const char *)source;
	r.bytes = nelems * esize;
	if (!r.team)
		return -1;
	shmemd_coll_check(api, dest, nelems, source, nelems, esize, 1);
	if (!nelems)
		return 0;
	if (SHMEMD_UNLIKELY(r.team->far))
		return shmemd_far_reduce(s, api, r.team, dest, source, r.bytes,
					 op, kind);
	if (shmemd_exchange_fits(s, r.team, r.bytes)) {
		shmemd_reduce_small(s, &r, op, kind);
		return 0;
	}
	r.to = shmemd_array_at(api, dest, r.bytes, esize);
	r.from = shmemd_array_at(api, source, r.bytes, esize);
	shmemd_reduce_large(s, &r, op, kind);
	return 0;
}

SHMEMD_PER_SCOPE(shmemd_reduce,
		 (const char *api, enum shmemd_fold op, unsigned int kind,
		  shmem_team_t handle, void *dest, const void *source,
		  size_t nelems),
		 api, op, kind, handle, dest, source, nelems)

/* One of each scope serves all types and operations. */
SHMEMD_FN int shmemd_reduce(enum shmemd_scope s, const char *api,
			    enum shmemd_fold op, unsigned int kind,
			    shmem_team_t handle, void *dest, const void *source,
			    size_t nelems)
{
	return SHMEMD_IN_SCOPE(s, shmemd_reduce, api, op, kind, handle, dest,
			       source, nelems);
}

#endif
