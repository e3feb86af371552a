/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ways to end, chosen by the arguments: MODE [STATUS]. Run by global_exit.sh,
 * exits.sh and kill.sh. PE 1 (0 if alone) is the one that ends the job; the
 * others are in the state that MODE names.
 */
#include "check.h"
#include <signal.h>

static long never;
static long lock;
static uint64_t word;

static void in_barrier(void)
{
	shmem_barrier_all();
}

static void in_wait(void)
{
	shmem_long_wait_until(&never, SHMEM_CMP_EQ, 1);
}

static void in_signal_wait(void)
{
	shmem_signal_wait_until(&word, SHMEM_CMP_EQ, 1);
}

static void in_lock(void)
{
	shmem_set_lock(&lock);
	shmem_long_wait_until(&never, SHMEM_CMP_EQ, 1);
}

static void in_computation(void)
{
	for (volatile long i = 0;; i++)
		;
}

static void in_finalize(void)
{
	shmem_finalize();
	exit(0);
}

static void in_reduction(void)
{
	static long a[1000], b[1000];

	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, a, b, 1000);
}

static void asleep(void)
{
	pause();
}

static const struct {
	const char *name;
	void (*act)(void);
} states[] = {
	{ "barrier", in_barrier },   { "wait", in_wait },
	{ "signal", in_signal_wait }, { "lock", in_lock },
	{ "compute", in_computation }, { "finalize", in_finalize },
	{ "reduce", in_reduction },  { "sleep", asleep },
};

/* How the one PE ends: exits, kills itself, or shmem_global_exit. */
static void end(const char *how, int status)
{
	check_sleep_ms(100);
	printf("buffered text\n");
	if (!strcmp(how, "global"))
		shmem_global_exit(status);
	fflush(stdout);
	if (!strcmp(how, "exit"))
		exit(status);
	if (!strcmp(how, "_exit"))
		_exit(status);
	raise(SIGKILL);
}

int main(int argc, char **argv)
{
	const char *how = argc > 3 ? argv[3] : "global";
	int status = argc > 2 ? atoi(argv[2]) : 0;

	shmem_init();
	if (shmem_my_pe() == (shmem_n_pes() > 1))
		end(how, status);
	for (size_t i = 0; argc > 1 && i < sizeof(states) / sizeof(*states);
	     i++)
		if (!strcmp(argv[1], states[i].name))
			states[i].act();
	fprintf(stderr, "PE %d came back from %s\n", shmem_my_pe(),
		argc > 1 ? argv[1] : "nothing");
	_exit(55);
}
