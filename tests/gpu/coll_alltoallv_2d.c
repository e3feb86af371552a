/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows to their experts and back, in every scope: random counts, alignment, few
 * and many experts, rows of one byte and long ones.
 * PES: all
 */
#include "call.h"
#include "vary_rows.h"

#define ROWS_KERNEL(suffix, SCOPE) \
	SHMEMX_KERNEL(k_##suffix, struct vary_rows_call, c) \
	{ \
		if (gpu_my_group(SCOPE)) \
			return; \
		shmemx_alltoallv_2d_##suffix( \
			c.team, c.dest, c.source, c.row_bytes, c.n_local, \
			c.align, c.dest_rows, c.table[ROWS_IN], \
			c.table[ROWS_COUNTS], c.table[ROWS_OFFSETS]); \
		shmemx_alltoallv_2d_offset_##suffix( \
			c.team, c.back, c.dest, c.row_bytes, c.n_local, \
			c.back_rows, c.table[ROWS_COUNTS], \
			c.table[ROWS_OFFSETS], c.table[ROWS_BACK_COUNTS], \
			c.table[ROWS_BACK_OFFSETS]); \
	} \
	static int l_##suffix(int n_wgs, int n_items, \
			      const struct vary_rows_call *c) \
	{ \
		gpu_called("shmemx_alltoallv_2d_" #suffix); \
		gpu_called("shmemx_alltoallv_2d_offset_" #suffix); \
		return shmemx_launch(SHMEMX_KERNEL_REF(k_##suffix), n_wgs, \
				     n_items, c, sizeof(*c), NULL); \
	}
ROWS_KERNEL(wave, SHMEMD_WAVE)
ROWS_KERNEL(wg, SHMEMD_WG)
ROWS_KERNEL(grid, SHMEMD_GRID)

enum { MOST_EXPERTS = 600, PAIR_BYTES = 400000 };

static const struct {
	const char *name;
	int (*launch)(int n_wgs, int n_items, const struct vary_rows_call *c);
} scopes[] = {
	{ "alltoallv_2d_wave", l_wave },
	{ "alltoallv_2d_wg", l_wg },
	{ "alltoallv_2d_grid", l_grid },
};

/* Experts, the longest row, rows of a block at most. */
static const struct {
	size_t n_local, row_bytes, most;
} shapes[] = {
	{ 1, 1, 50 },	 { 2, 48, 50 },	   { 15, 1000, 50 },
	{ 3, 14336, 5 }, { 32, 64, 50 },   { MOST_EXPERTS, 16, 2 },
	{ 5, 7, 50 },	 { 1, 300000, 1 },
};

static size_t *tables;

static void test(size_t scope, size_t shape, uint64_t salt)
{
	static const size_t aligns[] = { 0, 1, 4, 16 };
	const int wgs = scope == 2 ? 1 + (int)(salt % 3) : 1;
	const int items = salt % 5 == 0 ? 31 : salt % 2 ? 64 : 128;
	struct vary_rows_call c;
	struct vary_rows r;

	r.name = scopes[scope].name;
	r.team = &vary_teams[salt % 3];
	r.n_local = shapes[shape].n_local;
	r.row_bytes = shapes[shape].row_bytes;
	r.most = shapes[shape].most;
	r.align = r.row_bytes > 20000 ? 1 : aligns[salt / 3 % 4];
	r.source = (enum vary_kind)(salt / 12 % VARY_KINDS);
	r.salt = salt;
	if (r.team->rank >= 0) {
		c = rows_call(&r, tables);
		rows_setup(&r, &c);
		shmem_team_sync(r.team->team);
		GPU_CHECK_EQ(scopes[scope].launch(wgs, items, &c), 0);
		gpu_sync();
		rows_check(&r, &c);
	}
	shmem_barrier_all();
}

int main(void)
{
	uint64_t salt;

	vary_begin(PAIR_BYTES);
	salt = gpu_seed;
	tables = (size_t *)shmemx_device_alloc((size_t)gpu_n * MOST_EXPERTS *
					       ROWS_TABLES * sizeof(*tables));
	for (size_t shape = 0; shape < GPU_COUNT(shapes); shape++)
		for (size_t scope = 0; scope < GPU_COUNT(scopes); scope++)
			test(scope, shape, salt++);
	shmemx_device_free(tables);
	return vary_end();
}
