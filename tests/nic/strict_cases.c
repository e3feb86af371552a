/* SPDX-License-Identifier: BSD-3-Clause */
#include "strict_cases.h"

#include <string.h>

const struct strict_what strict_write8 = { .kind = WRITE, .bytes = 8 };

static void post(struct strict *s, const struct strict_what *w, size_t bytes)
{
	uint8_t e[STRICT_ENTRY] = { 0 };

	strict_ops.build(s, w, e);
	strict_ops.store(s, w, e, bytes);
}

void strict_post(struct strict *s, const struct strict_what *w)
{
	post(s, w, STRICT_ENTRY);
}

void strict_ring_as(struct strict *s, uint64_t value)
{
	if (s->record)
		__atomic_store_n(s->record, htobe32(s->posted & 0xffff),
				 __ATOMIC_RELEASE);
	__atomic_store_n(s->doorbell, value, __ATOMIC_RELEASE);
}

void strict_ring(struct strict *s)
{
	strict_ring_as(s, strict_ops.doorbell(s));
}

static void do_unread(struct strict *s, const struct strict_what *w)
{
	const uint64_t place = s->posted;

	strict_post(s, w);
	strict_ring(s);
	strict_ops.wait(s, place);
}

static void consumed(struct strict *s)
{
	if (strict_ops.consumed)
		strict_ops.consumed(s);
}

void strict_do_one(struct strict *s, const struct strict_what *w)
{
	do_unread(s, w);
	consumed(s);
}

void strict_do_lap(struct strict *s, const struct strict_what *w)
{
	for (unsigned int i = 0; i < s->n; i++)
		strict_do_one(s, w);
}

uint32_t strict_result_bytes(enum strict_kind kind)
{
	return kind == MSWAP4 || kind == MADD4 ? 4 : 8;
}

/* --- Right ones --- */

static void move(struct strict *s, const struct strict_what *w)
{
	const char *here = s->memory + w->local, *there = s->peer + w->remote;

	strict_fill(s->memory, STRICT_BYTES, w->bytes);
	strict_fill(s->peer, STRICT_BYTES, w->bytes + 1);
	if (!memcmp(here, there, w->bytes))
		strict_fail("%u bytes are alike before", w->bytes);
	strict_do_one(s, w);
	if (memcmp(here, there, w->bytes))
		strict_fail("%u bytes did not arrive", w->bytes);
}

static void moves(struct strict *s, const struct strict_case *c)
{
	const uint32_t most =
		c->kind == INLINE ? strict_ops.inline_bytes : STRICT_BYTES;
	const uint32_t sizes[] = { 1,	 3,    8,    strict_ops.inline_bytes,
				   1000, 1024, 1025, 30000 };
	struct strict_what w = { .kind = (enum strict_kind)c->kind };

	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		w.bytes = sizes[i];
		w.local = 64 * i + 5;
		w.remote = 128 * i + 3;
		if (w.bytes <= most)
			move(s, &w);
	}
}

struct atomic_row {
	uint64_t was, data[4], next;
	uint64_t again; /* after a second one with the same data */
};

static const struct atomic_row atomic_rows[] = {
	[SWAP_IF] = { 7,
		      { 0x123456789abcdef0, 7 },
		      0x123456789abcdef0,
		      0x123456789abcdef0 },
	[ADD] = { 0xffffffff, { 3 }, 0x100000002, 0x100000005 },
	[MSWAP8] = { 0xaabbccdd11223344,
		     { 0x55, 0xaa00000000000000, 0xff, 0xff00000000000000 },
		     0xaabbccdd11223355,
		     0xaabbccdd11223355 },
	[MSWAP4] = { 0x11223344,
		     { 0x5500, 0x11000000, 0xff00, 0xff000000 },
		     0x11225544,
		     0x11225544 },
	[MADD8] = { 0xffffffff, { 1, 0x80000000 }, 0, 1 },
	[MADD4] = { 0x00ff00ff, { 0x00010001, 0x00800080 }, 0, 0x00010001 },
};

static void atomic(struct strict *s, const struct strict_what *w, uint64_t was,
		   uint64_t next)
{
	uint64_t got = 0, is = 0;

	strict_do_one(s, w);
	memcpy(&got, s->memory + w->local, w->bytes);
	memcpy(&is, s->peer + w->remote, w->bytes);
	if (w->bytes == 4)
		got = be32toh((uint32_t)got);
	strict_expect("what was there", got, was);
	strict_expect("what is there", is, next);
}

void strict_atomics(struct strict *s, const struct strict_case *c)
{
	const struct atomic_row *row = &atomic_rows[c->kind];
	struct strict_what w = { .kind = (enum strict_kind)c->kind,
				 .local = 64,
				 .remote = 128 };

	w.bytes = strict_result_bytes(w.kind);
	memcpy(w.data, row->data, sizeof(w.data));
	memcpy(s->peer + w.remote, &row->was, sizeof(row->was));
	atomic(s, &w, row->was, row->next);
	atomic(s, &w, row->next, row->again);
}

/* The last one writes its own place. */
static void lap_batch(struct strict *s)
{
	const unsigned int n = strict_ops.laps.batch, half = n / 2;
	uint64_t middle = 0, last = 0;

	for (unsigned int i = 0; i < n; i++) {
		struct strict_what w = { .kind = INLINE,
					 .bytes = 8,
					 .remote = 8 };

		if (i % strict_ops.laps.every == 0)
			w = strict_ops.laps.other;
		w.quiet = i != half && i != n - 1;
		last = s->posted;
		if (i == half)
			middle = last;
		memcpy(s->memory, &last, 8);
		strict_post(s, &w);
	}
	strict_ring(s);
	strict_ops.wait(s, middle);
	strict_ops.wait(s, last);
	strict_expect("what is there", *(uint64_t *)(s->peer + 8), last);
	consumed(s);
}

/* Over the ends of all rings and of what counts their places. */
static void laps(struct strict *s, const struct strict_case *c)
{
	(void)c;
	while (s->posted < strict_ops.laps.upto)
		lap_batch(s);
}

/* The NIC of the other side refuses. value: for bounds. */
static void remote_error(struct strict *s, const struct strict_case *c)
{
	struct strict_what w = strict_write8;

	if (!c->value)
		s->peer_rkey ^= 0x100;
	else
		w.remote = STRICT_BYTES - 4;
	strict_post(s, &w);
	strict_post(s, &w);
	strict_ring(s);
	strict_ops.wait_failed(s);
}

const struct strict_case strict_right[STRICT_N_RIGHT] = {
	{ "write", moves, NULL, WRITE, 0, 0 },
	{ "inline write", moves, NULL, INLINE, 0, 0 },
	{ "read", moves, NULL, READ, 0, 0 },
	{ "compare and swap", strict_atomics, NULL, SWAP_IF, 0, 0 },
	{ "add", strict_atomics, NULL, ADD, 0, 0 },
	{ "laps", laps, NULL, 0, 0, 0 },
	{ "remote key", remote_error, NULL, 0, 0, 0 },
	{ "remote bounds", remote_error, NULL, 0, 0, 1 },
};

/* --- Wrong ones --- */

static void refused(struct strict *s, const struct strict_what *w, size_t bytes)
{
	post(s, w, bytes);
	strict_ring(s);
	strict_refused();
}

void strict_one_byte(struct strict *s, const struct strict_case *c)
{
	const struct strict_what w = { .kind = (enum strict_kind)c->kind,
				       .bytes = 8,
				       .local = 64,
				       .remote = 64 };
	uint8_t e[STRICT_ENTRY] = { 0 };

	strict_ops.build(s, &w, e);
	e[c->offset] = (uint8_t)c->value;
	strict_ops.store(s, &w, e, STRICT_ENTRY);
	strict_ring(s);
	strict_refused();
}

void strict_out_of_bounds(struct strict *s, const struct strict_case *c)
{
	const struct strict_what w = { .kind = WRITE,
				       .bytes = 16,
				       .local = STRICT_BYTES - 8 };

	(void)c;
	refused(s, &w, STRICT_ENTRY);
}

void strict_unaligned(struct strict *s, const struct strict_case *c)
{
	struct strict_what w = { .kind = (enum strict_kind)c->kind,
				 .local = 64 };

	w.remote = 64 + strict_result_bytes(w.kind) / 2;
	refused(s, &w, STRICT_ENTRY);
}

void strict_not_written(struct strict *s, const struct strict_case *c)
{
	for (int i = 0; i < c->value; i++)
		strict_do_lap(s, &strict_write8);
	refused(s, &strict_write8, 0);
}

void strict_half_written(struct strict *s, const struct strict_case *c)
{
	(void)c;
	strict_do_lap(s, &strict_write8);
	refused(s, &strict_write8, 32);
}

void strict_wrong_doorbell(struct strict *s, const struct strict_case *c)
{
	strict_post(s, &strict_write8);
	strict_ring_as(s, strict_ops.doorbell(s) ^ (uint64_t)c->value
							   << c->offset);
	strict_refused();
}

void strict_goes_back(struct strict *s, const struct strict_case *c)
{
	(void)c;
	strict_do_one(s, &strict_write8);
	strict_do_one(s, &strict_write8);
	s->posted--;
	strict_ring(s);
	strict_refused();
}

void strict_overrun(struct strict *s, const struct strict_case *c)
{
	(void)c;
	for (unsigned int i = 0; i < s->n; i++)
		strict_post(s, &strict_write8);
	refused(s, &strict_write8, STRICT_ENTRY);
}

void strict_completions_overrun(struct strict *s, const struct strict_case *c)
{
	(void)c;
	for (unsigned int i = 0; i < 2 * s->n_completions; i++)
		do_unread(s, &strict_write8);
	strict_refused();
}
