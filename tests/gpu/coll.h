/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For the tests of collectives: kernels in which one group of each PE calls
 * some times in a row, teams to call on, and the loop over rows. A program
 * defines coll_source, coll_want and coll_bytes.
 */
#ifndef GPU_COLL_H
#define GPU_COLL_H

enum { COLL_REPEAT = 3, COLL_TEAMS = 3, COLL_ITEMS = 192 };

#define GPU_COLL_ARGS(T) c.team, (T *)c.dest, (const T *)c.source
#define GPU_CALL_COLL(f, T) f(GPU_COLL_ARGS(T), c.nelems)
#define GPU_CALL_BROADCAST(f, T) f(GPU_COLL_ARGS(T), c.nelems, c.root)
#define GPU_CALL_ALLTOALLS(f, T) f(GPU_COLL_ARGS(T), c.dst, c.sst, c.nelems)

#define COLL_KERNEL(fn, SCOPE, SHAPE, T) \
	SHMEMX_KERNEL(k_##fn, struct gpu_call, a) \
	{ \
		struct gpu_call c = gpu_group(a, SCOPE); \
		if (gpu_my_group(SCOPE) == 0) \
			for (int i = 0; i < c.repeat; i++) { \
				*c.counts += (size_t)GPU_CALL_##SHAPE(fn, T); \
				c.dest += c.bsize; \
				c.source += c.bsize; \
			} \
	} \
	GPU_LAUNCH(fn)
#define COLL_KERNELS(stem, SHAPE, T) \
	COLL_KERNEL(shmem_##stem, SHMEMD_THREAD, SHAPE, T) \
	COLL_KERNEL(shmemx_##stem##_wave, SHMEMD_WAVE, SHAPE, T) \
	COLL_KERNEL(shmemx_##stem##_wg, SHMEMD_WG, SHAPE, T) \
	COLL_KERNEL(shmemx_##stem##_grid, SHMEMD_GRID, SHAPE, T)
#define COLL_ENTRIES(stem, esize, kind, body) \
	GPU_ENTRIES_3(stem, PLAIN, esize, kind, body) \
	GPU_ENTRY(shmemx_##stem##_grid, SHMEMD_GRID, PLAIN, esize, kind, body)

/* A team as all PEs see it: member i is world PE start + i * stride. */
struct coll_team {
	shmem_team_t team;
	int start, stride, size, rank; /* rank: -1 if not a member */
};

/* One test: a row with its arguments, the same on all PEs of the team. */
struct coll {
	const struct gpu_row *row;
	const struct coll_team *team;
	size_t nelems, slot; /* bytes from one call's arrays to the next's */
	ptrdiff_t dst, sst;
	int root;
	uint64_t salt;
};

/* Elements that a member brings; `collect` alone differs between members. */
static inline size_t coll_count(const struct coll *t, int member)
{
	if (strcmp(t->row->body, "collect"))
		return t->nelems;
	return t->nelems * (size_t)(member % 3) / 2;
}

static inline int coll_pe(const struct coll *t, int member)
{
	return t->team->start + member * t->team->stride;
}

/* Fills in what a member brings to call number `call`. */
static void coll_source(const struct coll *t, int call, int member,
			unsigned char *source);
/* What dest must hold after it; it is filled with 0xee. */
static void coll_want(const struct coll *t, int call, unsigned char *want);
/* Bytes of source and of dest, the larger. */
static size_t coll_bytes(const struct coll *t);

static struct coll_team coll_teams[COLL_TEAMS];
static struct gpu_mem coll_dest, coll_src, coll_counts;

static inline void coll_team_make(struct coll_team *t, int start, int stride,
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

/* Idle work-items besides, except in the grid's form, which all make. */
static inline struct gpu_geometry coll_geometry(const struct gpu_row *r,
						uint64_t salt)
{
	struct gpu_geometry g;

	g.n_wgs = r->scope == SHMEMD_GRID ? 1 + (int)(salt % 3) : 1;
	g.n_items = salt % 2 ? 64 : 31;
	if (r->scope == SHMEMD_WG && salt % 3 == 0)
		g.n_items = 160;
	return g;
}

static inline struct gpu_call coll_call(const struct coll *t)
{
	struct gpu_call c = gpu_call_new(t->row, 0);

	c.team = t->team->team;
	c.dest = coll_dest.dev;
	c.source = coll_src.dev;
	c.nelems = coll_count(t, t->team->rank);
	c.dst = t->dst;
	c.sst = t->sst;
	c.root = t->root;
	c.repeat = COLL_REPEAT;
	c.bsize = t->slot;
	c.counts = (size_t *)coll_counts.dev;
	return c;
}

static inline void coll_check(const struct coll *t, size_t items)
{
	unsigned char *want = (unsigned char *)malloc(t->slot);

	gpu_mem_pull(&coll_dest, t->slot * COLL_REPEAT);
	for (int call = 0; call < COLL_REPEAT; call++) {
		memset(want, 0xee, t->slot);
		coll_want(t, call, want);
		gpu_same(t->row->name,
			 coll_dest.host + (size_t)call * t->slot, want,
			 t->slot);
	}
	free(want);
	gpu_mem_pull(&coll_counts, items * sizeof(size_t));
	for (size_t i = 0; i < items; i++)
		if (((size_t *)coll_counts.host)[i])
			gpu_fail("%s returned not 0", t->row->name);
}

static inline void coll_run(const struct coll *t)
{
	const struct gpu_geometry g = coll_geometry(t->row, t->salt);
	const size_t items = (size_t)(g.n_wgs * g.n_items);
	const size_t bytes = t->slot * COLL_REPEAT;

	if (t->team->rank >= 0) {
		const struct gpu_call c = coll_call(t);

		for (int call = 0; call < COLL_REPEAT; call++)
			coll_source(t, call, t->team->rank,
				    coll_src.host + (size_t)call * t->slot);
		gpu_mem_push(&coll_src, bytes);
		gpu_mem_fill(&coll_dest, 0xee, bytes);
		gpu_mem_fill(&coll_counts, 0, items * sizeof(size_t));
		shmem_team_sync(t->team->team);
		gpu_row_launch(t->row, g, &c);
		gpu_sync();
		coll_check(t, items);
	}
	shmem_barrier_all();
}

static inline void coll_row(const struct gpu_row *r, uint64_t salt,
			    size_t max_elems)
{
	static const size_t lengths[] = { 0, 1, 5, 33, 300 };

	for (size_t k = 0; k < GPU_COUNT(lengths) + (max_elems > 300); k++) {
		struct coll t;

		t.row = r;
		t.salt = salt + k;
		t.team = &coll_teams[t.salt % COLL_TEAMS];
		t.nelems = k < GPU_COUNT(lengths) ? lengths[k] : max_elems;
		t.dst = 1 + (ptrdiff_t)(t.salt % 3);
		t.sst = 1 + (ptrdiff_t)(t.salt / 3 % 3);
		t.root = (int)(t.salt % (uint64_t)t.team->size);
		t.slot = (coll_bytes(&t) + 127) / 64 * 64;
		coll_run(&t);
	}
}

/* Of the forms in bytes a large one as well. Before 6 stands shmem_. */
static inline int coll_main(const struct gpu_row *rows, size_t n)
{
	size_t max_slot;

	gpu_begin();
	max_slot = (size_t)gpu_n * 60000 + 128;
	coll_team_make(&coll_teams[0], 0, 1, gpu_n);
	coll_team_make(&coll_teams[1], 0, 2, (gpu_n + 1) / 2);
	coll_team_make(&coll_teams[2], gpu_n - 1, -1, gpu_n);
	coll_dest = gpu_mem_new(max_slot * COLL_REPEAT);
	coll_src = gpu_mem_new(max_slot * COLL_REPEAT);
	coll_counts = gpu_mem_new(COLL_ITEMS * sizeof(size_t));
	for (size_t i = 0; i < n; i++)
		coll_row(&rows[i], gpu_seed + i * 7,
			 strstr(rows[i].name + 6, "mem") ? 20000 : 300);
	gpu_mem_free(&coll_dest);
	gpu_mem_free(&coll_src);
	gpu_mem_free(&coll_counts);
	return gpu_end();
}

#endif
