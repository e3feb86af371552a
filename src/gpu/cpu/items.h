/* SPDX-License-Identifier: BSD-3-Clause */
/* Work-items: fibers that know who they are; queues and a pool of them. */
#ifndef GPU_CPU_ITEMS_H
#define GPU_CPU_ITEMS_H

#include <stdbool.h>

#include <shmem/device/arch.h>

#include "gpu/cpu/fiber.h"
#include "gpu/cpu/sanitize.h"

struct cpu_item {
	struct shmemd_work work; /* first: shmemd_work points to it */
	struct cpu_item *next;
	struct cpu_group *wave, *all;
	struct cpu_runner *runner;
	struct cpu_gang *gang, *part; /* gang.c; NULL for none */
	struct cpu_fiber fiber;
};

struct cpu_queue {
	struct cpu_item *head, *tail;
	unsigned int n;
};

/* Items of a wave, or waves of a work-group. */
#define CPU_SHOWN_MAX 64

/* The work-items of a wave or a work-group, which meet in barriers. */
struct cpu_group {
	unsigned int live; /* those that have not ended */
	unsigned int arrived;
	uint64_t first, sum;	     /* of those that arrived */
	uint64_t met_first, met_sum; /* of the last meeting */
	unsigned int meetings;
	/* Numbers of one meeting, while others are put in for the next. */
	union cpu_shown {
		uint64_t word;
		float real;
	} shown[2][CPU_SHOWN_MAX];
	struct cpu_queue waiting;
	struct cpu_gang *gangs; /* of a wave, that form */
};

struct cpu_pool {
	struct cpu_item *free;
	struct cpu_slab *slabs;
	unsigned int n; /* items in all */
};

/* Others have a turn; and: something went on, so that nobody naps. */
void cpu_item_turn(struct cpu_item *item);
void cpu_item_progress(struct cpu_item *item);

/* The item asks for no gang any more. */
void cpu_gangs_leave(struct cpu_item *item);

/*
 * n items in all at least. 0 or -ENOMEM: there is no memory, or the other pools
 * leave no more than `least`, which one gets in any case.
 */
int cpu_pool_grow(struct cpu_pool *pool, unsigned int n, unsigned int least);

/* All items are free: gives those of a large pool to the others. */
void cpu_pool_rest(struct cpu_pool *pool);
void cpu_pool_clear(struct cpu_pool *pool);

SANITIZE_NO_THREAD static inline void cpu_queue_put(struct cpu_queue *queue,
						    struct cpu_item *item)
{
	item->next = NULL;
	if (queue->n++)
		queue->tail->next = item;
	else
		queue->head = item;
	queue->tail = item;
}

SANITIZE_NO_THREAD static inline struct cpu_item *
cpu_queue_get(struct cpu_queue *queue)
{
	struct cpu_item *item = queue->head;

	queue->head = item->next;
	queue->n--;
	return item;
}

SANITIZE_NO_THREAD static inline void cpu_queue_move(struct cpu_queue *to,
						     struct cpu_queue *from)
{
	if (!from->n)
		return;
	if (to->n)
		to->tail->next = from->head;
	else
		to->head = from->head;
	to->tail = from->tail;
	to->n += from->n;
	from->n = 0;
}

#endif
