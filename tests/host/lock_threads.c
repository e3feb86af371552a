/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads of one PE and of others contend for locks; a thread that only tests
 * is never blocked by one that waits.
 * PES: 1 2 4
 */
#include "check.h"
#include <pthread.h>

#define THREADS 4
#define ROUNDS 60

static long locks[3], guarded[3];
static int n;

static void *body(void *arg)
{
	long id = (long)(intptr_t)arg;

	for (int i = 0; i < ROUNDS; i++) {
		int k = i % 3;

		if ((i + id) % 3)
			shmem_set_lock(&locks[k]);
		else
			while (shmem_test_lock(&locks[k]))
				check_sleep_ms(0);
		shmem_long_p(&guarded[k], shmem_long_g(&guarded[k], 0) + 1, 0);
		shmem_clear_lock(&locks[k]);
	}
	return NULL;
}

static void *set_and_clear(void *arg)
{
	(void)arg;
	shmem_set_lock(&locks[0]);
	shmem_clear_lock(&locks[0]);
	return NULL;
}

/* The lock is held, one thread waits for it, the others test it. */
static void test_past_waiter(void)
{
	pthread_t waiter;

	shmem_barrier_all();
	if (shmem_my_pe() == 0) {
		shmem_set_lock(&locks[0]);
		pthread_create(&waiter, NULL, set_and_clear, NULL);
		check_sleep_ms(10);
		for (int i = 0; i < 10; i++)
			CHECK_EQ(shmem_test_lock(&locks[0]), 1);
		shmem_clear_lock(&locks[0]);
		pthread_join(waiter, NULL);
		CHECK_EQ(shmem_test_lock(&locks[0]), 0);
		shmem_clear_lock(&locks[0]);
	}
	shmem_barrier_all();
}

int main(void)
{
	pthread_t threads[THREADS];
	int provided;

	shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
	n = shmem_n_pes();
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, body, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	shmem_barrier_all();
	for (int k = 0; k < 3; k++)
		CHECK_EQ(shmem_long_g(&guarded[k], 0),
			 (long)ROUNDS / 3 * THREADS * n);
	test_past_waiter();
	return check_end();
}
