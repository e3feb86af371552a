/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/cpu/items.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#define SLAB_ITEMS 64

/*
 * A stack and the guard below it are two of the mappings that a process may
 * have, 65530 by default: this takes three quarters of them.
 */
#define BUDGET_ITEMS (SANITIZE_ITEMS_MAX + SANITIZE_ITEMS_MAX / 2)

/* A pool that rests keeps as many as a work-group may need. */
#define REST_ITEMS 1024

struct cpu_slab {
	struct cpu_slab *next;
	char *area;
	unsigned int n_open;
	struct cpu_item items[SLAB_ITEMS];
};

/* Of all pools. */
static struct {
	pthread_mutex_t lock;
	struct cpu_slab *idle; /* in no pool */
	unsigned int n_items;  /* idle ones too */
} stacks = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void slab_destroy(struct cpu_slab *slab)
{
	while (slab->n_open)
		cpu_fiber_close(&slab->items[--slab->n_open].fiber);
	munmap(slab->area, cpu_fiber_area_bytes(SLAB_ITEMS));
	free(slab);
}

static struct cpu_slab *slab_create(void)
{
	struct cpu_slab *slab = calloc(1, sizeof(*slab));

	if (!slab)
		return NULL;
	slab->area = mmap(NULL, cpu_fiber_area_bytes(SLAB_ITEMS), PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (slab->area == MAP_FAILED) {
		free(slab);
		return NULL;
	}
	while (slab->n_open < SLAB_ITEMS) {
		if (cpu_fiber_open(&slab->items[slab->n_open].fiber, slab->area,
				   slab->n_open)) {
			slab_destroy(slab);
			return NULL;
		}
		slab->n_open++;
	}
	return slab;
}

static void budget_return(unsigned int n)
{
	pthread_mutex_lock(&stacks.lock);
	stacks.n_items -= n;
	pthread_mutex_unlock(&stacks.lock);
}

/* An idle slab, or a new one; only within the budget unless it must be had. */
static struct cpu_slab *slab_get(bool must)
{
	struct cpu_slab *slab;
	bool create;

	pthread_mutex_lock(&stacks.lock);
	slab = stacks.idle;
	create = !slab && (must || stacks.n_items < BUDGET_ITEMS);
	if (slab)
		stacks.idle = slab->next;
	if (create)
		stacks.n_items += SLAB_ITEMS;
	pthread_mutex_unlock(&stacks.lock);
	if (!create)
		return slab;
	slab = slab_create();
	if (!slab)
		budget_return(SLAB_ITEMS);
	return slab;
}

int cpu_pool_grow(struct cpu_pool *pool, unsigned int n, unsigned int least)
{
	while (pool->n < n) {
		struct cpu_slab *slab = slab_get(pool->n < least);

		if (!slab)
			return -ENOMEM;
		slab->next = pool->slabs;
		pool->slabs = slab;
		pool->n += SLAB_ITEMS;
		for (int i = SLAB_ITEMS - 1; i >= 0; i--) {
			slab->items[i].next = pool->free;
			pool->free = &slab->items[i];
		}
	}
	return 0;
}

void cpu_pool_rest(struct cpu_pool *pool)
{
	struct cpu_slab *last = pool->slabs;

	if (pool->n <= REST_ITEMS)
		return;
	while (last->next)
		last = last->next;
	pthread_mutex_lock(&stacks.lock);
	last->next = stacks.idle;
	stacks.idle = pool->slabs;
	pthread_mutex_unlock(&stacks.lock);
	*pool = (struct cpu_pool){ 0 };
}

void cpu_pool_clear(struct cpu_pool *pool)
{
	while (pool->slabs) {
		struct cpu_slab *slab = pool->slabs;

		pool->slabs = slab->next;
		slab_destroy(slab);
	}
	budget_return(pool->n);
	pool->n = 0;
	pool->free = NULL;
}
