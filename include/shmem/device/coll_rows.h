/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges of rows by PE and expert: what a call is, and its plan. Counts go
 * to the receivers, which compute where each block begins and send that back.
 *
 * A block is the rows of one expert from or to one member. Tables of blocks are
 * by member and expert or the other way round: steps tell. out_counts and
 * out_offsets are in the order of the blocks in dest.
 */
#ifndef SHMEM_DEVICE_COLL_ROWS_H
#define SHMEM_DEVICE_COLL_ROWS_H

#include <shmem/device/coll_alltoall.h>
#include <shmem/device/coll_spot.h>

struct shmemd_rows {
	const struct shmemd_team *team;
	char *dest;
	const char *source;
	size_t row_bytes, n_local, align, dest_rows;
	const size_t *in_counts;
	const size_t *in_offsets; /* NULL: by member and expert, no gaps */
	size_t *out_counts, *out_offsets;
	/* From one member or expert to the next in the tables. */
	size_t in_pe, in_expert, out_pe, out_expert;
};

/* Experts from first on whose spots go by one exchange. */
struct shmemd_round {
	size_t first, n;
	uint64_t number; /* of the exchange, or of the far one's meeting */
};

SHMEMD_FN size_t shmemd_rows_in(const struct shmemd_rows *r, int i,
				size_t expert)
{
	return (size_t)i * r->in_pe + expert * r->in_expert;
}

SHMEMD_FN size_t shmemd_rows_out(const struct shmemd_rows *r, int i,
				 size_t expert)
{
	return (size_t)i * r->out_pe + expert * r->out_expert;
}

SHMEMD_FN struct shmemd_round shmemd_round_at(const struct shmemd_rows *r,
					      size_t first, size_t most)
{
	struct shmemd_round round;

	round.first = first;
	round.n = r->n_local - first < most ? r->n_local - first : most;
	round.number = 0;
	return round;
}

/* Experts, or members: those whose blocks are together in dest. */
SHMEMD_FN size_t shmemd_rows_groups(const struct shmemd_rows *r)
{
	return r->out_pe == 1 ? r->n_local : (size_t)r->team->n_pes;
}

SHMEMD_FN size_t shmemd_rows_blocks(const struct shmemd_rows *r)
{
	return r->n_local * (size_t)r->team->n_pes;
}

/* Rows that group g takes: n blocks, aligned, an empty one too. */
SHMEMD_FN size_t shmemd_rows_size(const struct shmemd_rows *r, size_t g,
				  size_t n)
{
	size_t rows = 0, k;

	for (k = 0; k < n; k++)
		rows += r->out_counts[g * n + k];
	if (r->align <= 1)
		return rows;
	rows = rows ? (rows + r->align - 1) / r->align : 1;
	return rows * r->align;
}

/* Where block k of dest begins, of groups of n; sizes stand at their begins. */
SHMEMD_FN size_t shmemd_rows_begin(const struct shmemd_rows *r, unsigned int k,
				   unsigned int n)
{
	const unsigned int g = k / n;
	size_t row = 0;
	unsigned int j;

	for (j = 0; j < g; j++)
		row += r->out_offsets[j * n];
	for (j = g * n; j < k; j++)
		row += r->out_counts[j];
	return row;
}

/*
 * Offsets, when counts are there. The sizes of groups, which lie where offsets
 * will be, are read of groups before: so from the end to the begin.
 */
SHMEMD_FN void shmemd_rows_place(enum shmemd_scope s,
				 const struct shmemd_rows *r)
{
	const unsigned int all = (unsigned int)shmemd_rows_blocks(r);
	const unsigned int groups = (unsigned int)shmemd_rows_groups(r);
	const unsigned int size = shmemd_scope_size(s);
	const unsigned int index = shmemd_scope_index(s);
	const unsigned int n = all / groups;
	unsigned int g, from = (all + size - 1) / size * size;
	size_t row = 0;

	for (g = index; g < groups; g += size)
		r->out_offsets[g * n] = shmemd_rows_size(r, g, n);
	shmemd_scope_sync(s);
	while (from) {
		from -= size;
		if (from + index < all)
			row = shmemd_rows_begin(r, from + index, n);
		shmemd_scope_sync(s);
		if (from + index < all)
			r->out_offsets[from + index] = row;
	}
	shmemd_scope_sync(s);
}

/* What member i is told: the spot of its rows, 0 if dest has no room. */
SHMEMD_FN uint64_t shmemd_rows_told(const struct shmemd_rows *r, int i,
				    size_t expert)
{
	const size_t k = shmemd_rows_out(r, i, expert);
	const size_t n = r->out_counts[k], at = r->out_offsets[k];

	if (n > r->dest_rows || at > r->dest_rows - n)
		return 0;
	return shmemd_spot_of(r->dest + at * r->row_bytes, n * r->row_bytes);
}

/* Rows that dest would have to hold, by one item: blocks are in order. */
SHMEMD_FN size_t shmemd_rows_needed(const struct shmemd_rows *r)
{
	size_t k = shmemd_rows_blocks(r);

	while (k && !r->out_counts[k - 1])
		k--;
	return k ? r->out_offsets[k - 1] + r->out_counts[k - 1] : 0;
}

SHMEMD_FN void shmemd_rows_counts(enum shmemd_scope s,
				  const struct shmemd_rows *r,
				  const struct shmemd_round *round)
{
	shmemd_exchange_all(
		s, r->team,
		shmemd_blocks_at(r->out_counts +
					 shmemd_rows_out(r, 0, round->first),
				 8 * r->out_pe, 8 * r->out_expert),
		shmemd_blocks_at(r->in_counts +
					 shmemd_rows_in(r, 0, round->first),
				 8 * r->in_pe, 8 * r->in_expert),
		8 * (unsigned int)round->n, 8, 0);
}

/* Begin of an exchange; the receivers wait for packets as they need them. */
SHMEMD_SLOW void shmemd_rows_spots(enum shmemd_scope s,
				   const struct shmemd_rows *r,
				   const struct shmemd_round *round)
{
	const uint32_t seq = (uint32_t)round->number;
	const unsigned int n = (unsigned int)round->n;
	const unsigned int all = n * (unsigned int)r->team->n_pes;
	const unsigned int mine = n * (unsigned int)r->team->me;
	const unsigned int step = shmemd_scope_size(s);
	unsigned int w;

	shmemd_exchange_enter(s, r->team, seq);
	for (w = shmemd_scope_index(s); w < all; w += step) {
		const unsigned int i = w / n, k = w - i * n;

		shmemd_packet_send(
			shmemd_packets(r->team, (int)i, seq), mine + k,
			shmemd_rows_told(r, (int)i, round->first + k), seq);
	}
}

#endif
