/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small and large variables, initialised and not, are all symmetric; constants
 * are not, those that the loader relocates included. Built by large_model.sh
 * and lld.sh, in ways that lay out the segments differently.
 */
#include "check.h"

#ifndef HUGE_BYTES
#define HUGE_BYTES 10000000ul
#endif
#ifndef CONSTANTS
#define CONSTANTS 100
#endif

static long small_set = 5, small_zero;
static long large_set[100000] = { 7 }, large_zero[100000];
static char huge[HUGE_BYTES];
static const long constant[CONSTANTS] = { 9 };
static void (*const relocated[100])(void) = { shmem_barrier_all, shmem_quiet };
static int me, n, next, previous;

static void is_symmetric(long *variable, long initial, long value)
{
	CHECK_EQ(shmem_addr_accessible(variable, next), 1);
	CHECK(shmem_ptr(variable, me) == variable);
	CHECK_EQ(*variable, initial);
	shmem_barrier_all();
	shmem_long_p(variable, value + me, next);
	shmem_barrier_all();
	CHECK_EQ(*variable, value + previous);
	CHECK_EQ(shmem_long_g(variable, next), value + me);
	shmem_barrier_all();
}

int main(void)
{
	char *end = &huge[HUGE_BYTES - 1];

	small_set++;
	large_set[99999] = 8;
	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	next = (me + 1) % n;
	previous = (me + n - 1) % n;
	is_symmetric(&small_set, 6, 100);
	is_symmetric(&small_zero, 0, 200);
	is_symmetric(&large_set[0], 7, 300);
	is_symmetric(&large_set[99999], 8, 400);
	is_symmetric(&large_zero[99999], 0, 500);
	is_symmetric((long *)huge, 0, 600);
	shmem_char_p(end, 42, next);
	shmem_barrier_all();
	CHECK_EQ(*end, 42);
	CHECK_EQ(shmem_addr_accessible(constant, next), 0);
	CHECK_EQ(shmem_addr_accessible(relocated, next), 0);
	CHECK(relocated[0] == shmem_barrier_all);
	CHECK_EQ(constant[0], 9);
	shmem_barrier_all();
	return check_end();
}
