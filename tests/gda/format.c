/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bytes that each format makes of each kind of entry, of records, doorbells
 * and tables: compared to ones written out by hand. No NIC is needed.
 */
#include "format.h"

#define AT 0x12345 /* place; slot 5 of 8 */

struct golden {
	const char *name;
	enum shmemd_gda_format format;
	enum gda_kind kind;
	uint32_t bytes;
	uint64_t data[4];
	int completes;
	size_t at; /* in the ring */
	const char *hex;
	size_t next_at; /* of the second block */
	const char *next;
};

/* Remote 0x1122334455667788, a1a2a3a4; local 0x99aabbccddeeff01, b1b2b3b4. */
#define REMOTE_BE "1122334455667788 a1a2a3a4 00000000"
#define LOCAL_BE "b1b2b3b4 99aabbccddeeff01"
#define REMOTE_LE "8877665544332211 a4a3a2a1 00000000"
#define LOCAL_LE "01ffeeddccbbaa99 b4b3b2b1"
#define DATA \
	{ \
		0x0807060504030201, 0x100f0e0d0c0b0a09, 0x1817161514131211, \
			0x201f1e1d1c1b1a19 \
	}

static const struct golden mlx5[] = {
	{ "write", SHMEMD_GDA_MLX5, GDA_WRITE, 4096, DATA, 1, 320,
	  "00234508 0c0d0e03 00000008 00000000" REMOTE_BE "00001000" LOCAL_BE,
	  0, NULL },
	{ "quiet write", SHMEMD_GDA_MLX5, GDA_WRITE, 0x40000000, DATA, 0, 320,
	  "00234508 0c0d0e03 00000000 00000000" REMOTE_BE "40000000" LOCAL_BE,
	  0, NULL },
	{ "read", SHMEMD_GDA_MLX5, GDA_READ, 1, DATA, 1, 320,
	  "00234510 0c0d0e03 00000008 00000000" REMOTE_BE "00000001" LOCAL_BE,
	  0, NULL },
	{ "inline 8", SHMEMD_GDA_MLX5, GDA_WRITE_INLINE, 8, DATA, 1, 320,
	  "00234508 0c0d0e03 00000008 00000000" REMOTE_BE
	  "80000008 0102030405060708",
	  0, NULL },
	{ "inline 13", SHMEMD_GDA_MLX5, GDA_WRITE_INLINE, 13, DATA, 0, 320,
	  "00234508 0c0d0e04 00000000 00000000" REMOTE_BE
	  "8000000d 0102030405060708 090a0b0c 0d",
	  0, NULL },
	{ "inline 28", SHMEMD_GDA_MLX5, GDA_WRITE_INLINE, 28, DATA, 1, 320,
	  "00234508 0c0d0e04 00000008 00000000" REMOTE_BE
	  "8000001c 0102030405060708 090a0b0c 0d0e0f10 1112131415161718"
	  "191a1b1c",
	  0, NULL },
	{ "add 8",
	  SHMEMD_GDA_MLX5,
	  GDA_ADD,
	  8,
	  { 5, 9 },
	  1,
	  320,
	  "00234512 0c0d0e04 00000008 00000000" REMOTE_BE
	  "0000000000000005 0000000000000000 00000008" LOCAL_BE,
	  0,
	  NULL },
	{ "add 4",
	  SHMEMD_GDA_MLX5,
	  GDA_ADD,
	  4,
	  { 0xfffffffe, 9 },
	  1,
	  320,
	  "08234515 0c0d0e04 00000008 00000000" REMOTE_BE
	  "fffffffe 00000000 0000000000000000 00000004" LOCAL_BE,
	  0,
	  NULL },
	{ "swap if 8",
	  SHMEMD_GDA_MLX5,
	  GDA_SWAP_IF,
	  8,
	  { 0x0102, 0x0304 },
	  1,
	  320,
	  "00234511 0c0d0e04 00000008 00000000" REMOTE_BE
	  "0000000000000102 0000000000000304 00000008" LOCAL_BE,
	  0,
	  NULL },
	{ "masked swap 4",
	  SHMEMD_GDA_MLX5,
	  GDA_MASKED_SWAP,
	  4,
	  { 0x01020304, 0x05060708, 0x11121314, 0xffffffff15161718 },
	  1,
	  320,
	  "08234514 0c0d0e04 00000008 00000000" REMOTE_BE
	  "01020304 05060708 11121314 15161718 00000004" LOCAL_BE,
	  0,
	  NULL },
	{ "masked swap 8", SHMEMD_GDA_MLX5, GDA_MASKED_SWAP, 8, DATA, 1, 320,
	  "09234514 0c0d0e05 00000008 00000000" REMOTE_BE
	  "0807060504030201 100f0e0d0c0b0a09"
	  "1817161514131211 201f1e1d1c1b1a19",
	  384, "00000008" LOCAL_BE },
	{ "masked add 4",
	  SHMEMD_GDA_MLX5,
	  GDA_MASKED_ADD,
	  4,
	  { 0x01020304, 0x80000001 },
	  1,
	  320,
	  "08234515 0c0d0e04 00000008 00000000" REMOTE_BE
	  "01020304 80000001 0000000000000000 00000004" LOCAL_BE,
	  0,
	  NULL },
	{ "masked add 8",
	  SHMEMD_GDA_MLX5,
	  GDA_MASKED_ADD,
	  8,
	  { 0x0102030405060708, 0x8000000000000001 },
	  1,
	  320,
	  "09234515 0c0d0e04 00000008 00000000" REMOTE_BE
	  "0102030405060708 8000000000000001 00000008" LOCAL_BE,
	  0,
	  NULL },
	{ .name = NULL }
};

/* The ring has 16 entries of 48 bytes: 5 again. */
static const struct golden bnxt[] = {
	{ "write", SHMEMD_GDA_BNXT, GDA_WRITE, 4096, DATA, 1, 240,
	  "04010300 00000000 0010000000000000" REMOTE_LE LOCAL_LE "00100000", 0,
	  NULL },
	{ "quiet read", SHMEMD_GDA_BNXT, GDA_READ, 3, DATA, 0, 240,
	  "06000300 00000000 0300000000000000" REMOTE_LE LOCAL_LE "03000000", 0,
	  NULL },
	{ "inline 16", SHMEMD_GDA_BNXT, GDA_WRITE_INLINE, 16, DATA, 1, 240,
	  "04110300 00000000 1000000000000000" REMOTE_LE
	  "0102030405060708 090a0b0c0d0e0f10",
	  0, NULL },
	{ "add",
	  SHMEMD_GDA_BNXT,
	  GDA_ADD,
	  8,
	  { 0x0102, 9 },
	  1,
	  240,
	  "0b010300 a4a3a2a1 8877665544332211"
	  "0201000000000000 0000000000000000" LOCAL_LE "08000000",
	  0,
	  NULL },
	{ "swap if",
	  SHMEMD_GDA_BNXT,
	  GDA_SWAP_IF,
	  8,
	  { 0x0102, 0x0304 },
	  0,
	  240,
	  "08000300 a4a3a2a1 8877665544332211"
	  "0201000000000000 0403000000000000" LOCAL_LE "08000000",
	  0,
	  NULL },
	{ .name = NULL }
};

/* As many of 64 bytes; in its odd laps it has no colour. */
static const struct golden ionic[] = {
	{ "write", SHMEMD_GDA_IONIC, GDA_WRITE, 4096, DATA, 1, 320,
	  "0500000000000000 21 01 0018 00000000"
	  "1122334455667788 a1a2a3a4 00001000"
	  "99aabbccddeeff01 00001000 b1b2b3b4"
	  "0000000000000000 0000000000000000",
	  0, NULL },
	{ "quiet read", SHMEMD_GDA_IONIC, GDA_READ, 3, DATA, 0, 320,
	  "0500000000000000 02 01 0010 00000000"
	  "1122334455667788 a1a2a3a4 00000003"
	  "99aabbccddeeff01 00000003 b1b2b3b4"
	  "0000000000000000 0000000000000000",
	  0, NULL },
	{ "inline 32", SHMEMD_GDA_IONIC, GDA_WRITE_INLINE, 32, DATA, 1, 320,
	  "0500000000000000 21 00 001c 00000000"
	  "1122334455667788 a1a2a3a4 00000020"
	  "0102030405060708 090a0b0c0d0e0f10"
	  "1112131415161718 191a1b1c1d1e1f20",
	  0, NULL },
	{ "add",
	  SHMEMD_GDA_IONIC,
	  GDA_ADD,
	  8,
	  { 0x0102030405060708, 9 },
	  1,
	  320,
	  "0500000000000000 05 01 0018 00000000"
	  "1122334455667788 a1a2a3a4 01020304"
	  "05060708 00000000 00000000 b1b2b3b4"
	  "99aabbccddeeff01 0000000000000000",
	  0,
	  NULL },
	{ "swap if",
	  SHMEMD_GDA_IONIC,
	  GDA_SWAP_IF,
	  8,
	  { 0x0102030405060708, 0x1112131415161718 },
	  1,
	  320,
	  "0500000000000000 04 01 0018 00000000"
	  "1122334455667788 a1a2a3a4 01020304"
	  "05060708 11121314 15161718 b1b2b3b4"
	  "99aabbccddeeff01 0000000000000000",
	  0,
	  NULL },
	{ .name = NULL }
};

static const struct golden verbs[] = {
	{ "write", SHMEMD_GDA_VERBS, GDA_WRITE, 4096, DATA, 1, 320,
	  "0000 0100 00100000 8877665544332211 01ffeeddccbbaa99"
	  "a4a3a2a1 b4b3b2b1 0102030405060708 090a0b0c0d0e0f10"
	  "1112131415161718 191a1b1c1d1e1f20",
	  0, NULL },
	{ "quiet swap if",
	  SHMEMD_GDA_VERBS,
	  GDA_SWAP_IF,
	  8,
	  { 1, 2 },
	  0,
	  320,
	  "0400 0000 08000000 8877665544332211 01ffeeddccbbaa99"
	  "a4a3a2a1 b4b3b2b1 0100000000000000 0200000000000000"
	  "0000000000000000 0000000000000000",
	  0,
	  NULL },
	{ .name = NULL }
};

static struct memory memory;

/* Compares as many bytes as hex has; says where the first one differs. */
static void compare(const char *format, const char *name, const char *hex,
		    const void *bytes)
{
	const uint8_t *p = bytes;
	unsigned int want;
	size_t i;
	int used;

	for (i = 0; sscanf(hex, " %2x%n", &want, &used) == 1; i++) {
		if (p[i] != want) {
			fprintf(stderr, "%s %s: byte %zu is %02x, not %02x\n",
				format, name, i, p[i], want);
			exit(1);
		}
		hex += used;
	}
	CHECK(i && !*hex);
}

static struct gda_op op_of(enum gda_kind kind, uint32_t bytes,
			   const uint64_t data[4])
{
	struct gda_op op = { kind,
			     bytes,
			     0x1122334455667788,
			     0x99aabbccddeeff01,
			     0xa1a2a3a4,
			     0xb1b2b3b4,
			     { 0 } };

	memcpy(op.data, data, sizeof(op.data));
	return op;
}

/* Nothing else than the entry's places is written. */
static void check_untouched(const struct golden *g, size_t size)
{
	size_t i;

	for (i = 0; i < sizeof(memory.entries); i++)
		if ((i < g->at || i >= g->at + size) &&
		    (!g->next || i < g->next_at || i >= g->next_at + size))
			CHECK((uint8_t)memory.entries[i] == 0xee);
}

static void check_entries(const char *format, const struct golden *g,
			  size_t size)
{
	for (; g->name; g++) {
		const struct gda_op op = op_of(g->kind, g->bytes, g->data);

		memory_init(&memory, g->format, PLACES);
		CHECK(gda_places(&op) == (g->next ? 2 : 1));
		gda_write(&memory.q, AT, &op, g->completes);
		compare(format, g->name, g->hex, memory.entries + g->at);
		if (g->next)
			compare(format, g->name, g->next,
				memory.entries + g->next_at);
		check_untouched(g, size);
	}
}

/* A second block at the ring's end lies in its first slot. */
static void check_wrapped_block(void)
{
	const uint64_t data[4] = { 1, 2, 3, 4 };
	const struct gda_op op = op_of(GDA_MASKED_SWAP, 8, data);

	memory_init(&memory, SHMEMD_GDA_MLX5, PLACES);
	gda_write(&memory.q, 15, &op, 1);
	compare("mlx5", "wrapped", "09000f14 0c0d0e05",
		memory.entries + 7 * 64);
	compare("mlx5", "wrapped", "00000008" LOCAL_BE "eeee", memory.entries);
}

static void check_doorbells(void)
{
	memory_init(&memory, SHMEMD_GDA_MLX5, PLACES);
	gda_record(&memory.q, AT);
	CHECK(!memory.doorbell);
	gda_ring(&memory.q, AT);
	compare("mlx5", "record", "00002345", &memory.record);
	compare("mlx5", "doorbell", "00234500 0c0d0e00", &memory.doorbell);
	gda_record(&memory.q, 0x1ffff);
	gda_ring(&memory.q, 0x1ffff);
	compare("mlx5", "record", "0000ffff", &memory.record);
	compare("mlx5", "doorbell", "00ffff00 0c0d0e00", &memory.doorbell);

	memory_init(&memory, SHMEMD_GDA_BNXT, PLACES);
	memory.q.number = 0xabcdef; /* 20 bits are valid */
	gda_record(&memory.q, 15);
	CHECK(!memory.doorbell && !memory.record);
	gda_ring(&memory.q, 15);
	compare("bnxt", "doorbell", "2d000000 efcd0b04", &memory.doorbell);
	gda_ring(&memory.q, 16);
	compare("bnxt", "doorbell", "00000001 efcd0b04", &memory.doorbell);
	gda_ring(&memory.q, 32);
	compare("bnxt", "doorbell", "00000000 efcd0b04", &memory.doorbell);

	memory_init(&memory, SHMEMD_GDA_IONIC, PLACES);
	gda_record(&memory.q, 15);
	CHECK(!memory.doorbell && !memory.record);
	gda_ring(&memory.q, 15);
	compare("ionic", "doorbell", "0f00000e 0d0c0000", &memory.doorbell);
	gda_ring(&memory.q, 32);
	compare("ionic", "doorbell", "0000000e 0d0c0000", &memory.doorbell);

	memory_init(&memory, SHMEMD_GDA_VERBS, PLACES);
	gda_record(&memory.q, 15);
	CHECK(!memory.doorbell && !memory.record);
	gda_ring(&memory.q, ((uint64_t)1 << 40) + 15);
	CHECK(memory.doorbell == ((uint64_t)1 << 40) + 15);
}

/* The colour is that of the ring's lap, whose entries are more than places. */
static void check_colours(void)
{
	const struct gda_op op = op_of(GDA_WRITE, 1, (uint64_t[4]){ 0 });
	uint64_t at;

	memory_init(&memory, SHMEMD_GDA_IONIC, PLACES);
	for (at = 0; at < 64; at++) {
		const char *flags = memory.entries + (at & 15) * 64 + 10;

		gda_write(&memory.q, at, &op, 0);
		CHECK(!flags[0] && flags[1] == (at & 16 ? 0 : 0x10));
	}
}

static void seal(uint64_t at, enum gda_kind kind, uint32_t bytes)
{
	const struct gda_op op = op_of(kind, bytes, (uint64_t[4]){ 0 });
	const struct shmemd_gang gang = shmemd_gang_one();

	gda_seal(&memory.q, &gang, at, &op);
}

/* Packets of 1024 bytes; numbers of 24 bits. */
static void check_messages(void)
{
	const uint64_t *m = memory.messages;

	memory_init(&memory, SHMEMD_GDA_BNXT, PLACES);
	memory.q.moves[0] = 0xfffffd;
	seal(0, GDA_WRITE, 1024);
	compare("bnxt", "message", "fdffff feffff 0000", &m[0]);
	seal(1, GDA_READ, 1025);
	compare("bnxt", "message", "feffff 000000 0300", &m[1]);
	seal(2, GDA_ADD, 8);
	compare("bnxt", "message", "000000 010000 0600", &m[2]);
	seal(3, GDA_WRITE, 0);
	compare("bnxt", "message", "010000 020000 0900", &m[3]);
	seal(4, GDA_WRITE, 0x80000000);
	compare("bnxt", "message", "020000 020020 0c00", &m[4]);
	seal(16, GDA_WRITE_INLINE, 16);
	compare("bnxt", "message", "020020 030020 0000", &m[0]);
	CHECK(memory.q.moves[0] == 0x1200003);
}

int main(void)
{
	check_entries("mlx5", mlx5, 64);
	check_entries("bnxt", bnxt, 48);
	check_entries("ionic", ionic, 64);
	check_entries("verbs", verbs, 64);
	check_wrapped_block();
	check_doorbells();
	check_colours();
	check_messages();
	return 0;
}
