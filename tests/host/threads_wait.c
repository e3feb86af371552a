/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads blocked in every kind of wait, and in a lock, are woken by another
 * thread of the same PE or of another; collectives of several threads, each on
 * a team of its own, run at once.
 * PES: 1 2 3
 */
#include "check.h"
#include <pthread.h>

#define THREADS 6
#define ROUNDS 200

static long vars[THREADS], lock, held;
static shmem_team_t teams[THREADS];
static long sources[THREADS][32], dests[THREADS][32];
static int me, n;

static void *waiter(void *arg)
{
	long id = (long)(intptr_t)arg, one = 1;
	size_t index;

	switch (id) {
	case 0:
		shmem_long_wait_until(&vars[0], SHMEM_CMP_EQ, 1);
		break;
	case 1:
		shmem_long_wait_until_all(&vars[1], 1, NULL, SHMEM_CMP_EQ, 1);
		break;
	case 2:
		CHECK_EQ(shmem_long_wait_until_any(&vars[2], 1, NULL,
						   SHMEM_CMP_EQ, 1), 0);
		break;
	case 3:
		CHECK_EQ(shmem_long_wait_until_some_vector(
				 &vars[3], 1, &index, NULL, SHMEM_CMP_EQ, &one),
			 1);
		break;
	case 4:
		CHECK_EQ(shmem_signal_wait_until((uint64_t *)&vars[4],
						 SHMEM_CMP_EQ, 1), 1);
		break;
	default:
		shmem_set_lock(&lock);
		CHECK_EQ(__atomic_load_n(&held, __ATOMIC_RELAXED), 0);
		shmem_clear_lock(&lock);
	}
	return NULL;
}

static void blocked(void)
{
	pthread_t threads[THREADS];

	if (me == 0) {
		held = 1;
		shmem_set_lock(&lock);
	}
	shmem_barrier_all();
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, waiter, (void *)i);
	check_sleep_ms(20);
	for (int i = 0; i < THREADS - 1; i++)
		shmem_long_p(&vars[i], 1, (me + 1) % n);
	shmem_barrier_all();
	if (me == 0) {
		for (int pe = 0; pe < n; pe++)
			shmem_long_p(&held, 0, pe);
		shmem_clear_lock(&lock);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void *collector(void *arg)
{
	long id = (long)(intptr_t)arg;
	shmem_team_t team = teams[id];

	for (long r = 0; r < ROUNDS; r++) {
		long size = r % 2 ? 1 : 20;

		for (long i = 0; i < size; i++)
			sources[id][i] = me + r * id;
		shmem_long_sum_reduce(team, dests[id], sources[id],
				      (size_t)size);
		CHECK_EQ(dests[id][size - 1],
			 n * (n - 1L) / 2 + n * r * id);
		CHECK_EQ(shmem_team_sync(team), 0);
	}
	return NULL;
}

static void collectives(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0,
					 &teams[i]);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, collector, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++)
		shmem_team_destroy(teams[i]);
}

int main(void)
{
	int provided;

	CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
	me = shmem_my_pe();
	n = shmem_n_pes();
	blocked();
	shmem_barrier_all();
	collectives();
	return check_end();
}
