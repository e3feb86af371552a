/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The software NIC takes right entries of bnxt_re's format, made by hand as the
 * vendor's headers have them, and refuses each wrong one.
 */
#include <string.h>

#include "strict_cases.h"

#define ENTRY 48
#define SLOTS 3
#define N (2 * STRICT_PLACES)
#define N_TABLE (4 * STRICT_PLACES) /* half of the slots, rounded up */
#define MTU 1024
#define PSN 0xffffffu

static const struct {
	uint8_t opcode, flags;
} heads[] = {
	[WRITE] = { 0x4, 0 },	[INLINE] = { 0x4, 0x10 }, [READ] = { 0x6, 0 },
	[SWAP_IF] = { 0x8, 0 }, [ADD] = { 0xb, 0 },
};

static uint64_t messages; /* that the table got */

/* --- Entries --- */

static void build(const struct strict *s, const struct strict_what *w,
		  uint8_t *e)
{
	const uint32_t flags = heads[w->kind].flags | !w->quiet;
	const uint64_t remote = s->peer_addr + w->remote;
	const int atomic = w->kind >= SWAP_IF;

	put_le32(e, 0, SLOTS << 16 | flags << 8 | heads[w->kind].opcode);
	put_le32(e, 4, atomic ? s->peer_rkey : 0);
	put_le64(e, 8, atomic ? remote : w->bytes);
	put_le64(e, 16, atomic ? w->data[0] : remote);
	if (atomic)
		put_le64(e, 24, w->data[1]);
	else
		put_le32(e, 24, s->peer_rkey);
	if (w->kind == INLINE) {
		memcpy(e + 32, s->memory + w->local, w->bytes);
		return;
	}
	put_le64(e, 32, (uintptr_t)s->memory + w->local);
	put_le32(e, 40, s->mr->lkey);
	put_le32(e, 44, atomic ? 8 : w->bytes);
}

/* Slot, packet after the last, first packet. */
static uint64_t message(const struct strict *s, uint32_t n_packets)
{
	return s->posted % N * SLOTS << 48 |
	       (uint64_t)((s->psn + n_packets) & PSN) << 24 | s->psn;
}

static void message_put(struct strict *s, uint64_t m)
{
	memcpy(s->table + messages++ % N_TABLE * 8, &m, 8);
}

/* An entry whose message the table may not have. */
static void store_entry(struct strict *s, const uint8_t *e, size_t bytes)
{
	memcpy(s->entries + s->posted % N * ENTRY, e,
	       bytes < ENTRY ? bytes : ENTRY);
	s->posted++;
}

static void store(struct strict *s, const struct strict_what *w,
		  const uint8_t *e, size_t bytes)
{
	const uint32_t n =
		w->kind < SWAP_IF && w->bytes ? (w->bytes + MTU - 1) / MTU : 1;

	message_put(s, message(s, n));
	s->psn = (s->psn + n) & PSN;
	store_entry(s, e, bytes);
}

static uint64_t doorbell(const struct strict *s)
{
	return s->posted % N * SLOTS | s->posted / N % 2 << 24 |
	       (uint64_t)s->qp->qp_num << 32 | (uint64_t)1 << 58;
}

/* Until all that was posted is done, or there is an error. */
static uint32_t completion(struct strict *s)
{
	const uint32_t *cqe = (const uint32_t *)(const void *)s->completions;
	uint32_t index, status;

	do {
		index = __atomic_load_n(&cqe[2], __ATOMIC_ACQUIRE);
		status = __atomic_load_n(&cqe[6], __ATOMIC_ACQUIRE) >> 8 & 0xff;
		if (!status && index != s->posted % N)
			strict_pause();
	} while (!status && index != s->posted % N);
	strict_expect("the queue's handle",
		      *(const uint64_t *)(const void *)cqe, 0x1234567890);
	return status;
}

/* There is one completion alone, which the NIC overwrites. */
static void wait(struct strict *s, uint64_t place)
{
	(void)place;
	strict_expect("the completion's status", completion(s), 0);
}

static void wait_failed(struct strict *s)
{
	strict_expect("status", completion(s), 0x7);
}

const struct strict_ops strict_ops = {
	.inline_bytes = 16,
	.build = build,
	.store = store,
	.doorbell = doorbell,
	.wait = wait,
	.wait_failed = wait_failed,
	/* Also over the end of packet numbers. */
	.laps = { 2000, 50, 2, { .kind = WRITE, .bytes = 3000, .remote = 8 } },
};

/* --- Wrong ones --- */

static void inline_long(struct strict *s, const struct strict_case *c)
{
	const struct strict_what w = { .kind = INLINE, .bytes = 16 };
	uint8_t e[STRICT_ENTRY] = { 0 };

	(void)c;
	build(s, &w, e);
	put_le64(e, 8, 17);
	store(s, &w, e, ENTRY);
	strict_ring(s);
	strict_refused();
}

/* An entry is right, its message in the table is not: bits of it are others. */
static void wrong_message(struct strict *s, const struct strict_case *c)
{
	uint8_t e[STRICT_ENTRY] = { 0 };

	build(s, &strict_write8, e);
	message_put(s, message(s, (uint32_t)c->kind) ^ (uint64_t)c->value
							       << c->offset);
	store_entry(s, e, ENTRY);
	strict_ring(s);
	strict_refused();
}

static void old_message(struct strict *s, const struct strict_case *c)
{
	uint8_t e[STRICT_ENTRY] = { 0 };

	(void)c;
	for (int i = 0; i < N_TABLE; i++)
		strict_do_one(s, &strict_write8);
	build(s, &strict_write8, e);
	store_entry(s, e, ENTRY);
	strict_ring(s);
	strict_refused();
}

static const struct strict_case cases[] = {
	{ "opcode", strict_one_byte, "opcode 0x0, expected", WRITE, 0, 0 },
	{ "flags", strict_one_byte, "flags 0x3, expected", WRITE, 1, 3 },
	{ "inline read", strict_one_byte, "only a write may be inline", READ, 1,
	  0x11 },
	{ "inline add", strict_one_byte, "only a write may be inline", ADD, 1,
	  0x11 },
	{ "size", strict_one_byte, "a size of 2 slots, expected 3", WRITE, 2,
	  2 },
	{ "head reserved", strict_one_byte, "the head's reserved", WRITE, 3,
	  1 },
	{ "immediate", strict_one_byte, "key_immd is", WRITE, 4, 1 },
	{ "length 0 inline", strict_one_byte, "0 bytes inline", INLINE, 8, 0 },
	{ "inline too long", inline_long, "17 bytes inline", 0, 0, 0 },
	{ "length", strict_one_byte, "the source has 8 bytes, the head 9",
	  WRITE, 8, 9 },
	{ "length's upper half", strict_one_byte, "upper half", WRITE, 12, 1 },
	{ "remote reserved", strict_one_byte, "rkey's reserved", WRITE, 28, 1 },
	{ "local key", strict_one_byte, "there is no local key", WRITE, 41,
	  0xee },
	{ "local address", strict_one_byte, "is not in the region", WRITE, 39,
	  0x77 },
	{ "local bounds", strict_out_of_bounds, "is not in the region", 0, 0,
	  0 },
	{ "bytes of a result", strict_one_byte, "the source has 4 bytes", ADD,
	  44, 4 },
	{ "unaligned", strict_unaligned, "expected aligned", ADD, 0, 0 },
	{ "never written", strict_not_written, "a size of 0 slots", 0, 0, 0 },
	{ "not written", strict_not_written, "were not written", 0, 0, 1 },
	{ "half written", strict_half_written, "from 32 on were not written", 0,
	  0, 0 },
	{ "message's slot", wrong_message, "is slot 3", 1, 48, 3 },
	{ "next packet", wrong_message, "next packet 0xfffff2", 2, 0, 0 },
	{ "first packet", wrong_message, "first 0xfffff4", 1, 0, 4 },
	{ "old message", old_message, "message 0 of the table", 0, 0, 0 },
	{ "doorbell's type", strict_wrong_doorbell, "expected the type 0", 0,
	  60, 4 },
	{ "doorbell invalid", strict_wrong_doorbell, "expected the type 0", 0,
	  58, 1 },
	{ "doorbell's toggle", strict_wrong_doorbell, "expected the type 0", 0,
	  25, 1 },
	{ "doorbell's slot", strict_wrong_doorbell,
	  "expected one of 384 in steps", 0, 0, 1 },
	{ "doorbell's lap", strict_wrong_doorbell, "it goes back, or laps", 0,
	  24, 1 },
	{ "another queue", strict_wrong_doorbell, "doorbell for queue pair", 0,
	  32, 0x40 },
	{ "doorbell goes back", strict_goes_back, "it goes back", 0, 0, 0 },
	{ "ring overrun", strict_overrun, "laps a ring of 128", 0, 0, 0 },
};

int main(void)
{
	const int failed =
		strict_main(&strict_bnxt, strict_right, STRICT_N_RIGHT);

	return strict_main(&strict_bnxt, cases,
			   sizeof(cases) / sizeof(cases[0])) |
	       failed;
}
