/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoallv and alltoallv_2d on a stream, also in a graph that is repeated,
 * with memory of all kinds, by one work-group and by several.
 * PES: all
 * ENV: SHMEM_STREAM_WGS=2
 */
#include <shmem/stream.h>
#include "vary_rows.h"

enum { PAIR_BYTES = 60000, MOST_EXPERTS = 20 };

static shmemx_stream_t stream;
static size_t *tables;

static void put_on_stream(const struct vary *v)
{
	const int n = v->team->size;
	const size_t *t = vary_tables;

	for (size_t call = 0; call < VARY_REPEAT; call++, t += VARY_TABLES * n)
		GPU_CHECK_EQ(shmemx_alltoallvmem_on_stream(
				     v->team->team,
				     vary_dest[v->dest] + call * v->slot, t,
				     t + n,
				     vary_source[v->source] + call * v->slot,
				     t + 2 * n, t + 3 * n, stream),
			     0);
}

static void test_blocks(size_t most, uint64_t salt)
{
	struct vary v;

	v.name = "alltoallvmem_on_stream";
	v.team = &vary_teams[salt % 3];
	v.esize = 1;
	v.most = most;
	v.salt = salt;
	v.slot = vary_slot(&v);
	v.dest = (enum vary_kind)(salt / 3 % VARY_KINDS);
	v.source = (enum vary_kind)(salt / 9 % VARY_KINDS);
	if (v.team->rank >= 0) {
		vary_setup(&v);
		put_on_stream(&v);
		GPU_CHECK_EQ(shmemx_stream_synchronize(stream), 0);
		vary_check(&v);
	}
	shmem_barrier_all();
}

static void put_rows(const struct vary_rows_call *c)
{
	GPU_CHECK_EQ(shmemx_alltoallv_2d_on_stream(
			     c->team, c->dest, c->source, c->row_bytes,
			     c->n_local, c->align, c->dest_rows,
			     c->table[ROWS_IN], c->table[ROWS_COUNTS],
			     c->table[ROWS_OFFSETS], stream),
		     0);
	GPU_CHECK_EQ(shmemx_alltoallv_2d_offset_on_stream(
			     c->team, c->back, c->dest, c->row_bytes,
			     c->n_local, c->back_rows, c->table[ROWS_COUNTS],
			     c->table[ROWS_OFFSETS], c->table[ROWS_BACK_COUNTS],
			     c->table[ROWS_BACK_OFFSETS], stream),
		     0);
}

static void test_rows(uint64_t salt)
{
	struct vary_rows_call c;
	struct vary_rows r;

	r.name = "alltoallv_2d_on_stream";
	r.team = &vary_teams[salt % 3];
	r.n_local = 1 + salt % MOST_EXPERTS;
	r.row_bytes = 1 + salt % 60 * 8;
	r.most = 50;
	r.align = salt % 9;
	r.source = (enum vary_kind)(salt / 3 % VARY_KINDS);
	r.salt = salt;
	if (r.team->rank >= 0) {
		c = rows_call(&r, tables);
		rows_setup(&r, &c);
		shmem_team_sync(r.team->team);
		put_rows(&c);
		GPU_CHECK_EQ(shmemx_stream_synchronize(stream), 0);
		rows_check(&r, &c);
	}
	shmem_barrier_all();
}

int main(void)
{
	vary_begin(PAIR_BYTES * 10);
	tables = (size_t *)shmemx_device_alloc((size_t)gpu_n * MOST_EXPERTS *
					       ROWS_TABLES * sizeof(*tables));
	GPU_CHECK_EQ(shmemx_stream_create(&stream), 0);
	for (uint64_t k = 0; k < 9; k++) {
		test_blocks(k % 3 ? 1000 * k : PAIR_BYTES - 300, gpu_seed + k);
		test_rows(gpu_seed + k);
	}
	GPU_CHECK_EQ(shmemx_stream_destroy(stream), 0);
	shmemx_device_free(tables);
	return vary_end();
}
