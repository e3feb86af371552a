/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoallv of every type in every scope, with blocks of random lengths in
 * memory of all kinds, over the world and other teams.
 * PES: all
 */
#include "call.h"
#include "vary.h"

struct vary_call {
	shmem_team_t team;
	char *dest;
	const char *source;
	const size_t *tables;
	size_t slot;
	int n, *results;
};

#define GPU_VARY_ARGS(T) \
	a.team, (T *)a.dest, t, t + a.n, (const T *)a.source, t + 2 * a.n, \
		t + 3 * a.n

#define VARY_KERNEL(fn, SCOPE, T) \
	SHMEMX_KERNEL(k_##fn, struct vary_call, a) \
	{ \
		const size_t *t = a.tables; \
		int result = 0; \
		for (int i = 0; i < VARY_REPEAT; i++) { \
			if (gpu_my_group(SCOPE) == 0) \
				result |= fn(GPU_VARY_ARGS(T)); \
			a.dest += a.slot; \
			a.source += a.slot; \
			t += VARY_TABLES * a.n; \
		} \
		a.results[gpu_my_item()] = result; \
	} \
	static int l_##fn(int n_wgs, int n_items, \
			  const struct vary_call *call) \
	{ \
		return shmemx_launch(SHMEMX_KERNEL_REF(k_##fn), n_wgs, \
				     n_items, call, sizeof(*call), NULL); \
	}

struct row {
	const char *name;
	enum shmemd_scope scope;
	size_t esize;
	int (*launch)(int n_wgs, int n_items, const struct vary_call *call);
};

#define ROWS <shmem/exchange.def>
#define ROW_ALLTOALLV(stem, WITH, N, T, esize, body) \
	VARY_KERNEL(shmemx_##stem##_wave, SHMEMD_WAVE, T) \
	VARY_KERNEL(shmemx_##stem##_wg, SHMEMD_WG, T) \
	VARY_KERNEL(shmemx_##stem##_grid, SHMEMD_GRID, T)
#include "rows.h"

#undef ROW_ALLTOALLV
#define ROW(fn, SCOPE, esize) { #fn, SCOPE, esize, l_##fn },
#define ROW_ALLTOALLV(stem, WITH, N, T, esize, body) \
	ROW(shmemx_##stem##_wave, SHMEMD_WAVE, esize) \
	ROW(shmemx_##stem##_wg, SHMEMD_WG, esize) \
	ROW(shmemx_##stem##_grid, SHMEMD_GRID, esize)
static const struct row rows[] = {
#include "rows.h"
};

enum { ITEMS = 192, MOST_BYTES = 30000 };

static int *results;

static void launch(const struct row *r, const struct vary *v)
{
	const int items = v->salt % 3 ? 64 : v->salt % 2 ? 31 : 5;
	const int wgs = r->scope == SHMEMD_GRID ? 1 + (int)(v->salt % 3) : 1;
	int got[ITEMS];
	struct vary_call c;

	c.team = v->team->team;
	c.dest = vary_dest[v->dest];
	c.source = vary_source[v->source];
	c.tables = vary_tables;
	c.slot = v->slot;
	c.n = v->team->size;
	c.results = results;
	GPU_CHECK_EQ(r->launch(wgs, items, &c), 0);
	gpu_called(r->name);
	gpu_sync();
	GPU_CHECK_EQ(shmemx_memcpy(got, results,
				   sizeof(*got) * (size_t)(wgs * items)),
		     0);
	for (int i = 0; i < wgs * items; i++)
		if (got[i])
			gpu_fail("%s returned not 0", r->name);
}

/* kinds: of dest and source. */
static void test(const struct row *r, size_t most, size_t kinds, uint64_t salt)
{
	struct vary v;

	v.name = r->name;
	v.team = &vary_teams[salt % 3];
	v.esize = r->esize;
	v.most = most;
	v.salt = salt;
	v.slot = vary_slot(&v);
	v.dest = (enum vary_kind)(kinds % VARY_KINDS);
	v.source = (enum vary_kind)(kinds / VARY_KINDS % VARY_KINDS);
	if (v.team->rank >= 0) {
		vary_setup(&v);
		launch(r, &v);
		vary_check(&v);
	}
	shmem_barrier_all();
}

int main(void)
{
	static const size_t typed[] = { 3, 200, 0, 700 };
	static const size_t sized[] = { 100, 4500, MOST_BYTES - 300 };
	uint64_t salt;

	vary_begin(MOST_BYTES);
	salt = gpu_seed;
	results = (int *)shmemx_device_alloc(ITEMS * sizeof(*results));
	for (size_t i = 0; i < GPU_COUNT(rows); i++)
		if (strstr(rows[i].name + 6, "mem"))
			for (size_t k = 0; k < 27; k++)
				test(&rows[i], sized[k / 9], k, salt++);
		else
			test(&rows[i], typed[i % 4], i, salt++);
	shmemx_device_free(results);
	return vary_end();
}
