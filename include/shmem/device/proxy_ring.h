/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rings of the proxy, for proxy.h. A gang takes as many places as it has
 * items by one addition, its items fill theirs at once, and one store, of the
 * first place's stamp, publishes them: entries are taken in the order of their
 * places, whoever is ready first.
 *
 * Nobody waits between taking places and publishing them for one who might
 * wait for these: a full ring empties by what was published before, and a cell
 * is given back by one who has its result already.
 */
#ifndef SHMEM_DEVICE_PROXY_RING_H
#define SHMEM_DEVICE_PROXY_RING_H

#include <shmem/device/copy.h>
#include <shmem/device/reach.h>

/* An entry to be made. */
struct proxy_call {
	uint64_t head; /* kind, op, flags, small and pe */
	uint64_t dest;
	uint64_t extra; /* signal_addr, cond */
	uint64_t value;
	uint64_t data[SHMEMD_INLINE_BYTES / 8];
	const uint64_t *src; /* of words that are carried */
	unsigned int n_words;
	unsigned int ring;
	unsigned int places;
	int by_address; /* the host looks at this device's memory */
	int in_cell;	/* somebody reads a result there */
};

SHMEMD_FN uint64_t proxy_head(unsigned int kind, unsigned int op,
			      unsigned int flags, unsigned int small, int pe)
{
	return kind | op << 8 | flags << 16 | small << 24 |
	       (uint64_t)(uint32_t)pe << 32;
}

/* Whether the context's options say that no two work-groups use it at once. */
SHMEMD_FN int proxy_ctx_one_ring(shmem_ctx_t ctx)
{
	const struct shmemd_ctx *entry;

	if (ctx == SHMEM_CTX_DEFAULT)
		return 0;
	entry = shmemd_ctx_find(ctx);
	return entry && shmemd_ctx_word(ctx, &entry->options) &
				(SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE);
}

/* Work-groups shall not queue behind each other. */
SHMEMD_FN unsigned int proxy_ring_of(shmem_ctx_t ctx)
{
	const unsigned int mask = shmemd_block.proxy.n_rings - 1;

	if (proxy_ctx_one_ring(ctx))
		return (unsigned int)(uintptr_t)ctx & mask;
	return shmemd_wg() & mask;
}

SHMEMD_FN struct proxy_call proxy_call_of(shmem_ctx_t ctx)
{
	struct proxy_call call;

	call.head = call.dest = call.extra = call.value = 0;
	call.data[0] = call.data[1] = call.data[2] = 0;
	call.src = NULL;
	call.n_words = 0;
	call.ring = proxy_ring_of(ctx);
	call.places = 1;
	call.by_address = 0;
	call.in_cell = 0;
	return call;
}

SHMEMD_FN size_t proxy_place(unsigned int ring, uint64_t at)
{
	const uint64_t n_slots = shmemd_block.proxy.n_slots;

	return (size_t)(ring * n_slots + (at & (n_slots - 1)));
}

SHMEMD_FN uint64_t *proxy_mark(shmem_ctx_t ctx, unsigned int ring)
{
	const struct shmemd_proxy *p = &shmemd_block.proxy;

	return p->marks + (uintptr_t)ctx * p->n_lines * SHMEMD_MARKS + ring;
}

/* Until the ring's first upto entries are done; polls is of a pause. */
SHMEMD_FN void proxy_await_from(unsigned int ring, uint64_t upto,
				unsigned int polls)
{
	const struct shmemd_proxy *p = &shmemd_block.proxy;
	struct shmemd_wait wait = { { polls }, 0 };
	uint64_t done;

	while ((done = shmemd_load64(&p->done[ring].n)) < upto)
		shmemd_wait_turn(&wait);
	shmemd_max64(&p->seen[ring], done);
	shmemd_done_before_result();
}

SHMEMD_FN void proxy_await(unsigned int ring, uint64_t upto)
{
	proxy_await_from(ring, upto, 0);
}

/*
 * Those who wait for places are many, and shall sleep between two polls: the
 * host's memory is far.
 */
#define PROXY_PATIENT 65536

/* n places, when they are free; the number of the first. */
SHMEMD_FN uint64_t proxy_reserve(unsigned int ring, uint64_t n)
{
	const struct shmemd_proxy *p = &shmemd_block.proxy;
	const uint64_t seen = shmemd_load64(&p->seen[ring]);
	const uint64_t at = shmemd_amo64(SHMEMD_ADD, &p->tail[ring].n, n, 0);

	if (SHMEMD_UNLIKELY(at + n > seen + p->n_slots))
		proxy_await_from(ring, at + n - p->n_slots, PROXY_PATIENT);
	return at;
}

/* The place's former user may have yet to read its result. */
SHMEMD_FN void proxy_cell_take(unsigned int ring, uint64_t at)
{
	uint32_t *held = &shmemd_block.proxy.held[proxy_place(ring, at)];
	struct shmemd_wait wait = { { 0 }, 0 };

	while (shmemd_load32(held))
		shmemd_wait_turn(&wait);
	shmemd_store32(held, 1);
}

SHMEMD_FN void proxy_cell_release(unsigned int ring, uint64_t at)
{
	shmemd_result_before_release();
	shmemd_store32(&shmemd_block.proxy.held[proxy_place(ring, at)], 0);
}

SHMEMD_FN uint64_t proxy_cell_word(unsigned int ring, uint64_t at)
{
	const struct shmemd_cell *cells = shmemd_block.proxy.cells;
	uint64_t v;

	proxy_await(ring, at + 1);
	v = shmemd_load64(cells[proxy_place(ring, at)].word);
	proxy_cell_release(ring, at);
	return v;
}

SHMEMD_FN struct shmemd_vec proxy_vec(uint64_t a, uint64_t b)
{
	struct shmemd_vec v;

	v.a = a;
	v.b = b;
	return v;
}

/* Up to 8 bytes of any alignment. */
SHMEMD_FN uint64_t proxy_bytes_load(const char *src, size_t n)
{
	uint64_t v = 0;
	size_t i;

	SHMEMD_ROLLED
	for (i = 0; i < n; i++)
		v |= (uint64_t)(uint8_t)src[i] << 8 * i;
	return v;
}

SHMEMD_FN void proxy_bytes_store(char *dst, uint64_t v, size_t n)
{
	size_t i;

	if (n == 8 && !((uintptr_t)dst & 7)) {
		*(shmemd_plain64 *)dst = v;
		return;
	}
	SHMEMD_ROLLED
	for (i = 0; i < n; i++)
		dst[i] = (char)(v >> 8 * i);
}

/* Bytes that an entry holds, as words in registers: aligned ones in flight. */
SHMEMD_FN void proxy_words_load(uint64_t w[SHMEMD_INLINE_BYTES / 8],
				const char *src, size_t n)
{
	const size_t whole = (uintptr_t)src & 7 ? 0 : n / 8;
	unsigned int k;
	size_t i;

	SHMEMD_UNROLLED
	for (k = 0; k < SHMEMD_INLINE_BYTES / 8; k++)
		w[k] = k < whole ? ((const shmemd_plain64 *)src)[k] : 0;
	SHMEMD_ROLLED
	for (i = whole; 8 * i < n; i++) {
		const size_t left = n - 8 * i;
		const uint64_t v =
			proxy_bytes_load(src + 8 * i, left < 8 ? left : 8);

		SHMEMD_UNROLLED
		for (k = 0; k < SHMEMD_INLINE_BYTES / 8; k++)
			w[k] = k == i ? v : w[k];
	}
}

SHMEMD_FN void proxy_words_store(char *dst, uint64_t w[8], size_t n)
{
	unsigned int k;
	size_t i;

	SHMEMD_ROLLED
	for (i = 0; i < n; i += 8) {
		proxy_bytes_store(dst + i, w[0], n - i < 8 ? n - i : 8);
		SHMEMD_UNROLLED
		for (k = 0; k < 7; k++)
			w[k] = w[k + 1];
	}
}

SHMEMD_FN void proxy_cell_copy(unsigned int ring, uint64_t at, char *dst,
			       size_t bytes)
{
	const struct shmemd_cell *cells = shmemd_block.proxy.cells;
	struct shmemd_vec v[4];
	uint64_t w[8];
	unsigned int k;

	proxy_await(ring, at + 1);
	shmemd_load128x4(v, &cells[proxy_place(ring, at)], 16);
	SHMEMD_UNROLLED
	for (k = 0; k < 4; k++) {
		w[2 * k] = v[k].a;
		w[2 * k + 1] = v[k].b;
	}
	proxy_words_store(dst, w, bytes);
	proxy_cell_release(ring, at);
}

/* What the places behind an entry hold: four words in flight. */
SHMEMD_FN void proxy_carry(const struct proxy_call *call, uint64_t at)
{
	const shmemd_plain64 *src = (const shmemd_plain64 *)call->src;
	const unsigned int n = call->n_words;
	unsigned int i;

	SHMEMD_ROLLED
	for (i = 0; i < n; i += 4) {
		struct shmemd_entry *e =
			shmemd_block.proxy.entries +
			proxy_place(call->ring, at + 1 + i / 8);
		char *to = (char *)e + i % 8 * 8;
		const uint64_t a = src[i], b = i + 1 < n ? src[i + 1] : 0;
		const uint64_t c = i + 2 < n ? src[i + 2] : 0;
		const uint64_t d = i + 3 < n ? src[i + 3] : 0;

		shmemd_store128(to, proxy_vec(a, b));
		shmemd_store128(to + 16, proxy_vec(c, d));
	}
}

/* All of the entry but its stamp. */
SHMEMD_FN void proxy_fill(const struct proxy_call *call, uint64_t at)
{
	uint64_t *word = (uint64_t *)&shmemd_block.proxy
				 .entries[proxy_place(call->ring, at)];

	shmemd_store64(word + 1, call->head);
	shmemd_store128(word + 2, proxy_vec(call->dest, call->extra));
	shmemd_store128(word + 4, proxy_vec(call->value, call->data[0]));
	shmemd_store128(word + 6, proxy_vec(call->data[1], call->data[2]));
	proxy_carry(call, at);
}

/* By all of the gang, whose entries take one place each if they are several. */
SHMEMD_FN uint64_t proxy_post_gang(const struct proxy_call *call,
				   const struct shmemd_gang *gang)
{
	const uint64_t n = (uint64_t)gang->size * call->places;
	uint64_t first = 0, at;

	if (gang->index == 0)
		first = proxy_reserve(call->ring, n);
	first = shmemd_gang_bcast(gang, first);
	at = first + gang->index;
	if (call->in_cell)
		proxy_cell_take(call->ring, at);
	proxy_fill(call, at);
	shmemd_entry_before_publish(gang, call->by_address);
	if (gang->index == 0)
		shmemd_store64(&shmemd_block.proxy
					.entries[proxy_place(call->ring, first)]
					.stamp,
			       first << 8 | n);
	return at;
}

/*
 * By any items, at any time: those who come together publish together if they
 * can. Else one after the other, by a loop that all leave together: an item
 * that waits for others of its wave must not have taken places.
 */
SHMEMD_FN uint64_t proxy_post(const struct proxy_call *call, shmem_ctx_t ctx)
{
	const struct shmemd_gang all = shmemd_gang();
	const int differs = shmemd_gang_bcast(&all, call->ring) != call->ring;
	const int apart = shmemd_gang_any(&all, differs || call->places > 1);
	const unsigned int turns = apart ? all.size : 1;
	const struct shmemd_gang gang = apart ? shmemd_gang_one() : all;
	unsigned int turn;
	uint64_t at = 0;

	SHMEMD_ROLLED
	for (turn = 0; turn < turns; turn++)
		if (!apart || turn == all.index)
			at = proxy_post_gang(call, &gang);
	shmemd_max64(proxy_mark(ctx, call->ring), at + call->places);
	return at;
}

SHMEMD_FN int proxy_ring_settled(shmem_ctx_t ctx, unsigned int ring)
{
	return shmemd_load64(proxy_mark(ctx, ring)) <=
	       shmemd_load64(&shmemd_block.proxy.seen[ring]);
}

/* Bits of the line's rings where the context has what is not done. */
SHMEMD_FN unsigned int proxy_line_pending(shmem_ctx_t ctx, unsigned int line)
{
	const unsigned int ring = line * SHMEMD_MARKS;
	struct shmemd_vec mark[4], seen[4];
	unsigned int rings = 0, k;

	shmemd_load128x4(mark, proxy_mark(ctx, ring), 16);
	shmemd_load128x4(seen, &shmemd_block.proxy.seen[ring], 16);
	SHMEMD_UNROLLED
	for (k = 0; k < 4; k++) {
		rings |= (unsigned int)(mark[k].a > seen[k].a) << 2 * k;
		rings |= (unsigned int)(mark[k].b > seen[k].b) << (2 * k + 1);
	}
	return rings;
}

#endif
