/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The software NIC takes right entries of ionic's format, made by hand as the
 * vendor's headers have them, and refuses each wrong one.
 */
#include <stdlib.h>
#include <string.h>

#include "nic_ionic.h"
#include "strict_cases.h"

#define ENTRY 64
#define CQE 32

static const struct {
	uint8_t op, flags;
} heads[] = {
	[WRITE] = { 0x21, 0 },	 [INLINE] = { 0x21, 4 }, [READ] = { 0x02, 0 },
	[SWAP_IF] = { 0x04, 0 }, [ADD] = { 0x05, 0 },
};

/* --- Entries --- */

static void build_transfer(const struct strict *s, const struct strict_what *w,
			   uint8_t *e)
{
	put_be32(e, 28, w->bytes);
	if (w->kind == INLINE) {
		memcpy(e + 32, s->memory + w->local, w->bytes);
		return;
	}
	put8(e, 9, 1);
	put_be64(e, 32, (uintptr_t)s->memory + w->local);
	put_be32(e, 40, w->bytes);
	put_be32(e, 44, s->mr->lkey);
}

static void build_atomic(const struct strict *s, const struct strict_what *w,
			 uint8_t *e)
{
	put8(e, 9, 1);
	put_be64(e, 28, w->data[0]);
	put_be64(e, 36, w->data[1]);
	put_be32(e, 44, s->mr->lkey);
	put_be64(e, 48, (uintptr_t)s->memory + w->local);
}

static void build(const struct strict *s, const struct strict_what *w,
		  uint8_t *e)
{
	const unsigned int colour = s->posted & s->n ? 0 : 0x10;

	put_le64(e, 0, s->posted % s->n);
	put8(e, 8, heads[w->kind].op);
	put_be16(
		e, 10,
		(uint16_t)(heads[w->kind].flags | colour | (w->quiet ? 0 : 8)));
	put_be64(e, 16, s->peer_addr + w->remote);
	put_be32(e, 24, s->peer_rkey);
	if (w->kind < SWAP_IF)
		build_transfer(s, w, e);
	else
		build_atomic(s, w, e);
}

static void store(struct strict *s, const struct strict_what *w,
		  const uint8_t *e, size_t bytes)
{
	(void)w;
	memcpy(s->entries + s->posted++ % s->n * ENTRY, e,
	       bytes < ENTRY ? bytes : ENTRY);
}

static uint64_t doorbell(const struct strict *s)
{
	return s->sq_bits | s->posted % s->n;
}

static void tell_consumed(struct strict *s, uint64_t n)
{
	__atomic_store_n(s->cq_doorbell,
			 s->cq_bits | (n & (s->n_completions - 1)),
			 __ATOMIC_RELEASE);
}

static void consumed(struct strict *s)
{
	if (!strict_ionic_collapsed)
		tell_consumed(s, s->completed);
}

/* Until the NIC has seen the last doorbell, which the next would hide. */
static void seen(const uint64_t *at)
{
	while (__atomic_load_n(at, __ATOMIC_ACQUIRE) != NIC_REGISTER_QUIET)
		strict_pause();
}

static uint32_t word(const uint8_t *cqe, int at)
{
	const uint32_t *p = (const uint32_t *)(const void *)(cqe + at);

	return be32toh(__atomic_load_n(p, __ATOMIC_ACQUIRE));
}

/* The next one, with its colour, or in the collapsed one all of them. */
static const uint8_t *completion_wait(struct strict *s)
{
	const uint8_t *cqe = (const uint8_t *)s->completions;
	const uint64_t n = s->n_completions;
	const uint32_t colour = s->completed & n ? 0 : 1;

	if (strict_ionic_collapsed) {
		while (word(cqe, 4) != (s->posted & 0xffffff) &&
		       !(word(cqe, 28) & 2))
			strict_pause();
		return cqe;
	}
	cqe += s->completed % n * CQE;
	while ((word(cqe, 28) & 1) != colour)
		strict_pause();
	s->completed++;
	return cqe;
}

static void completion(struct strict *s, uint64_t place, uint32_t status)
{
	const uint8_t *cqe = completion_wait(s);
	const uint32_t flags = word(cqe, 28);

	strict_expect("the completion's queue", flags >> 8, s->qp->qp_num);
	strict_expect("its messages", word(cqe, 4), (place + 1) & 0xffffff);
	strict_expect("its error", !!(flags & 2), !!status);
	strict_expect("its kind", flags >> 5 & 7, 2);
	if (status)
		strict_expect("its status", word(cqe, 24), status);
}

/* Those that are collapsed show the last one alone. */
static void wait(struct strict *s, uint64_t place)
{
	if (!strict_ionic_collapsed || place + 1 == s->posted)
		completion(s, place, 0);
}

static void wait_failed(struct strict *s)
{
	completion(s, 0, 9);
}

const struct strict_ops strict_ops = {
	.inline_bytes = 32,
	.build = build,
	.store = store,
	.doorbell = doorbell,
	.wait = wait,
	.wait_failed = wait_failed,
	.consumed = consumed,
	/* 320 completions, too. */
	.laps = { 8000, 50, 2, { .kind = WRITE, .bytes = 3000, .remote = 8 } },
};

/* --- Wrong ones --- */

/* As if this were the lap before. */
static void old_colour(struct strict *s, const struct strict_case *c)
{
	uint8_t e[STRICT_ENTRY] = { 0 };

	(void)c;
	strict_do_lap(s, &strict_write8);
	build(s, &strict_write8, e);
	e[11] ^= 0x10;
	store(s, &strict_write8, e, ENTRY);
	strict_ring(s);
	strict_refused();
}

static void other_register(struct strict *s, const struct strict_case *c)
{
	strict_post(s, &strict_write8);
	s->doorbell += c->value - IONIC_SQ_TYPE;
	strict_ring(s);
	strict_refused();
}

/*
 * The last entry of the driver's ring stays empty. In two steps, as an index
 * does not tell laps apart.
 */
static void overrun(struct strict *s, const struct strict_case *c)
{
	(void)c;
	for (int i = 0; i < 60; i++)
		strict_post(s, &strict_write8);
	strict_ring(s);
	seen(s->doorbell);
	for (int i = 0; i < 70; i++)
		strict_post(s, &strict_write8);
	strict_ring(s);
	strict_refused();
}

/* More than there were. */
static void consumed_wrong(struct strict *s, const struct strict_case *c)
{
	strict_do_one(s, &strict_write8);
	seen(s->cq_doorbell);
	tell_consumed(s, s->completed + (uint64_t)c->value);
	strict_refused();
}

static void collapsed_rung(struct strict *s, const struct strict_case *c)
{
	(void)c;
	strict_do_one(s, &strict_write8);
	tell_consumed(s, 1);
	strict_refused();
}

static const struct strict_case cases[] = {
	{ "op", strict_one_byte, "op 0x20, expected", WRITE, 8, 0x20 },
	{ "op of the first version", strict_one_byte, "op 0x6, expected", WRITE,
	  8, 6 },
	{ "flags", strict_one_byte, "flags 0x19, expected", WRITE, 11, 0x19 },
	{ "colour", strict_one_byte, "colour 0, expected 1", WRITE, 11, 0x8 },
	{ "index", strict_one_byte, "wqe_idx 0x5, expected 0x0", WRITE, 0, 5 },
	{ "inline read", strict_one_byte, "op 0x2 is inline", READ, 11, 0x1c },
	{ "inline add", strict_one_byte, "op 0x5 is inline", ADD, 11, 0x1c },
	{ "no list", strict_one_byte, "num_sge_key 0, expected 1", WRITE, 9,
	  0 },
	{ "list of inline", strict_one_byte, "num_sge_key 1, expected 0",
	  INLINE, 9, 1 },
	{ "immediate", strict_one_byte, "imm_data_key is", WRITE, 12, 1 },
	{ "length 0 inline", strict_one_byte, "0 bytes inline", INLINE, 31, 0 },
	{ "inline too long", strict_one_byte, "33 bytes inline", INLINE, 31,
	  33 },
	{ "length", strict_one_byte, "length 9, its source has 8", WRITE, 31,
	  9 },
	{ "local key", strict_one_byte, "there is no local key", WRITE, 45,
	  0xee },
	{ "local key of a result", strict_one_byte, "there is no local key",
	  ADD, 45, 0xee },
	{ "local address", strict_one_byte, "is not in the region", WRITE, 32,
	  0x77 },
	{ "local bounds", strict_out_of_bounds, "is not in the region", 0, 0,
	  0 },
	{ "atomic's reserved", strict_one_byte, "the last 8 bytes", ADD, 60,
	  1 },
	{ "unaligned", strict_unaligned, "expected aligned", ADD, 0, 0 },
	{ "never written", strict_not_written, "were not written", 0, 0, 0 },
	{ "not written", strict_not_written, "were not written", 0, 0, 1 },
	{ "half written", strict_half_written, "from 32 on were not written", 0,
	  0, 0 },
	{ "old colour", old_colour, "colour 1, expected 0", 0, 0, 0 },
	{ "doorbell's index", strict_wrong_doorbell, "expected at most 0x7f", 0,
	  8, 1 },
	{ "doorbell arms", strict_wrong_doorbell, "expected at most 0x7f", 0,
	  16, 1 },
	{ "another queue", strict_wrong_doorbell, "doorbell for queue pair", 0,
	  24, 0x40 },
	{ "receive queue's register", other_register, "expected 3 or 5", 0, 0,
	  IONIC_RQ_TYPE },
	{ "completion queue's register", other_register,
	  "completion queues' register", 0, 0, IONIC_CQ_TYPE },
	{ "doorbell goes back", strict_goes_back, "were not written", 0, 0, 0 },
	{ "completions overrun", strict_completions_overrun, "has no room", 0,
	  0, 0 },
	{ "consumed too many", consumed_wrong, "were consumed", 0, 0, 1 },
	{ "consumed fewer", consumed_wrong, "were consumed", 0, 0, -1 },
};

static const struct strict_case slow[] = {
	{ "ring overrun", overrun, "it goes back, or laps a ring of 127", 0, 0,
	  0 },
};

static const struct strict_case collapsed[] = {
	{ "doorbell of a collapsed one", collapsed_rung, "which is collapsed",
	  0, 0, 0 },
};

int main(void)
{
	int failed = strict_main(&strict_ionic, strict_right, STRICT_N_RIGHT);

	failed |= strict_main(&strict_ionic, cases,
			      sizeof(cases) / sizeof(cases[0]));
	setenv("NIC_FAULT", "delay:3000000", 1);
	failed |= strict_main(&strict_ionic, slow, 1);
	unsetenv("NIC_FAULT");
	strict_ionic_collapsed = 1;
	failed |= strict_main(&strict_ionic, strict_right, STRICT_N_RIGHT);
	return strict_main(&strict_ionic, collapsed, 1) | failed;
}
