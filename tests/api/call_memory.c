/* SPDX-License-Identifier: BSD-3-Clause */
/* The symmetric heap, by its names of now and of before. PES: all */
#include <string.h>
#include "api.h"

/* Memory is symmetric if the left neighbour's put arrives where it should. */
static void check_symmetric(const char *name, long *block, size_t nelems)
{
	const int left = (api_me + api_n - 1) % api_n;

	CHECK(name, block != NULL);
	CHECK(name, shmem_addr_accessible(block, left));
	block[nelems - 1] = -1;
	shmem_barrier_all();
	shmem_long_p(&block[nelems - 1], api_me, (api_me + 1) % api_n);
	shmem_barrier_all();
	CHECK(name, block[nelems - 1] == left);
}

static void test_new(void)
{
	long *a = shmem_malloc(10 * sizeof(*a)), *b;

	check_symmetric("shmem_malloc", a, 10);
	a = shmem_realloc(a, 1000 * sizeof(*a));
	CHECK("shmem_realloc", a[9] == (api_me + api_n - 1) % api_n);
	check_symmetric("shmem_realloc", a, 1000);
	b = shmem_align(4096, 8 * sizeof(*b));
	CHECK("shmem_align", (uintptr_t)b % 4096 == 0);
	check_symmetric("shmem_align", b, 8);
	shmem_free(b);
	shmem_free(a);
	memset(a = shmem_malloc(4000), 0x55, 4000);
	shmem_free(a);
	a = shmem_calloc(500, sizeof(*a));
	for (int i = 0; i < 500; i++)
		CHECK("shmem_calloc", a[i] == 0);
	check_symmetric("shmem_calloc", a, 500);
	shmem_free(a);
	a = shmem_malloc_with_hints(64, SHMEM_MALLOC_ATOMICS_REMOTE |
						SHMEM_MALLOC_SIGNAL_REMOTE);
	check_symmetric("shmem_malloc_with_hints", a, 8);
	shmem_free(a);
}

static void test_old(void)
{
	long *a = shmalloc(10 * sizeof(*a)), *b;

	check_symmetric("shmalloc", a, 10);
	a = shrealloc(a, 300 * sizeof(*a));
	CHECK("shrealloc", a[9] == (api_me + api_n - 1) % api_n);
	check_symmetric("shrealloc", a, 300);
	b = shmemalign(256, 8 * sizeof(*b));
	CHECK("shmemalign", (uintptr_t)b % 256 == 0);
	check_symmetric("shmemalign", b, 8);
	shfree(b);
	shfree(a);
}

/* What is freed can be had again: far more than the heap holds at once. */
static void test_reuse(void)
{
	for (int i = 0; i < 64; i++) {
		void *block =
			i % 2 ? shmem_malloc(16 << 20) : shmalloc(16 << 20);

		CHECK("shmem_free", block != NULL);
		if (i % 4 < 2)
			shmem_free(block);
		else
			shfree(block);
	}
}

static void test_nothing(void)
{
	CHECK("shmem_malloc", !shmem_malloc(0));
	CHECK("shmem_calloc", !shmem_calloc(0, 8));
	CHECK("shmem_align", !shmem_align(64, 0));
	CHECK("shmem_malloc_with_hints", !shmem_malloc_with_hints(0, 0));
	shmem_free(NULL);
	shfree(NULL);
}

int main(void)
{
	api_begin();
	test_new();
	test_old();
	test_reuse();
	test_nothing();
	return api_end();
}
