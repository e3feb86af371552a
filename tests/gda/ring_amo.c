/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All atomics of 4 and 8 bytes by all items at once: those that the NIC has,
 * and by compared swaps, on words whose other half others change; with the
 * value before and without.
 */
#include "ring.h"

enum { ITEMS = 96, ROUNDS = 6 };

static uint32_t *word32(size_t i)
{
	return (uint32_t *)ring.memory[0][SHMEMD_GDA_HEAP] + i;
}

static uint64_t *word64(size_t i)
{
	return (uint64_t *)ring.memory[0][SHMEMD_GDA_DATA] + i;
}

static uint64_t amo(unsigned int bytes, enum shmemd_amo op, size_t at,
		    uint64_t v, uint64_t cond, int fetches)
{
	const void *target = bytes == 4 ? (void *)word32(at) : word64(at);

	return far_dev_amo(SHMEM_CTX_DEFAULT, op, bytes, target, v, cond,
			   fetches, 2);
}

static uint64_t theirs(unsigned int bytes, size_t at)
{
	if (bytes == 4)
		return *(uint32_t *)ring_theirs(2, word32(at));
	return *(uint64_t *)ring_theirs(2, word64(at));
}

static unsigned int bytes_now;
static unsigned char seen[2][ITEMS * ROUNDS];
static unsigned char swapped[ITEMS + 1];
static int firsts; /* who set a bit of word 4 */

/* Neighbours: 0 and 1 count, 2 to 7 have bits, 8 is swapped, 9 is claimed. */
static void kernel_all(const void *args)
{
	const unsigned int b = bytes_now;
	const uint64_t i = shmemd_item(), bit = (uint64_t)1 << i % 32;
	uint64_t old;

	(void)args;
	for (unsigned int k = 0; k < ROUNDS; k++) {
		const size_t half = (i + k) % 2;

		old = amo(b, SHMEMD_ADD, half, 1, 0, 1);
		CHECK(old < ITEMS * ROUNDS &&
		      !__atomic_fetch_add(&seen[half][old], 1,
					  __ATOMIC_RELAXED));
		CHECK(!amo(b, SHMEMD_ADD, half + 2, 3, 0, 0));
	}
	if (!(amo(b, SHMEMD_OR, 4, bit, 0, 1) & bit))
		__atomic_fetch_add(&firsts, 1, __ATOMIC_RELAXED);
	amo(b, SHMEMD_OR, 5, bit, 0, 0);
	amo(b, SHMEMD_AND, 6, ~bit, 0, i & 1);
	amo(b, SHMEMD_XOR, 7, bit, 0, i & 1);
	old = amo(b, SHMEMD_SWAP, 8, i + 1, 0, 1);
	CHECK(old <= ITEMS);
	__atomic_fetch_add(&swapped[old], 1, __ATOMIC_RELAXED);
	old = amo(b, SHMEMD_CSWAP, 9, i + 1, 0, 1);
	CHECK(old == 0 || amo(b, SHMEMD_FETCH, 9, 0, 0, 1) == old);
	amo(b, SHMEMD_SET, 10, 7, 0, 0);
	CHECK(amo(b, SHMEMD_FETCH, 10, 0, 0, 1) == 7);
	amo(b, SHMEMD_CSWAP, 11, i + 1, 5, 0);
	/* No carry leaves the half. */
	amo(b, SHMEMD_ADD, 12, ~(uint64_t)0, 0, 0);
	far_dev_quiet(SHMEMD_THREAD, SHMEM_CTX_DEFAULT);
}

static void kernel_init(const void *args)
{
	(void)args;
	amo(bytes_now, SHMEMD_SET, 6, ~(uint64_t)0, 0, 0);
	far_dev_quiet(SHMEMD_THREAD, SHMEM_CTX_DEFAULT);
}

/* Each value that was swapped in came out once, but for the last. */
static void check_swaps(unsigned int b)
{
	for (uint64_t v = 0; v <= ITEMS; v++)
		CHECK(swapped[v] == (v != theirs(b, 8)));
}

static void check_all(unsigned int b)
{
	const uint64_t ones = b == 4 ? 0xffffffff : ~(uint64_t)0;

	for (int half = 0; half < 2; half++) {
		CHECK(theirs(b, (size_t)half) == ITEMS * ROUNDS / 2);
		CHECK(theirs(b, (size_t)half + 2) == 3 * ITEMS * ROUNDS / 2);
	}
	CHECK(firsts == 32);
	CHECK(theirs(b, 4) == 0xffffffff && theirs(b, 5) == 0xffffffff);
	CHECK(theirs(b, 6) == (ones & ~(uint64_t)0xffffffff));
	CHECK(theirs(b, 7) == 0xffffffff); /* 3 times each */
	CHECK(theirs(b, 9) >= 1 && theirs(b, 9) <= ITEMS);
	CHECK(theirs(b, 10) == 7 && theirs(b, 11) == 0);
	CHECK(theirs(b, 12) == ((0 - (uint64_t)ITEMS) & ones));
	CHECK(theirs(b, 13) == 0);
}

static void scene(unsigned int b, unsigned int n_places)
{
	ring_begin(n_places, 1);
	bytes_now = b;
	memset(seen, 0, sizeof(seen));
	memset(swapped, 0, sizeof(swapped));
	firsts = 0;
	ring_run(kernel_init, 1, 1);
	ring_run(kernel_all, 1, ITEMS);
	check_swaps(b);
	check_all(b);
	ring_end();
}

static void scenes(void)
{
	for (unsigned int b = 4; b <= 8; b += 4) {
		scene(b, 16);
		scene(b, 256);
	}
}

int main(void)
{
	return ring_main(scenes);
}
