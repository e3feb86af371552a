/* SPDX-License-Identifier: BSD-3-Clause */
#include "alloc.h"

#include <errno.h>
#include <search.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * Two-level segregated fit: free blocks are listed by size class, 32 classes
 * to each power of two, so that a block of the next class up fits unseen and
 * is at most 1/32 too large.  Sizes below 32 granules have a class each.
 */
#define GRANULE ((size_t)SHMEMI_ALLOC_GRANULE)
#define SL_LOG2 5
#define NSECOND (1 << SL_LOG2)
#define NFIRST (63 - 4 - SL_LOG2 + 1)

/* Room to round up a size within size_t. */
#define SIZE_LIMIT_BYTES (SIZE_MAX / 2)

/* Records come in slabs, for the host's malloc has no part in the hot path. */
#define SLAB_NBLOCKS 63

/* Two splits are the most that one call makes. */
#define RESERVE_NBLOCKS 2

struct block {
	size_t offset;
	size_t bytes; /* a multiple of the granule */
	size_t asked; /* bytes the caller asked for; 0 marks a free block */
	struct block *below, *above; /* neighbours in the heap */
	struct block *prev, *next;   /* of the same class, or spare */
};

struct slab {
	struct slab *next;
	struct block blocks[SLAB_NBLOCKS];
};

struct shmemi_alloc {
	size_t size_bytes, used_bytes, peak_bytes;
	size_t nlive, nfree, nspare;
	struct block *top; /* the highest block */
	struct block *spare;
	struct slab *slabs;
	void *live; /* search tree of live blocks, by offset */
	uint64_t first_map;
	uint32_t second_map[NFIRST];
	struct block *classes[NFIRST][NSECOND];
};

struct class_id {
	int first, second;
};

static int log2_floor(size_t n)
{
	return 63 - __builtin_clzll(n);
}

static struct class_id class_of(size_t bytes)
{
	const size_t granules = bytes / GRANULE;
	int shift;

	if (granules < NSECOND)
		return (struct class_id){ 0, (int)granules };
	shift = log2_floor(granules) - SL_LOG2;
	return (struct class_id){ shift + 1,
				  (int)(granules >> shift) - NSECOND };
}

/* The lowest class that has a block and is not below @id. */
static bool class_next(const struct shmemi_alloc *a, struct class_id *id)
{
	uint32_t second = a->second_map[id->first] & (~0u << id->second);
	uint64_t first;

	if (!second) {
		first = a->first_map & (~UINT64_C(1) << id->first);
		if (!first)
			return false;
		id->first = __builtin_ctzll(first);
		second = a->second_map[id->first];
	}
	id->second = __builtin_ctz(second);
	return true;
}

/* The class after @id, whether or not it has a block; false after the last. */
static bool class_step(struct class_id *id)
{
	if (++id->second == NSECOND) {
		id->second = 0;
		id->first++;
	}
	return id->first < NFIRST;
}

static void free_insert(struct shmemi_alloc *a, struct block *b)
{
	const struct class_id id = class_of(b->bytes);
	struct block **head = &a->classes[id.first][id.second];

	b->asked = 0;
	b->prev = NULL;
	b->next = *head;
	if (*head)
		(*head)->prev = b;
	*head = b;
	a->second_map[id.first] |= 1u << id.second;
	a->first_map |= UINT64_C(1) << id.first;
	a->nfree++;
}

static void free_remove(struct shmemi_alloc *a, struct block *b)
{
	const struct class_id id = class_of(b->bytes);
	struct block **head = &a->classes[id.first][id.second];

	if (b->prev)
		b->prev->next = b->next;
	else
		*head = b->next;
	if (b->next)
		b->next->prev = b->prev;
	if (!*head)
		a->second_map[id.first] &= ~(1u << id.second);
	if (!a->second_map[id.first])
		a->first_map &= ~(UINT64_C(1) << id.first);
	a->nfree--;
}

static void spare_push(struct shmemi_alloc *a, struct block *b)
{
	b->next = a->spare;
	a->spare = b;
	a->nspare++;
}

static struct block *spare_pop(struct shmemi_alloc *a)
{
	struct block *b = a->spare;

	a->spare = b->next;
	a->nspare--;
	return b;
}

/* So that no split can fail half-way. */
static int spare_reserve(struct shmemi_alloc *a)
{
	struct slab *slab;
	int i;

	if (a->nspare >= RESERVE_NBLOCKS)
		return 0;
	slab = malloc(sizeof(*slab));
	if (!slab)
		return -ENOMEM;
	slab->next = a->slabs;
	a->slabs = slab;
	for (i = SLAB_NBLOCKS; i-- > 0;)
		spare_push(a, &slab->blocks[i]);
	return 0;
}

/* Live blocks are disjoint: overlapping ranges compare equal. */
static int live_compare(const void *left, const void *right)
{
	const struct block *l = left, *r = right;

	if (l->offset + l->bytes <= r->offset)
		return -1;
	return l->offset >= r->offset + r->bytes;
}

/* The live block whose range, rounding included, contains @offset. */
static struct block *live_find(const struct shmemi_alloc *a, size_t offset)
{
	const struct block key = { .offset = offset, .bytes = 1 };
	struct block **node;

	if (offset >= a->size_bytes)
		return NULL;
	node = tfind(&key, &a->live, live_compare);
	return node ? *node : NULL;
}

static struct block *live_at(const struct shmemi_alloc *a, size_t offset)
{
	struct block *b = live_find(a, offset);

	return b && b->offset == offset ? b : NULL;
}

static void used_add(struct shmemi_alloc *a, size_t bytes)
{
	a->used_bytes += bytes;
	if (a->used_bytes > a->peak_bytes)
		a->peak_bytes = a->used_bytes;
}

/* Cuts @b after @bytes; the rest is the caller's to list. */
static struct block *block_split(struct shmemi_alloc *a, struct block *b,
				 size_t bytes)
{
	struct block *rest = spare_pop(a);

	*rest = (struct block){
		.offset = b->offset + bytes,
		.bytes = b->bytes - bytes,
		.below = b,
		.above = b->above,
	};
	if (b->above)
		b->above->below = rest;
	else
		a->top = rest;
	b->above = rest;
	b->bytes = bytes;
	return rest;
}

/* @b swallows what is above it. */
static void block_absorb(struct shmemi_alloc *a, struct block *b)
{
	struct block *gone = b->above;

	b->bytes += gone->bytes;
	b->above = gone->above;
	if (b->above)
		b->above->below = b;
	else
		a->top = b;
	spare_push(a, gone);
}

static bool is_free(const struct block *b)
{
	return b && !b->asked;
}

/* Lists @b as free, joined with its neighbours. */
static void block_release(struct shmemi_alloc *a, struct block *b)
{
	if (is_free(b->above)) {
		free_remove(a, b->above);
		block_absorb(a, b);
	}
	if (is_free(b->below)) {
		b = b->below;
		free_remove(a, b);
		block_absorb(a, b);
	}
	free_insert(a, b);
}

/* Bytes between the start of @b and the next multiple of @align. */
static size_t block_gap(const struct block *b, size_t align)
{
	return -b->offset & (align - 1);
}

static bool block_fits(const struct block *b, size_t align, size_t bytes)
{
	const size_t gap = block_gap(b, align);

	return gap <= b->bytes && b->bytes - gap >= bytes;
}

/* Any block of the class found here holds @bytes: nothing is compared. */
static struct block *find_good(const struct shmemi_alloc *a, size_t bytes)
{
	const size_t granules = bytes / GRANULE;
	struct class_id id;
	int shift;

	if (granules >= NSECOND) {
		shift = log2_floor(granules) - SL_LOG2;
		bytes += (((size_t)1 << shift) - 1) * GRANULE;
	}
	id = class_of(bytes);
	if (id.first >= NFIRST || !class_next(a, &id))
		return NULL;
	return a->classes[id.first][id.second];
}

/* The first block that fits, smallest class first. */
static struct block *find_any(const struct shmemi_alloc *a, size_t align,
			      size_t bytes)
{
	struct class_id id = class_of(bytes);
	struct block *b;

	while (class_next(a, &id)) {
		for (b = a->classes[id.first][id.second]; b; b = b->next)
			if (block_fits(b, align, bytes))
				return b;
		if (!class_step(&id))
			break;
	}
	return NULL;
}

static struct block *find_free(const struct shmemi_alloc *a, size_t align,
			       size_t bytes)
{
	const size_t slack = align - GRANULE;
	struct block *b = NULL;

	if (slack <= a->size_bytes - bytes)
		b = find_good(a, bytes + slack);
	return b ? b : find_any(a, align, bytes);
}

int shmemi_alloc_get(struct shmemi_alloc *a, size_t align, size_t asked,
		     size_t *offset)
{
	size_t bytes, gap;
	struct block *b;

	if (!asked || !align || (align & (align - 1)))
		return -EINVAL;
	if (asked > a->size_bytes || spare_reserve(a))
		return -ENOMEM;
	if (align < GRANULE)
		align = GRANULE;
	bytes = (asked + GRANULE - 1) & -GRANULE;
	b = find_free(a, align, bytes);
	if (!b)
		return -ENOMEM;

	free_remove(a, b);
	gap = block_gap(b, align);
	if (gap) {
		b = block_split(a, b, gap);
		free_insert(a, b->below);
	}
	if (b->bytes > bytes)
		free_insert(a, block_split(a, b, bytes));
	if (!tsearch(b, &a->live, live_compare)) {
		block_release(a, b);
		return -ENOMEM;
	}
	b->asked = asked;
	a->nlive++;
	used_add(a, bytes);
	*offset = b->offset;
	return 0;
}

int shmemi_alloc_put(struct shmemi_alloc *a, size_t offset)
{
	struct block *b = live_at(a, offset);

	if (!b)
		return -EINVAL;
	tdelete(b, &a->live, live_compare);
	a->nlive--;
	a->used_bytes -= b->bytes;
	block_release(a, b);
	return 0;
}

int shmemi_alloc_resize(struct shmemi_alloc *a, size_t offset, size_t asked)
{
	struct block *b = live_at(a, offset);
	size_t bytes, room;

	if (!b || !asked)
		return -EINVAL;
	room = b->bytes + (is_free(b->above) ? b->above->bytes : 0);
	if (asked > room || spare_reserve(a))
		return -ENOMEM;
	bytes = (asked + GRANULE - 1) & -GRANULE;
	a->used_bytes -= b->bytes;
	if (is_free(b->above)) {
		free_remove(a, b->above);
		block_absorb(a, b);
	}
	if (b->bytes > bytes)
		free_insert(a, block_split(a, b, bytes));
	b->asked = asked;
	used_add(a, bytes);
	return 0;
}

int shmemi_alloc_grow(struct shmemi_alloc *a, size_t size_bytes)
{
	struct block *b;

	size_bytes &= -GRANULE;
	if (size_bytes < a->size_bytes || size_bytes > SIZE_LIMIT_BYTES)
		return -EINVAL;
	if (size_bytes == a->size_bytes)
		return 0;
	if (spare_reserve(a))
		return -ENOMEM;
	b = spare_pop(a);
	*b = (struct block){
		.offset = a->size_bytes,
		.bytes = size_bytes - a->size_bytes,
		.below = a->top,
	};
	if (a->top)
		a->top->above = b;
	a->top = b;
	a->size_bytes = size_bytes;
	block_release(a, b);
	return 0;
}

int shmemi_alloc_create(struct shmemi_alloc **alloc, size_t size_bytes)
{
	struct shmemi_alloc *a = calloc(1, sizeof(*a));
	int rc;

	if (!a)
		return -ENOMEM;
	rc = shmemi_alloc_grow(a, size_bytes);
	if (rc) {
		free(a);
		return rc;
	}
	*alloc = a;
	return 0;
}

void shmemi_alloc_destroy(struct shmemi_alloc *a)
{
	struct block *b;
	struct slab *slab;

	if (!a)
		return;
	for (b = a->top; b; b = b->below)
		if (!is_free(b))
			tdelete(b, &a->live, live_compare);
	while (a->slabs) {
		slab = a->slabs;
		a->slabs = slab->next;
		free(slab);
	}
	free(a);
}

size_t shmemi_alloc_bytes(const struct shmemi_alloc *a, size_t offset)
{
	const struct block *b = live_at(a, offset);

	return b ? b->asked : 0;
}

int shmemi_alloc_find(const struct shmemi_alloc *a, size_t offset,
		      size_t *start, size_t *bytes)
{
	const struct block *b = live_find(a, offset);

	if (!b || offset - b->offset >= b->asked)
		return -ENOENT;
	*start = b->offset;
	*bytes = b->asked;
	return 0;
}

/* Only the highest class that has blocks can hold the largest one. */
static size_t largest_free_bytes(const struct shmemi_alloc *a)
{
	const struct block *b;
	size_t largest = 0;
	int first;

	if (!a->first_map)
		return 0;
	first = log2_floor(a->first_map);
	b = a->classes[first][log2_floor(a->second_map[first])];
	for (; b; b = b->next)
		if (b->bytes > largest)
			largest = b->bytes;
	return largest;
}

void shmemi_alloc_stats(const struct shmemi_alloc *a,
			struct shmemi_alloc_stats *stats)
{
	*stats = (struct shmemi_alloc_stats){
		.size_bytes = a->size_bytes,
		.used_bytes = a->used_bytes,
		.peak_bytes = a->peak_bytes,
		.largest_free_bytes = largest_free_bytes(a),
		.nlive = a->nlive,
		.nfree = a->nfree,
	};
}
