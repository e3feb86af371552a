/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each format makes of an atomic of the API does the same to memory, on
 * words of all kinds: the NIC's operations are written out here. Which atomics
 * a format has not is said. Prints its seed; SEED=n repeats it.
 */
#include <time.h>

#include "format.h"

static const char *const names[] = { "fetch", "set", "swap", "cswap",
				     "add",   "and", "or",   "xor" };
static struct memory memory;
static unsigned int seed;

static uint64_t random64(void)
{
	uint64_t v = 0;
	int i;

	for (i = 0; i < 4; i++)
		v = v << 16 | ((unsigned int)rand_r(&seed) >> 8 & 0xffff);
	return rand_r(&seed) % 4 ? v : v & 0x8000000080000001;
}

static uint64_t expected(enum shmemd_amo amo, uint64_t old, uint64_t v,
			 uint64_t compare)
{
	switch (amo) {
	case SHMEMD_SET:
	case SHMEMD_SWAP:
		return v;
	case SHMEMD_CSWAP:
		return old == compare ? v : old;
	case SHMEMD_ADD:
		return old + v;
	case SHMEMD_AND:
		return old & v;
	case SHMEMD_OR:
		return old | v;
	case SHMEMD_XOR:
		return old ^ v;
	default:
		return old;
	}
}

/* Bit by bit; a carry is lost where boundary has a bit. */
static uint64_t masked_add(uint64_t a, uint64_t b, uint64_t boundary)
{
	uint64_t sum = 0, carry = 0;
	int i;

	for (i = 0; i < 64; i++) {
		const uint64_t n = (a >> i & 1) + (b >> i & 1) + carry;

		sum |= (n & 1) << i;
		carry = boundary >> i & 1 ? 0 : n >> 1;
	}
	return sum;
}

static uint64_t applied(const struct gda_op *op, uint64_t old)
{
	const uint64_t *d = op->data;
	const uint64_t size = op->bytes == 4 ? UINT32_MAX : UINT64_MAX;

	switch (op->kind) {
	case GDA_ADD:
		return old + d[0];
	case GDA_SWAP_IF:
		return old == (d[1] & size) ? d[0] : old;
	case GDA_MASKED_SWAP:
		return (old & d[3] & size) == (d[1] & d[3] & size) ?
			       (old & ~d[2]) | (d[0] & d[2]) :
			       old;
	case GDA_MASKED_ADD:
		return masked_add(old, d[0], d[1]);
	default:
		CHECK(!"an atomic");
		return 0;
	}
}

static int has(enum shmemd_gda_format format, uint64_t own, enum shmemd_amo amo,
	       uint32_t bytes)
{
	if (format == SHMEMD_GDA_MLX5 && own & GDA_MLX5_MASKED)
		return 1;
	return bytes == 8 && (amo == SHMEMD_FETCH || amo == SHMEMD_CSWAP ||
			      amo == SHMEMD_ADD);
}

static void check_one(enum shmemd_amo amo, uint32_t bytes)
{
	const uint64_t size = bytes == 4 ? UINT32_MAX : UINT64_MAX;
	const uint64_t old = random64() & size, v = random64() & size;
	const uint64_t compare = rand_r(&seed) % 2 ? old : random64() & size;
	struct gda_op op = {
		GDA_READ, bytes, 1, 2, 3, 4, { v, compare, 7, 7 }
	};
	const struct shmemd_gda_queue *q = &memory.q;
	const int can = gda_amo(q, &op, amo);

	CHECK(can == has(q->format, q->own[0], amo, bytes));
	CHECK(op.bytes == bytes && op.remote == 1 && op.local == 2);
	if (!can || (applied(&op, old) & size) ==
			    (expected(amo, old, v, compare) & size))
		return;
	fprintf(stderr, "format %u, %s of %u bytes: %lx, %lx, %lx\n", q->format,
		names[amo], bytes, old, v, compare);
	exit(1);
}

static void check_format(enum shmemd_gda_format format, uint64_t own)
{
	int amo, i;

	memory_init(&memory, format, PLACES);
	if (format == SHMEMD_GDA_MLX5)
		memory.q.own[0] = own;
	for (amo = SHMEMD_FETCH; amo <= SHMEMD_XOR; amo++)
		for (i = 0; i < 1000; i++) {
			check_one((enum shmemd_amo)amo, 4);
			check_one((enum shmemd_amo)amo, 8);
		}
}

/* mlx5 returns 4 bytes in the wire's order, whatever stands behind them. */
static void check_results(void)
{
	const uint64_t word = 0x1122334455667788;
	int format;

	for (format = SHMEMD_GDA_MLX5; format <= SHMEMD_GDA_VERBS; format++) {
		memory_init(&memory, (enum shmemd_gda_format)format, PLACES);
		CHECK(gda_result(&memory.q, 8, word) == word);
	}
	memory_init(&memory, SHMEMD_GDA_MLX5, PLACES);
	CHECK(gda_result(&memory.q, 4, word) == 0x88776655);
}

int main(void)
{
	const char *text = getenv("SEED");

	seed = text ? (unsigned int)atoi(text) : (unsigned int)time(NULL);
	printf("SEED=%u\n", seed);
	check_format(SHMEMD_GDA_MLX5, GDA_MLX5_MASKED);
	check_format(SHMEMD_GDA_MLX5, 0);
	check_format(SHMEMD_GDA_BNXT, 0);
	check_format(SHMEMD_GDA_IONIC, 0);
	check_format(SHMEMD_GDA_VERBS, 0);
	check_results();
	return 0;
}
