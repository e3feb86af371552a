/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All-to-all of blocks of different lengths. It begins with one exchange of
 * packets: each member tells each other one the head of what it has for it, and
 * behind it the block itself if that is small. The receiver compares the head
 * with what it expects, before it writes anything that the head goes for.
 *
 * A pair's packets:
 *	0	elements of the block, and flags
 *	1, 2	if a large block is expected the other way: how many elements,
 *		and the spot of its dest
 *	3	of a large block: the spot of its source; of a small one: the
 *		first word of its data, the others behind
 *
 * Large blocks are pushed to the dest where that is symmetric, else pulled from
 * the source if that is; coll_alltoallv_large.h. A group ends when what comes
 * to it has come: who has nothing large sends and receives nothing more.
 *
 * Grids gather first, as other work-groups may still read dest. Then the first
 * one exchanges, all push and pull slices as the heads come, and meet.
 */
#ifndef SHMEM_DEVICE_COLL_ALLTOALLV_H
#define SHMEM_DEVICE_COLL_ALLTOALLV_H

#include <shmem/device/coll_alltoallv_far.h>

/* Work-items that can share each of n pairs: 1 << this, of size. */
SHMEMD_FN unsigned int shmemd_vary_shift(unsigned int size, unsigned int n)
{
	unsigned int shift = 0;

	while (n << (shift + 1) <= size)
		shift++;
	return shift;
}

/* The head for member i, by one item. */
SHMEMD_FN void shmemd_vary_send_head(const struct shmemd_vary *v, int i,
				     char *packets, size_t out_nelems,
				     size_t in_nelems)
{
	const uint32_t seq = (uint32_t)v->number;
	const int wants = shmemd_vary_bytes(v, in_nelems) > v->small;
	const int large = shmemd_vary_bytes(v, out_nelems) > v->small;

	shmemd_packet_send(packets, 0,
			   (out_nelems & SHMEMD_HEAD_COUNT) |
				   (wants ? SHMEMD_HEAD_WANTS : 0) |
				   (large ? SHMEMD_HEAD_LARGE : 0),
			   seq);
	if (wants) {
		shmemd_packet_send(packets, 1, in_nelems, seq);
		shmemd_packet_send(packets, 2, shmemd_vary_dest_spot(v, i),
				   seq);
	}
	if (large)
		shmemd_packet_send(packets, SHMEMD_HEAD_WORDS,
				   shmemd_vary_source_spot(v, i), seq);
}

/*
 * Words k, k + step, ... of what goes to member i; four loads in flight. The
 * last of those who share it sends the head. The tables are read at once, and
 * the head goes while the data is on its way.
 */
SHMEMD_FN void shmemd_vary_send_to(const struct shmemd_vary *v, int i,
				   unsigned int k, unsigned int step)
{
	const size_t nelems = v->source_nelems[i], in = v->dest_nelems[i];
	const char *from = v->source + v->source_offsets[i] * v->esize;
	const uint32_t seq = (uint32_t)v->number;
	const size_t bytes = shmemd_vary_bytes(v, nelems);
	const unsigned int words =
		bytes > v->small ? 0 : ((unsigned int)bytes + 7) / 8;
	char *packets = shmemd_vary_packets_on(v, i);
	char *data = packets + SHMEMD_HEAD_WORDS * SHMEMD_PACKET_BYTES;
	uint64_t word[4];
	unsigned int w, j;

	if (k == step - 1)
		shmemd_vary_send_head(v, i, packets, nelems, in);
	for (w = k; w + 3 * step < words; w += 4 * step) {
		SHMEMD_UNROLL
		for (j = 0; j < 4; j++) {
			const size_t at = 8 * (size_t)(w + j * step);

			word[j] = shmemd_word_get(from + at, bytes - at);
		}
		SHMEMD_UNROLL
		for (j = 0; j < 4; j++)
			shmemd_packet_send(data, w + j * step, word[j], seq);
	}
	for (; w < words; w += step)
		shmemd_packet_send(data, w,
				   shmemd_word_get(from + 8 * (size_t)w,
						   bytes - 8 * (size_t)w),
				   seq);
}

/*
 * Waits for four packets of data from i on by step, or for one if step is 0. 0
 * if they won't come: the head tells of another number than want.
 */
SHMEMD_FN int shmemd_vary_await(struct shmemd_vec x[4], const char *packets,
				unsigned int i, unsigned int step, size_t want,
				uint32_t seq)
{
	const char *at =
		packets + (SHMEMD_HEAD_WORDS + i) * SHMEMD_PACKET_BYTES;
	const size_t bytes = (size_t)step * SHMEMD_PACKET_BYTES;
	struct shmemd_wait wait = { { 0 }, 0 };
	struct shmemd_vec head;

	for (;;) {
		if (step)
			shmemd_load128x4(x, at, bytes);
		else
			x[3] = x[2] = x[1] = x[0] = shmemd_load128(at);
		if (shmemd_packet_came(x[0], seq) &
		    shmemd_packet_came(x[1], seq) &
		    shmemd_packet_came(x[2], seq) &
		    shmemd_packet_came(x[3], seq))
			return 1;
		head = shmemd_load128(packets);
		if (shmemd_packet_came(head, seq) &&
		    (shmemd_packet_data(head) & SHMEMD_HEAD_COUNT) != want)
			return 0;
		shmemd_wait_turn(&wait);
	}
}

/* What comes from member i; whether it is as many elements as expected. */
SHMEMD_FN int shmemd_vary_receive_from(const struct shmemd_vary *v, int i,
				       unsigned int k, unsigned int step)
{
	const size_t want = v->dest_nelems[i];
	char *to = v->dest + v->dest_offsets[i] * v->esize;
	const uint32_t seq = (uint32_t)v->number;
	const size_t bytes = shmemd_vary_bytes(v, want);
	const unsigned int words =
		bytes > v->small ? 0 : ((unsigned int)bytes + 7) / 8;
	const char *packets = shmemd_vary_packets(v, i);
	const int heads = k == step - 1;
	struct shmemd_vec x[4];
	unsigned int w, j;

	for (w = k; w + 3 * step < words; w += 4 * step) {
		if (!shmemd_vary_await(x, packets, w, step, want, seq))
			return !heads;
		SHMEMD_UNROLL
		for (j = 0; j < 4; j++) {
			const size_t at = 8 * (size_t)(w + j * step);

			shmemd_word_set(to + at, shmemd_packet_data(x[j]),
					bytes - at);
		}
	}
	for (; w < words; w += step) {
		if (!shmemd_vary_await(x, packets, w, 0, want, seq))
			return !heads;
		shmemd_word_set(to + 8 * (size_t)w, shmemd_packet_data(x[0]),
				bytes - 8 * (size_t)w);
	}
	return !heads ||
	       shmemd_vary_agrees(v, i, shmemd_packet_await(packets, 0, seq));
}

/* The exchange of heads and small blocks, from its begin to its data. */
SHMEMD_FN void shmemd_vary_send(enum shmemd_scope s,
				const struct shmemd_vary *v)
{
	const unsigned int n = (unsigned int)v->team->n_pes;
	const unsigned int size = shmemd_scope_size(s);
	const unsigned int shift = shmemd_vary_shift(size, n);
	const unsigned int index = shmemd_scope_index(s);
	const unsigned int step = 1u << shift;
	unsigned int i;

	shmemd_exchange_enter(s, v->team, (uint32_t)v->number);
	for (i = index >> shift; i < n; i += size >> shift)
		shmemd_vary_send_to(v, (int)i, index & (step - 1), step);
}

/* The member whose block is not what this one expects, as this item sees. */
SHMEMD_FN int shmemd_vary_receive(enum shmemd_scope s,
				  const struct shmemd_vary *v)
{
	const unsigned int n = (unsigned int)v->team->n_pes;
	const unsigned int size = shmemd_scope_size(s);
	const unsigned int shift = shmemd_vary_shift(size, n);
	const unsigned int index = shmemd_scope_index(s);
	const unsigned int step = 1u << shift;
	unsigned int i;
	int bad = -1;

	for (i = index >> shift; i < n; i += size >> shift)
		if (!shmemd_vary_receive_from(v, (int)i, index & (step - 1),
					      step))
			bad = (int)i;
	return bad;
}

SHMEMD_FN int shmemd_vary_group(enum shmemd_scope s,
				const struct shmemd_vary *v)
{
	int large, bad;

	large = shmemd_vary_any_large(v);
	shmemd_vary_send(s, v);
	bad = shmemd_vary_receive(s, v);
	shmemd_scope_sync(s);
	if (large) {
		/* A copy: the original stays in registers. */
		const struct shmemd_vary copy = *v;

		shmemd_vary_large(s, &copy);
	}
	return bad;
}

/* Nobody keeps the exchange's number before all have loaded the one before. */
SHMEMD_FN int shmemd_vary_grid(const struct shmemd_vary *v)
{
	const int first = shmemd_wg() == 0;
	enum shmemd_owed owed = SHMEMD_OWED_PUTS;
	int bad = -1;

	shmemd_gather(v->team);
	if (first)
		shmemd_vary_send(SHMEMD_WG, v);
	if (shmemd_vary_any_large(v)) {
		/* A copy: the original stays in registers. */
		const struct shmemd_vary copy = *v;

		owed = shmemd_vary_slices(&copy);
	}
	if (first)
		bad = shmemd_vary_receive(SHMEMD_WG, v);
	shmemd_meet(SHMEMD_GRID, v->team, first ? SHMEMD_OWED_STORES : owed);
	return bad;
}

SHMEMD_FN int shmemd_alltoallv_in(enum shmemd_scope s, const char *api,
				  shmem_team_t handle, void *dest,
				  const size_t *dest_nelems,
				  const size_t *dest_offsets,
				  const void *source,
				  const size_t *source_nelems,
				  const size_t *source_offsets, size_t esize)
{
	struct shmemd_vary v;
	int bad;

	v.team = shmemd_team_arg(api, handle);
	if (!v.team)
		return -1;
	v.dest = (char *)dest;
	v.source = (const char *)source;
	v.dest_nelems = dest_nelems;
	v.dest_offsets = dest_offsets;
	v.source_nelems = source_nelems;
	v.source_offsets = source_offsets;
	v.esize = esize;
	v.small = v.team->ll_bytes - 8 * SHMEMD_HEAD_WORDS;
	v.number = 0;
	if (SHMEMD_UNLIKELY(v.team->far)) {
		struct shmemd_vary copy = v;

		shmemd_far_alltoallv(s, api, &copy);
		return 0;
	}
	v.number = shmemd_exchange_next(shmemd_within_wg(s), v.team);
	bad = s == SHMEMD_GRID ? shmemd_vary_grid(&v) :
				 shmemd_vary_group(s, &v);
	if (SHMEMD_UNLIKELY(bad >= 0)) {
		const struct shmemd_vary copy = v;

		shmemd_vary_misuse(
			api, &copy, bad,
			shmemd_packet_await(shmemd_vary_packets(&v, bad), 0,
					    (uint32_t)v.number));
	}
	return 0;
}

SHMEMD_PER_SCOPE(shmemd_alltoallv,
		 (const char *api, shmem_team_t handle, void *dest,
		  const size_t *dest_nelems, const size_t *dest_offsets,
		  const void *source, const size_t *source_nelems,
		  const size_t *source_offsets, size_t esize),
		 api, handle, dest, dest_nelems, dest_offsets, source,
		 source_nelems, source_offsets, esize)

SHMEMD_FN int shmemd_alltoallv(enum shmemd_scope s, const char *api,
			       shmem_team_t handle, void *dest,
			       const size_t *dest_nelems,
			       const size_t *dest_offsets, const void *source,
			       const size_t *source_nelems,
			       const size_t *source_offsets, size_t esize)
{
	return SHMEMD_IN_SCOPE(s, shmemd_alltoallv, api, handle, dest,
			       dest_nelems, dest_offsets, source, source_nelems,
			       source_offsets, esize);
}

#endif
