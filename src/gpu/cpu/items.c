/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/cpu/items.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#define SLAB_ITEMS 64

struct cpu_slab {
	struct cpu_slab *next;
	char *area;
	unsigned int n_open;
	struct cpu_item items[SLAB_ITEMS];
};

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

int cpu_pool_grow(struct cpu_pool *pool, unsigned int n)
{
	while (pool->n < n) {
		struct cpu_slab *slab = slab_create();

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

void cpu_pool_clear(struct cpu_pool *pool)
{
	while (pool->slabs) {
		struct cpu_slab *slab = pool->slabs;

		pool->slabs = slab->next;
		slab_destroy(slab);
	}
	pool->n = 0;
	pool->free = NULL;
}
