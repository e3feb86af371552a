/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes of their own, and what PEs that start without a launcher do. */
#ifndef HOST_ATTR_H
#define HOST_ATTR_H

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "check.h"
#include <shmemx.h>

static long attr_variable;

/* The PE works, its static data included. */
static inline void attr_use(int pe, int n_pes)
{
	int next = (pe + 1) % n_pes, previous = (pe + n_pes - 1) % n_pes;
	static long one = 1, sum;
	long *heap;

	CHECK_EQ(shmem_my_pe(), pe);
	CHECK_EQ(shmem_n_pes(), n_pes);
	heap = shmem_malloc(64);
	shmem_long_p(heap, pe + 5, next);
	shmem_long_p(&attr_variable, pe + 6, next);
	shmem_barrier_all();
	CHECK_EQ(*heap, previous + 5);
	CHECK_EQ(attr_variable, previous + 6);
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &one, 1);
	CHECK_EQ(sum, n_pes);
	shmem_free(heap);
}

/* Memory that children of this process share. */
static inline void *attr_shared(size_t bytes)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

/* Runs body(pe, n_pes) in n_pes children; returns the first status not 0. */
static inline int attr_run(int n_pes, void (*body)(int pe, int n_pes))
{
	int first = 0;
	pid_t pids[64];

	fflush(NULL);
	for (int pe = 0; pe < n_pes; pe++) {
		pids[pe] = fork();
		if (pids[pe])
			continue;
		check_failures = 0;
		body(pe, n_pes);
		exit(check_failures != 0);
	}
	for (int pe = 0; pe < n_pes; pe++) {
		int status;

		waitpid(pids[pe], &status, 0);
		status = WIFEXITED(status) ? WEXITSTATUS(status) :
					     128 + WTERMSIG(status);
		first = first ? first : status;
	}
	return first;
}

#endif
