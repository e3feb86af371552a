/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomics from all PEs at once lose nothing: sums, compare-and-swap loops,
 * every ticket handed out once, bits set and cleared, swapped tokens of float
 * and double kept, in heap and static data, of 4 and 8 bytes.
 * PES: all
 */
#include "check.h"

#define ROUNDS 500

static int counter;
static long long wide;
static unsigned int bits;
static double sum;
static float token;
static unsigned char taken[ROUNDS * 64];
static int me, n;

static void sums(long *heap)
{
	for (int i = 0; i < ROUNDS; i++) {
		int to = i % n;

		shmem_int_atomic_add(&counter, 1, to);
		shmem_int_atomic_inc(&counter, to);
		shmem_longlong_atomic_add(&wide, -3, to);
		shmem_long_atomic_fetch_add(heap, 1L << 33, to);
		shmem_long_atomic_fetch_inc(heap, to);
	}
	shmem_barrier_all();
	for (int pe = 0, mine = ROUNDS / n; pe < n; pe++)
		if (pe == me) {
			mine += pe < ROUNDS % n;
			CHECK_EQ(counter, 2 * n * mine);
			CHECK_EQ(wide, -3 * n * mine);
			CHECK_EQ(*heap, n * mine * ((1L << 33) + 1));
		}
	shmem_barrier_all();
}

/* A ticket is handed out once. */
static void tickets(void)
{
	counter = 0;
	shmem_barrier_all();
	for (int i = 0; i < ROUNDS; i++) {
		int ticket = shmem_int_atomic_fetch_inc(&counter, 0);

		CHECK(ticket >= 0 && ticket < ROUNDS * n);
		shmem_uchar_p(&taken[ticket], 1, 0);
	}
	shmem_barrier_all();
	for (int i = 0; me == 0 && i < ROUNDS * n; i++)
		CHECK_EQ(taken[i], 1);
}

/* Doubles have no atomic add: loops of compare-and-swap on their bits. */
static void swap_loops(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t old, new, seen;
		double value;

		seen = shmem_uint64_atomic_fetch((uint64_t *)&sum, 0);
		do {
			old = seen;
			memcpy(&value, &old, sizeof(value));
			value += 0.5;
			memcpy(&new, &value, sizeof(new));
			seen = shmem_uint64_atomic_compare_swap(
				(uint64_t *)&sum, old, new, 0);
		} while (seen != old);
	}
	shmem_barrier_all();
	CHECK(shmem_double_atomic_fetch(&sum, 0) == 0.5 * ROUNDS * n);
}

/* Each PE owns a bit and toggles it; others' bits must not change by that. */
static void bitwise(void)
{
	unsigned int mine = 1u << me;

	for (int i = 0; i < ROUNDS; i++) {
		unsigned int old;

		old = shmem_uint_atomic_fetch_or(&bits, mine, 0);
		CHECK_EQ(old & mine, 0);
		old = shmem_uint_atomic_fetch_and(&bits, ~mine, 0);
		CHECK_EQ(old & mine, mine);
		shmem_uint_atomic_xor(&bits, mine, 0);
		old = shmem_uint_atomic_fetch_xor(&bits, mine, 0);
		CHECK_EQ(old & mine, mine);
		shmem_uint_atomic_or(&bits, mine, 0);
		shmem_uint_atomic_and(&bits, ~mine, 0);
	}
	shmem_barrier_all();
	CHECK_EQ(shmem_uint_atomic_fetch(&bits, 0), 0);
}

/* Tokens are swapped in and out; in the end each is somewhere once. */
static void tokens(float *found)
{
	float hand = (float)(me + 1);
	double total = 0;

	for (int i = 0; i < ROUNDS; i++)
		hand = shmem_float_atomic_swap(&token, hand, 0);
	shmem_float_p(&found[me], hand, 0);
	shmem_barrier_all();
	if (me)
		return;
	for (int pe = 0; pe < n; pe++)
		total += (double)found[pe];
	total += (double)shmem_float_atomic_fetch(&token, 0);
	CHECK(total == n * (n + 1) / 2);
}

static void reals(void)
{
	static float f;
	static double d;
	int next = (me + 1) % n;

	shmem_float_atomic_set(&f, 1.5f, next);
	shmem_double_atomic_set(&d, -2.25, next);
	shmem_barrier_all();
	CHECK(shmem_float_atomic_fetch(&f, next) == 1.5f);
	CHECK(shmem_double_atomic_swap(&d, 1e300, next) == -2.25);
	shmem_barrier_all();
	CHECK(f == 1.5f && d == 1e300);
}

int main(void)
{
	long *heap;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	heap = shmem_calloc(64, sizeof(*heap));
	sums(heap);
	tickets();
	swap_loops();
	bitwise();
	tokens((float *)(heap + 8));
	reals();
	shmem_free(heap);
	return check_end();
}
