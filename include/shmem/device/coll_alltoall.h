/* SPDX-License-Identifier: BSD-3-Clause */
/* All-to-all, dense and strided, and what fcollect shares with it. */
#ifndef SHMEM_DEVICE_COLL_ALLTOALL_H
#define SHMEM_DEVICE_COLL_ALLTOALL_H

#include <shmem/device/coll_far.h>

/*
 * Blocks of words, one for each member: word k of member i's lies at
 * base + i * block + k * word.
 */
struct shmemd_blocks {
	char *base;
	size_t block, word;
};

SHMEMD_FN struct shmemd_blocks shmemd_blocks_at(const void *base, size_t block,
						size_t word)
{
	struct shmemd_blocks blocks;

	blocks.base = (char *)base;
	blocks.block = block;
	blocks.word = word;
	return blocks;
}

/* An exchange of blocks of bytes, cut into words of word bytes, 1 to 8. */
struct shmemd_exchange {
	const struct shmemd_team *team;
	struct shmemd_blocks dest, source;
	unsigned int bytes, word;
	unsigned int words; /* of a block */
	int shift;	    /* words is 1 << shift, or this is -1 */
	uint32_t seq;
};

/* Word k of member i's block. */
struct shmemd_place {
	unsigned int i, k;
};

/* Where word w of all is. A division takes as long as half a flight. */
SHMEMD_FN struct shmemd_place
shmemd_exchange_place(const struct shmemd_exchange *x, unsigned int w)
{
	struct shmemd_place at;

	at.i = x->shift >= 0 ? w >> x->shift : w / x->words;
	at.k = w - at.i * x->words;
	return at;
}

SHMEMD_FN char *shmemd_exchange_at(const struct shmemd_blocks *blocks,
				   struct shmemd_place at)
{
	return blocks->base + at.i * blocks->block + at.k * blocks->word;
}

/* Bytes of a word, with those of its block that follow. */
SHMEMD_FN unsigned int shmemd_exchange_rest(const struct shmemd_exchange *x,
					    struct shmemd_place at)
{
	return x->word < 8 ? x->word : x->bytes - at.k * 8;
}

/* even, in these: all words are of 8 bytes, aligned, and follow each other. */
SHMEMD_FN uint64_t shmemd_exchange_get(const struct shmemd_exchange *x,
				       struct shmemd_place at, int even)
{
	const char *p = x->source.base;

	if (even)
		return shmemd_copy_load(
			SHMEMD_TO_PEER,
			p + (size_t)at.i * (uint32_t)x->source.block + 8 * at.k,
			8);
	return shmemd_word_get(shmemd_exchange_at(&x->source, at),
			       shmemd_exchange_rest(x, at));
}

SHMEMD_FN void shmemd_exchange_keep(const struct shmemd_exchange *x,
				    unsigned int w, uint64_t data, int even)
{
	struct shmemd_place at;

	if (even) {
		shmemd_copy_store(SHMEMD_FROM_PEER,
				  x->dest.base + (size_t)w * 8, data, 8);
		return;
	}
	at = shmemd_exchange_place(x, w);
	shmemd_word_set(shmemd_exchange_at(&x->dest, at), data,
			shmemd_exchange_rest(x, at));
}

SHMEMD_FN void shmemd_exchange_send(const struct shmemd_exchange *x,
				    struct shmemd_place at, uint64_t data)
{
	const unsigned int mine = x->words * (unsigned int)x->team->me;

	shmemd_packet_send(shmemd_packets(x->team, (int)at.i, x->seq),
			   mine + at.k, data, x->seq);
}

/* Words w, w + step, ... of all; four loads in flight where there are many. */
SHMEMD_FN void shmemd_exchange_send_all(const struct shmemd_exchange *x,
					unsigned int w, unsigned int step,
					int even)
{
	const unsigned int all = x->words * (unsigned int)x->team->n_pes;
	struct shmemd_place at[4];
	uint64_t data[4];
	unsigned int k;

	for (; w + 3 * step < all; w += 4 * step) {
		SHMEMD_UNROLL
		for (k = 0; k < 4; k++) {
			at[k] = shmemd_exchange_place(x, w + k * step);
			data[k] = shmemd_exchange_get(x, at[k], even);
		}
		SHMEMD_UNROLL
		for (k = 0; k < 4; k++)
			shmemd_exchange_send(x, at[k], data[k]);
	}
	for (; w < all; w += step) {
		at[0] = shmemd_exchange_place(x, w);
		data[0] = shmemd_exchange_get(x, at[0], even);
		shmemd_exchange_send(x, at[0], data[0]);
	}
}

SHMEMD_FN void shmemd_exchange_receive(const struct shmemd_exchange *x,
				       unsigned int w, unsigned int step,
				       int even)
{
	const char *packets = shmemd_packets_mine(x->team, x->seq);
	const unsigned int all = x->words * (unsigned int)x->team->n_pes;
	struct shmemd_vec v[4];
	unsigned int k;

	for (; w + 3 * step < all; w += 4 * step) {
		shmemd_packet_await4(v, packets, w, step, x->seq);
		SHMEMD_UNROLL
		for (k = 0; k < 4; k++)
			shmemd_exchange_keep(x, w + k * step,
					     shmemd_packet_data(v[k]), even);
	}
	for (; w < all; w += step)
		shmemd_exchange_keep(
			x, w, shmemd_packet_await(packets, w, x->seq), even);
}

/* bytes a block, at most room_bytes / 8 words. A member's own block too. */
SHMEMD_FN void
shmemd_exchange_all(enum shmemd_scope s, const struct shmemd_team *team,
		    struct shmemd_blocks dest, struct shmemd_blocks source,
		    unsigned int bytes, unsigned int word, int even)
{
	const unsigned int step = shmemd_scope_size(s);
	const unsigned int first = shmemd_scope_index(s);
	struct shmemd_exchange x;

	x.team = team;
	x.dest = dest;
	x.source = source;
	x.bytes = bytes;
	x.word = word;
	x.words = (bytes + word - 1) / word;
	x.shift = x.words & (x.words - 1) ? -1 : shmemd_ctz(x.words);
	x.seq = shmemd_exchange_next(s, team);
	shmemd_exchange_enter(s, team, x.seq);
	shmemd_exchange_send_all(&x, first, step, even);
	shmemd_exchange_receive(&x, first, step, even);
	shmemd_scope_sync(s);
}

/* block, step: from one member's to the next one's in dest and source. */
SHMEMD_FN int shmemd_exchange_odd_in(enum shmemd_scope s,
				     const struct shmemd_team *team, void *dest,
				     const void *source, size_t block,
				     size_t step, unsigned int bytes)
{
	shmemd_exchange_all(s, team, shmemd_blocks_at(dest, block, 8),
			    shmemd_blocks_at(source, step, 8), bytes, 8, 0);
	return 0;
}

SHMEMD_PER_SCOPE(shmemd_exchange_odd,
		 (const struct shmemd_team *team, void *dest,
		  const void *source, size_t block, size_t step,
		  unsigned int bytes),
		 team, dest, source, block, step, bytes)

/* Blocks of any length, by one exchange after the other. */
SHMEMD_FN int shmemd_exchange_pieces_in(enum shmemd_scope s,
					const struct shmemd_team *team,
					char *dest, const char *source,
					size_t bytes)
{
	size_t at, left;

	for (at = 0; at < bytes; at += team->ll_bytes) {
		left = bytes - at;
		if (left > team->ll_bytes)
			left = team->ll_bytes;
		SHMEMD_IN_SCOPE(s, shmemd_exchange_odd, team, dest + at,
				source + at, bytes, bytes, (unsigned int)left);
	}
	return 0;
}

SHMEMD_PER_SCOPE(shmemd_exchange_pieces,
		 (const struct shmemd_team *team, char *dest,
		  const char *source, size_t bytes),
		 team, dest, source, bytes)

/*
 * A block of bytes from each member to each: at source + i * step for member
 * i, to block me of its dest. chosen: as the program chose by the environment;
 * else by packets wherever they fit, so that dest may be any memory then.
 */
SHMEMD_FN void shmemd_all_to_all_by(enum shmemd_scope s, const char *api,
				    const struct shmemd_team *team, void *dest,
				    const void *source, size_t step,
				    size_t bytes, int chosen)
{
	const size_t most = chosen ? team->packets_bytes : team->ll_bytes;
	struct shmemd_array to;

	if (!bytes)
		return;
	if (SHMEMD_LIKELY(!team->far) && s != SHMEMD_GRID && bytes <= most) {
		const size_t odd =
			(uintptr_t)dest | (uintptr_t)source | step | bytes;

		if (odd & 7)
			SHMEMD_IN_SCOPE(s, shmemd_exchange_odd, team, dest,
					source, bytes, step,
					(unsigned int)bytes);
		else
			shmemd_exchange_all(s, team,
					    shmemd_blocks_at(dest, bytes, 8),
					    shmemd_blocks_at(source, step, 8),
					    (unsigned int)bytes, 8, 1);
		return;
	}
	if (SHMEMD_UNLIKELY(team->far)) {
		shmemd_far_all_to_all(s, api, team, dest, source, step, bytes);
		return;
	}
	if (chosen && s != SHMEMD_GRID &&
	    SHMEMD_UNLIKELY(shmemd_block.alltoall == SHMEMD_ALLTOALL_PACKETS)) {
		SHMEMD_IN_SCOPE(s, shmemd_exchange_pieces, team, (char *)dest,
				(const char *)source, bytes);
		return;
	}
	to = shmemd_array_at(api, dest, bytes * (size_t)team->n_pes, 1);
	shmemd_meet(s, team, SHMEMD_OWED_STORES);
	shmemd_push(s, team, &to, (size_t)team->me * bytes,
		    (const char *)source, step, bytes);
	shmemd_meet(s, team, SHMEMD_OWED_PUTS);
}

SHMEMD_FN void shmemd_all_to_all(enum shmemd_scope s, const char *api,
				 const struct shmemd_team *team, void *dest,
				 const void *source, size_t step, size_t bytes)
{
	shmemd_all_to_all_by(s, api, team, dest, source, step, bytes, 0);
}

SHMEMD_CALL int shmemd_alltoall(enum shmemd_scope s, const char *api,
				shmem_team_t handle, void *dest,
				const void *source, size_t nelems, size_t esize)
{
	const struct shmemd_team *team = shmemd_team_arg(api, handle);
	size_t all;

	if (!team)
		return -1;
	all = nelems * (size_t)team->n_pes;
	shmemd_coll_check(api, dest, all, source, all, esize, 0);
	shmemd_all_to_all_by(s, api, team, dest, source, nelems * esize,
			     nelems * esize, 1);
	return 0;
}

/* One element, stored at once; aligned to its size. */
SHMEMD_FN void shmemd_element_put(char *to, const char *from, size_t esize)
{
	if (esize == 8)
		shmemd_store64(to, shmemd_load64(from));
	else if (esize == 4)
		shmemd_store32(to, shmemd_load32(from));
	else if (esize == 2)
		shmemd_store16(to, shmemd_load16(from));
	else
		shmemd_store8(to, shmemd_load8(from));
}

/* Elements straight to their places on all members. */
SHMEMD_FN void shmemd_scatter(enum shmemd_scope s,
			      const struct shmemd_team *team,
			      const struct shmemd_array *dest, size_t dst_bytes,
			      const char *source, size_t sst_bytes,
			      size_t nelems, size_t esize)
{
	const size_t at = (size_t)team->me * nelems * dst_bytes;
	const size_t step = shmemd_scope_size(s);
	int i = team->me, n;
	size_t k;

	for (n = 0; n < team->n_pes; n++) {
		char *to = shmemd_array_of(dest, team, i) + at;
		const char *from = source + (size_t)i * nelems * sst_bytes;

		for (k = shmemd_scope_index(s); k < nelems; k += step)
			shmemd_element_put(to + k * dst_bytes,
					   from + k * sst_bytes, esize);
		i = i + 1 < team->n_pes ? i + 1 : 0;
	}
}

SHMEMD_SLOW void shmemd_strides_check(const char *api, ptrdiff_t dst,
				      ptrdiff_t sst)
{
	if (dst < 1)
		shmemd_misuse(api, "dst: expected at least 1", (uint64_t)dst,
			      -1);
	if (sst < 1)
		shmemd_misuse(api, "sst: expected at least 1", (uint64_t)sst,
			      -1);
}

SHMEMD_FN int shmemd_alltoalls_in(enum shmemd_scope s, const char *api,
				  shmem_team_t handle, void *dest,
				  const void *source, ptrdiff_t dst,
				  ptrdiff_t sst, size_t nelems, size_t esize)
{
	const struct shmemd_team *team = shmemd_team_arg(api, handle);
	const size_t to = (size_t)dst * esize, from = (size_t)sst * esize;
	struct shmemd_array array;
	size_t last;

	if (!team)
		return -1;
	if (SHMEMD_UNLIKELY(shmemd_block.check))
		shmemd_strides_check(api, dst, sst);
	if (!nelems)
		return 0;
	last = nelems * (size_t)team->n_pes - 1;
	shmemd_coll_check(api, dest, last * (size_t)dst + 1, source,
			  last * (size_t)sst + 1, esize, 0);
	if (SHMEMD_UNLIKELY(team->far))
		return shmemd_far_alltoalls(s, team, dest, source, to, from,
					    nelems, esize);
	if (nelems <= team->ll_bytes &&
	    shmemd_exchange_fits(s, team, 8 * nelems)) {
		shmemd_exchange_all(
			s, team, shmemd_blocks_at(dest, nelems * to, to),
			shmemd_blocks_at(source, nelems * from, from),
			(unsigned int)(nelems * esize), (unsigned int)esize, 0);
		return 0;
	}
	array = shmemd_array_at(api, dest, last * to + esize, esize);
	shmemd_meet(s, team, SHMEMD_OWED_STORES);
	shmemd_scatter(s, team, &array, to, (const char *)source, from, nelems,
		       esize);
	shmemd_meet(s, team, SHMEMD_OWED_PUTS);
	return 0;
}

SHMEMD_PER_SCOPE(shmemd_alltoalls,
		 (const char *api, shmem_team_t handle, void *dest,
		  const void *source, ptrdiff_t dst, ptrdiff_t sst,
		  size_t nelems, size_t esize),
		 api, handle, dest, source, dst, sst, nelems, esize)

SHMEMD_FN int shmemd_alltoalls(enum shmemd_scope s, const char *api,
			       shmem_team_t handle, void *dest,
			       const void *source, ptrdiff_t dst, ptrdiff_t sst,
			       size_t nelems, size_t esize)
{
	return SHMEMD_IN_SCOPE(s, shmemd_alltoalls, api, handle, dest, source,
			       dst, sst, nelems, esize);
}

#endif
