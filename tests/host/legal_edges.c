/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What looks wrong and is not: transfers up to the last byte of an allocation,
 * of the heap, and of static data; from the middle; no elements at the end;
 * sets of one PE; dest and source that touch; an own copy of oneself.
 * PES: 1 2 3
 */
#include "check.h"

extern char _end[], __data_start[];

static long variable[8];
static int next;

static void block_ends(void)
{
	char *block = shmem_malloc(1000), *aligned = shmem_align(4096, 4096);
	char buffer[4096] = { 0 };

	shmem_putmem(block, buffer, 1000, next);
	shmem_putmem(block + 999, buffer, 1, next);
	shmem_putmem(block + 500, buffer, 500, next);
	shmem_getmem(buffer, block + 1, 999, next);
	shmem_putmem(aligned, buffer, 4096, next);
	shmem_char_iput(block, buffer, 111, 1, 10, next);
	shmem_int_iget((int *)buffer, (int *)block, 1, 83, 4, next);
	shmem_int_ibput((int *)block, (int *)buffer, 120, 10, 10, 3, next);
	shmem_putmem(block + 1000, buffer, 0, next);
	shmem_getmem(buffer, (char *)block + (1l << 45), 0, next);
	shmem_barrier_all();
	shmem_free(aligned);
	shmem_free(block);
}

/* Byte for byte the same, so that it may be anybody's variable. */
static void data_ends(void)
{
	char *end = (char *)((uintptr_t)_end & -sizeof(long));
	char first[16], last[16];

	shmem_barrier_all();
	CHECK_EQ(shmem_addr_accessible(end - 1, next), 1);
	shmem_getmem(last, end - sizeof(last), sizeof(last), next);
	shmem_getmem(last, end - 1, 1, next);
	shmem_putmem(_end, last, 0, next);
	shmem_getmem(first, __data_start, sizeof(first), next);
	shmem_barrier_all();
}

static void neighbours(void)
{
	int me = shmem_my_pe();

	shmem_long_put(&variable[4], &variable[0], 4, me);
	shmem_long_put(&variable[0], &variable[4], 4, me);
	shmem_long_get(&variable[1], &variable[0], 1, me);
	shmem_long_put(variable, variable, 8, next);
	shmem_barrier_all();
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &variable[4], &variable[0], 4);
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, variable, variable, 8);
	shmem_long_broadcast(SHMEM_TEAM_WORLD, variable, variable, 8, 0);
}

static void sets_of_one(void)
{
	static long sync[SHMEM_ALLTOALL_SYNC_SIZE], work[8];
	int me = shmem_my_pe();

	shmem_barrier(me, 0, 1, sync);
	(shmem_sync)(me, 20, 1, sync);
	shmem_long_sum_to_all(&variable[0], &variable[4], 4, me, 0, 1, work,
			      sync);
	shmem_broadcast64(&variable[0], &variable[4], 4, 0, me, 3, 1, sync);
	shmem_alltoall64(&variable[0], &variable[4], 4, me, 0, 1, sync);
	shmem_collect64(&variable[0], &variable[4], 4, me, 0, 1, sync);
}

int main(void)
{
	shmem_ctx_t ctx;

	shmem_init();
	next = (shmem_my_pe() + 1) % shmem_n_pes();
	block_ends();
	data_ends();
	if (shmem_n_pes() > 1)
		neighbours();
	sets_of_one();
	shmem_barrier_all();
	shmem_long_atomic_inc(variable, next);
	CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
	shmem_ctx_quiet(ctx);
	shmem_ctx_destroy(ctx);
	shmem_barrier_all();
	return check_end();
}
