/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The software NIC takes right entries of mlx5's format, made by hand as its
 * manual has them, and refuses each wrong one.
 */
#include <stdlib.h>
#include <string.h>

#include "strict_cases.h"

#define BLOCK 64

static const struct {
	uint8_t opcode, opmod, segments;
} heads[] = {
	[WRITE] = { 0x08, 0, 3 },  [INLINE] = { 0x08, 0, 0 /* by the bytes */ },
	[READ] = { 0x10, 0, 3 },   [SWAP_IF] = { 0x11, 0, 4 },
	[ADD] = { 0x12, 0, 4 },	   [MSWAP8] = { 0x14, 9, 5 },
	[MSWAP4] = { 0x14, 8, 4 }, [MADD8] = { 0x15, 9, 4 },
	[MADD4] = { 0x15, 8, 4 },
};

/* --- Entries --- */

/* Of 16 bytes. */
static unsigned int n_segments(const struct strict_what *w)
{
	if (w->kind == INLINE)
		return 2 + (4 + w->bytes + 15) / 16;
	return heads[w->kind].segments;
}

static unsigned int n_blocks(const struct strict_what *w)
{
	return (n_segments(w) + 3) / 4;
}

static void build_data(const struct strict *s, const struct strict_what *w,
		       uint8_t *e)
{
	put_be32(e, 0,
		 w->kind < SWAP_IF ? w->bytes : strict_result_bytes(w->kind));
	put_be32(e, 4, s->mr->lkey);
	put_be64(e, 8, (uintptr_t)s->memory + w->local);
}

static void build_operands(const struct strict_what *w, uint8_t *e)
{
	const int n = w->kind == MSWAP8 || w->kind == MSWAP4 ? 4 : 2;

	for (int i = 0; i < n; i++) {
		if (strict_result_bytes(w->kind) == 4)
			put_be32(e, 4 * i, (uint32_t)w->data[i]);
		else
			put_be64(e, 8 * i, w->data[i]);
	}
}

static void build(const struct strict *s, const struct strict_what *w,
		  uint8_t *e)
{
	const unsigned int ds = n_segments(w);

	put_be32(e, 0,
		 (uint32_t)heads[w->kind].opmod << 24 |
			 (uint32_t)(s->posted & 0xffff) << 8 |
			 heads[w->kind].opcode);
	put_be32(e, 4, s->qp->qp_num << 8 | ds);
	put8(e, 11, w->quiet ? 0 : 8);
	put_be64(e, 16, s->peer_addr + w->remote);
	put_be32(e, 24, s->peer_rkey);
	if (w->kind == INLINE) {
		put_be32(e, 32, 0x80000000 | w->bytes);
		memcpy(e + 36, s->memory + w->local, w->bytes);
		return;
	}
	if (w->kind >= SWAP_IF)
		build_operands(w, e + 32);
	build_data(s, w, e + (ds - 1) * 16);
}

static void store(struct strict *s, const struct strict_what *w,
		  const uint8_t *e, size_t bytes)
{
	for (unsigned int i = 0; i < n_blocks(w); i++)
		memcpy(s->entries + (s->posted + i) % s->n * BLOCK,
		       e + (size_t)i * BLOCK, bytes < BLOCK ? bytes : BLOCK);
	s->posted += n_blocks(w);
}

static uint64_t doorbell(const struct strict *s)
{
	return htobe32((uint32_t)(s->posted & 0xffff) << 8) |
	       (uint64_t)htobe32(s->qp->qp_num << 8) << 32;
}

/* The next completion: its first block's index, opcode and syndrome. */
static void completion(struct strict *s, uint64_t place, unsigned int opcode,
		       unsigned int syndrome)
{
	const uint8_t *cqe =
		(uint8_t *)s->completions + s->completed % s->n * BLOCK;
	const unsigned int owner = s->completed / s->n % 2;
	uint8_t own_op;

	do {
		own_op = __atomic_load_n(&cqe[63], __ATOMIC_ACQUIRE);
		if (own_op >> 4 == 15 || (own_op & 1) != owner)
			strict_pause();
	} while (own_op >> 4 == 15 || (own_op & 1) != owner);
	strict_expect("the completion's opcode", own_op >> 4, opcode);
	strict_expect("its index", (unsigned int)cqe[60] << 8 | cqe[61],
		      place & 0xffff);
	if (opcode == 13)
		strict_expect("its syndrome", cqe[55], syndrome);
	s->completed++;
}

static void wait(struct strict *s, uint64_t place)
{
	completion(s, place, 0, 0);
}

/* What follows the failed one is flushed. */
static void wait_failed(struct strict *s)
{
	completion(s, 0, 13, 0x13);
	completion(s, 1, 13, 0x05);
}

const struct strict_ops strict_ops = {
	.inline_bytes = 28,
	.build = build,
	.store = store,
	.doorbell = doorbell,
	.wait = wait,
	.wait_failed = wait_failed,
	/* Indices have 16 bits; entries of two blocks. */
	.laps = { 70000, 20, 5, { .kind = MSWAP8, .local = 64, .remote = 16 } },
};

/* --- Right ones --- */

static void swap_fails(struct strict *s, const struct strict_case *c)
{
	const struct strict_what w = {
		.kind = SWAP_IF, .local = 64, .remote = 128, .data = { 1, 2 }
	};
	uint64_t v = 3;

	(void)c;
	memcpy(s->peer + 128, &v, 8);
	strict_do_one(s, &w);
	memcpy(&v, s->memory + 64, 8);
	strict_expect("what was there", v, 3);
	memcpy(&v, s->peer + 128, 8);
	strict_expect("what is there", v, 3);
}

/* As a host rings: the last entry's first 8 bytes. */
static void by_copy(struct strict *s, const struct strict_case *c)
{
	const struct strict_what w = { .kind = WRITE, .bytes = 64 };
	uint64_t first, place;

	(void)c;
	for (int i = 0; i < 100; i++) {
		place = s->posted;
		strict_post(s, &w);
		memcpy(&first, s->entries + place % s->n * BLOCK, 8);
		strict_ring_as(s, first);
		wait(s, place);
	}
}

/* --- Wrong ones --- */

static void wrong_record(struct strict *s, const struct strict_case *c)
{
	strict_post(s, &strict_write8);
	__atomic_store_n(s->record, htobe32((uint32_t)c->value),
			 __ATOMIC_RELEASE);
	__atomic_store_n(s->doorbell, doorbell(s), __ATOMIC_RELEASE);
	strict_refused();
}

static void two_of_one(struct strict *s, const struct strict_case *c)
{
	const struct strict_what w = { .kind = MSWAP8,
				       .local = 64,
				       .remote = 64 };

	(void)c;
	strict_post(s, &w);
	s->posted--;
	strict_ring(s);
	strict_refused();
}

static void inline_long(struct strict *s, const struct strict_case *c)
{
	const struct strict_what w = { .kind = INLINE, .bytes = 90 };

	(void)c;
	strict_post(s, &w);
	strict_ring(s);
	strict_refused();
}

static const struct strict_case cases[] = {
	{ "compare and swap fails", swap_fails, NULL, 0, 0, 0 },
	{ "masked swap of 8", strict_atomics, NULL, MSWAP8, 0, 0 },
	{ "masked swap of 4", strict_atomics, NULL, MSWAP4, 0, 0 },
	{ "masked add of 8", strict_atomics, NULL, MADD8, 0, 0 },
	{ "masked add of 4", strict_atomics, NULL, MADD4, 0, 0 },
	{ "doorbell of a host", by_copy, NULL, 0, 0, 0 },
	{ "opcode", strict_one_byte, "opcode 0xa, expected", WRITE, 3, 0x0a },
	{ "opmod", strict_one_byte, "opmod is 0x1", WRITE, 0, 1 },
	{ "opmod of masked", strict_one_byte, "opmod 0xa", MSWAP8, 0, 10 },
	{ "index", strict_one_byte, "index 0x5, expected 0x0", WRITE, 2, 5 },
	{ "queue pair", strict_one_byte, "expected 0x", WRITE, 6, 0xee },
	{ "ds 0", strict_one_byte, "ds is 0", WRITE, 7, 0 },
	{ "ds 1", strict_one_byte, "ds is 1", WRITE, 7, 1 },
	{ "ds of an atomic", strict_one_byte, "ds is 3, expected 4", ADD, 7,
	  3 },
	{ "ds of inline", strict_one_byte, "ds is 4, expected 3", INLINE, 7,
	  4 },
	{ "two data segments", strict_one_byte, "2 segments of data", WRITE, 7,
	  4 },
	{ "signature", strict_one_byte, "signature", WRITE, 8, 1 },
	{ "stream", strict_one_byte, "dci_stream", WRITE, 9, 1 },
	{ "flags", strict_one_byte, "fm_ce_se is 0x9", WRITE, 11, 9 },
	{ "immediate", strict_one_byte, "imm is", WRITE, 12, 1 },
	{ "remote reserved", strict_one_byte, "raddr's reserved", WRITE, 31,
	  1 },
	{ "masked add reserved", strict_one_byte, "masked add's reserved",
	  MADD4, 47, 1 },
	{ "no bytes", strict_one_byte, "byte_count 0x0", WRITE, 35, 0 },
	{ "inline 0", strict_one_byte, "0 bytes inline", INLINE, 35, 0 },
	{ "inline too long", inline_long, "bytes inline, expected 1 to", 0, 0,
	  0 },
	{ "local key", strict_one_byte, "there is no local key", WRITE, 37,
	  0xee },
	{ "local address", strict_one_byte, "is not in the region", WRITE, 40,
	  0x77 },
	{ "local bounds", strict_out_of_bounds, "is not in the region", 0, 0,
	  0 },
	{ "bytes of a result", strict_one_byte, "has 4", ADD, 51, 4 },
	{ "unaligned add", strict_unaligned, "expected aligned", ADD, 0, 0 },
	{ "unaligned masked", strict_unaligned, "expected aligned", MADD4, 0,
	  0 },
	{ "never written", strict_not_written, "queue pair 0x0, expected", 0, 0,
	  0 },
	{ "not written", strict_not_written, "index 0x0, expected 0x40", 0, 0,
	  1 },
	{ "half written", strict_half_written, "from 32 on were not written", 0,
	  0, 0 },
	{ "record behind", wrong_record, "but its record 0", 0, 0, 0 },
	{ "record too wide", wrong_record, "a count of 16 bits", 0, 0,
	  0x10001 },
	{ "another queue", strict_wrong_doorbell, "doorbell for queue pair", 0,
	  48, 1 },
	{ "not a doorbell", strict_wrong_doorbell, "expected blocks << 8", 0,
	  56, 1 },
	{ "doorbell goes back", strict_goes_back, "it goes back", 0, 0, 0 },
	{ "ring overrun", strict_overrun, "laps a ring of 64", 0, 0, 0 },
	{ "half an entry", two_of_one, "more than the doorbell says", 0, 0, 0 },
};

static const struct strict_case counted[] = {
	{ "completions overrun", strict_completions_overrun, "has no room", 0,
	  0, 0 },
};

int main(void)
{
	int failed = strict_main(&strict_mlx5, strict_right, STRICT_N_RIGHT);

	failed |= strict_main(&strict_mlx5, cases,
			      sizeof(cases) / sizeof(cases[0]));
	strict_mlx5_counts = 1;
	return strict_main(&strict_mlx5, counted, 1) | failed;
}
