/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads of a PE fork at the same time while others put, allocate and take
 * locks: each child has its copy and can end; the PE is undisturbed.
 * PES: 1 2
 */
#include "check.h"
#include <pthread.h>
#include <sys/wait.h>

#define FORKS 40

static long global = 4, counter, lock;
static int done;
static int next;

static void *forker(void *arg)
{
	(void)arg;
	for (int i = 0; i < FORKS; i++) {
		int status = -1;
		pid_t pid = fork();

		if (!pid) {
			global++;
			_exit(global == 5 ? 0 : 1);
		}
		waitpid(pid, &status, 0);
		CHECK_EQ(status, 0);
	}
	return NULL;
}

static void *worker(void *arg)
{
	(void)arg;
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
		shmem_long_atomic_inc(&counter, next);
		shmem_set_lock(&lock);
		shmem_clear_lock(&lock);
		check_sleep_ms(0);
	}
	return NULL;
}

int main(void)
{
	pthread_t forkers[3], workers[2];
	int provided;

	shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
	next = (shmem_my_pe() + 1) % shmem_n_pes();
	for (int i = 0; i < 2; i++)
		pthread_create(&workers[i], NULL, worker, NULL);
	for (int i = 0; i < 3; i++)
		pthread_create(&forkers[i], NULL, forker, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(forkers[i], NULL);
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	for (int i = 0; i < 2; i++)
		pthread_join(workers[i], NULL);
	shmem_barrier_all();
	CHECK_EQ(global, 4);
	CHECK(counter > 0);
	return check_end();
}
