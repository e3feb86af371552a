/* SPDX-License-Identifier: BSD-3-Clause */
#include <search.h>
#include <stdlib.h>

#include "check.h"

/* The allocator is included, for this looks at its records. */
#define malloc check_malloc
#define tsearch check_tsearch
static void *check_malloc(size_t bytes);
static void *check_tsearch(const void *key, void **root,
			   int (*compare)(const void *, const void *));
#include "host/alloc.c"
#undef malloc
#undef tsearch

int alloc_check_nomem_after = -1;

static bool is_exhausted(void)
{
	if (alloc_check_nomem_after < 0)
		return false;
	return alloc_check_nomem_after-- == 0;
}

static void *check_malloc(size_t bytes)
{
	return is_exhausted() ? NULL : malloc(bytes);
}

static void *check_tsearch(const void *key, void **root,
			   int (*compare)(const void *, const void *))
{
	return is_exhausted() ? NULL : tsearch(key, root, compare);
}

/* The heap from top to bottom: links, offsets, coalescing, the tree. */
static const char *check_heap(const struct shmemi_alloc *a)
{
	size_t end = a->size_bytes, nlive = 0, nfree = 0, used_bytes = 0;
	const struct block *b, *above = NULL;

	for (b = a->top; b; above = b, b = b->below) {
		if (b->above != above)
			return "neighbours do not agree";
		if (!b->bytes || b->bytes % GRANULE ||
		    b->offset + b->bytes != end)
			return "blocks do not tile the heap";
		end = b->offset;
		if (is_free(b) && is_free(above))
			return "two free neighbours were not joined";
		if (b->asked > b->bytes)
			return "a block is shorter than was asked";
		if (live_find(a, b->offset) != (is_free(b) ? NULL : b))
			return "the tree does not hold just the live blocks";
		nlive += !is_free(b);
		nfree += is_free(b);
		used_bytes += is_free(b) ? 0 : b->bytes;
	}
	if (end)
		return "the lowest block is not at 0";
	if (nlive != a->nlive || nfree != a->nfree)
		return "a count of blocks is wrong";
	if (used_bytes != a->used_bytes || used_bytes > a->peak_bytes)
		return "a count of bytes is wrong";
	return NULL;
}

static const char *check_class(const struct shmemi_alloc *a, struct class_id id,
			       size_t *nfree)
{
	const bool mapped = a->second_map[id.first] >> id.second & 1;
	const struct block *b, *prev = NULL;
	struct class_id own;

	b = a->classes[id.first][id.second];
	if (mapped != !!b)
		return "a class's bit and list do not agree";
	for (; b; prev = b, b = b->next) {
		own = class_of(b->bytes);
		if (!is_free(b))
			return "a live block is listed as free";
		if (b->prev != prev)
			return "a list of free blocks is broken";
		if (own.first != id.first || own.second != id.second)
			return "a free block is in another class's list";
		(*nfree)++;
	}
	return NULL;
}

const char *alloc_check(const struct shmemi_alloc *a)
{
	const char *wrong = check_heap(a);
	struct class_id id = { 0, 0 };
	size_t nfree = 0;

	do {
		if (!wrong &&
		    (a->first_map >> id.first & 1) != !!a->second_map[id.first])
			wrong = "the two bit maps do not agree";
		if (!wrong)
			wrong = check_class(a, id, &nfree);
	} while (class_step(&id));
	if (!wrong && nfree != a->nfree)
		wrong = "a free block is in no list";
	return wrong;
}
