/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * busy WHAT [SECONDS]: a PE says "PE n pid p runs" and then does WHAT, with the
 * PEs before and after it, for so long or for ever; run by scripts that break
 * something meanwhile.
 */
#include "../host/check.h"

#define BYTES 65536

static long cell, word, never;
static char *dest, *source;
static int me, n_pes, next;

static void put(void)
{
	shmem_putmem(dest, source, BYTES, next);
	shmem_quiet();
}

static void nbi(void)
{
	for (int i = 0; i < 100; i++)
		shmem_long_put_nbi(&cell, &word, 1, next);
	shmem_quiet();
}

static void get(void)
{
	shmem_getmem(dest, source, BYTES, next);
}

static void amo(void)
{
	shmem_long_atomic_fetch_inc(&cell, next);
}

static void barrier(void)
{
	shmem_barrier_all();
}

static void reduce(void)
{
	static long sum, one = 1;

	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &one, 1);
}

/* The last PE holds it all the time. */
static void lock(void)
{
	if (me == n_pes - 1)
		check_sleep_ms(100);
	else
		shmem_set_lock(&cell);
}

/* For what nobody sends: no operation is under way. */
static void wait_for_ever(void)
{
	shmem_long_wait_until(&never, SHMEM_CMP_EQ, 1);
}

/* One PE does not call in. */
static void compute(void)
{
	if (me == n_pes - 1)
		check_sleep_ms(100);
	else
		shmem_barrier_all();
}

static const struct {
	const char *name;
	void (*act)(void);
} acts[] = {
	{ "put", put },		{ "nbi", nbi },
	{ "get", get },		{ "amo", amo },
	{ "barrier", barrier }, { "reduce", reduce },
	{ "lock", lock },	{ "wait", wait_for_ever },
	{ "compute", compute },
};

int main(int argc, char **argv)
{
	const double limit_s = argc > 2 ? strtod(argv[2], NULL) : 1e9;
	double end_s;

	shmem_init();
	me = shmem_my_pe();
	n_pes = shmem_n_pes();
	next = (me + 1) % n_pes;
	dest = shmem_malloc(BYTES);
	source = shmem_malloc(BYTES);
	if (argc > 1 && !strcmp(argv[1], "lock") && me == n_pes - 1)
		shmem_set_lock(&cell);
	shmem_barrier_all();
	printf("PE %d pid %d runs\n", me, (int)getpid());
	fflush(stdout);
	end_s = check_now_s() + limit_s;
	for (size_t i = 0; i < sizeof(acts) / sizeof(*acts); i++)
		while (argc > 1 && !strcmp(argv[1], acts[i].name) &&
		       check_now_s() < end_s)
			acts[i].act();
	shmem_barrier_all();
	return check_end();
}
