/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels' calls to PEs that loads and stores don't reach, by queues of NICs
 * that kernels fill and ring themselves: far.h's contract, if
 * shmemd_block.gda.format is not SHMEMD_GDA_NONE. src/conduits/gda is the
 * host's side.
 *
 *   gda_row.h     from a context and a PE to a queue
 *   gda_memory.h  from addresses to keys
 *   gda_ring.h    one queue: places, turns, doorbells, completions
 *   gda_post.h    what an entry is made of
 *   gda_send.h    entries of the items that come together
 *   gda_amo.h     atomics
 *   gda_settle.h  waits for all that a context has sent
 *   gda_format.h  what NICs read and write
 *
 * What a context sends to a PE is one queue's for each work-group, in order,
 * pieces of one call too. Bytes that an entry holds itself, and those that go
 * by cells, are copied when a call returns; the NIC takes the rest from the
 * source, for which caches are written back, once for those who post together,
 * but not in contexts with SHMEMX_CTX_VISIBLE.
 *
 * Where NICs make no atomics, the proxy does (proxy.h), after what the context
 * has in queues where that matters.
 */
#ifndef SHMEM_DEVICE_GDA_H
#define SHMEM_DEVICE_GDA_H

#include <shmem/device/gda_amo.h>
#include <shmem/device/gda_settle.h>
#include <shmem/device/proxy.h>

/* How bytes move. */
enum {
	GDA_NBI = 1,
	GDA_ARRIVES = 2 /* a put waits until it has arrived */
};

/* What became of it: all of the group have moved a part. */
#define GDA_SHARED 1

/* A put or a get, how; and what comes behind a put, of sig and v. */
struct gda_manner {
	int puts;
	int how;
	int signals;   /* it is a put with a signal */
	uint32_t then; /* enum gda_then */
	uint64_t *sig;
	uint64_t v;
};

SHMEMD_FN struct gda_manner gda_manner_of(int puts, int how)
{
	const struct gda_manner m = { puts, how, 0, GDA_THEN_NONE, NULL, 0 };

	return m;
}

/* Bytes that every NIC's entry holds itself. */
#define GDA_INLINE_LEAST 16

/* Bytes that are asked for at once. */
#define GDA_PIECE ((size_t)1 << 30)

/* The way of n bytes: few go by the entry, or by its cell. */
SHMEMD_FN uint32_t gda_way_of(const struct gda_manner *m, size_t n)
{
	if (m->puts)
		return n <= gda_inline_bytes() ? GDA_PUT_SMALL : GDA_PUT;
	return m->how & GDA_NBI || n > SHMEMD_GDA_CELL_BYTES ? GDA_GET :
							       GDA_LOAD;
}

/* What comes behind, as an entry of a call of its own. */
SHMEMD_FN struct gda_call gda_call_signal(const struct gda_end *end,
					  const struct gda_manner *m)
{
	const uint32_t way = m->then == GDA_THEN_SET ?
				     (uint32_t)GDA_WORD :
				     GDA_AMO + (uint32_t)SHMEMD_ADD;
	struct gda_call call = gda_call_of(end, way, m->sig, 8);

	call.x = m->v;
	call.of_signal = 1;
	return call;
}

/* A piece, with the last one what comes behind. */
SHMEMD_FN struct gda_call gda_call_piece(const struct gda_end *end,
					 const struct gda_manner *m,
					 const char *theirs, char *mine,
					 size_t bytes)
{
	const size_t n = gda_least(bytes, GDA_PIECE);
	struct gda_call call;

	if (m->signals && !bytes)
		return gda_call_signal(end, m);
	call = gda_call_of(end, gda_way_of(m, n), theirs, n);
	call.then = n == bytes ? m->then : (uint32_t)GDA_THEN_NONE;
	call.of_signal = m->signals;
	call.x = (uint64_t)(uintptr_t)mine;
	call.y = (uint64_t)(uintptr_t)m->sig;
	call.z = m->v;
	return call;
}

/*
 * By one item: bytes between this PE's memory at mine, of any kind, and the
 * peer's copy at theirs, piece after piece, and what comes behind: in one with
 * the last piece, if that is not cut.
 */
SHMEMD_FN void gda_move_item(const struct gda_end *end,
			     const struct gda_manner *m, const char *theirs,
			     char *mine, size_t bytes)
{
	uint32_t then = m->then;
	uint64_t upto = 0;
	size_t at = 0;

	SHMEMD_ROLLED
	while (at < bytes || then) {
		const struct gda_call call = gda_call_piece(
			end, m, theirs + at, mine + at, bytes - at);
		const struct gda_ticket ticket = gda_send(&call);
		const int lost = ticket.upto == GDA_FAILED;

		if (m->how & GDA_ARRIVES || ticket.use & GDA_SENT_DIRECT ||
		    (upto && at == bytes))
			upto = ticket.upto;
		if (lost || at == bytes || ticket.use & GDA_SENT_BOTH)
			then = GDA_THEN_NONE;
		at = lost || at == bytes ? bytes : at + ticket.bytes;
	}
	if (upto && !(m->how & GDA_NBI) &&
	    gda_await(end->q, upto, end->options) && !m->puts)
		shmemd_completion_before_result();
}

/* Of a group's items, those that may post: one at a time is no group. */
SHMEMD_FN unsigned int gda_sharers(enum shmemd_scope s, uint32_t options)
{
	return options & SHMEM_CTX_PRIVATE ? 1 : shmemd_scope_size(s);
}

/*
 * By all of a group: item 0 does it, or, if memory that no NIC knows must be
 * copied, all that may share it do a part, and item 0 what comes behind when
 * all have. Grids leave it to their first work-group.
 */
SHMEMD_FN int gda_move(enum shmemd_scope s, const struct gda_end *end,
		       struct gda_manner m, const void *theirs, void *mine,
		       size_t bytes)
{
	const enum shmemd_scope of = s == SHMEMD_GRID ? SHMEMD_WG : s;
	const size_t index = shmemd_scope_index(of);
	const size_t cell = SHMEMD_GDA_CELL_BYTES;
	size_t from = 0, n = index ? 0 : bytes;
	int shared = 0;

	if (!end->q || (s == SHMEMD_GRID && shmemd_wg() != 0))
		return 0;
	if (gda_sharers(of, end->options) > 1 && bytes > cell &&
	    !gda_known(mine)) {
		n = (bytes / shmemd_scope_size(of) + cell) & ~(cell - 1);
		from = n * index;
		n = from < bytes ? gda_least(n, bytes - from) : 0;
		shared = GDA_SHARED;
	}
	if (index || shared)
		m.then = GDA_THEN_NONE;
	gda_move_item(end, &m, (const char *)theirs + from, (char *)mine + from,
		      n);
	return shared;
}

/* By one item: up to 8 bytes; waits: until they have arrived. */
SHMEMD_FN void gda_word_put(const struct gda_end *end, void *dest, uint64_t v,
			    unsigned int bytes, int waits)
{
	struct gda_call call = gda_call_of(end, GDA_WORD, dest, bytes);
	struct gda_ticket ticket;

	if (!end->q)
		return;
	call.x = v;
	ticket = gda_send(&call);
	if (waits)
		(void)gda_await(end->q, ticket.upto, end->options);
}

/* By one item, as a part of a group's call. */
SHMEMD_FN void gda_put(shmem_ctx_t ctx, void *dest, const void *src,
		       size_t bytes, int pe)
{
	const struct gda_end end = gda_end_of(ctx, pe);

	(void)gda_move(SHMEMD_THREAD, &end, gda_manner_of(1, GDA_NBI), dest,
		       (void *)(uintptr_t)src, bytes);
}

SHMEMD_FN void gda_get(shmem_ctx_t ctx, void *dst, const void *source,
		       size_t bytes, int pe)
{
	const struct gda_end end = gda_end_of(ctx, pe);

	(void)gda_move(SHMEMD_THREAD, &end, gda_manner_of(0, GDA_NBI), source,
		       dst, bytes);
}

SHMEMD_FN void gda_dev_put(enum shmemd_scope s, shmem_ctx_t ctx, void *dest,
			   const void *src, size_t bytes, int pe, int nbi)
{
	const struct gda_end end = gda_end_of(ctx, pe);

	shmemd_group_before_entry(s);
	(void)gda_move(s, &end, gda_manner_of(1, nbi ? GDA_NBI : 0), dest,
		       (void *)(uintptr_t)src, bytes);
	if (!nbi)
		shmemd_scope_sync(s);
}

SHMEMD_FN void gda_dev_get(enum shmemd_scope s, shmem_ctx_t ctx, void *dst,
			   const void *source, size_t bytes, int pe, int nbi)
{
	const struct gda_end end = gda_end_of(ctx, pe);

	shmemd_group_before_entry(s);
	(void)gda_move(s, &end, gda_manner_of(0, nbi ? GDA_NBI : 0), source,
		       dst, bytes);
	if (!nbi && s != SHMEMD_THREAD)
		shmemd_flag_before_payload(s);
}

/* bytes is 4 or 8. The value before; 0 where fetches is 0. */
SHMEMD_FN uint64_t gda_dev_amo(shmem_ctx_t ctx, enum shmemd_amo op,
			       unsigned int bytes, const void *target,
			       uint64_t v, uint64_t cond, int fetches, int pe)
{
	struct gda_amo_call a;
	struct gda_end end;
	uint64_t before;

	if (!shmemd_block.gda.atomics)
		return proxy_dev_amo(ctx, op, bytes, target, v, cond, fetches,
				     pe);
	end = gda_end_of(ctx, pe);
	if (!end.q)
		return 0;
	a.amo = op;
	a.bytes = bytes;
	a.mask = ~(uint64_t)0 >> (64 - 8 * bytes);
	a.v = v & a.mask;
	a.cond = cond & a.mask;
	before = gda_amo_by(&end, &a, target, fetches);
	return fetches ? before : 0;
}

/* By one item. */
SHMEMD_FN void gda_signal_alone(const struct gda_end *end,
				const struct gda_manner *m)
{
	const struct shmemd_gang one = shmemd_gang_one();
	const struct gda_call call = gda_call_signal(end, m);
	struct gda_ticket ticket;

	gda_send_gang(&call, &one, &ticket);
}

/*
 * Data and signal become the NIC's together where that can be. Every NIC that
 * makes atomics adds 8 bytes.
 */
SHMEMD_FN void gda_dev_put_signal(enum shmemd_scope s, shmem_ctx_t ctx,
				  void *dest, const void *src, size_t bytes,
				  uint64_t *sig, uint64_t v, int sig_op, int pe,
				  int nbi)
{
	const int apart =
		sig_op != SHMEM_SIGNAL_SET && !shmemd_block.gda.atomics;
	const struct gda_end end = gda_end_of(ctx, pe);
	struct gda_manner m = gda_manner_of(1, nbi ? GDA_NBI : 0);

	m.signals = 1;
	m.sig = sig;
	m.v = v;
	if (apart)
		m.how = GDA_ARRIVES;
	else
		m.then = sig_op == SHMEM_SIGNAL_SET ? GDA_THEN_SET :
						      GDA_THEN_ADD;
	shmemd_group_before_entry(s);
	if (gda_move(s, &end, m, dest, (void *)(uintptr_t)src, bytes)) {
		shmemd_group_before_entry(s);
		if (shmemd_scope_index(s) == 0 && m.then)
			gda_signal_alone(&end, &m);
	}
	if (shmemd_scope_index(s) == 0 && apart)
		(void)proxy_dev_amo(ctx, SHMEMD_ADD, 8, sig, v, 0, 0, pe);
	if (!nbi)
		shmemd_leave(s);
}

/* An element of 1, 2, 4 or 8 bytes, aligned to its size. */
SHMEMD_FN void gda_dev_p(shmem_ctx_t ctx, void *dest, uint64_t v,
			 unsigned int bytes, int pe)
{
	const struct gda_end end = gda_end_of(ctx, pe);

	gda_word_put(&end, dest, v, bytes, 0);
}

SHMEMD_FN uint64_t gda_dev_g(shmem_ctx_t ctx, const void *source,
			     unsigned int bytes, int pe)
{
	const struct gda_end end = gda_end_of(ctx, pe);

	struct gda_call call = gda_call_of(&end, GDA_LOAD, source, bytes);
	struct gda_ticket ticket;

	if (!end.q)
		return 0;
	ticket = gda_send(&call);
	return gda_amo_result(&call, &ticket);
}

SHMEMD_FN void gda_dev_store64(uint64_t *dest, uint64_t v, int pe)
{
	const struct gda_end end = gda_end_of(SHMEM_CTX_DEFAULT, pe);

	if (SHMEMD_UNLIKELY(!shmemd_block.gda.atomics))
		proxy_settle(SHMEM_CTX_DEFAULT);
	gda_word_put(&end, dest, v, 8, 0);
}

/* The proxy's part, by one item. */
SHMEMD_FN void gda_proxy_settle(shmem_ctx_t ctx)
{
	if (SHMEMD_UNLIKELY(!shmemd_block.gda.atomics))
		proxy_settle(ctx);
}

/* Of a grid, each work-group's own. */
SHMEMD_FN void gda_dev_quiet(enum shmemd_scope s, shmem_ctx_t ctx)
{
	const enum shmemd_scope mine = s == SHMEMD_GRID ? SHMEMD_WG : s;

	shmemd_group_before_entry(s);
	gda_settle(ctx, shmemd_scope_index(mine), shmemd_scope_size(mine));
	if (shmemd_scope_index(mine) == 0)
		gda_proxy_settle(ctx);
	shmemd_flag_before_payload(s);
}

/* By one item, after all of its group have come. */
SHMEMD_FN void gda_dev_pe_quiet(shmem_ctx_t ctx, int pe)
{
	gda_pe_settle(ctx, pe);
	gda_proxy_settle(ctx);
}

/*
 * A queue is in order, but for what comes behind an atomic. Work-groups have
 * different queues, and what one of them does after another's fence would not
 * know of it; nor do queues know of the proxy: there the fence waits.
 */
SHMEMD_FN void gda_dev_fence(enum shmemd_scope s, shmem_ctx_t ctx)
{
	const enum shmemd_scope mine = s == SHMEMD_GRID ? SHMEMD_WG : s;

	if (!shmemd_block.gda.atomics || !gda_one_queue(gda_options(ctx))) {
		gda_dev_quiet(s, ctx);
		return;
	}
	shmemd_group_before_entry(s);
	gda_amos_settle(ctx, shmemd_scope_index(mine), shmemd_scope_size(mine));
	shmemd_scope_sync(s);
}

/* Of a grid, each work-group's own. */
SHMEMD_FN void gda_dev_flush(enum shmemd_scope s, shmem_ctx_t ctx)
{
	const enum shmemd_scope mine = s == SHMEMD_GRID ? SHMEMD_WG : s;

	shmemd_group_before_entry(s);
	if (gda_options(ctx) & SHMEMX_CTX_LATER)
		gda_flush(ctx, shmemd_scope_index(mine),
			  shmemd_scope_size(mine));
	shmemd_scope_sync(s);
}

SHMEMD_FN uint32_t gda_dev_error(shmem_ctx_t ctx)
{
	const struct shmemd_gda_failure *f = gda_failure((uintptr_t)ctx);
	struct shmemd_wait wait = { { 0 }, 0 };
	uint32_t state;

	while ((state = shmemd_load32(&f->state)) == SHMEMD_ERROR_WRITING)
		shmemd_wait_turn(&wait);
	if (state == SHMEMD_ERROR_NONE)
		return 0;
	shmemd_completion_before_result();
	return shmemd_load32(&f->error);
}

#endif
