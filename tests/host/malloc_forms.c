/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every form of allocation: symmetric on all PEs, aligned, usable by peers as
 * soon as the call returns; calloc clears memory that was used before; free
 * waits for peers that still write.
 * PES: all
 */
#include "check.h"

static int me, n;
static long offset_of_pe[64];

/* The block lies at the same distance from another on every PE. */
static void same_everywhere(const char *block, const char *other)
{
	long offset = block - other;

	for (int pe = 0; pe < n; pe++)
		shmem_long_p(&offset_of_pe[me], offset, pe);
	shmem_barrier_all();
	for (int pe = 0; pe < n; pe++)
		CHECK_EQ(offset_of_pe[pe], offset);
	shmem_barrier_all();
}

/* No barrier between allocation and the first put. */
static void usable_at_once(void)
{
	for (int i = 0; i < 200; i++) {
		long *block = shmem_malloc((size_t)n * sizeof(*block));

		for (int pe = 0; pe < n; pe++)
			shmem_long_p(&block[me], 1000L * i + me, pe);
		shmem_barrier_all();
		for (int pe = 0; pe < n; pe++)
			CHECK_EQ(block[pe], 1000L * i + pe);
		shmem_free(block);
	}
}

/* A put to a slower peer's block, just before this PE frees it. */
static void free_waits(void)
{
	for (int i = 0; i < 100; i++) {
		long *block = shmem_calloc(1, sizeof(*block));
		long *next;

		if (me == i % n)
			check_sleep_ms(1);
		shmem_long_p(block, 7, (me + 1) % n);
		shmem_free(block);
		next = shmem_calloc(1, sizeof(*next));
		CHECK_EQ(*next, 0);
		shmem_free(next);
	}
}

static void alignments(const char *base)
{
	for (size_t align = sizeof(void *); align <= 1 << 21; align *= 2) {
		char *p = shmem_align(align, 3 * align + 1);

		CHECK(p != NULL);
		if (!p)
			return;
		CHECK_EQ((uintptr_t)p % align, 0);
		memset(p, 1, 3 * align + 1);
		same_everywhere(p, base);
		shmem_free(p);
	}
}

static void clears(void)
{
	size_t bytes = 100000;
	char *p = shmem_malloc(bytes);

	memset(p, 0xff, bytes);
	shmem_free(p);
	p = shmem_calloc(bytes / 4, 4);
	for (size_t i = 0; i < bytes; i++)
		CHECK_EQ(p[i], 0);
	shmem_free(p);
	CHECK(!shmem_calloc(SIZE_MAX / 2, 4));
}

static void hints(const char *base)
{
	const long all = SHMEM_MALLOC_ATOMICS_REMOTE |
			 SHMEM_MALLOC_SIGNAL_REMOTE;

	for (long h = 0; h <= all; h++) {
		uint64_t *p = shmem_malloc_with_hints(1000, h);

		CHECK(p != NULL);
		same_everywhere((char *)p, base);
		*p = 0;
		shmem_barrier_all();
		shmem_uint64_atomic_add(p, 1, (me + 1) % n);
		shmem_barrier_all();
		CHECK_EQ(*p, 1);
		shmem_free(p);
	}
}

int main(void)
{
	char *base;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	base = shmem_malloc(1);
	CHECK(base != NULL);
	usable_at_once();
	free_waits();
	alignments(base);
	clears();
	hints(base);
	shmem_free(base);
	return check_end();
}
