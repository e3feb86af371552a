/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One item's entry, as a part of its gang's: what it is asked to do becomes
 * what the queue's format can say, and is posted. With it the cells: 64 bytes
 * for each place, by which bytes travel whose memory no NIC knows, and results
 * that an item waits for.
 */
#ifndef SHMEM_DEVICE_GDA_POST_H
#define SHMEM_DEVICE_GDA_POST_H

#include <shmem/device/gda_memory.h>
#include <shmem/device/gda_ring.h>
#include <shmem/device/proxy_ring.h>

/*
 * What to do, with x and y; the same for all entries of a gang. PUT and GET
 * move bytes between theirs and this PE's memory at x, as many as one entry
 * can.
 */
enum gda_way {
	GDA_PUT,
	GDA_PUT_SMALL, /* no more than entries hold themselves */
	GDA_GET,
	GDA_WORD, /* puts the value x, up to 8 bytes */
	GDA_LOAD, /* gets a cell's bytes, to memory at x unless that is NULL */
	GDA_AMO,  /* + enum shmemd_amo: of x and y */
	GDA_AMO_FETCH = 16 /* + enum shmemd_amo: with the value before */
};

/* What a put has behind it: a word at y, of 8 bytes, gets the value z. */
enum gda_then { GDA_THEN_NONE, GDA_THEN_SET, GDA_THEN_ADD };

/* What an entry's cell is for. */
enum gda_use {
	GDA_NO_CELL,
	GDA_CELL_SOURCE, /* what is at x was copied there */
	GDA_CELL_DROP,	 /* a result that nobody wants */
	GDA_CELL_RESULT	 /* one that the caller waits for */
};

/* An entry: its end of a context, what to do, and what comes of it. */
struct gda_call {
	struct shmemd_gda_queue *q;
	uint32_t options; /* of the context */
	uint32_t way;	  /* enum gda_way */
	uint32_t then;	  /* enum gda_then; a second entry */
	const char *theirs;
	uint64_t x, y, z;
	uint32_t bytes;
	int of_signal; /* of a call that ends in a signal */
};

/* What all entries of a gang have in common, as one word, below 256. */
#define GDA_THEN_SHIFT 5
#define GDA_WIDE 128 /* an atomic is of 8 bytes, else of 4 */

SHMEMD_FN uint32_t gda_call_ways(const struct gda_call *call)
{
	return call->way | call->then << GDA_THEN_SHIFT |
	       (call->way >= GDA_AMO && call->bytes == 8 ? GDA_WIDE : 0);
}

/* And back, where it is of one gang. */
SHMEMD_FN void gda_call_is(struct gda_call *call, uint32_t ways)
{
	call->way = ways & ((1 << GDA_THEN_SHIFT) - 1);
	call->then = ways >> GDA_THEN_SHIFT & 3;
	if (call->way >= GDA_AMO)
		call->bytes = ways & GDA_WIDE ? 8 : 4;
}

/*
 * What was posted of it; nothing has bytes 0: the queue has failed. It is done
 * when places before upto are. With GDA_FULL nothing was posted yet, but the
 * gang's places are taken, from upto on.
 */
struct gda_sent {
	uint64_t upto;
	uint32_t bytes;
	uint32_t use; /* enum gda_use, of the cell of place upto - 1 */
};
#define GDA_SENT_DIRECT 4 /* or: the NIC itself looks at this PE's memory */
#define GDA_SENT_BOTH 8	  /* and: the second one too */

SHMEMD_FN size_t gda_least(size_t a, uint64_t b)
{
	return a < b ? a : (size_t)b;
}

SHMEMD_FN enum shmemd_amo gda_way_amo(uint32_t way)
{
	if (way >= GDA_AMO_FETCH)
		return (enum shmemd_amo)(way - GDA_AMO_FETCH);
	return (enum shmemd_amo)(way - GDA_AMO);
}

/* The first 8 bytes of n, of any memory and alignment. */
SHMEMD_FN uint64_t gda_word_load(const char *src, size_t n)
{
	if (n >= 8 && !((uintptr_t)src & 7))
		return *(const shmemd_plain64 *)src;
	return proxy_bytes_load(src, n < 8 ? n : 8);
}

/* Bytes that an entry holds itself. */
SHMEMD_FN void gda_words_load(uint64_t w[GDA_INLINE / 8], const char *src,
			      size_t n)
{
	unsigned int k;
	size_t i;

	SHMEMD_ROLLED
	for (i = 0; i < GDA_INLINE; i += 8) {
		const uint64_t v = i < n ? gda_word_load(src + i, n - i) : 0;

		SHMEMD_UNROLLED
		for (k = 0; k < GDA_INLINE / 8 - 1; k++)
			w[k] = w[k + 1];
		w[GDA_INLINE / 8 - 1] = v;
	}
}

/* Into a cell, by bypassing stores. */
SHMEMD_FN void gda_cell_fill(char *cell, const char *src, size_t n)
{
	size_t i;

	SHMEMD_ROLLED
	for (i = 0; i < n; i += 8)
		shmemd_store64(cell + i, gda_word_load(src + i, n - i));
}

/*
 * What a NIC put into the cell of place `at`, into any memory, or, if dst is
 * NULL, returned, up to 8 bytes; then the cell is the next one's. bytes 0:
 * gives it back alone.
 */
SHMEMD_SLOW uint64_t gda_cell_take_out(struct shmemd_gda_queue *q, uint64_t at,
				       char *dst, uint32_t bytes)
{
	const char *cell = gda_cell(q, at);
	struct shmemd_vec v = { 0, 0 };
	uint32_t i;

	shmemd_completion_before_cell();
	SHMEMD_ROLLED
	for (i = 0; i < bytes; i += 8) {
		if (i & 8)
			v.a = v.b;
		else
			v = shmemd_load128(cell + i);
		if (dst)
			proxy_bytes_store(dst + i, v.a,
					  gda_least(8, bytes - i));
	}
	gda_cell_release(q, at);
	return v.a;
}

/* The entry moves bytes between two memories: n of them, or fewer. */
SHMEMD_FN void gda_plan_move(const struct gda_call *call, uint32_t nic,
			     struct gda_op *op, struct gda_sent *sent)
{
	const int puts = call->way == GDA_PUT;
	const uint32_t most = (uint32_t)shmemd_block.gda.message_bytes;
	const uint32_t n = op->bytes < most ? op->bytes : most;
	const struct gda_side here =
		gda_local(nic, (const char *)(uintptr_t)call->x, n);

	op->kind = puts ? GDA_WRITE : GDA_READ;
	op->local = here.at;
	op->local_key = here.key.rma;
	op->bytes = here.bytes;
	sent->bytes =
		here.bytes ? here.bytes : gda_cut(n, SHMEMD_GDA_CELL_BYTES);
	sent->use = here.bytes ? (uint32_t)GDA_SENT_DIRECT :
		    puts       ? (uint32_t)GDA_CELL_SOURCE :
				 (uint32_t)GDA_CELL_RESULT;
}

/* Or a word; or is an atomic, which the format has. */
SHMEMD_FN void gda_plan_word(const struct gda_call *call, struct gda_op *op,
			     struct gda_sent *sent)
{
	const uint32_t way = call->way;

	op->kind = way == GDA_WORD ? GDA_WRITE_INLINE : GDA_READ;
	sent->use = way == GDA_WORD			  ? GDA_NO_CELL :
		    way >= GDA_AMO && way < GDA_AMO_FETCH ? GDA_CELL_DROP :
							    GDA_CELL_RESULT;
	op->data[0] = call->x;
	op->data[1] = call->y;
	if (way >= GDA_AMO)
		(void)gda_amo(call->q, op, gda_way_amo(way));
}

SHMEMD_FN void gda_plan(const struct gda_call *call,
			const struct shmemd_gda_queue *fixed, struct gda_op *op,
			struct gda_sent *sent)
{
	const struct gda_side there =
		gda_remote(fixed, call->theirs, call->bytes);

	op->bytes = there.bytes;
	op->remote = there.at;
	op->remote_key = call->way < GDA_AMO ? there.key.rma : there.key.amo;
	op->local = 0;
	op->local_key = 0;
	op->data[0] = op->data[1] = op->data[2] = op->data[3] = 0;
	sent->use = GDA_NO_CELL;
	if (call->way == GDA_PUT || call->way == GDA_GET) {
		gda_plan_move(call, fixed->nic, op, sent);
		return;
	}
	sent->bytes = op->bytes;
	if (call->way == GDA_PUT_SMALL) {
		op->kind = GDA_WRITE_INLINE;
		gda_words_load(op->data, (const char *)(uintptr_t)call->x,
			       op->bytes);
	} else {
		gda_plan_word(call, op, sent);
	}
}

/* What the entry says of the cell of place `at`, and what lies there. */
SHMEMD_FN void gda_plan_cell(const struct gda_call *call,
			     const struct shmemd_gda_queue *fixed,
			     struct gda_op *op, const struct gda_sent *sent,
			     uint64_t at)
{
	char *cell = gda_cell(fixed, at);

	if (sent->use == GDA_NO_CELL || sent->use == GDA_SENT_DIRECT)
		return;
	gda_cell_take(call->q, at, sent->use == GDA_CELL_RESULT);
	op->bytes = sent->bytes;
	op->local = (uint64_t)(uintptr_t)cell;
	op->local_key = fixed->cell_key;
	if (sent->use == GDA_CELL_SOURCE)
		gda_cell_fill(cell, (const char *)(uintptr_t)call->x,
			      op->bytes);
}

/* The second entry, at its place. */
SHMEMD_FN void gda_then(const struct gda_call *call,
			const struct shmemd_gda_queue *fixed, struct gda_op *op,
			uint64_t at, int completes)
{
	struct gda_call then = *call;
	struct gda_sent sent;

	then.way = call->then == GDA_THEN_SET ? (uint32_t)GDA_WORD :
						GDA_AMO + (uint32_t)SHMEMD_ADD;
	then.theirs = (const char *)(uintptr_t)call->y;
	then.x = call->z;
	then.y = 0;
	then.bytes = 8;
	gda_plan(&then, fixed, op, &sent);
	gda_plan_cell(&then, fixed, op, &sent, at);
	gda_write(fixed, at, op, completes);
}

SHMEMD_FN struct shmemd_gda_queue *gda_queue_same(struct shmemd_gda_queue *q)
{
	return (struct shmemd_gda_queue *)(uintptr_t)shmemd_wave_same(
		(uint64_t)(uintptr_t)q);
}

/* Whether some of a gang have cells. */
SHMEMD_FN int gda_any_cell(const struct gda_call *call,
			   const struct shmemd_gang *gang, uint32_t use)
{
	if (call->way == GDA_PUT_SMALL || call->way == GDA_WORD)
		return 0;
	return shmemd_gang_any(gang, use != GDA_SENT_DIRECT);
}

/*
 * By all of a gang, whose entries are for one queue, and the same in options,
 * way and then. first is GDA_FAILED, or the place that an earlier call returned
 * with GDA_FULL, from which on places are free now.
 */
SHMEMD_FN struct gda_sent gda_post_as(const struct gda_call *its,
				      const struct shmemd_gang *gang,
				      uint64_t first)
{
	struct shmemd_gda_queue *q = gda_queue_same(its->q);
	const uint32_t options = (uint32_t)shmemd_wave_same(its->options);
	const uint32_t size = (uint32_t)shmemd_wave_same(gang->size);
	const int last = gang->index == size - 1;
	const struct shmemd_gda_queue copy = gda_fixed(q);
	const struct shmemd_gda_queue *fixed = GDA_MANY_REGISTERS ? &copy : q;
	struct gda_call call = *its;
	struct gda_op op, next;
	struct gda_sent sent;
	unsigned int places;
	uint64_t n, at;
	int both;

	call.q = q;
	gda_plan(&call, fixed, &op, &sent);
	op.kind = (uint32_t)shmemd_wave_same(op.kind);
	both = call.then && !shmemd_gang_any(gang, sent.bytes != call.bytes);
	places = (unsigned int)shmemd_wave_same(gda_places(&op));
	n = (uint64_t)size * places << both;
	if (first == GDA_FAILED)
		first = gda_reserve(its->q, gang, n, fixed->n_places, options);
	sent.upto = first;
	if (gda_is_full(first))
		return sent;
	at = first + gang->index * places;
	sent.upto = at + places;
	if (gda_any_cell(&call, gang, sent.use))
		gda_plan_cell(&call, fixed, &op, &sent, sent.upto - 1);
	gda_write(fixed, at, &op, !both && last);
	if (both)
		gda_then(&call, fixed, &next, at + size, last);
	if (!gda_turn(q, gang, first, options)) {
		sent.bytes = 0;
		return sent;
	}
	sent.bytes = op.bytes;
	gda_seal(q, gang, at, &op);
	if (both) {
		gda_seal(q, gang, at + size, &next);
		sent.upto += size;
		sent.use |= GDA_SENT_BOTH;
	}
	gda_publish(q, fixed, gang, first + n, options);
	return sent;
}

/* The same of one way, known where it is called, with nothing behind it. */
SHMEMD_FN struct gda_sent gda_post_way(uint32_t way, struct shmemd_gda_queue *q,
				       uint32_t options, const char *theirs,
				       uint64_t x, uint32_t bytes,
				       unsigned int index, unsigned int size,
				       uint64_t lanes)
{
	const struct shmemd_gang gang = { index, size, lanes };
	const struct gda_call call = { q, options, way, GDA_THEN_NONE, theirs,
				       x, 0,	   0,	bytes,	       0 };

	return gda_post_as(&call, &gang, GDA_FAILED);
}

/*
 * The same for some ways, or any, none of which calls a function, so that
 * kernels need no stack.
 */
SHMEMD_SLOW struct gda_sent gda_post_put(struct shmemd_gda_queue *q,
					 uint32_t options, const char *theirs,
					 uint64_t x, uint32_t bytes,
					 unsigned int index, unsigned int size,
					 uint64_t lanes)
{
	return gda_post_way(GDA_PUT, q, options, theirs, x, bytes, index, size,
			    lanes);
}

SHMEMD_SLOW struct gda_sent gda_post_word(struct shmemd_gda_queue *q,
					  uint32_t options, const char *theirs,
					  uint64_t x, uint32_t bytes,
					  unsigned int index, unsigned int size,
					  uint64_t lanes)
{
	return gda_post_way(GDA_WORD, q, options, theirs, x, bytes, index, size,
			    lanes);
}

/* Of a call that ends in a signal: its data, and that. */
SHMEMD_SLOW struct gda_sent
gda_post_signal(struct shmemd_gda_queue *q, uint32_t options, uint32_t ways,
		const char *theirs, uint64_t x, uint64_t y, uint64_t z,
		uint32_t bytes, uint64_t first, unsigned int index,
		unsigned int size, uint64_t lanes)
{
	const struct shmemd_gang gang = { index, size, lanes };
	struct gda_call call = { q, options, 0, 0, theirs, x, y, z, bytes, 1 };

	gda_call_is(&call, (uint32_t)shmemd_wave_same(ways));
	if (call.way >= GDA_AMO)
		call.way = GDA_AMO + (uint32_t)SHMEMD_ADD;
	return gda_post_as(&call, &gang, shmemd_wave_same(first));
}

SHMEMD_SLOW struct gda_sent gda_post_any(struct shmemd_gda_queue *q,
					 uint32_t options, uint32_t ways,
					 const char *theirs, uint64_t x,
					 uint64_t y, uint32_t bytes,
					 uint64_t first, unsigned int index,
					 unsigned int size, uint64_t lanes)
{
	const struct shmemd_gang gang = { index, size, lanes };
	struct gda_call call = { q, options, 0, 0, theirs, x, y, 0, bytes, 0 };

	gda_call_is(&call, (uint32_t)shmemd_wave_same(ways));
	call.then = GDA_THEN_NONE;
	return gda_post_as(&call, &gang, shmemd_wave_same(first));
}

#endif
