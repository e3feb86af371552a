/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A heap that is full gives NULL on all PEs and nothing else goes wrong; what
 * is freed can be had again.
 * ENV: SHMEM_SYMMETRIC_SIZE=4m
 * PES: 1 2 3
 */
#include "check.h"

#define BLOCKS 1000

static long count_of_pe[64];

static int take_all(char **blocks, size_t bytes)
{
	int count = 0;

	while (count < BLOCKS && (blocks[count] = shmem_malloc(bytes)))
		memset(blocks[count++], 1, bytes);
	return count;
}

static void refused(void)
{
	CHECK(!shmem_malloc(1 << 20));
	CHECK(!shmem_malloc(SIZE_MAX));
	CHECK(!shmem_malloc((size_t)1 << 62));
	CHECK(!shmem_calloc(1 << 20, 1));
	CHECK(!shmem_align(1 << 20, 1 << 20));
	CHECK(!shmem_align((size_t)1 << 40, 8));
	CHECK(!shmem_malloc_with_hints(1 << 20, 0));
	CHECK(!shmem_realloc(NULL, 1 << 20));
}

int main(void)
{
	char *blocks[BLOCKS];
	int me, n, count, again;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	count = take_all(blocks, 60000);
	CHECK(count > 60);
	refused();
	for (int pe = 0; pe < n; pe++)
		shmem_long_p(&count_of_pe[me], count, pe);
	shmem_barrier_all();
	for (int pe = 0; pe < n; pe++)
		CHECK_EQ(count_of_pe[pe], count);
	for (int i = 0; i < count; i++)
		shmem_free(blocks[i]);
	again = take_all(blocks, 60000);
	CHECK_EQ(again, count);
	refused();
	for (int i = again - 1; i >= 0; i--)
		shmem_free(blocks[i]);
	blocks[0] = shmem_malloc(3 << 20);
	CHECK(blocks[0] != NULL);
	shmem_free(blocks[0]);
	return check_end();
}
