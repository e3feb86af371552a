/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For the tests of alltoallv_2d and its way back: random rows of experts that
 * every PE can work out, and what must come of them.
 */
#ifndef GPU_VARY_ROWS_H
#define GPU_VARY_ROWS_H

#include "vary.h"

struct vary_rows {
	const char *name;
	const struct vary_team *team;
	size_t row_bytes, n_local, align, most; /* rows of a block, at most */
	enum vary_kind source;
	uint64_t salt;
};

/* In memory of kernels: of n * n_local words each. */
enum {
	ROWS_IN,
	ROWS_COUNTS,
	ROWS_OFFSETS,
	ROWS_BACK_COUNTS,
	ROWS_BACK_OFFSETS,
	ROWS_TABLES
};

/* What kernels and streams are given. */
struct vary_rows_call {
	shmem_team_t team;
	char *dest, *back; /* symmetric */
	const char *source;
	size_t row_bytes, n_local, align, dest_rows, back_rows;
	size_t *table[ROWS_TABLES];
};

/* Rows from member i for expert e of member j. */
static inline size_t rows_count(const struct vary_rows *r, int i, int j,
				size_t e)
{
	const uint64_t x = gpu_value(r->salt, i * 64 + j, e);

	if (x % 3 == 0)
		return 0;
	return x / 3 % (x % 7 ? 5 : 50) % (r->most + 1);
}

static inline size_t rows_aligned(const struct vary_rows *r, size_t rows)
{
	if (r->align <= 1)
		return rows;
	if (!rows)
		rows = 1;
	return (rows + r->align - 1) / r->align * r->align;
}

/* Where member j has rows of its expert e from member i. */
static inline size_t rows_place(const struct vary_rows *r, int j, size_t e,
				int i)
{
	size_t at = 0;

	for (size_t k = 0; k <= e; k++) {
		size_t rows = 0;

		for (int m = 0; m < (k < e ? r->team->size : i); m++)
			rows += rows_count(r, m, j, k);
		at += k < e ? rows_aligned(r, rows) : rows;
	}
	return at;
}

/* Rows of member i's source before those for expert e of member j. */
static inline size_t rows_before(const struct vary_rows *r, int i, int j,
				 size_t e)
{
	size_t at = 0;

	for (int m = 0; m <= j; m++)
		for (size_t k = 0; k < (m < j ? r->n_local : e); k++)
			at += rows_count(r, i, m, k);
	return at;
}

static inline size_t rows_sent(const struct vary_rows *r, int i)
{
	return rows_before(r, i, r->team->size - 1, r->n_local);
}

static inline size_t rows_needed(const struct vary_rows *r, int j)
{
	return rows_place(r, j, r->n_local, 0);
}

static inline size_t rows_blocks(const struct vary_rows *r)
{
	return (size_t)r->team->size * r->n_local;
}

static inline struct vary_rows_call rows_call(const struct vary_rows *r,
					      size_t *tables)
{
	struct vary_rows_call c;

	c.team = r->team->team;
	c.dest = vary_dest[VARY_HEAP];
	c.back = vary_dest[VARY_HOST];
	c.source = vary_source[r->source];
	c.row_bytes = r->row_bytes;
	c.n_local = r->n_local;
	c.align = r->align;
	c.dest_rows = rows_needed(r, r->team->rank);
	c.back_rows = rows_sent(r, r->team->rank);
	for (int k = 0; k < ROWS_TABLES; k++)
		c.table[k] = tables + (size_t)k * rows_blocks(r);
	return c;
}

static inline void rows_setup(const struct vary_rows *r,
			      const struct vary_rows_call *c)
{
	const size_t n = rows_blocks(r), bytes = c->back_rows * r->row_bytes;
	size_t *in = (size_t *)malloc(n * sizeof(*in));
	int j;

	for (j = 0; j < r->team->size; j++)
		for (size_t e = 0; e < r->n_local; e++)
			in[(size_t)j * r->n_local + e] =
				rows_count(r, r->team->rank, j, e);
	GPU_CHECK_EQ(shmemx_memcpy(c->table[ROWS_IN], in, n * sizeof(*in)), 0);
	free(in);
	gpu_bytes(vary_shadow, bytes, r->salt, gpu_me, 0);
	GPU_CHECK_EQ(shmemx_memcpy(vary_source[r->source], vary_shadow, bytes),
		     0);
	GPU_CHECK_EQ(
		shmemx_memset(c->dest, 0xee, c->dest_rows * r->row_bytes + 64),
		0);
	GPU_CHECK_EQ(shmemx_memset(c->back, 0xee, bytes + 64), 0);
}

static inline void rows_check_tables(const struct vary_rows *r,
				     const struct vary_rows_call *c)
{
	const size_t n = rows_blocks(r), pes = (size_t)r->team->size;
	size_t *t = (size_t *)malloc(n * ROWS_TABLES * sizeof(*t));
	const int me = r->team->rank;

	GPU_CHECK_EQ(
		shmemx_memcpy(t, c->table[0], n * ROWS_TABLES * sizeof(*t)), 0);
	for (int i = 0; i < r->team->size; i++)
		for (size_t e = 0; e < r->n_local; e++) {
			const size_t at = e * pes + (size_t)i;
			const size_t back = (size_t)i * r->n_local + e;

			GPU_CHECK_EQ(t[ROWS_COUNTS * n + at],
				     rows_count(r, i, me, e));
			GPU_CHECK_EQ(t[ROWS_OFFSETS * n + at],
				     rows_place(r, me, e, i));
			GPU_CHECK_EQ(t[ROWS_BACK_COUNTS * n + back],
				     rows_count(r, me, i, e));
			GPU_CHECK_EQ(t[ROWS_BACK_OFFSETS * n + back],
				     rows_before(r, me, i, e));
		}
	free(t);
}

static inline void rows_want(const struct vary_rows *r, unsigned char *want,
			     size_t bytes)
{
	const int me = r->team->rank;

	memset(want, 0xee, bytes);
	for (int i = 0; i < r->team->size; i++)
		for (size_t e = 0; e < r->n_local; e++)
			gpu_bytes(want + rows_place(r, me, e, i) * r->row_bytes,
				  rows_count(r, i, me, e) * r->row_bytes,
				  r->salt, r->team->start + i * r->team->stride,
				  rows_before(r, i, me, e) * r->row_bytes);
}

/* dest, and what came back, which is what went out. */
static inline void rows_check(const struct vary_rows *r,
			      const struct vary_rows_call *c)
{
	const size_t bytes = c->dest_rows * r->row_bytes + 64;
	const size_t back = c->back_rows * r->row_bytes;
	unsigned char *want = (unsigned char *)malloc(bytes + back + 64);

	rows_want(r, want, bytes);
	GPU_CHECK_EQ(shmemx_memcpy(vary_shadow, c->dest, bytes), 0);
	gpu_same(r->name, vary_shadow, want, bytes);
	memset(want, 0xee, back + 64);
	gpu_bytes(want, back, r->salt, gpu_me, 0);
	GPU_CHECK_EQ(shmemx_memcpy(vary_shadow, c->back, back + 64), 0);
	gpu_same("and back", vary_shadow, want, back + 64);
	free(want);
	rows_check_tables(r, c);
}

#endif
