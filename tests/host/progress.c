/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Puts, gets, atomics and signals against a PE complete while that PE does
 * anything but help: computes, sleeps, spins on plain loads, on shmem_test, on
 * an atomic of itself.
 * PES: 2 3
 */
#include "check.h"

static long data[512], word, counter, finished;
static uint64_t signal;

/* All of it, against PE 0, which makes no call until finished is set. */
static void attack(long *heap, int round)
{
	long buffer[512];

	for (int i = 0; i < 512; i++)
		buffer[i] = 1000L * round + i;
	shmem_long_put(data, buffer, 512, 0);
	shmem_long_put(heap, buffer, 512, 0);
	shmem_quiet();
	memset(buffer, 0, sizeof(buffer));
	shmem_long_get(buffer, heap, 512, 0);
	CHECK_EQ(buffer[511], 1000L * round + 511);
	CHECK_EQ(shmem_long_g(&data[7], 0), 1000L * round + 7);
	CHECK_EQ(shmem_long_atomic_fetch_add(&counter, 1, 0), round);
	CHECK_EQ(shmem_long_atomic_compare_swap(&word, round, round + 1, 0),
		 round);
	shmem_putmem_signal(&data[1], buffer, 8, &signal, 1, SHMEM_SIGNAL_ADD,
			    0);
	shmem_quiet();
	shmem_long_p(&finished, round + 1, 0);
	shmem_quiet();
}

static void compute(long round)
{
	volatile double x = 1;

	while (__atomic_load_n(&finished, __ATOMIC_ACQUIRE) != round)
		for (int i = 0; i < 1000; i++)
			x = x * 1.000001 + 1;
}

static void doze(long round)
{
	while (__atomic_load_n(&finished, __ATOMIC_ACQUIRE) != round)
		check_sleep_ms(5);
}

static void plain_loads(long round)
{
	while (*(volatile long *)&finished != round)
		;
}

static void spin_on_test(long round)
{
	while (!shmem_long_test(&finished, SHMEM_CMP_EQ, round))
		;
}

static void own_atomic(long round)
{
	while (shmem_long_atomic_fetch(&finished, 0) != round)
		;
}

static void own_swap(long round)
{
	while (shmem_long_atomic_compare_swap(&finished, round, round, 0) !=
	       round)
		;
}

int main(void)
{
	static void (*const behaviours[])(long) = { compute, doze, plain_loads,
						    spin_on_test, own_atomic,
						    own_swap };
	long *heap;

	shmem_init();
	heap = shmem_calloc(512, sizeof(*heap));
	for (int round = 0; round < 6; round++) {
		if (shmem_my_pe() == 0)
			behaviours[round](round + 1);
		else if (shmem_my_pe() == 1)
			attack(heap, round);
		shmem_barrier_all();
	}
	if (shmem_my_pe() == 0)
		CHECK_EQ(signal, 6);
	shmem_free(heap);
	return check_end();
}
