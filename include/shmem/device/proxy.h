/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels' calls to PEs that loads and stores don't reach: entries in rings of
 * host memory, which threads of the host take and run; src/conduits/proxy is
 * their side. shmemd_block.n_far tells whether there are such PEs. Of near ones
 * atomics on host memory come here (proxy_dev_amo), if shmemd_amo_by_host says.
 *
 * proxy_dev_put, _get, _put_signal, _quiet and _fence are made by all of s with
 * the same arguments, the others by one item each. Barriers are in there: what
 * items of s wrote before is sent, and after a blocking call sources may be
 * written and what was got may be read by all of s. pe is a world PE that
 * shmemd_pe_far says yes to; dest, source, target and sig are MY addresses of
 * symmetric objects: heap, host heap, static data, or the sync blocks behind
 * the device heap. Other addresses are any memory of a kernel. Callers have
 * checked them.
 */
#ifndef SHMEM_DEVICE_PROXY_H
#define SHMEM_DEVICE_PROXY_H

#include <shmem/device/proxy_ring.h>

/*
 * One entry that says all itself; the word in its cell, or 0 without. With
 * SHMEMD_ENTRY_AWAITED it is done.
 */
SHMEMD_SLOW uint64_t proxy_send(shmem_ctx_t ctx, uint64_t head,
				const void *dest, uint64_t extra,
				uint64_t value, uint64_t a, uint64_t b)
{
	struct proxy_call call = proxy_call_of(ctx);
	uint64_t at;

	call.head = head;
	call.dest = (uint64_t)(uintptr_t)dest;
	call.extra = extra;
	call.value = value;
	call.data[0] = a;
	call.data[1] = b;
	call.in_cell = (head >> 16 & SHMEMD_ENTRY_CELL) != 0;
	at = proxy_post(&call, ctx);
	if (call.in_cell)
		return proxy_cell_word(call.ring, at);
	if (head >> 16 & SHMEMD_ENTRY_AWAITED)
		proxy_await(call.ring, at + 1);
	return 0;
}

/*
 * By one item: a put whose bytes travel as the flags in head say. These
 * functions call none, so that callers need no stack, and take few registers,
 * so that kernels can have 1024 work-items.
 */
SHMEMD_SLOW void proxy_put_piece(shmem_ctx_t ctx, char *dest, const char *src,
				 size_t bytes, uint64_t head, int waits)
{
	const unsigned int flags = head >> 16 & 0xff;
	struct proxy_call call = proxy_call_of(ctx);
	uint64_t at;

	call.head = head;
	call.dest = (uint64_t)(uintptr_t)dest;
	call.data[0] = (uint64_t)(uintptr_t)src;
	call.data[1] = bytes;
	if (flags & SHMEMD_ENTRY_INLINE) {
		proxy_words_load(call.data, src, bytes);
	} else if (flags & SHMEMD_ENTRY_CARRY) {
		call.src = (const uint64_t *)src;
		call.n_words = (unsigned int)bytes / 8;
		call.places += (call.n_words + 7) / 8;
	} else {
		call.by_address = 1;
	}
	at = proxy_post(&call, ctx);
	if (waits)
		proxy_await(call.ring, at + 1);
}

/* What is short is sooner in the ring than the host can fetch it. */
SHMEMD_FN unsigned int proxy_way(const char *src, size_t bytes)
{
	if (bytes <= SHMEMD_INLINE_BYTES)
		return SHMEMD_ENTRY_INLINE;
	if (bytes <= SHMEMD_CARRY_BYTES && !(((uintptr_t)src | bytes) & 7))
		return SHMEMD_ENTRY_CARRY;
	return 0;
}

/* From memory that the host can't look at: two words at a time. */
SHMEMD_FN void proxy_put_private(shmem_ctx_t ctx, char *dest, const char *src,
				 size_t bytes, int pe)
{
	SHMEMD_ROLLED
	while (bytes) {
		const unsigned int n = bytes < 16 ? (unsigned int)bytes : 16;
		const unsigned int low = n < 8 ? n : 8;

		proxy_send(ctx,
			   proxy_head(SHMEMD_ENTRY_PUT, 0, SHMEMD_ENTRY_INLINE,
				      n, pe),
			   dest, 0, 0, proxy_bytes_load(src, low),
			   proxy_bytes_load(src + 8, n - low));
		dest += n;
		src += n;
		bytes -= n;
	}
}

/* By one item. */
SHMEMD_FN void proxy_put(shmem_ctx_t ctx, char *dest, const char *src,
			 size_t bytes, int pe, int nbi)
{
	const unsigned int flags = proxy_way(src, bytes);

	if (shmemd_is_global(src))
		proxy_put_piece(ctx, dest, src, bytes,
				proxy_head(SHMEMD_ENTRY_PUT, 0, flags,
					   (uint8_t)bytes, pe),
				!flags && !nbi);
	else
		proxy_put_private(ctx, dest, src, bytes, pe);
}

/* By one item: a word comes with its signal, else the signal comes after. */
SHMEMD_FN void proxy_put_signal(shmem_ctx_t ctx, char *dest, const char *src,
				size_t bytes, uint64_t *sig, uint64_t v,
				int sig_op, int pe, int nbi)
{
	const unsigned int op =
		sig_op == SHMEM_SIGNAL_SET ? SHMEMD_SET : SHMEMD_ADD;

	if (bytes == 8 && !((uintptr_t)src & 7)) {
		proxy_send(ctx,
			   proxy_head(SHMEMD_ENTRY_PUT_SIGNAL, op,
				      SHMEMD_ENTRY_INLINE, 8, pe),
			   dest, (uint64_t)(uintptr_t)sig, v,
			   *(const shmemd_plain64 *)src, 0);
		return;
	}
	if (bytes)
		proxy_put(ctx, dest, src, bytes, pe, nbi);
	proxy_send(ctx,
		   proxy_head(SHMEMD_ENTRY_AMO, op,
			      bytes ? SHMEMD_ENTRY_AFTER : 0, 8, pe),
		   sig, 0, v, 0, 0);
}

/*
 * By one item, through the cell of a place: a kernel copies it faster than a
 * host that must ask its device, and to where the host can't.
 */
SHMEMD_SLOW void proxy_get_cell(shmem_ctx_t ctx, char *dst, const char *source,
				size_t bytes, int pe)
{
	struct proxy_call call = proxy_call_of(ctx);
	uint64_t at;

	call.head = proxy_head(SHMEMD_ENTRY_GET, 0, SHMEMD_ENTRY_CELL, 0, pe);
	call.dest = (uint64_t)(uintptr_t)source;
	call.data[1] = bytes;
	call.in_cell = 1;
	at = proxy_post(&call, ctx);
	proxy_cell_copy(call.ring, at, dst, bytes);
}

SHMEMD_SLOW void proxy_get_direct(shmem_ctx_t ctx, char *dst,
				  const char *source, size_t bytes, int pe,
				  int nbi)
{
	struct proxy_call call = proxy_call_of(ctx);
	uint64_t at;

	call.head = proxy_head(SHMEMD_ENTRY_GET, 0, 0, 0, pe);
	call.dest = (uint64_t)(uintptr_t)source;
	call.data[0] = (uint64_t)(uintptr_t)dst;
	call.data[1] = bytes;
	call.by_address = 1;
	at = proxy_post(&call, ctx);
	if (!nbi)
		proxy_await(call.ring, at + 1);
}

SHMEMD_FN void proxy_get(shmem_ctx_t ctx, char *dst, const char *source,
			 size_t bytes, int pe, int nbi)
{
	const int fits =
		bytes > SHMEMD_CELL_BYTES || (nbi && shmemd_block.proxy.direct);
	size_t got = 0, n;

	if (fits && shmemd_is_global(dst)) {
		proxy_get_direct(ctx, dst, source, bytes, pe, nbi);
		return;
	}
	SHMEMD_ROLLED
	for (; got < bytes; got += n) {
		const size_t left = bytes - got;

		n = left < SHMEMD_CELL_BYTES ? left : SHMEMD_CELL_BYTES;
		proxy_get_cell(ctx, dst + got, source + got, n, pe);
	}
}

/* By one item: waits for all that the context has in rings. */
SHMEMD_SLOW void proxy_settle(shmem_ctx_t ctx)
{
	unsigned int line;

	SHMEMD_ROLLED
	for (line = 0; line < shmemd_block.proxy.n_lines; line++) {
		unsigned int rings = proxy_line_pending(ctx, line);

		SHMEMD_ROLLED
		for (; rings; rings &= rings - 1) {
			const unsigned int ring =
				line * SHMEMD_MARKS +
				(unsigned int)shmemd_ctz(rings);

			proxy_await(ring, shmemd_load64(proxy_mark(ctx, ring)));
		}
	}
}

SHMEMD_FN void proxy_dev_put(enum shmemd_scope s, shmem_ctx_t ctx, void *dest,
			     const void *src, size_t bytes, int pe, int nbi)
{
	shmemd_payload_before_entry(s);
	if (shmemd_scope_index(s) == 0)
		proxy_put(ctx, (char *)dest, (const char *)src, bytes, pe, nbi);
	if (!nbi)
		shmemd_scope_sync(s);
}

SHMEMD_FN void proxy_dev_get(enum shmemd_scope s, shmem_ctx_t ctx, void *dst,
			     const void *source, size_t bytes, int pe, int nbi)
{
	const int first = shmemd_scope_index(s) == 0;

	shmemd_payload_before_entry(s);
	if (first)
		proxy_get(ctx, (char *)dst, (const char *)source, bytes, pe,
			  nbi);
	if (!nbi && s != SHMEMD_THREAD)
		shmemd_flag_seen_before_payload(s, first);
}

/* sig_op: SHMEM_SIGNAL_SET or _ADD; bytes may be 0. */
SHMEMD_FN void proxy_dev_put_signal(enum shmemd_scope s, shmem_ctx_t ctx,
				    void *dest, const void *src, size_t bytes,
				    uint64_t *sig, uint64_t v, int sig_op,
				    int pe, int nbi)
{
	shmemd_payload_before_entry(s);
	if (shmemd_scope_index(s) == 0)
		proxy_put_signal(ctx, (char *)dest, (const char *)src, bytes,
				 sig, v, sig_op, pe, nbi);
	if (!nbi)
		shmemd_scope_sync(s);
}

/*
 * bytes is 4 or 8. The value before; 0 where fetches is 0. That on a near PE's
 * host memory is done when it returns: what the item does then comes after, and
 * fences and quiets, which near PEs' stores make cheap, needn't ask the rings.
 */
SHMEMD_FN uint64_t proxy_dev_amo(shmem_ctx_t ctx, enum shmemd_amo op,
				 unsigned int bytes, const void *target,
				 uint64_t v, uint64_t cond, int fetches, int pe)
{
	const unsigned int flags = fetches	     ? SHMEMD_ENTRY_CELL :
				   shmemd_pe_far(pe) ? 0 :
						       SHMEMD_ENTRY_AWAITED;

	return proxy_send(ctx,
			  proxy_head(SHMEMD_ENTRY_AMO, op, flags, bytes, pe),
			  target, cond, v, 0, 0);
}

/* To 8 bytes of a near PE's host memory, as proxy_dev_amo. */
SHMEMD_FN void proxy_dev_host_add(shmem_ctx_t ctx, uint64_t *target, uint64_t v,
				  int pe)
{
	proxy_send(ctx,
		   proxy_head(SHMEMD_ENTRY_AMO, SHMEMD_ADD,
			      SHMEMD_ENTRY_AWAITED, 8, pe),
		   target, 0, v, 0, 0);
}

/* An element of 1, 2, 4 or 8 bytes, aligned to its size. */
SHMEMD_FN void proxy_dev_p(shmem_ctx_t ctx, void *dest, uint64_t v,
			   unsigned int bytes, int pe)
{
	proxy_send(
		ctx,
		proxy_head(SHMEMD_ENTRY_PUT, 0, SHMEMD_ENTRY_INLINE, bytes, pe),
		dest, 0, 0, v, 0);
}

SHMEMD_FN uint64_t proxy_dev_g(shmem_ctx_t ctx, const void *source,
			       unsigned int bytes, int pe)
{
	return proxy_send(
		ctx, proxy_head(SHMEMD_ENTRY_GET, 0, SHMEMD_ENTRY_CELL, 0, pe),
		source, 0, 0, 0, bytes);
}

/*
 * The word at dest, after all that this item sent to pe by SHMEM_CTX_DEFAULT:
 * whoever sees it sees that.
 */
SHMEMD_FN void proxy_dev_store64(uint64_t *dest, uint64_t v, int pe)
{
	proxy_send(SHMEM_CTX_DEFAULT,
		   proxy_head(SHMEMD_ENTRY_PUT, 0,
			      SHMEMD_ENTRY_INLINE | SHMEMD_ENTRY_WHOLE |
				      SHMEMD_ENTRY_AFTER,
			      8, pe),
		   dest, 0, 0, v, 0);
}

/* Of the context's operations by the proxy alone; near ones have their own. */
SHMEMD_FN void proxy_dev_quiet(enum shmemd_scope s, shmem_ctx_t ctx)
{
	const int first = shmemd_scope_index(s) == 0;

	shmemd_payload_before_entry(s);
	if (first)
		proxy_settle(ctx);
	if (s != SHMEMD_THREAD)
		shmemd_flag_seen_before_payload(s, first);
}

/*
 * A context with a ring to itself needs an entry there. Work-groups have
 * different rings in all others, and what one of them does after another's
 * fence would not know of it: the fence waits.
 */
SHMEMD_FN void proxy_dev_fence(enum shmemd_scope s, shmem_ctx_t ctx)
{
	if (!proxy_ctx_one_ring(ctx)) {
		proxy_dev_quiet(s, ctx);
		return;
	}
	shmemd_payload_before_entry(s);
	if (shmemd_scope_index(s) == 0 &&
	    !proxy_ring_settled(ctx, proxy_ring_of(ctx)))
		proxy_send(ctx, proxy_head(SHMEMD_ENTRY_FENCE, 0, 0, 0, -1),
			   NULL, 0, 0, 0, 0);
	shmemd_scope_sync(s);
}

#endif
