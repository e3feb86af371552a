/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gangs: who shares what with whom, in parts by a key of each item's choice,
 * where items come alone and where some went another way. On the CPU all who
 * come together are one.
 * PES: 1
 * ENV: SHMEM_CPU_GANGS=yes
 */
#include "call.h"

enum { ITEMS = 256, KEYS = 3, LIMIT = 5 };

struct ask {
	unsigned int *size, *index; /* by item, of the gang */
	uint64_t *first;	    /* item that its index 0 is */
	unsigned int *turns;	    /* parts before mine */
	unsigned int *part;	    /* size of mine */
	uint64_t *key;		    /* of its index 0 */
	unsigned int *way;
	unsigned int split; /* items from here on come by another way */
};

SHMEMX_FN uint64_t key_of(unsigned int item)
{
	return 1 + item % KEYS;
}

SHMEMX_FN void in_parts(const struct ask *a, const struct shmemd_gang *all)
{
	const unsigned int i = shmemx_item();
	uint64_t key = key_of(i);
	unsigned int turn = 0;

	for (;;) {
		const struct shmemd_gang part =
			shmemd_gang_part(all, key, LIMIT);

		if (!part.size)
			break;
		turn++;
		if (part.index == SHMEMD_GANG_OUT)
			continue;
		a->turns[i] = turn;
		a->part[i] = part.size;
		a->key[i] = shmemd_gang_bcast(&part, key);
		key = 0;
	}
}

SHMEMX_FN void together(const struct ask *a, const struct shmemd_gang *all)
{
	const unsigned int i = shmemx_item();

	a->size[i] = all->size;
	a->index[i] = all->index;
	a->first[i] = shmemd_gang_bcast(all, i);
	in_parts(a, all);
}

/* Two ways, whatever a compiler makes of them. */
SHMEMX_KERNEL(ask, struct ask, a)
{
	struct shmemd_gang all;

	if (shmemx_item() < a.split) {
		all = shmemd_gang();
		together(&a, &all);
		a.way[shmemx_item()] = 1;
	} else {
		all = shmemd_gang();
		together(&a, &all);
		a.way[shmemx_item()] = 2;
	}
}

static struct gpu_mem size, idx, first, turns, part, key, way;

#define OF(mem, i) (((unsigned int *)(mem).host)[i])
#define OF64(mem, i) (((uint64_t *)(mem).host)[i])

/* How many of the wave of item i went its way. */
static unsigned int expected(unsigned int i, unsigned int wave,
			     unsigned int split)
{
	const unsigned int from = i / wave * wave, to = from + wave;
	unsigned int n = 0;

	for (unsigned int k = from; k < to && k < ITEMS; k++)
		n += (k < split) == (i < split);
	return n;
}

static void check_item(unsigned int i, unsigned int wave, unsigned int split)
{
	const unsigned int leader = (unsigned int)OF64(first, i);
	const int on_cpu = !strcmp(shmemx_platform(), "cpu");

	if (on_cpu && OF(size, i) != expected(i, wave, split))
		gpu_fail("item %u: gang of %u, %u came (split %u)", i,
			 OF(size, i), expected(i, wave, split), split);
	if (OF(idx, i) >= OF(size, i) || leader / wave != i / wave ||
	    OF(idx, leader) != 0)
		gpu_fail("item %u: index %u of %u behind item %u", i,
			 OF(idx, i), OF(size, i), leader);
	if (OF64(key, i) != key_of(i) || !OF(turns, i) || !OF(part, i) ||
	    OF(part, i) > LIMIT || OF(way, i) != (i < split ? 1 : 2))
		gpu_fail("item %u: part of %u items with key %llu", i,
			 OF(part, i), (unsigned long long)OF64(key, i));
}

/* Parts that are one have one turn and key: as many as its size says. */
static void check_part(unsigned int i, unsigned int wave)
{
	const unsigned int from = i / wave * wave;
	unsigned int n = 0;

	for (unsigned int k = from; k < from + wave && k < ITEMS; k++)
		n += OF64(first, k) == OF64(first, i) &&
		     OF(turns, k) == OF(turns, i);
	if (n != OF(part, i))
		gpu_fail("item %u: part of %u, but %u had this turn", i,
			 OF(part, i), n);
}

static void test(unsigned int split)
{
	const struct ask a = {
		(unsigned int *)size.dev, (unsigned int *)idx.dev,
		(uint64_t *)first.dev,	  (unsigned int *)turns.dev,
		(unsigned int *)part.dev, (uint64_t *)key.dev,
		(unsigned int *)way.dev,  split
	};
	const unsigned int wave = (unsigned int)gpu_wave_size();
	struct gpu_mem *all[] = {
		&size, &idx, &first, &turns, &part, &key, &way
	};

	for (size_t m = 0; m < GPU_COUNT(all); m++)
		gpu_mem_fill(all[m], 0, all[m]->bytes);
	if (shmemx_launch(SHMEMX_KERNEL_REF(ask), 1, ITEMS, &a, sizeof(a),
			  NULL))
		gpu_fail("no launch");
	gpu_sync();
	for (size_t m = 0; m < GPU_COUNT(all); m++)
		gpu_mem_pull(all[m], all[m]->bytes);
	for (unsigned int i = 0; i < ITEMS; i++) {
		check_item(i, wave, split);
		check_part(i, wave);
	}
}

int main(void)
{
	static const unsigned int splits[] = { ITEMS, 0, 1, 40, 64, 200 };

	gpu_begin();
	size = gpu_mem_new(ITEMS * sizeof(unsigned int));
	idx = gpu_mem_new(ITEMS * sizeof(unsigned int));
	turns = gpu_mem_new(ITEMS * sizeof(unsigned int));
	part = gpu_mem_new(ITEMS * sizeof(unsigned int));
	way = gpu_mem_new(ITEMS * sizeof(unsigned int));
	first = gpu_mem_new(ITEMS * sizeof(uint64_t));
	key = gpu_mem_new(ITEMS * sizeof(uint64_t));
	for (size_t i = 0; i < GPU_COUNT(splits); i++)
		test(splits[i]);
	return gpu_end();
}
