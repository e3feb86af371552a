/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One collective in which PE 0 and the others disagree, or all are wrong,
 * chosen by the argument. Run by misuse_coll.sh, which knows what is to be
 * said of it.
 */
#include "check.h"
#include <sys/wait.h>

#define HUGE_COUNT (((size_t)1 << 61) + 1)

/* In the heap: some runs have no symmetric static data. */
static long *a, *b;
static int me, n;

static void alltoall_huge(void)
{
	shmem_long_alltoall(SHMEM_TEAM_WORLD, a, b, HUGE_COUNT);
}

static void broadcast_huge(void)
{
	shmem_long_broadcast(SHMEM_TEAM_WORLD, a, b, HUGE_COUNT, 0);
}

static void reduce_huge(void)
{
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, a, b, HUGE_COUNT);
}

static void fcollect_huge(void)
{
	shmem_long_fcollect(SHMEM_TEAM_WORLD, a, b, HUGE_COUNT);
}

static void stride_zero(void)
{
	shmem_long_alltoalls(SHMEM_TEAM_WORLD, a, b, 0, 1, 3);
}

static void stride_negative(void)
{
	shmem_long_alltoalls(SHMEM_TEAM_WORLD, a, b, 1, -2, 3);
}

static void stride_huge(void)
{
	shmem_long_alltoalls(SHMEM_TEAM_WORLD, a, b, PTRDIFF_MAX / 4, 1, 3);
}

static void barrier_broadcast(void)
{
	if (me == n - 1)
		shmem_barrier_all();
	else
		shmem_long_broadcast(SHMEM_TEAM_WORLD, a, b, 1, 0);
}

static void broadcast_barrier(void)
{
	if (me)
		shmem_barrier_all();
	else
		shmem_long_broadcast(SHMEM_TEAM_WORLD, a, b, 1, 0);
}

static void sync_reduce(void)
{
	if (me)
		shmem_sync_all();
	else
		shmem_long_sum_reduce(SHMEM_TEAM_WORLD, a, b, 1);
}

static void team_sync_collect(void)
{
	if (me)
		shmem_team_sync(SHMEM_TEAM_WORLD);
	else
		shmem_long_collect(SHMEM_TEAM_WORLD, a, b, 1);
}

static void malloc_sizes(void)
{
	shmem_malloc(me ? 100 : 200);
}

static void malloc_barrier(void)
{
	if (me)
		shmem_malloc(100);
	else
		shmem_barrier_all();
}

static void calloc_sizes(void)
{
	shmem_calloc(me ? 100 : 200, 8);
}

/* The child's message must come, and the job must not care for it. */
static void in_child(void (*act)(void))
{
	int status = 0;
	pid_t pid;

	shmem_barrier_all();
	if (me == 0) {
		pid = fork();
		if (!pid) {
			act();
			_exit(0);
		}
		waitpid(pid, &status, 0);
		if (!WIFEXITED(status) || !WEXITSTATUS(status))
			fprintf(stderr, "the child's status is %d\n", status);
	}
	shmem_barrier_all();
	shmem_finalize();
	exit(0);
}

static void child_put(void)
{
	shmem_long_p(a, 1, 1);
}

static void child_malloc(void)
{
	shmem_malloc(100);
}

static void child_global_exit(void)
{
	shmem_global_exit(9);
}

static const struct {
	const char *name;
	void (*act)(void);
	int child;
} cases[] = {
#define ONE(f) { #f, f, 0 }
	ONE(alltoall_huge), ONE(broadcast_huge), ONE(reduce_huge),
	ONE(fcollect_huge), ONE(stride_zero), ONE(stride_negative),
	ONE(stride_huge), ONE(barrier_broadcast), ONE(broadcast_barrier),
	ONE(sync_reduce), ONE(team_sync_collect), ONE(malloc_sizes),
	ONE(malloc_barrier), ONE(calloc_sizes),
	{ "child_put", child_put, 1 },
	{ "child_barrier", shmem_barrier_all, 1 },
	{ "child_malloc", child_malloc, 1 },
	{ "child_global_exit", child_global_exit, 1 },
};

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	a = shmem_malloc(100 * sizeof(*a));
	b = shmem_malloc(100 * sizeof(*b));
	/* So that a slot holds what an earlier call left. */
	for (int i = 0; i < 9; i++)
		shmem_long_fcollect(SHMEM_TEAM_WORLD, a, b, 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (strcmp(name, cases[i].name))
			continue;
		if (cases[i].child)
			in_child(cases[i].act);
		cases[i].act();
	}
	fprintf(stderr, "%s went unnoticed\n", name);
	exit(66);
}
