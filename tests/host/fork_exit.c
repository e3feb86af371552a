/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A forked child is no PE: one that ends by exit(0) takes no part in the job's
 * barriers, and one that fails does not end the job; not after shmem_finalize
 * either.
 * PES: 2 3
 */
#include "check.h"
#include <sys/wait.h>

/* In the heap, as misuse_coll.sh runs this without symmetric static data. */
static long *flag;

static void child_ends(int code)
{
	int status = -1;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid)
		exit(code);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK_EQ(status, code << 8);
}

/* The others are in the barrier by the time that the child ends. */
static void round_of(int forker, int code)
{
	int me = shmem_my_pe(), n = shmem_n_pes();

	*flag = 0;
	shmem_barrier_all();
	if (me == forker) {
		check_sleep_ms(50);
		child_ends(code);
		check_sleep_ms(100);
		for (int pe = 0; pe < n; pe++)
			shmem_long_p(flag, 1, pe);
	}
	shmem_barrier_all();
	CHECK_EQ(*flag, 1);
	shmem_barrier_all();
}

static void all_at_once(void)
{
	for (int i = 0; i < 10; i++) {
		long sum = shmem_my_pe() == i % shmem_n_pes();

		*flag = i;
		if (sum)
			child_ends(0);
		shmem_long_sum_reduce(SHMEM_TEAM_WORLD, flag, flag, 1);
		CHECK_EQ(*flag, (long)i * shmem_n_pes());
		child_ends(0);
	}
}

int main(void)
{
	shmem_init();
	flag = shmem_malloc(sizeof(*flag));
	for (int pe = 0; pe < shmem_n_pes(); pe++) {
		round_of(pe, 0);
		round_of(pe, 3);
	}
	all_at_once();
	shmem_free(flag);
	shmem_finalize();
	child_ends(0);
	child_ends(3);
	return check_failures != 0;
}
