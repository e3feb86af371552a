/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows for random numbers of experts, with empty experts and PEs, go out by
 * expert, each at a multiple of what is asked, and come back as they were; on
 * WORLD and on a team in reverse order.
 * PES: all
 */
#include "check.h"
#include <shmemx.h>

#define ROUNDS 60
#define MAX_PES 8
#define MAX_LOCAL 40
#define MAX_ROWS ((size_t)4096)
#define MAX_BYTES 200
#define ROOM (MAX_ROWS + MAX_LOCAL * 64) /* rows of dest */
#define GAP 0xa5

static size_t counts[MAX_PES][MAX_PES][MAX_LOCAL]; /* from, to, expert */
static size_t out_counts[MAX_LOCAL * MAX_PES], out_offsets[MAX_LOCAL * MAX_PES];
static size_t back_counts[MAX_PES * MAX_LOCAL];
static size_t back_offsets[MAX_PES * MAX_LOCAL];
static size_t n, me, n_local, align, row_bytes;
static unsigned char *source, *dest, *back, *image;
static size_t *in_counts;

/* None, those of one expert, few, or many. */
static size_t count(uint64_t *state, size_t style, size_t e)
{
	const size_t most = MAX_ROWS / n / n_local / 2;

	if (style == 0 || (style == 1 && e) ||
	    (style == 2 && check_below(state, 4)))
		return 0;
	return check_below(state, most + 1);
}

static void counts_make(uint64_t *state)
{
	const size_t style = check_below(state, 4);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			for (size_t e = 0; e < n_local; e++)
				counts[i][j][e] = count(state, style, e);
}

/* Byte b of row k that one sends to an expert. */
static unsigned char brings(size_t from, size_t to, size_t e, size_t k,
			    size_t b)
{
	return (unsigned char)(from * 83 + to * 29 + e * 13 + k * 3 + b);
}

static size_t source_fill(void)
{
	size_t row = 0;

	for (size_t j = 0; j < n; j++)
		for (size_t e = 0; e < n_local; e++)
			for (size_t k = 0; k < counts[me][j][e]; k++, row++)
				for (size_t b = 0; b < row_bytes; b++)
					source[row * row_bytes + b] =
						brings(me, j, e, k, b);
	return row;
}

/* What dest, out_counts and out_offsets hold then; returns the rows. */
static size_t dest_verify(const unsigned char *got, size_t rows)
{
	unsigned char *want = malloc(rows * row_bytes + 1);
	size_t at = 0;

	memset(want, GAP, rows * row_bytes);
	for (size_t e = 0; e < n_local; e++) {
		size_t begin = at;

		for (size_t i = 0; i < n; i++) {
			CHECK_EQ(out_counts[e * n + i], counts[i][me][e]);
			CHECK_EQ(out_offsets[e * n + i], at);
			for (size_t k = 0; k < counts[i][me][e]; k++, at++)
				for (size_t b = 0; b < row_bytes; b++)
					want[at * row_bytes + b] =
						brings(i, me, e, k, b);
		}
		if (align > 1 && at == begin)
			at += align;
		while (align > 1 && at % align)
			at++;
	}
	CHECK(!memcmp(got, want, rows * row_bytes));
	free(want);
	return at;
}

static void back_verify(size_t rows)
{
	size_t at = 0;

	for (size_t j = 0; j < n; j++)
		for (size_t e = 0; e < n_local; e++) {
			CHECK_EQ(back_counts[j * n_local + e],
				 counts[me][j][e]);
			CHECK_EQ(back_offsets[j * n_local + e], at);
			at += counts[me][j][e];
		}
	CHECK_EQ(at, rows);
	shmemx_memcpy(image, back, rows * row_bytes + 1);
	CHECK(!memcmp(image, source, rows * row_bytes));
	CHECK_EQ(image[rows * row_bytes], GAP);
}

static void trip(shmem_team_t team)
{
	const size_t rows = source_fill();

	for (size_t j = 0; j < n; j++)
		shmemx_memcpy(in_counts + j * n_local, counts[me][j],
			      n_local * sizeof(size_t));
	shmemx_memset(dest, GAP, ROOM * MAX_BYTES);
	shmemx_memset(back, GAP, (MAX_ROWS + 1) * MAX_BYTES);
	CHECK_EQ(shmemx_alltoallv_2d(team, dest, source, row_bytes, n_local,
				     align, ROOM, in_counts, out_counts,
				     out_offsets),
		 0);
	shmemx_memcpy(image, dest, ROOM * MAX_BYTES);
	CHECK(dest_verify(image, ROOM) <= ROOM);
	CHECK_EQ(shmemx_alltoallv_2d_offset(
			 team, back, dest, row_bytes, n_local, rows, out_counts,
			 out_offsets, back_counts, back_offsets),
		 0);
	back_verify(rows);
}

static void rounds(shmem_team_t team, uint64_t *state)
{
	static const size_t aligns[] = { 0, 1, 2, 16, 60 };

	for (int i = 0; i < ROUNDS && !check_failures; i++) {
		n_local = 1 + check_below(state, i % 3 ? 4 : MAX_LOCAL);
		align = aligns[check_below(state, 5)];
		row_bytes = 1 + check_below(state, MAX_BYTES);
		counts_make(state);
		trip(team);
	}
}

int main(void)
{
	shmem_team_t team;
	uint64_t state;

	shmem_init();
	n = (size_t)shmem_n_pes();
	me = (size_t)shmem_my_pe();
	state = check_seed();
	source = malloc(MAX_ROWS * MAX_BYTES);
	dest = shmemx_malloc_device(ROOM * MAX_BYTES);
	back = shmemx_malloc_device((MAX_ROWS + 1) * MAX_BYTES);
	in_counts = shmemx_malloc_device(MAX_PES * MAX_LOCAL * sizeof(size_t));
	image = malloc(ROOM * MAX_BYTES);
	rounds(SHMEM_TEAM_WORLD, &state);
	shmem_team_split_strided(SHMEM_TEAM_WORLD, (int)n - 1, -1, (int)n, NULL,
				 0, &team);
	me = n - 1 - me;
	rounds(team, &state);
	shmem_team_destroy(team);
	CHECK(shmemx_alltoallv_2d(SHMEM_TEAM_INVALID, dest, source, 1, 1, 1, 1,
				  NULL, NULL, NULL) != 0);
	CHECK(shmemx_alltoallv_2d_offset(SHMEM_TEAM_INVALID, dest, source, 1, 1,
					 1, NULL, NULL, NULL, NULL) != 0);
	shmem_free(in_counts);
	shmem_free(back);
	shmem_free(dest);
	free(image);
	free(source);
	return check_end();
}
