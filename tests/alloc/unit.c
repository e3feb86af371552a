/* SPDX-License-Identifier: BSD-3-Clause */
/* The allocator's contract, one promise a function. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

#define KIB ((size_t)1024)

static int nfailed;

#define expect(condition) \
	((condition) ? (void)0 : failed(__func__, __LINE__, #condition))

static void failed(const char *function, int line, const char *condition)
{
	fprintf(stderr, "unit.c:%d: %s: not %s\n", line, function, condition);
	nfailed++;
}

static struct shmemi_alloc *heap(size_t size_bytes)
{
	struct shmemi_alloc *a = NULL;

	if (shmemi_alloc_create(&a, size_bytes))
		abort();
	return a;
}

static void heap_end(struct shmemi_alloc *a)
{
	const char *wrong = alloc_check(a);

	if (wrong) {
		fprintf(stderr, "unit.c: %s\n", wrong);
		nfailed++;
	}
	shmemi_alloc_destroy(a);
}

static size_t get(struct shmemi_alloc *a, size_t align, size_t bytes)
{
	size_t offset = SIZE_MAX;
	const int rc = shmemi_alloc_get(a, align, bytes, &offset);

	return rc ? (size_t)rc : offset;
}

static struct shmemi_alloc_stats stats(const struct shmemi_alloc *a)
{
	struct shmemi_alloc_stats s;

	shmemi_alloc_stats(a, &s);
	return s;
}

#define NOMEM ((size_t)-ENOMEM)
#define INVAL ((size_t)-EINVAL)

static void test_arguments(void)
{
	struct shmemi_alloc *a = heap(64 * KIB);

	expect(get(a, 16, 0) == INVAL);
	expect(get(a, 0, 16) == INVAL);
	expect(get(a, 24, 16) == INVAL);
	expect(get(a, 16, 64 * KIB + 1) == NOMEM);
	expect(get(a, 16, SIZE_MAX) == NOMEM);
	expect(get(a, 16, SIZE_MAX - 15) == NOMEM);
	expect(get(a, ~(SIZE_MAX / 2), SIZE_MAX) == NOMEM);
	expect(stats(a).nlive == 0);
	heap_end(a);
}

static void test_alignment(void)
{
	struct shmemi_alloc *a = heap(1024 * KIB);
	size_t align, offset;

	expect(get(a, 1, 1) == 0);
	expect(get(a, 1, 1) == 16);
	for (align = 1; align <= 256 * KIB; align *= 2) {
		offset = get(a, align, 40);
		expect(offset < 1024 * KIB && offset % align == 0);
	}
	heap_end(a);
	a = heap(64 * KIB);
	expect(get(a, ~(SIZE_MAX / 2), 16) == 0);
	expect(get(a, ~(SIZE_MAX / 2), 16) == NOMEM);
	heap_end(a);
}

/* A request for all there is, or for exactly one hole, is met. */
static void test_exact_fit(void)
{
	struct shmemi_alloc *a = heap(1000 * KIB);
	size_t first, second;

	expect(get(a, 4096, 1000 * KIB) == 0);
	expect(get(a, 16, 1) == NOMEM);
	expect(shmemi_alloc_put(a, 0) == 0);
	first = get(a, 16, 333 * KIB);
	second = get(a, 16, 333 * KIB);
	expect(get(a, 16, 334 * KIB) != NOMEM);
	expect(shmemi_alloc_put(a, first) == 0);
	expect(get(a, 16, 333 * KIB + 1) == NOMEM);
	expect(get(a, 16, 333 * KIB) == first);
	expect(shmemi_alloc_put(a, second) == 0);
	expect(get(a, 1024, 333 * KIB) == second);
	heap_end(a);
}

static void test_wild_put(void)
{
	struct shmemi_alloc *a = heap(64 * KIB);
	const size_t offset = get(a, 16, 100);

	expect(shmemi_alloc_put(a, offset + 1) == -EINVAL);
	expect(shmemi_alloc_put(a, offset + 16) == -EINVAL);
	expect(shmemi_alloc_put(a, offset + 112) == -EINVAL);
	expect(shmemi_alloc_put(a, 64 * KIB) == -EINVAL);
	expect(shmemi_alloc_put(a, SIZE_MAX) == -EINVAL);
	expect(shmemi_alloc_put(a, offset) == 0);
	expect(shmemi_alloc_put(a, offset) == -EINVAL);
	heap_end(a);
}

static void test_coalescing(void)
{
	static const int order[] = { 1, 3, 2, 0, 5, 4 };
	struct shmemi_alloc *a = heap(6 * KIB);
	size_t offsets[6], i;

	for (i = 0; i < 6; i++)
		offsets[i] = get(a, 16, KIB);
	expect(stats(a).nfree == 0 && stats(a).largest_free_bytes == 0);
	for (i = 0; i < 6; i++)
		expect(shmemi_alloc_put(a, offsets[order[i]]) == 0);
	expect(stats(a).nfree == 1);
	expect(stats(a).largest_free_bytes == 6 * KIB);
	heap_end(a);
}

static void test_resize(void)
{
	struct shmemi_alloc *a = heap(64 * KIB);
	const size_t first = get(a, 16, KIB), second = get(a, 16, KIB);

	expect(shmemi_alloc_resize(a, first, 0) == -EINVAL);
	expect(shmemi_alloc_resize(a, first + 16, 16) == -EINVAL);
	expect(shmemi_alloc_resize(a, first, KIB + 1) == -ENOMEM);
	expect(shmemi_alloc_resize(a, first, SIZE_MAX) == -ENOMEM);
	expect(shmemi_alloc_bytes(a, first) == KIB);
	expect(shmemi_alloc_resize(a, second, 63 * KIB) == 0);
	expect(stats(a).nfree == 0);
	expect(shmemi_alloc_resize(a, second, 63 * KIB + 1) == -ENOMEM);
	expect(shmemi_alloc_resize(a, second, 17) == 0);
	expect(shmemi_alloc_bytes(a, second) == 17);
	expect(stats(a).used_bytes == KIB + 32);
	expect(shmemi_alloc_resize(a, first, 10) == 0);
	expect(stats(a).used_bytes == 48);
	expect(stats(a).peak_bytes == 64 * KIB);
	expect(get(a, 16, KIB - 16) == first + 16);
	heap_end(a);
}

static void test_find(void)
{
	struct shmemi_alloc *a = heap(64 * KIB);
	const size_t hole = get(a, 16, 160), offset = get(a, 16, 100);
	size_t start = 0, bytes = 0;

	expect(shmemi_alloc_put(a, hole) == 0);
	expect(shmemi_alloc_find(a, offset, &start, &bytes) == 0);
	expect(start == offset && bytes == 100);
	expect(shmemi_alloc_find(a, offset + 99, &start, &bytes) == 0);
	expect(start == offset && bytes == 100);
	expect(shmemi_alloc_find(a, offset + 100, &start, &bytes) == -ENOENT);
	expect(shmemi_alloc_find(a, offset + 112, &start, &bytes) == -ENOENT);
	expect(shmemi_alloc_find(a, hole, &start, &bytes) == -ENOENT);
	expect(shmemi_alloc_find(a, SIZE_MAX, &start, &bytes) == -ENOENT);
	expect(shmemi_alloc_bytes(a, offset) == 100);
	expect(shmemi_alloc_bytes(a, offset + 1) == 0);
	heap_end(a);
}

static void test_grow(void)
{
	struct shmemi_alloc *a = heap(0);

	expect(get(a, 16, 1) == NOMEM);
	expect(shmemi_alloc_put(a, 0) == -EINVAL);
	expect(shmemi_alloc_grow(a, 15) == 0 && stats(a).size_bytes == 0);
	expect(shmemi_alloc_grow(a, KIB + 15) == 0);
	expect(stats(a).size_bytes == KIB);
	expect(get(a, 16, KIB) == 0);
	expect(shmemi_alloc_grow(a, 2 * KIB) == 0);
	expect(shmemi_alloc_grow(a, 4 * KIB) == 0);
	expect(stats(a).nfree == 1);
	expect(get(a, 16, 3 * KIB) == KIB);
	expect(shmemi_alloc_grow(a, KIB) == -EINVAL);
	expect(shmemi_alloc_grow(a, SIZE_MAX) == -EINVAL);
	heap_end(a);
}

static void test_largest_heap(void)
{
	struct shmemi_alloc *a = heap(SIZE_MAX / 2);
	const size_t all = SIZE_MAX / 2 & -(size_t)SHMEMI_ALLOC_GRANULE;

	expect(stats(a).size_bytes == all);
	expect(get(a, 16, SIZE_MAX / 2) == NOMEM);
	expect(get(a, 16, all) == 0);
	expect(shmemi_alloc_put(a, 0) == 0);
	expect(get(a, 4096, all / 2 + 1) == 0);
	expect(get(a, 16, all / 2 + 1) == NOMEM);
	heap_end(a);
	a = heap(SIZE_MAX / 2);
	expect(get(a, 16, 16) == 0);
	expect(get(a, ~(SIZE_MAX / 2), all - 4096) == NOMEM);
	heap_end(a);
	expect(shmemi_alloc_create(&a, SIZE_MAX) == -EINVAL);
	shmemi_alloc_destroy(NULL);
}

/* Denied private memory at any point, a call changes nothing. */
static void test_no_private_memory(void)
{
	struct shmemi_alloc *a = heap(1024 * KIB);
	int after, nrefused = 0;
	size_t offset = 0, nlive;

	for (after = 0; after < 200; after++) {
		nlive = stats(a).nlive;
		alloc_check_nomem_after = after % 2;
		if (shmemi_alloc_get(a, after % 3 ? 16 : 256, 16, &offset)) {
			expect(stats(a).nlive == nlive);
			nrefused++;
		} else {
			expect(stats(a).nlive == nlive + 1);
		}
		alloc_check_nomem_after = -1;
		expect(!alloc_check(a));
		expect(get(a, 16, 48) != NOMEM);
	}
	expect(nrefused >= 100);
	heap_end(a);
	alloc_check_nomem_after = 0;
	expect(shmemi_alloc_create(&a, 1024 * KIB) == -ENOMEM);
	alloc_check_nomem_after = -1;
}

int main(void)
{
	test_arguments();
	test_alignment();
	test_exact_fit();
	test_wild_put();
	test_coalescing();
	test_resize();
	test_find();
	test_grow();
	test_largest_heap();
	test_no_private_memory();
	return nfailed != 0;
}
