/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges of rows with far members: counts and spots by the slots, rows by
 * the proxy.
 */
#ifndef SHMEM_DEVICE_COLL_ROWS_FAR_H
#define SHMEM_DEVICE_COLL_ROWS_FAR_H

#include <shmem/device/coll_rows.h>

/*
 * A word for each expert of a round and member, a count or a spot, brought to
 * a meeting whose number is returned.
 */
SHMEMD_FN uint64_t shmemd_rows_far_bring(enum shmemd_scope s,
					 const struct shmemd_rows *r,
					 const struct shmemd_round *round,
					 int spots)
{
	const struct shmemd_team *team = r->team;
	const uint64_t other = shmemd_far_meeting(s, team) + 1;
	const size_t step = shmemd_scope_size(s);
	size_t k;
	int i;

	for (i = 0; i < team->n_pes; i++) {
		char *to = shmemd_far_slot_of(team, team->me, i, other);

		for (k = shmemd_scope_index(s); k < round->n; k += step) {
			const size_t e = round->first + k;

			shmemd_store64(
				to + 8 * k,
				spots ? shmemd_rows_told(r, i, e) :
					r->in_counts[shmemd_rows_in(r, i, e)]);
		}
	}
	return shmemd_far_exchange(s, team,
				   shmemd_far_slot_of(team, team->me, 0, other),
				   shmemd_far_slot_bytes(team), 8 * round->n);
}

SHMEMD_FN void shmemd_rows_far_counts(enum shmemd_scope s,
				      const struct shmemd_rows *r,
				      const struct shmemd_round *round)
{
	const uint64_t number = shmemd_rows_far_bring(s, r, round, 0);
	const struct shmemd_team *team = r->team;
	const size_t step = shmemd_scope_size(s);
	size_t k;
	int i;

	/* My own slot has, in the other half, what it would be. */
	for (i = 0; i < team->n_pes; i++) {
		const char *from = shmemd_far_slot_of(team, team->me, i,
						      number + (i == team->me));

		for (k = shmemd_scope_index(s); k < round->n; k += step)
			r->out_counts[shmemd_rows_out(r, i, round->first + k)] =
				shmemd_load64(from + 8 * k);
	}
	shmemd_scope_sync(s);
}

SHMEMD_FN void shmemd_rows_far_spots(enum shmemd_scope s,
				     const struct shmemd_rows *r,
				     struct shmemd_round *round)
{
	round->number = shmemd_rows_far_bring(s, r, round, 1);
}

/* What a member has told, which nobody vouches for where the network failed. */
SHMEMD_FN uint64_t shmemd_rows_far_spot(const struct shmemd_rows *r,
					const struct shmemd_round *round, int i,
					size_t k, size_t bytes)
{
	const struct shmemd_team *team = r->team;
	const uint64_t spot = shmemd_load64(
		shmemd_far_slot_of(team, team->me, i,
				   round->number + (i == team->me)) +
		8 * k);

	return shmemd_spot_holds(spot, bytes) ? spot : 0;
}

/*
 * The spot of my rows, so many bytes, for member i's expert of a round, 0 if
 * they have none; waits for it.
 */
SHMEMD_FN uint64_t shmemd_rows_spot(const struct shmemd_rows *r,
				    const struct shmemd_round *round, int i,
				    size_t expert, size_t bytes)
{
	const struct shmemd_team *team = r->team;
	const size_t k = expert - round->first;

	if (SHMEMD_UNLIKELY(team->far))
		return shmemd_rows_far_spot(r, round, i, k, bytes);
	return shmemd_packet_await(
		shmemd_packets_mine(team, (uint32_t)round->number),
		(unsigned int)i * (unsigned int)round->n + (unsigned int)k,
		(uint32_t)round->number);
}

/* Rows for far members: each block is one put, by one item. */
SHMEMD_SLOW void shmemd_rows_far_push(enum shmemd_scope s,
				      const struct shmemd_rows *r,
				      const struct shmemd_round *round)
{
	const size_t size = shmemd_scope_size(s);
	const size_t index = shmemd_scope_index(s);
	size_t turn = 0, at = 0, e;
	int i;

	for (i = 0; i < r->team->n_pes; i++) {
		const int far = shmemd_is_far(r->team, i);

		for (e = 0; e < r->n_local; e++) {
			const size_t k = shmemd_rows_in(r, i, e);
			const size_t n = r->in_counts[k];
			const size_t row =
				r->in_offsets ? r->in_offsets[k] : at;
			uint64_t spot;

			at += n;
			if (!far || !n || !r->row_bytes || e < round->first ||
			    e >= round->first + round->n)
				continue;
			if (turn++ % size != index)
				continue;
			spot = shmemd_rows_spot(r, round, i, e,
						n * r->row_bytes);
			if (spot)
				far_put(SHMEM_CTX_DEFAULT,
					shmemd_spot_mine(spot),
					r->source + row * r->row_bytes,
					n * r->row_bytes,
					shmemd_team_pe(r->team, i));
		}
	}
	shmemd_scope_sync(s);
}

#endif
