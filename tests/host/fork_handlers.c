/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fork handlers of the program, registered by its constructor and by main
 * before shmem_init: what they write in the child stays in the child, and what
 * they do in the parent both see.
 * PES: 2
 */
#include "check.h"
#include <pthread.h>
#include <sys/wait.h>

static volatile int prepared, in_parent, in_child;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void prepare(void)
{
	pthread_mutex_lock(&lock);
	prepared++;
	pthread_mutex_unlock(&lock);
}

static void parent(void)
{
	in_parent++;
}

static void child(void)
{
	in_child++;
	/* As an allocator does; left locked, to be seen if it is shared. */
	pthread_mutex_init(&lock, NULL);
	pthread_mutex_lock(&lock);
}

__attribute__((constructor)) static void early(void)
{
	pthread_atfork(prepare, parent, child);
}

static int child_saw(int forks)
{
	return prepared == 2 * forks && in_parent == 2 * (forks - 1) &&
	       in_child == 1 && pthread_mutex_trylock(&lock) != 0;
}

static void count(void)
{
	in_child++;
}

int main(void)
{
	pthread_atfork(prepare, parent, count);
	shmem_init();
	for (int forks = 1; forks <= 5; forks++) {
		int status = -1;
		pid_t pid = fork();

		if (!pid) {
			in_child--;
			_exit(!child_saw(forks));
		}
		waitpid(pid, &status, 0);
		CHECK_EQ(status, 0);
		CHECK_EQ(prepared, 2 * forks);
		CHECK_EQ(in_parent, 2 * forks);
		CHECK_EQ(in_child, 0);
		CHECK_EQ(pthread_mutex_trylock(&lock), 0);
		pthread_mutex_unlock(&lock);
		shmem_barrier_all();
	}
	return check_end();
}
