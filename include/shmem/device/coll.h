/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What collectives are made of: exchanges of packets for small ones, meetings
 * (sync.h) around copies for large ones.
 *
 * Exchange. Packets carry data and number in one store, so one flight is all.
 * In every exchange each member sends at least one packet to each other and
 * waits for all that are sent to it. So who is in exchange seq + 1 knows that
 * all have left exchange seq - 1, and whoever is in exchange seq + 2 may
 * write where the packets of seq were: two halves are enough. Receivers write
 * their own dest. A packet's place is counted from the begin of the half, from
 * one member after the other without gaps.
 *
 * Copies. A member writes to another's dest only after a meeting: then that
 * one is in this call, and no longer reads what a call before brought. The
 * last meeting tells that all has come.
 *
 * Grids go by meetings, as an exchange needs a gathering of the grid before it.
 * Where its first work-group exchanges all the same, others may read what came
 * by the number that they loaded before they gathered, until the grid has met.
 */
#ifndef SHMEM_DEVICE_COLL_H
#define SHMEM_DEVICE_COLL_H

#include <shmem/device/sync.h>
#include <shmem/device/xgmi.h>

#define SHMEMD_PACKET_BYTES 16

/*
 * A whole call. On GPUs it is inlined, where the constants of the caller make
 * it short. Elsewhere there is one of each, or programs would compile for long.
 */
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define SHMEMD_CALL SHMEMD_FN
#else
#define SHMEMD_CALL SHMEMD_SLOW
#endif

/* What is not inlined, one for each scope: stem##_in(scope, ...) is called. */
#define SHMEMD_PER_SCOPE(stem, params, ...) \
	SHMEMD_SLOW int stem##_thread params \
	{ \
		return stem##_in(SHMEMD_THREAD, __VA_ARGS__); \
	} \
	SHMEMD_SLOW int stem##_wave params \
	{ \
		return stem##_in(SHMEMD_WAVE, __VA_ARGS__); \
	} \
	SHMEMD_SLOW int stem##_wg params \
	{ \
		return stem##_in(SHMEMD_WG, __VA_ARGS__); \
	} \
	SHMEMD_SLOW int stem##_grid params \
	{ \
		return stem##_in(SHMEMD_GRID, __VA_ARGS__); \
	}
#define SHMEMD_IN_SCOPE(s, stem, ...) \
	((s) == SHMEMD_THREAD ? stem##_thread(__VA_ARGS__) : \
	 (s) == SHMEMD_WAVE   ? stem##_wave(__VA_ARGS__) : \
	 (s) == SHMEMD_WG     ? stem##_wg(__VA_ARGS__) : \
				stem##_grid(__VA_ARGS__))

/* Sources and dests are this PE's own: plain loads and stores. */
SHMEMD_FN uint64_t shmemd_word_get_bytes(const char *p, size_t bytes)
{
	uint64_t v = 0;
	unsigned int i;

	for (i = 0; i < 8 && i < bytes; i++)
		v |= shmemd_copy_load(SHMEMD_TO_PEER, p + i, 1) << 8 * i;
	return v;
}

SHMEMD_FN void shmemd_word_set_bytes(char *p, uint64_t v, size_t bytes)
{
	unsigned int i;

	for (i = 0; i < 8 && i < bytes; i++)
		shmemd_copy_store(SHMEMD_FROM_PEER, p + i, v >> 8 * i, 1);
}

/* The first 8 of bytes at p, or all of them if there are fewer. */
SHMEMD_FN uint64_t shmemd_word_get(const char *p, size_t bytes)
{
	if (bytes >= 8 && !((uintptr_t)p & 7))
		return shmemd_copy_load(SHMEMD_TO_PEER, p, 8);
	if (bytes == 4 && !((uintptr_t)p & 3))
		return shmemd_copy_load(SHMEMD_TO_PEER, p, 4);
	return shmemd_word_get_bytes(p, bytes);
}

SHMEMD_FN void shmemd_word_set(char *p, uint64_t v, size_t bytes)
{
	if (bytes >= 8 && !((uintptr_t)p & 7))
		shmemd_copy_store(SHMEMD_FROM_PEER, p, v, 8);
	else if (bytes == 4 && !((uintptr_t)p & 3))
		shmemd_copy_store(SHMEMD_FROM_PEER, p, v, 4);
	else
		shmemd_word_set_bytes(p, v, bytes);
}

/*
 * Number of the exchange that comes next; every item of the group loads it.
 * First the group meets: some of it may come from a call of a narrower scope.
 */
SHMEMD_FN uint32_t shmemd_exchange_next(enum shmemd_scope s,
					const struct shmemd_team *team)
{
	shmemd_scope_sync(s);
	return (uint32_t)shmemd_local_load64(&team->sync->seq) + 1;
}

/*
 * Begin of an exchange. All of s have loaded its number, so that the next one
 * can be kept, where the store is done long before they look for it.
 */
SHMEMD_FN void shmemd_exchange_enter(enum shmemd_scope s,
				     const struct shmemd_team *team,
				     uint32_t seq)
{
	shmemd_enter(s);
	if (shmemd_scope_index(s) == 0)
		shmemd_local_store64(&team->sync->seq, seq);
}

/* The half of a block's packets that exchange seq uses. */
SHMEMD_FN char *shmemd_packets_in(const struct shmemd_team *team,
				  struct shmemd_sync *sync, uint32_t seq)
{
	const uint32_t half = (uint32_t)team->n_pes * 2 * team->room_bytes;

	return (char *)shmemd_mail_of(sync, team->n_pes) + (seq & 1 ? half : 0);
}

/* That of member i, and my own. */
SHMEMD_FN char *shmemd_packets(const struct shmemd_team *team, int i,
			       uint32_t seq)
{
	return shmemd_packets_in(team, shmemd_sync_of(team, i), seq);
}

SHMEMD_FN char *shmemd_packets_mine(const struct shmemd_team *team,
				    uint32_t seq)
{
	return shmemd_packets_in(team, team->sync, seq);
}

SHMEMD_FN void shmemd_packet_send(char *packets, unsigned int i, uint64_t data,
				  uint32_t seq)
{
	struct shmemd_vec v;

	v.a = (uint32_t)data | (uint64_t)seq << 32;
	v.b = data >> 32 | (uint64_t)seq << 32;
	shmemd_store128(packets + (size_t)i * SHMEMD_PACKET_BYTES, v);
}

SHMEMD_FN int shmemd_packet_came(struct shmemd_vec v, uint32_t seq)
{
	return v.a >> 32 == seq && v.b >> 32 == seq;
}

SHMEMD_FN uint64_t shmemd_packet_data(struct shmemd_vec v)
{
	return (uint32_t)v.a | v.b << 32;
}

/* Waits for packet i. */
SHMEMD_FN uint64_t shmemd_packet_await(const char *packets, unsigned int i,
				       uint32_t seq)
{
	const char *at = packets + (size_t)i * SHMEMD_PACKET_BYTES;
	struct shmemd_wait wait = { { 0 }, 0 };
	struct shmemd_vec v = shmemd_load128(at);

	while (!shmemd_packet_came(v, seq)) {
		shmemd_wait_turn(&wait);
		v = shmemd_load128(at);
	}
	return shmemd_packet_data(v);
}

/* Waits for four packets, i and on by step. */
SHMEMD_FN void shmemd_packet_await4(struct shmemd_vec v[4], const char *packets,
				    unsigned int i, unsigned int step,
				    uint32_t seq)
{
	const char *at = packets + (size_t)i * SHMEMD_PACKET_BYTES;
	const size_t bytes = (size_t)step * SHMEMD_PACKET_BYTES;
	struct shmemd_wait wait = { { 0 }, 0 };

	shmemd_load128x4(v, at, bytes);
	while (!(shmemd_packet_came(v[0], seq) & shmemd_packet_came(v[1], seq) &
		 shmemd_packet_came(v[2], seq) &
		 shmemd_packet_came(v[3], seq))) {
		shmemd_wait_turn(&wait);
		shmemd_load128x4(v, at, bytes);
	}
}

/* A packet without data to all others, and the wait for theirs. */
SHMEMD_FN void shmemd_hello_send(enum shmemd_scope s,
				 const struct shmemd_team *team,
				 unsigned int place, uint32_t seq)
{
	const int step = (int)shmemd_scope_size(s);
	int i;

	for (i = (int)shmemd_scope_index(s); i < team->n_pes; i += step)
		if (i != team->me)
			shmemd_packet_send(shmemd_packets(team, i, seq),
					   place + (unsigned int)team->me, 0,
					   seq);
}

SHMEMD_FN void shmemd_hello_await(enum shmemd_scope s,
				  const struct shmemd_team *team,
				  unsigned int place, uint32_t seq)
{
	const char *packets = shmemd_packets_mine(team, seq);
	const int step = (int)shmemd_scope_size(s);
	int i;

	for (i = (int)shmemd_scope_index(s); i < team->n_pes; i += step)
		if (i != team->me)
			shmemd_packet_await(packets, place + (unsigned int)i,
					    seq);
}

/* Whether an exchange carries so many bytes a pair. */
SHMEMD_FN int shmemd_exchange_fits(enum shmemd_scope s,
				   const struct shmemd_team *team, size_t bytes)
{
	return s != SHMEMD_GRID && bytes <= team->ll_bytes;
}

/* The part of bytes that this work-group copies: from *from on. */
SHMEMD_FN size_t shmemd_slice(enum shmemd_scope s, size_t bytes, size_t *from)
{
	const size_t n = s == SHMEMD_GRID ? shmemd_nwgs() : 1;
	const size_t part = ((bytes + n - 1) / n + 127) & ~(size_t)127;
	const size_t at = s == SHMEMD_GRID ? shmemd_wg() * part : 0;

	*from = at < bytes ? at : bytes;
	if (s != SHMEMD_GRID)
		return bytes;
	return part < bytes - *from ? part : bytes - *from;
}

/*
 * A symmetric array, and where its copies on other PEs are: at their distance,
 * as the heap of kernels is, or in slots, where slots is not NULL. Found once
 * a call, so that loops over members have no calls in them.
 */
struct shmemd_array {
	char *mine;
	char *slots; /* PE 0's copy */
	ptrdiff_t stride;
};

/* The segment that holds an array, -1 for the heap of kernels. */
SHMEMD_SLOW int shmemd_array_segment(const char *api, const void *addr,
				     size_t bytes, size_t align)
{
	int i;

	shmemd_reach_check(api, addr, bytes, align);
	for (i = 0; i < SHMEMD_NSEGMENTS; i++)
		if (shmemd_in(shmemd_block.other[i].base,
			      shmemd_block.other[i].bytes, addr, bytes))
			return i;
	return -1;
}

/* bytes of the array at addr; none is accessed if it is 0. */
SHMEMD_FN struct shmemd_array shmemd_array_at(const char *api, const void *addr,
					      size_t bytes, size_t align)
{
	const size_t off = (uintptr_t)addr - (uintptr_t)shmemd_block.heap;
	const struct shmemd_segment *seg;
	struct shmemd_array array;
	int i = -1;

	array.mine = (char *)addr;
	array.slots = NULL;
	array.stride = 0;
	if (SHMEMD_UNLIKELY(off >= shmemd_block.fast_bytes && bytes))
		i = shmemd_array_segment(api, addr, bytes, align);
	if (i < 0)
		return array;
	seg = &shmemd_block.other[i];
	array.slots = seg->first + (array.mine - seg->base);
	array.stride = seg->stride;
	return array;
}

/* Member i's copy. */
SHMEMD_FN char *shmemd_array_of(const struct shmemd_array *array,
				const struct shmemd_team *team, int i)
{
	const int pe = shmemd_team_pe(team, i);

	if (SHMEMD_LIKELY(!array->slots))
		return array->mine + shmemd_distance(pe);
	return i == team->me ? array->mine : array->slots + pe * array->stride;
}

/*
 * Lines of 16 bytes of short blocks, `lines` for each member, as if they were
 * one block, four loads in flight: by one block after the other there would be
 * fewer, and as many waits for loads as there are members. Those for member i
 * are at source + i * step, to where dest says; member `first` has the first.
 */
SHMEMD_SLOW void shmemd_push_lines(const struct shmemd_team *team,
				   struct shmemd_array dest, const char *source,
				   size_t step, unsigned int lines,
				   unsigned int first, unsigned int index,
				   unsigned int size)
{
	const unsigned int n = (unsigned int)team->n_pes, all = lines * n;
	struct shmemd_vec v[4] = { { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 } };
	char *to[4] = { NULL, NULL, NULL, NULL };
	unsigned int w, k;

	for (w = index; w < all; w += 4 * size) {
		SHMEMD_UNROLL
		for (k = 0; k < 4; k++) {
			const unsigned int at = w + k * size;
			const unsigned int block = at / lines;
			const size_t off = 16 * (size_t)(at - block * lines);
			unsigned int i = first + block;

			if (at >= all)
				continue;
			i = i < n ? i : i - n;
			v[k] = shmemd_stream128(source + i * step + off);
			to[k] = shmemd_array_of(&dest, team, (int)i) + off;
		}
		SHMEMD_UNROLL
		for (k = 0; k < 4; k++)
			if (w + k * size < all)
				shmemd_store128(to[k], v[k]);
	}
}

/* The array from byte `at` on. */
SHMEMD_FN struct shmemd_array
shmemd_array_from(const struct shmemd_array *array, size_t at)
{
	struct shmemd_array from = *array;

	from.mine += at;
	if (from.slots)
		from.slots += at;
	return from;
}

/*
 * Copies bytes at source + i * step to byte `at` of dest on member i, for all
 * i, to start with another one on each member and work-group.
 */
SHMEMD_FN void shmemd_push(enum shmemd_scope s, const struct shmemd_team *team,
			   const struct shmemd_array *dest, size_t at,
			   const char *source, size_t step, size_t bytes)
{
	const enum shmemd_scope mine = shmemd_within_wg(s);
	const unsigned int size = shmemd_scope_size(mine);
	const int turn = s == SHMEMD_GRID ? (int)shmemd_wg() : 0;
	int i = (team->me + turn) % team->n_pes, k;
	size_t from, part = shmemd_slice(s, bytes, &from);
	const struct shmemd_array to = shmemd_array_from(dest, at + from);
	uintptr_t odd;

	source += from;
	odd = (uintptr_t)to.mine | (uintptr_t)source | step | part;
	if (!(odd & 15) && part < 64 * (size_t)size) {
		shmemd_push_lines(team, to, source, step,
				  (unsigned int)(part / 16), (unsigned int)i,
				  shmemd_scope_index(mine), size);
		return;
	}
	for (k = 0; part && k < team->n_pes; k++) {
		xgmi_dev_put(mine, shmemd_array_of(&to, team, i),
			     source + (size_t)i * step, part);
		i = i + 1 < team->n_pes ? i + 1 : 0;
	}
}

/* What is wrong with an array of n elements, NULL if nothing is. */
SHMEMD_FN const char *shmemd_coll_fault(const void *addr, size_t n,
					size_t esize)
{
	const int me = shmemd_block.me;
	const void *p;

	if (!n)
		return NULL;
	p = shmemd_find(addr, n * esize, me);
	if (p && !((uintptr_t)p & (esize - 1)))
		return NULL;
	return shmemd_reach_fault(p, me);
}

/* One misuse for all: with no calls in here, kernels need no stack. */
SHMEMD_SLOW void shmemd_coll_check_slow(const char *api, const char *dest,
					size_t n_dest, const char *source,
					size_t n_source, size_t esize,
					int in_place)
{
	const size_t most = SIZE_MAX / esize;
	const char *fault = shmemd_coll_fault(dest, n_dest, esize);
	uint64_t value = (uint64_t)(uintptr_t)dest;

	if (!fault) {
		fault = shmemd_coll_fault(source, n_source, esize);
		value = (uint64_t)(uintptr_t)(fault ? source : dest);
	}
	if (!fault && n_dest && n_source && !(in_place && dest == source) &&
	    dest < source + n_source * esize && source < dest + n_dest * esize)
		fault = "dest: overlaps source";
	if (n_dest > most || n_source > most) {
		fault = "nelems: larger than memory";
		value = n_dest;
	}
	if (fault)
		shmemd_misuse_inline(api, fault, value, -1);
}

/* With SHMEM_CHECK=1, looks at dest and source of so many elements. */
SHMEMD_FN void shmemd_coll_check(const char *api, const void *dest,
				 size_t n_dest, const void *source,
				 size_t n_source, size_t esize, int in_place)
{
	if (SHMEMD_UNLIKELY(shmemd_block.check))
		shmemd_coll_check_slow(api, (const char *)dest, n_dest,
				       (const char *)source, n_source, esize,
				       in_place);
}

#endif
