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
#include <shmem/device/coll_share.h>

SHMEMD_FN int shmemd_rows_near_to(const struct shmemd_rows *r, int i)
{
	return !r->team->far || !shmemd_is_far(r->team, i);
}

/* A block of source, as a lane of a wave has it. */
struct shmemd_rows_block {
	unsigned int i, expert;
	size_t rows, row; /* row: from in_offsets, else not known yet */
	size_t sent; /* rows, 0 if none of them go by this round's stores */
};

/* Block q, by member and expert; an empty one beyond all. */
SHMEMD_FN struct shmemd_rows_block
shmemd_rows_block_at(const struct shmemd_rows *r,
		     const struct shmemd_round *round, unsigned int q)
{
	const unsigned int n = (unsigned int)r->n_local;
	struct shmemd_rows_block block;
	size_t at;

	block.i = q / n;
	block.expert = q - block.i * n;
	block.rows = block.row = block.sent = 0;
	if (block.i >= (unsigned int)r->team->n_pes)
		return block;
	at = shmemd_rows_in(r, (int)block.i, block.expert);
	block.rows = r->in_counts[at];
	if (r->in_offsets)
		block.row = r->in_offsets[at];
	if (block.expert - round->first < round->n &&
	    shmemd_rows_near_to(r, (int)block.i))
		block.sent = block.rows;
	return block;
}

/* Whether all blocks go by one round's stores. */
SHMEMD_FN int shmemd_rows_all(const struct shmemd_rows *r,
			      const struct shmemd_round *round)
{
	return !r->team->far && round->n == r->n_local;
}

/* Sums over all blocks of source, in rows; the last two without in_offsets. */
struct shmemd_rows_sums {
	size_t sent, rows;
	size_t before; /* for members before me */
};

SHMEMD_FN struct shmemd_rows_sums
shmemd_rows_sum(const struct shmemd_rows *r, const struct shmemd_round *round)
{
	const unsigned int all = (unsigned int)shmemd_rows_blocks(r);
	struct shmemd_rows_sums sums = { 0, 0, 0 };
	struct shmemd_rows_block block;
	unsigned int q;

	for (q = shmemd_lane(); q < all; q += shmemd_wave_items()) {
		block = shmemd_rows_block_at(r, round, q);
		sums.sent += block.sent;
		sums.rows += block.rows;
		sums.before +=
			block.i < (unsigned int)r->team->me ? block.rows : 0;
	}
	sums.sent = shmemd_wave_total(sums.sent);
	if (r->in_offsets)
		return sums;
	sums.rows = shmemd_rows_all(r, round) ? sums.sent :
						shmemd_wave_total(sums.rows);
	sums.before = shmemd_wave_total(sums.before);
	return sums;
}

/* The share's part of a block that begins at byte `at` of all. */
SHMEMD_FN void shmemd_rows_copy(const struct shmemd_rows *r,
				const struct shmemd_round *round,
				const struct shmemd_share *share,
				const struct shmemd_rows_block *block,
				size_t at)
{
	const size_t bytes = block->sent * r->row_bytes;
	const size_t from = shmemd_share_cut(share->begin, at, bytes);
	const size_t to = shmemd_share_cut(share->end, at, bytes);
	const int i = (int)block->i;
	uint64_t spot;

	if (from >= to)
		return;
	spot = shmemd_rows_spot(r, round, i, block->expert, bytes);
	if (spot)
		shmemd_share_put(
			shmemd_spot_on(spot, shmemd_team_pe(r->team, i)) + from,
			r->source + block->row * r->row_bytes + from,
			to - from);
}

/* What the share has of the lanes' blocks; end: where mine ends. */
SHMEMD_FN void shmemd_rows_push_lanes(const struct shmemd_rows *r,
				      const struct shmemd_round *round,
				      const struct shmemd_share *share,
				      const struct shmemd_rows_block *mine,
				      size_t end)
{
	const size_t begin = end - mine->sent * r->row_bytes;
	const unsigned int n = shmemd_wave_items();
	unsigned int lane = shmemd_share_first(share, end);
	struct shmemd_rows_block block;

	for (; lane < n; lane++) {
		const size_t at = shmemd_wave_get(begin, lane);
		const uint64_t name = shmemd_wave_get(
			(uint64_t)mine->i << 32 | mine->expert, lane);

		if (at >= share->end)
			return;
		block.i = (unsigned int)(name >> 32);
		block.expert = (unsigned int)name;
		block.sent = shmemd_wave_get(mine->sent, lane);
		block.row = shmemd_wave_get(mine->row, lane);
		shmemd_rows_copy(r, round, share, &block, at);
	}
}

/* By each wave, of so many. */
SHMEMD_SLOW void shmemd_rows_push(const struct shmemd_rows *r,
				  const struct shmemd_round *round,
				  unsigned int wave, unsigned int waves)
{
	const struct shmemd_rows_sums sums = shmemd_rows_sum(r, round);
	const struct shmemd_share share =
		shmemd_share_of(sums.sent * r->row_bytes, wave, waves);
	const unsigned int all = (unsigned int)shmemd_rows_blocks(r);
	const unsigned int first =
		(unsigned int)r->team->me * (unsigned int)r->n_local;
	const int even = shmemd_rows_all(r, round);
	size_t rows = sums.before, sent = 0;
	struct shmemd_rows_block mine;
	unsigned int k, q;

	for (k = 0; k < all && sent * r->row_bytes < share.end;
	     k += shmemd_wave_items()) {
		size_t mark, end;

		q = k + shmemd_lane();
		q = q >= all	    ? all :
		    q + first < all ? q + first :
				      q + first - all;
		mine = shmemd_rows_block_at(r, round, q);
		end = sent + shmemd_wave_scan(mine.sent);
		sent = shmemd_wave_last(end);
		mark = sums.before + end;
		if (!r->in_offsets && !even) {
			mark = rows + shmemd_wave_scan(mine.rows);
			rows = shmemd_wave_last(mark);
		}
		if (sent * r->row_bytes <= share.begin)
			continue;
		if (!r->in_offsets)
			mine.row = mark - mine.rows -
				   (mine.i < (unsigned int)r->team->me ?
					    sums.rows :
					    0);
		shmemd_rows_push_lanes(r, round, &share, &mine,
				       end * r->row_bytes);
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
