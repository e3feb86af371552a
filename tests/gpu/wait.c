/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait_until and test of every type in every scope: all comparisons at numbers
 * where signs and widths matter; a neighbour makes them true meanwhile.
 * PES: all
 */
#include "call.h"
#include "p2p.h"

#define WAIT_KERNEL(fn, SCOPE, T, CALL) \
	SHMEMX_KERNEL(k_##fn, struct gpu_call, a) \
	{ \
		const struct gpu_call c = gpu_group(a, SCOPE); \
		CALL(fn, SCOPE, T); \
	} \
	GPU_LAUNCH(fn)
#define WAIT_CALL(f, SCOPE, T) \
	gpu_poke_marked(&c, SCOPE); \
	f((T *)c.dest, *c.cmps, *(const T *)c.cond); \
	*c.counts = 1
/* First on what does not move, then until the neighbour has been there. */
#define TEST_CALL(f, SCOPE, T) \
	*c.counts = (size_t)f((T *)c.source, *c.cmps, *(const T *)c.cond); \
	gpu_poke_marked(&c, SCOPE); \
	while (!f((T *)c.dest, *c.cmps, *(const T *)c.cond)) \
		continue
#define WAIT_KERNELS(stem, T, CALL) \
	WAIT_KERNEL(shmem_##stem, SHMEMD_THREAD, T, CALL) \
	WAIT_KERNEL(shmemx_##stem##_wave, SHMEMD_WAVE, T, CALL) \
	WAIT_KERNEL(shmemx_##stem##_wg, SHMEMD_WG, T, CALL)

#define ROWS <shmem/sync.def>
#define ROW_WAIT_ALL(...)
#define ROW_WAIT_ALL_VECTOR(...)
#define ROW_TEST_ALL(...)
#define ROW_TEST_ALL_VECTOR(...)
#define ROW_ANY(...)
#define ROW_ANY_VECTOR(...)
#define ROW_SOME(...)
#define ROW_SOME_VECTOR(...)
#define ROW_WAIT(stem, WITH, N, T, esize, body) WAIT_KERNELS(stem, T, WAIT_CALL)
#define ROW_TEST(stem, WITH, N, T, esize, body) WAIT_KERNELS(stem, T, TEST_CALL)
#include "rows.h"

#undef ROW_WAIT
#undef ROW_TEST
#define ROW_WAIT(stem, WITH, N, T, esize, body) \
	GPU_ENTRIES_3(stem, WITH, esize, GPU_KIND(T), body)
#define ROW_TEST ROW_WAIT
static const struct gpu_row rows[] = {
#include "rows.h"
};

enum { GROUPS = 256, ITEMS = 256 };

static struct gpu_mem ivars, fixed, values, bounds, marks, cmps, counts;

/* The same on all PEs, so that a neighbour knows what to write. */
static void prepare(const struct gpu_row *r, size_t groups, uint64_t salt)
{
	uint64_t state = salt;

	for (size_t g = 0; g < groups; g++) {
		const int cmp = (int)((g + salt) % 6);
		const uint64_t bound = p2p_bound(r, &state, cmp);

		((int *)cmps.host)[g] = cmp;
		p2p_set(r, bounds.host + g * 8, bound);
		p2p_set(r, ivars.host + g * 8,
			p2p_find(r, &state, cmp, bound, 0));
		p2p_set(r, values.host + g * 8,
			p2p_find(r, &state, cmp, bound, 1));
		p2p_set(r, fixed.host + g * 8, p2p_number(r, &state));
		memset(marks.host + g * 8, 0, 8);
		marks.host[g * 8] = 1;
	}
	gpu_mem_push(&cmps, groups * sizeof(int));
	gpu_mem_push(&bounds, groups * 8);
	gpu_mem_push(&ivars, groups * 8);
	gpu_mem_push(&values, groups * 8);
	gpu_mem_push(&fixed, groups * 8);
	gpu_mem_push(&marks, groups * 8);
	gpu_mem_fill(&counts, 0xff, ITEMS * sizeof(size_t));
	shmem_barrier_all();
}

static uint64_t number(const struct gpu_row *r, const unsigned char *p)
{
	uint32_t narrow;
	uint64_t wide;

	memcpy(&wide, p, sizeof(wide));
	memcpy(&narrow, p, sizeof(narrow));
	return r->esize == 8 ? wide : narrow;
}

static void check(const struct gpu_row *r, struct gpu_geometry geometry)
{
	const size_t items = (size_t)(geometry.n_wgs * geometry.n_items);
	const int waits = r->body[0] == 'w';

	gpu_mem_pull(&counts, items * sizeof(size_t));
	for (size_t i = 0; i < items; i++) {
		const size_t g = gpu_group_of(r->scope, geometry, i);
		const size_t got = ((size_t *)counts.host)[i];
		const int holds = p2p_holds(r, number(r, fixed.host + g * 8),
					    ((int *)cmps.host)[g],
					    number(r, bounds.host + g * 8));

		if (waits ? got != 1 : !!got != holds)
			gpu_fail("%s: item %zu got %zu", r->name, i, got);
	}
}

static void test(const struct gpu_row *r, struct gpu_geometry geometry,
		 uint64_t salt)
{
	struct gpu_call c = gpu_call_new(r, (gpu_me + 1) % gpu_n);

	c.dest = ivars.dev;
	c.source = fixed.dev;
	c.value = values.dev;
	c.cond = bounds.dev;
	c.result = marks.dev;
	c.cmps = (const int *)cmps.dev;
	c.counts = (size_t *)counts.dev;
	c.slot = c.small_slot = 8;
	prepare(r, gpu_groups(r->scope, geometry), salt);
	gpu_row_launch(r, geometry, &c);
	gpu_sync();
	check(r, geometry);
	shmem_barrier_all();
}

int main(void)
{
	gpu_begin();
	ivars = gpu_mem_new(GROUPS * 8);
	fixed = gpu_mem_new(GROUPS * 8);
	values = gpu_mem_new(GROUPS * 8);
	bounds = gpu_mem_new(GROUPS * 8);
	marks = gpu_mem_new(GROUPS * 8);
	cmps = gpu_mem_new(GROUPS * sizeof(int));
	counts = gpu_mem_new(ITEMS * sizeof(size_t));
	for (size_t i = 0; i < GPU_COUNT(rows); i++)
		for (size_t k = 0; k < 6; k++)
			test(&rows[i], gpu_geometry(i / 3 + k),
			     gpu_seed + i * 6 + k);
	return gpu_end();
}
