/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gangs on the CPU, as on a GPU the lanes that run the same code together
 * (SHMEM_CPU_GANGS). Work-items that ask at the same place of the code are one
 * gang when no other of their wave has come there while all had a turn.
 */
#include "gpu/cpu/cpu.h"

#include <stdlib.h>

#include "base/log.h"
#include "gpu/cpu/items.h"

struct cpu_gang {
	struct cpu_gang *next; /* of the wave's that are not closed */
	const void *place;     /* in the code */
	uint64_t lanes;
	unsigned int size;
	unsigned int users; /* items that may still look at it */
	unsigned int arrived;
	unsigned int meetings;
	int closed;
	/* Of the items by index; one meeting's, while the next one's come. */
	uint64_t shown[2][CPU_SHOWN_MAX];
};

static int gangs_on;

void shmemg_cpu_set_gangs(int on)
{
	gangs_on = on;
}

SANITIZE_NO_THREAD static struct cpu_item *item_self(void)
{
	return (struct cpu_item *)shmemd_work;
}

SANITIZE_NO_THREAD static struct cpu_gang *gang_of(const struct shmemd_gang *g)
{
	return (struct cpu_gang *)(uintptr_t)g->lanes;
}

SANITIZE_NO_THREAD static void gang_drop(struct cpu_gang **gang)
{
	if (*gang && !--(*gang)->users)
		free(*gang);
	*gang = NULL;
}

SANITIZE_NO_THREAD void cpu_gangs_leave(struct cpu_item *item)
{
	gang_drop(&item->part);
	gang_drop(&item->gang);
}

static struct cpu_gang *gang_new(void)
{
	struct cpu_gang *gang = calloc(1, sizeof(*gang));

	if (!gang)
		shmemi_fatal("no memory for a gang of work-items");
	return gang;
}

/* The one that forms at this place, or a new one. */
SANITIZE_NO_THREAD static struct cpu_gang *gang_at(struct cpu_group *wave,
						   const void *place)
{
	struct cpu_gang *gang = wave->gangs;

	while (gang && gang->place != place)
		gang = gang->next;
	if (gang)
		return gang;
	gang = gang_new();
	gang->place = place;
	gang->next = wave->gangs;
	wave->gangs = gang;
	return gang;
}

SANITIZE_NO_THREAD static void gang_close(struct cpu_group *wave,
					  struct cpu_gang *gang)
{
	struct cpu_gang **link = &wave->gangs;

	while (*link != gang)
		link = &(*link)->next;
	*link = gang->next;
	gang->closed = 1;
}

/* My index among those with a one in lanes. */
SANITIZE_NO_THREAD static struct shmemd_gang gang_view(struct cpu_gang *gang,
						       unsigned int lane)
{
	const uint64_t below = ((uint64_t)1 << lane) - 1;
	const struct shmemd_gang view = {
		(unsigned int)__builtin_popcountll(gang->lanes & below),
		gang->size,
		(uint64_t)(uintptr_t)gang,
	};

	return view;
}

SANITIZE_NO_THREAD struct shmemd_gang shmemd_cpu_gang(void)
{
	const struct shmemd_gang one = { 0, 1, 0 };
	struct cpu_item *item = item_self();
	struct cpu_gang *gang;
	unsigned int seen;

	if (!gangs_on || !item->work.in_kernel)
		return one;
	cpu_gangs_leave(item);
	gang = gang_at(item->wave, __builtin_return_address(0));
	item->gang = gang;
	gang->users++;
	gang->size++;
	gang->lanes |= (uint64_t)1 << item->work.lane;
	do {
		seen = gang->size;
		cpu_item_turn(item);
	} while (!gang->closed && gang->size != seen);
	if (!gang->closed)
		gang_close(item->wave, gang);
	return gang_view(gang, item->work.lane);
}

/* All of the gang; what each of them brings, by index. */
SANITIZE_NO_THREAD static const uint64_t *gang_meet(const struct shmemd_gang *g,
						    uint64_t v)
{
	struct cpu_gang *gang = gang_of(g);
	const unsigned int meeting = gang->meetings;

	gang->shown[meeting % 2][g->index] = v;
	sanitize_release(gang);
	if (++gang->arrived == gang->size) {
		gang->arrived = 0;
		gang->meetings++;
		cpu_item_progress(item_self());
	}
	while (gang->meetings == meeting)
		cpu_item_turn(item_self());
	sanitize_acquire(gang);
	return gang->shown[meeting % 2];
}

SANITIZE_NO_THREAD uint64_t shmemd_cpu_gang_bcast(const struct shmemd_gang *g,
						  uint64_t v)
{
	return gang_meet(g, v)[0];
}

SANITIZE_NO_THREAD int shmemd_cpu_gang_any(const struct shmemd_gang *g, int v)
{
	const uint64_t *shown = gang_meet(g, v != 0);
	uint64_t any = 0;

	for (unsigned int i = 0; i < g->size; i++)
		any |= shown[i];
	return any != 0;
}

/* Who of the gang is in the part, as bits by index, and the first of them. */
SANITIZE_NO_THREAD static uint64_t part_of(const uint64_t *keys,
					   unsigned int size,
					   unsigned int limit,
					   unsigned int *first)
{
	unsigned int i = 0, n = 0;
	uint64_t members = 0;

	while (i < size && !keys[i])
		i++;
	*first = i;
	for (; i < size && n < limit; i++) {
		if (keys[i] != keys[*first])
			continue;
		members |= (uint64_t)1 << i;
		n++;
	}
	return members;
}

SANITIZE_NO_THREAD struct shmemd_gang
shmemd_cpu_gang_part(const struct shmemd_gang *g, uint64_t key,
		     unsigned int limit)
{
	struct shmemd_gang part = { SHMEMD_GANG_OUT, 0, 0 };
	struct cpu_item *item = item_self();
	struct cpu_gang *gang = NULL;
	unsigned int first;
	uint64_t members;

	gang_drop(&item->part);
	members = part_of(gang_meet(g, key), g->size, limit, &first);
	if (!members)
		return part;
	part.size = (unsigned int)__builtin_popcountll(members);
	if (g->index == first) {
		gang = gang_new();
		gang->size = gang->users = part.size;
		gang->lanes = members;
	}
	gang = (struct cpu_gang *)(uintptr_t)gang_meet(
		g, (uint64_t)(uintptr_t)gang)[first];
	if (!(members >> g->index & 1))
		return part;
	item->part = gang;
	return gang_view(gang, g->index);
}
