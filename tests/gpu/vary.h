/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For the tests of alltoallv: random lengths and places of blocks that every PE
 * can work out, memory of each kind for dest and source, and what must come.
 */
#ifndef GPU_VARY_H
#define GPU_VARY_H

#include "common.h"
#include <shmem/device.h>

enum { VARY_REPEAT = 3, VARY_KINDS = 3, VARY_TABLES = 4 };

/* Member i is world PE start + i * stride. */
struct vary_team {
	shmem_team_t team;
	int start, stride, size, rank;
};

/* Memory: the heap, the symmetric heap of the host, or none that is shared. */
enum vary_kind { VARY_HEAP, VARY_HOST, VARY_LOCAL };

struct vary {
	const char *name;
	const struct vary_team *team;
	size_t esize, most; /* elements of a block, at most */
	size_t slot;	    /* bytes of the arrays of one call */
	enum vary_kind dest, source;
	uint64_t salt;
};

static struct vary_team vary_teams[3];
static char *vary_dest[VARY_KINDS], *vary_source[VARY_KINDS];
static unsigned char *vary_shadow; /* of one array of all calls */
static size_t *vary_tables;	   /* memory of kernels */
static size_t vary_room;	   /* bytes of an array of all calls */

static inline void vary_team_make(struct vary_team *t, int start, int stride,
				  int size)
{
	t->team = SHMEM_TEAM_WORLD;
	t->start = start;
	t->stride = stride;
	t->size = size;
	t->rank = -1;
	for (int i = 0; i < size; i++)
		if (start + i * stride == gpu_me)
			t->rank = i;
	if (start || stride != 1)
		shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size,
					 NULL, 0, &t->team);
}

/* pair_bytes: of a block and the gap behind it, at most. */
static inline void vary_begin(size_t pair_bytes)
{
	size_t room;

	gpu_begin();
	room = ((size_t)gpu_n * pair_bytes + 128) * VARY_REPEAT;
	vary_team_make(&vary_teams[0], 0, 1, gpu_n);
	vary_team_make(&vary_teams[1], 0, 2, (gpu_n + 1) / 2);
	vary_team_make(&vary_teams[2], gpu_n - 1, -1, gpu_n);
	vary_room = room;
	vary_shadow = (unsigned char *)malloc(room);
	vary_tables = (size_t *)shmemx_device_alloc(
		VARY_REPEAT * VARY_TABLES * (size_t)gpu_n * sizeof(size_t));
	vary_dest[VARY_HEAP] = (char *)shmem_malloc(room);
	vary_source[VARY_HEAP] = (char *)shmem_malloc(room);
	vary_dest[VARY_HOST] = (char *)shmemx_malloc_host(room);
	vary_source[VARY_HOST] = (char *)shmemx_malloc_host(room);
	vary_dest[VARY_LOCAL] = (char *)shmemx_device_alloc(room);
	vary_source[VARY_LOCAL] = (char *)shmemx_device_alloc(room);
}

static inline int vary_end(void)
{
	for (int k = 0; k < VARY_LOCAL; k++) {
		shmem_free(vary_dest[k]);
		shmem_free(vary_source[k]);
	}
	shmemx_device_free(vary_dest[VARY_LOCAL]);
	shmemx_device_free(vary_source[VARY_LOCAL]);
	shmemx_device_free(vary_tables);
	free(vary_shadow);
	return gpu_end();
}

/* Elements from member i to member j: none, few or up to the most. */
static inline size_t vary_count(const struct vary *v, int call, int i, int j)
{
	uint64_t x = gpu_value(v->salt + (uint64_t)call * 977, i, (size_t)j);

	switch (x % 4) {
	case 0:
		return 0;
	case 1:
		return x / 4 % (v->most + 1);
	default:
		return x / 4 % 40 % (v->most + 1);
	}
}

/* Where member i has its block for member j, or from it, in elements. */
static inline size_t vary_place(const struct vary *v, int call, int i, int j,
				int in)
{
	const int n = v->team->size;
	size_t at = 0;
	int k;

	/* In an order that begins anywhere, with gaps. */
	for (k = (i + call) % n; k != j; k = (k + 1) % n)
		at += (in ? vary_count(v, call, k, i) :
			    vary_count(v, call, i, k)) +
		      (size_t)(k + call) % 3;
	return at + (size_t)i % 2;
}

/* Bytes of an array of one call, at most. */
static inline size_t vary_slot(const struct vary *v)
{
	const size_t elems = (v->most > 40 ? v->most : 40) + 3;

	return ((size_t)v->team->size * elems * v->esize + 127) / 64 * 64;
}

/* dest_nelems, dest_offsets, source_nelems, source_offsets of each call. */
static inline void vary_fill_tables(const struct vary *v, size_t *t)
{
	const int n = v->team->size, me = v->team->rank;

	for (int call = 0; call < VARY_REPEAT; call++, t += VARY_TABLES * n)
		for (int j = 0; j < n; j++) {
			t[j] = vary_count(v, call, j, me);
			t[n + j] = vary_place(v, call, me, j, 1);
			t[2 * n + j] = vary_count(v, call, me, j);
			t[3 * n + j] = vary_place(v, call, me, j, 0);
		}
}

static inline void vary_setup(const struct vary *v)
{
	const size_t bytes = v->slot * VARY_REPEAT;
	const size_t words = VARY_REPEAT * VARY_TABLES * (size_t)v->team->size;
	size_t *tables = (size_t *)malloc(words * sizeof(*tables));

	for (int call = 0; call < VARY_REPEAT; call++)
		gpu_bytes(vary_shadow + (size_t)call * v->slot, v->slot,
			  v->salt + (uint64_t)call, gpu_me, 0);
	GPU_CHECK_EQ(shmemx_memcpy(vary_source[v->source], vary_shadow, bytes),
		     0);
	GPU_CHECK_EQ(shmemx_memset(vary_dest[v->dest], 0xee, bytes), 0);
	vary_fill_tables(v, tables);
	GPU_CHECK_EQ(
		shmemx_memcpy(vary_tables, tables, words * sizeof(*tables)), 0);
	free(tables);
}

static inline void vary_want(const struct vary *v, int call,
			     unsigned char *want)
{
	const int me = v->team->rank;

	memset(want, 0xee, v->slot);
	for (int i = 0; i < v->team->size; i++)
		gpu_bytes(want + vary_place(v, call, me, i, 1) * v->esize,
			  vary_count(v, call, i, me) * v->esize,
			  v->salt + (uint64_t)call,
			  v->team->start + i * v->team->stride,
			  vary_place(v, call, i, me, 0) * v->esize);
}

static inline void vary_check(const struct vary *v)
{
	unsigned char *want = (unsigned char *)malloc(v->slot);

	GPU_CHECK_EQ(shmemx_memcpy(vary_shadow, vary_dest[v->dest],
				   v->slot * VARY_REPEAT),
		     0);
	for (int call = 0; call < VARY_REPEAT; call++) {
		vary_want(v, call, want);
		gpu_same(v->name, vary_shadow + (size_t)call * v->slot, want,
			 v->slot);
	}
	free(want);
}

#endif
