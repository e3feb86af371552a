/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits and tests of sets, all, any and some, of every type in every scope:
 * elements left out by status, empty sets, own values for each element. Waits
 * are met by a neighbour.
 * PES: all
 */
#include "call.h"
#include "p2p.h"

#define SET(T) (T *)c.dest, c.nelems, c.status, *c.cmps
#define SOME(T) (T *)c.dest, c.nelems, c.indices, c.status, *c.cmps
#define BOUND(T) *(const T *)c.cond
#define BOUNDS(T) (const T *)c.cond

#define SET_KERNEL(fn, SCOPE, CALL) \
	SHMEMX_KERNEL(k_##fn, struct gpu_call, a) \
	{ \
		const struct gpu_call c = gpu_group(a, SCOPE); \
		gpu_poke_marked(&c, SCOPE); \
		CALL; \
	} \
	GPU_LAUNCH(fn)
#define SET_KERNELS(stem, RESULT, ...) \
	SET_KERNEL(shmem_##stem, SHMEMD_THREAD, \
		   RESULT shmem_##stem(__VA_ARGS__)) \
	SET_KERNEL(shmemx_##stem##_wave, SHMEMD_WAVE, \
		   RESULT shmemx_##stem##_wave(__VA_ARGS__)) \
	SET_KERNEL(shmemx_##stem##_wg, SHMEMD_WG, \
		   RESULT shmemx_##stem##_wg(__VA_ARGS__))
#define COUNTED *c.counts = (size_t)

#define ROWS <shmem/sync.def>
#define ROW_WAIT(...)
#define ROW_TEST(...)
#define ROW_WAIT_ALL(stem, WITH, N, T, esize, body) \
	SET_KERNELS(stem, *c.counts = 1;, SET(T), BOUND(T))
#define ROW_WAIT_ALL_VECTOR(stem, WITH, N, T, esize, body) \
	SET_KERNELS(stem, *c.counts = 1;, SET(T), BOUNDS(T))
#define ROW_TEST_ALL(stem, WITH, N, T, esize, body) \
	SET_KERNELS(stem, COUNTED, SET(T), BOUND(T))
#define ROW_TEST_ALL_VECTOR(stem, WITH, N, T, esize, body) \
	SET_KERNELS(stem, COUNTED, SET(T), BOUNDS(T))
#define ROW_ANY ROW_TEST_ALL
#define ROW_ANY_VECTOR ROW_TEST_ALL_VECTOR
#define ROW_SOME(stem, WITH, N, T, esize, body) \
	SET_KERNELS(stem, COUNTED, SOME(T), BOUND(T))
#define ROW_SOME_VECTOR(stem, WITH, N, T, esize, body) \
	SET_KERNELS(stem, COUNTED, SOME(T), BOUNDS(T))
#include "rows.h"

#undef ROW_WAIT_ALL
#undef ROW_WAIT_ALL_VECTOR
#undef ROW_TEST_ALL
#undef ROW_TEST_ALL_VECTOR
#undef ROW_SOME
#undef ROW_SOME_VECTOR
#define ROW_WAIT_ALL(stem, WITH, N, T, esize, body) \
	GPU_ENTRIES_3(stem, WITH, esize, GPU_KIND(T), body)
#define ROW_WAIT_ALL_VECTOR ROW_WAIT_ALL
#define ROW_TEST_ALL ROW_WAIT_ALL
#define ROW_TEST_ALL_VECTOR ROW_WAIT_ALL
#define ROW_SOME ROW_WAIT_ALL
#define ROW_SOME_VECTOR ROW_WAIT_ALL
static const struct gpu_row rows[] = {
#include "rows.h"
};

enum { GROUPS = 256, ITEMS = 256, SET_MAX = 7 };

/* One group's set. */
struct set {
	size_t n;
	int cmp, status[8], holds[8], mark[8];
	uint64_t ivar[8], value[8], bound[8];
};

static struct gpu_mem ivars, values, bounds, marks, cmps, status, indices,
	counts;
static struct set sets[GROUPS];

static int is(const struct gpu_row *r, const char *part)
{
	return !!strstr(r->body, part);
}

/* Which elements a neighbour satisfies: all, or one for any and some. */
static void mark(const struct gpu_row *r, struct set *s, size_t first)
{
	for (size_t k = 0; k < s->n; k++) {
		const size_t i = (first + k) % s->n;

		if (s->status[i])
			continue;
		s->mark[i] = s->holds[i] = 1;
		if (!is(r, "all"))
			return;
	}
}

static void set_make(const struct gpu_row *r, struct set *s, size_t n,
		     int with_status, uint64_t *state)
{
	memset(s, 0, sizeof(*s));
	s->n = n;
	s->cmp = (int)gpu_below(state, 6);
	for (size_t i = 0; i < 8; i++) {
		s->bound[i] = i && !is(r, "vector") ?
				      s->bound[0] :
				      p2p_bound(r, state, s->cmp);
		s->status[i] = with_status && gpu_below(state, 3) == 0;
		s->holds[i] = is(r, "test") && gpu_below(state, 3) != 0;
		s->ivar[i] = p2p_find(r, state, s->cmp, s->bound[i],
				      s->holds[i]);
		s->value[i] = p2p_find(r, state, s->cmp, s->bound[i], 1);
	}
	if (is(r, "wait") && n)
		mark(r, s, gpu_below(state, n));
}

static void set_store(const struct gpu_row *r, const struct set *s, size_t g)
{
	const size_t at = g * SET_SLOT;

	((int *)cmps.host)[g] = s->cmp;
	for (size_t i = 0; i < 8; i++) {
		p2p_set(r, ivars.host + at + i * r->esize, s->ivar[i]);
		p2p_set(r, values.host + at + i * r->esize, s->value[i]);
		p2p_set(r, bounds.host + at + i * r->esize, s->bound[i]);
		((int *)status.host)[g * 8 + i] = s->status[i];
		marks.host[at + i] = (unsigned char)s->mark[i];
	}
}

static void prepare(const struct gpu_row *r, const struct gpu_call *c,
		    size_t groups, uint64_t salt)
{
	uint64_t state = salt;

	for (size_t g = 0; g < groups; g++) {
		set_make(r, &sets[g], (c->nelems + g) % c->vary, !!c->status,
			 &state);
		set_store(r, &sets[g], g);
	}
	gpu_mem_push(&cmps, groups * sizeof(int));
	gpu_mem_push(&ivars, groups * SET_SLOT);
	gpu_mem_push(&values, groups * SET_SLOT);
	gpu_mem_push(&bounds, groups * SET_SLOT);
	gpu_mem_push(&marks, groups * SET_SLOT);
	gpu_mem_push(&status, groups * 8 * sizeof(int));
	gpu_mem_fill(&counts, 0xfe, ITEMS * sizeof(size_t));
	gpu_mem_fill(&indices, 0xfe, groups * 8 * sizeof(size_t));
	shmem_barrier_all();
}

/* Whether the elements named are all those that hold, once each. */
static int some_right(const struct set *s, const size_t *got, size_t n)
{
	int seen[8] = { 0 };

	for (size_t k = 0; k < n; k++) {
		if (got[k] >= s->n || seen[got[k]]++)
			return 0;
		if (s->status[got[k]] || !s->holds[got[k]])
			return 0;
	}
	return 1;
}

static int right(const struct gpu_row *r, const struct set *s, size_t got,
		 const size_t *named)
{
	size_t holding = 0, taken = 0;

	for (size_t i = 0; i < s->n; i++) {
		taken += !s->status[i];
		holding += !s->status[i] && s->holds[i];
	}
	if (is(r, "some"))
		return got == holding && some_right(s, named, got);
	if (is(r, "any"))
		return holding ? some_right(s, &got, 1) : got == SIZE_MAX;
	return !!got == (holding == taken);
}

static void check(const struct gpu_row *r, struct gpu_geometry geometry)
{
	const size_t items = (size_t)(geometry.n_wgs * geometry.n_items);
	const size_t groups = gpu_groups(r->scope, geometry);

	gpu_mem_pull(&counts, items * sizeof(size_t));
	gpu_mem_pull(&indices, groups * 8 * sizeof(size_t));
	for (size_t i = 0; i < items; i++) {
		const size_t g = gpu_group_of(r->scope, geometry, i);
		const size_t got = ((size_t *)counts.host)[i];

		if (!right(r, &sets[g], got, (size_t *)indices.host + g * 8))
			gpu_fail("%s: item %zu of group %zu got %zu", r->name,
				 i, g, got);
	}
}

static void test(const struct gpu_row *r, struct gpu_geometry geometry,
		 uint64_t salt, int with_status)
{
	struct gpu_call c = gpu_call_new(r, (gpu_me + 1) % gpu_n);

	c.dest = ivars.dev;
	c.value = values.dev;
	c.cond = bounds.dev;
	c.result = marks.dev;
	c.cmps = (const int *)cmps.dev;
	c.status = with_status ? (const int *)status.dev : NULL;
	c.counts = (size_t *)counts.dev;
	c.indices = (size_t *)indices.dev;
	c.slot = c.small_slot = SET_SLOT;
	c.nelems = salt % SET_MAX;
	c.vary = SET_MAX;
	prepare(r, &c, gpu_groups(r->scope, geometry), salt);
	gpu_row_launch(r, geometry, &c);
	gpu_sync();
	check(r, geometry);
	shmem_barrier_all();
}

int main(void)
{
	gpu_begin();
	ivars = gpu_mem_new(GROUPS * SET_SLOT);
	values = gpu_mem_new(GROUPS * SET_SLOT);
	bounds = gpu_mem_new(GROUPS * SET_SLOT);
	marks = gpu_mem_new(GROUPS * SET_SLOT);
	cmps = gpu_mem_new(GROUPS * sizeof(int));
	status = gpu_mem_new(GROUPS * 8 * sizeof(int));
	indices = gpu_mem_new(GROUPS * 8 * sizeof(size_t));
	counts = gpu_mem_new(ITEMS * sizeof(size_t));
	for (size_t i = 0; i < GPU_COUNT(rows); i++)
		for (size_t k = 0; k < 3; k++)
			test(&rows[i], gpu_geometry(i / 3 + k),
			     gpu_seed + i * 3 + k, k != 1);
	return gpu_end();
}
