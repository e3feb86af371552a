/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges of rows by PE and expert, and back; coll_rows.h plans them. All
 * waves of a call, of a grid those of all its work-groups, copy as many bytes,
 * however uneven the blocks are: blocks count as one after the other, from this
 * PE's own on, and each wave has a slice of that. A last meeting tells that all
 * has come.
 *
 * Grids gather first. Their first work-group plans; the others wait for the
 * packets with spots, which stay until this PE's next exchange but one.
 */
#ifndef SHMEM_DEVICE_COLL_ALLTOALLV_2D_H
#define SHMEM_DEVICE_COLL_ALLTOALLV_2D_H

#include <shmem/device/coll_rows_far.h>

/* Bytes begin to end - 1 of a round's blocks for near members. */
struct shmemd_part {
	size_t begin, end, at;
};

SHMEMD_FN int shmemd_rows_near_to(const struct shmemd_rows *r, int i)
{
	return !r->team->far || !shmemd_is_far(r->team, i);
}

/* The slice of one of so many waves; *before: rows for members before me. */
SHMEMD_FN struct shmemd_part shmemd_rows_part(const struct shmemd_rows *r,
					      const struct shmemd_round *round,
					      size_t wave, size_t waves,
					      size_t *before)
{
	const size_t end = round->first + round->n;
	size_t all = 0, slice, e;
	struct shmemd_part part;
	int i;

	*before = 0;
	for (i = 0; i < r->team->n_pes; i++) {
		size_t rows = 0, in = 0;

		for (e = 0; e < r->n_local; e++) {
			const size_t n = r->in_counts[shmemd_rows_in(r, i, e)];

			rows += n;
			in += e >= round->first && e < end ? n : 0;
		}
		*before += i < r->team->me ? rows : 0;
		all += shmemd_rows_near_to(r, i) ? in : 0;
	}
	all *= r->row_bytes;
	slice = ((all + waves - 1) / waves + 511) & ~(size_t)511;
	part.begin = wave * slice;
	part.end = part.begin + slice;
	part.at = 0;
	return part;
}

/* The wave's part of a block of n rows for member i, `row` of source on. */
SHMEMD_FN void shmemd_rows_copy(const struct shmemd_rows *r,
				const struct shmemd_round *round,
				struct shmemd_part *part, int i, size_t expert,
				size_t row, size_t n)
{
	const size_t bytes = n * r->row_bytes, at = part->at;
	const size_t from = part->begin > at ? part->begin - at : 0;
	const size_t to = part->end < at + bytes ? part->end - at : bytes;
	uint64_t spot;

	part->at = at + bytes;
	if (at >= part->end || from >= to)
		return;
	spot = shmemd_rows_spot(r, round, i, expert);
	if (spot)
		xgmi_dev_put(SHMEMD_WAVE,
			     shmemd_spot_on(spot, shmemd_team_pe(r->team, i)) +
				     from,
			     r->source + row * r->row_bytes + from, to - from);
}

/* Blocks for member i; `at` is the first one's row if there are no gaps. */
SHMEMD_FN size_t shmemd_rows_push_to(const struct shmemd_rows *r,
				     const struct shmemd_round *round,
				     struct shmemd_part *part, int i, size_t at)
{
	const int near = shmemd_rows_near_to(r, i);
	const size_t end = round->first + round->n;
	size_t e, k;

	for (e = 0; e < r->n_local; e += 4) {
		size_t n[4], rows, bytes;

		/* Four loads in flight: most blocks are other waves'. */
		SHMEMD_UNROLL
		for (k = 0; k < 4; k++)
			n[k] = e + k < r->n_local ? r->in_counts[shmemd_rows_in(
							    r, i, e + k)] :
						    0;
		rows = n[0] + n[1] + n[2] + n[3];
		bytes = rows * r->row_bytes;
		if (near && e >= round->first && e + 4 <= end &&
		    (part->at + bytes <= part->begin ||
		     part->at >= part->end)) {
			part->at += bytes;
			at += rows;
			continue;
		}
		for (k = e; k < e + 4 && k < r->n_local; k++) {
			const size_t b = shmemd_rows_in(r, i, k);
			const size_t rows_k = r->in_counts[b];

			if (near && k >= round->first && k < end)
				shmemd_rows_copy(
					r, round, part, i, k,
					r->in_offsets ? r->in_offsets[b] : at,
					rows_k);
			at += rows_k;
		}
	}
	return at;
}

/* By each wave, of so many. */
SHMEMD_SLOW void shmemd_rows_push(const struct shmemd_rows *r,
				  const struct shmemd_round *round, size_t wave,
				  size_t waves)
{
	const int n = r->team->n_pes;
	size_t at;
	struct shmemd_part part = shmemd_rows_part(r, round, wave, waves, &at);
	int i = r->team->me, k;

	for (k = 0; k < n; k++) {
		at = shmemd_rows_push_to(r, round, &part, i, at);
		if (++i == n)
			at = i = 0;
	}
}

/* Counts and places; exchanges from this number on; the number after them. */
SHMEMD_SLOW uint64_t shmemd_rows_plan(enum shmemd_scope s,
				      const struct shmemd_rows *r, int plans,
				      uint64_t number)
{
	const size_t most = r->team->ll_bytes / 8;
	size_t at;

	for (at = 0; at < r->n_local; at += most, number++) {
		const struct shmemd_round round = shmemd_round_at(r, at, most);

		if (plans)
			shmemd_rows_counts(s, r, &round);
	}
	if (plans)
		shmemd_rows_place(s, r);
	return number;
}

SHMEMD_FN void shmemd_rows_near(enum shmemd_scope s,
				const struct shmemd_rows *r)
{
	const enum shmemd_scope mine = shmemd_within_wg(s);
	const int first = s != SHMEMD_GRID || shmemd_wg() == 0;
	const size_t most = r->team->ll_bytes / 8;
	uint64_t number = shmemd_exchange_next(mine, r->team);
	struct shmemd_round round;
	size_t at;

	if (s == SHMEMD_GRID)
		shmemd_gather(r->team);
	number = shmemd_rows_plan(mine, r, first, number);
	for (at = 0; at < r->n_local; at += most, number++) {
		round = shmemd_round_at(r, at, most);
		round.number = number;
		if (at)
			shmemd_meet(s, r->team, SHMEMD_OWED_PUTS);
		if (first)
			shmemd_rows_spots(mine, r, &round);
		shmemd_rows_push(r, &round, shmemd_wave_in(s),
				 shmemd_waves_of(s));
	}
	shmemd_meet(s, r->team,
		    s == SHMEMD_GRID && first ? SHMEMD_OWED_STORES :
						SHMEMD_OWED_PUTS);
}

SHMEMD_SLOW void shmemd_rows_far(enum shmemd_scope s,
				 const struct shmemd_rows *r)
{
	const enum shmemd_scope mine = shmemd_within_wg(s);
	const int first = shmemd_far_begin(s, r->team);
	const size_t most = shmemd_far_slot_bytes(r->team) / 8;
	struct shmemd_round round;
	size_t at;

	for (at = 0; first && at < r->n_local; at += most) {
		round = shmemd_round_at(r, at, most);
		shmemd_rows_far_counts(mine, r, &round);
	}
	if (first)
		shmemd_rows_place(mine, r);
	for (at = 0; at < r->n_local; at += most) {
		round = shmemd_round_at(r, at, most);
		if (first) {
			shmemd_rows_far_spots(mine, r, &round);
			shmemd_rows_far_push(mine, r, &round);
		}
		if (s == SHMEMD_GRID)
			shmemd_far_gather(r->team);
		round.number = shmemd_meeting(SHMEMD_THREAD, r->team) - 1;
		shmemd_rows_push(r, &round, shmemd_wave_in(s),
				 shmemd_waves_of(s));
		if (s == SHMEMD_GRID)
			shmemd_far_gather(r->team);
	}
	if (first)
		shmemd_far_meet(mine, r->team);
	shmemd_far_end(s, r->team);
}

/* By one work-item of all that called. */
SHMEMD_SLOW void shmemd_rows_check(const char *api, const struct shmemd_rows *r)
{
	const size_t needed = shmemd_rows_needed(r);

	if (SHMEMD_UNLIKELY(needed > r->dest_rows))
		shmemd_misuse_counts(api, "dest_rows: expected at least",
				     r->dest_rows, needed, -1);
}

SHMEMD_FN int shmemd_rows_run(enum shmemd_scope s, const char *api,
			      const struct shmemd_rows *r)
{
	const size_t bytes = r->dest_rows * r->row_bytes;

	if (bytes && SHMEMD_UNLIKELY(!shmemd_spot_of(r->dest, bytes)))
		shmemd_misuse(api, "dest: expected a symmetric object",
			      (uint64_t)(uintptr_t)r->dest, -1);
	if (!r->n_local)
		return 0;
	if (SHMEMD_UNLIKELY(r->team->far))
		shmemd_rows_far(s, r);
	else
		shmemd_rows_near(s, r);
	if (shmemd_scope_index(s) == 0)
		shmemd_rows_check(api, r);
	return 0;
}

SHMEMD_FN int shmemd_alltoallv_2d_in(enum shmemd_scope s, const char *api,
				     shmem_team_t handle, void *dest,
				     const void *source, size_t row_bytes,
				     size_t n_local, size_t align,
				     size_t dest_rows, const size_t *in_counts,
				     const size_t *in_offsets,
				     size_t *out_counts, size_t *out_offsets)
{
	const int back = in_offsets != NULL;
	struct shmemd_rows r;
	size_t n;

	r.team = shmemd_team_arg(api, handle);
	if (!r.team)
		return -1;
	n = (size_t)r.team->n_pes;
	r.dest = (char *)dest;
	r.source = (const char *)source;
	r.row_bytes = row_bytes;
	r.n_local = n_local;
	r.align = align;
	r.dest_rows = dest_rows;
	r.in_counts = in_counts;
	r.in_offsets = in_offsets;
	r.out_counts = out_counts;
	r.out_offsets = out_offsets;
	r.in_pe = back ? 1 : n_local;
	r.in_expert = back ? n : 1;
	r.out_expert = back ? 1 : n;
	r.out_pe = back ? n_local : 1;
	return shmemd_rows_run(s, api, &r);
}

SHMEMD_PER_SCOPE(shmemd_alltoallv_2d,
		 (const char *api, shmem_team_t handle, void *dest,
		  const void *source, size_t row_bytes, size_t n_local,
		  size_t align, size_t dest_rows, const size_t *in_counts,
		  const size_t *in_offsets, size_t *out_counts,
		  size_t *out_offsets),
		 api, handle, dest, source, row_bytes, n_local, align,
		 dest_rows, in_counts, in_offsets, out_counts, out_offsets)

/* in_offsets: of shmemx_alltoallv_2d_offset, whose align is 1; else NULL. */
SHMEMD_FN int shmemd_alltoallv_2d(enum shmemd_scope s, const char *api,
				  shmem_team_t handle, void *dest,
				  const void *source, size_t row_bytes,
				  size_t n_local, size_t align,
				  size_t dest_rows, const size_t *in_counts,
				  const size_t *in_offsets, size_t *out_counts,
				  size_t *out_offsets)
{
	return SHMEMD_IN_SCOPE(s, shmemd_alltoallv_2d, api, handle, dest,
			       source, row_bytes, n_local, align, dest_rows,
			       in_counts, in_offsets, out_counts, out_offsets);
}

#endif
