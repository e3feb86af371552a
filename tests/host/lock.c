/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks: exclusion under contention, test_lock returns 1 at once when the lock
 * is busy, waiters are served in order of arrival, arrays of locks, a lock in
 * static memory and one in the heap; clear_lock completes what was put.
 * PES: all
 */
#include "check.h"

#define LOCKS 16
#define ROUNDS 100

static long lock, locks[LOCKS], counts[LOCKS], order[64], turn, served;
static int me, n;

static void exclusion(long *l)
{
	counts[0] = 0;
	shmem_barrier_all();
	for (int i = 0; i < ROUNDS; i++) {
		shmem_set_lock(l);
		shmem_long_p(&counts[0], shmem_long_g(&counts[0], 0) + 1, 0);
		shmem_clear_lock(l);
	}
	shmem_barrier_all();
	CHECK_EQ(shmem_long_g(&counts[0], 0), (long)ROUNDS * n);
	CHECK_EQ(*l, 0);
	shmem_barrier_all();
}

static void by_test(long *l)
{
	int busy = 0;

	counts[0] = 0;
	shmem_barrier_all();
	for (int i = 0; i < ROUNDS / 4; i++) {
		while (shmem_test_lock(l))
			if (++busy % 100 == 0)
				check_sleep_ms(0);
		shmem_long_p(&counts[0], shmem_long_g(&counts[0], 0) + 1, 0);
		shmem_clear_lock(l);
	}
	shmem_barrier_all();
	CHECK_EQ(shmem_long_g(&counts[0], 0), (long)(ROUNDS / 4) * n);
	shmem_barrier_all();
}

static void busy_at_once(void)
{
	if (me == 0)
		CHECK_EQ(shmem_test_lock(&lock), 0);
	shmem_barrier_all();
	if (me)
		CHECK_EQ(shmem_test_lock(&lock), 1);
	shmem_barrier_all();
	if (me == 0)
		shmem_clear_lock(&lock);
	shmem_barrier_all();
	if (me == n - 1) {
		CHECK_EQ(shmem_test_lock(&lock), 0);
		shmem_clear_lock(&lock);
	}
	shmem_barrier_all();
}

/*
 * PE 0 holds the lock and lets the others queue, one by one, in the reverse
 * order of PE numbers. Who queues changes the lock on the PE before it.
 */
static void queue_all(void)
{
	int last = 0;

	shmem_set_lock(&lock);
	for (int pe = n - 1; pe > 0; pe--) {
		long was = shmem_long_atomic_fetch(&lock, last);

		shmem_long_p(&turn, 1, pe);
		while (shmem_long_atomic_fetch(&lock, last) == was)
			check_sleep_ms(1);
		last = pe;
	}
	shmem_clear_lock(&lock);
}

static void served_in_order(void)
{
	if (me == 0) {
		queue_all();
	} else {
		shmem_long_wait_until(&turn, SHMEM_CMP_EQ, 1);
		shmem_set_lock(&lock);
		shmem_long_p(&order[me],
			     shmem_long_atomic_fetch_inc(&served, 0), 0);
		shmem_clear_lock(&lock);
	}
	shmem_barrier_all();
	for (int pe = 1; me == 0 && pe < n; pe++)
		CHECK_EQ(order[pe], n - 1 - pe);
}

static void arrays(long *heap_locks)
{
	memset(counts, 0, sizeof(counts));
	shmem_barrier_all();
	for (int i = 0; i < ROUNDS; i++) {
		int k = (i * 5 + me) % LOCKS, j = (k + 1) % LOCKS;

		/* Two at once, one of each array, always in one order. */
		shmem_set_lock(&locks[k]);
		shmem_set_lock(&heap_locks[j]);
		shmem_long_p(&counts[k], shmem_long_g(&counts[k], 0) + 1, 0);
		shmem_clear_lock(&heap_locks[j]);
		shmem_clear_lock(&locks[k]);
	}
	shmem_barrier_all();
	if (me == 0) {
		long sum = 0;

		for (int k = 0; k < LOCKS; k++)
			sum += counts[k];
		CHECK_EQ(sum, (long)ROUNDS * n);
	}
	shmem_barrier_all();
}

/* What was put before clear_lock is there for who sets the lock next. */
static void completes(long *heap)
{
	for (int i = 0; i < ROUNDS; i++) {
		long old;

		shmem_set_lock(&lock);
		old = shmem_long_g(heap, n - 1);
		CHECK_EQ(shmem_long_g(heap + 99, n - 1), old);
		old++;
		shmem_long_put_nbi(heap, &old, 1, n - 1);
		shmem_long_put_nbi(heap + 99, &old, 1, n - 1);
		shmem_clear_lock(&lock);
	}
	shmem_barrier_all();
	CHECK_EQ(shmem_long_g(heap, n - 1), (long)ROUNDS * n);
}

int main(void)
{
	long *heap;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	heap = shmem_calloc(200, sizeof(*heap));
	exclusion(&lock);
	exclusion(&heap[150]);
	by_test(&lock);
	by_test(&heap[151]);
	busy_at_once();
	served_in_order();
	arrays(heap + 160);
	completes(heap);
	shmem_free(heap);
	return check_end();
}
