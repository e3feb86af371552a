/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One exchange of vectors that is wrong, chosen by the argument. Run by
 * alltoallv_wrong.sh, which knows what is to be said of it.
 */
#include "check.h"
#include <shmemx.h>

#define MAX_PES 8
#define ELEMS 40

static long *a, *b;
static size_t counts_in[MAX_PES], counts_out[MAX_PES], offsets[MAX_PES];
static int me, n;

static void call(void)
{
	shmemx_long_alltoallv(SHMEM_TEAM_WORLD, a, counts_in, offsets, b,
			      counts_out, offsets);
}

static void sends_more(void)
{
	if (me == 0)
		counts_out[n - 1]++;
	call();
}

static void takes_none(void)
{
	if (me == n - 1)
		counts_in[0] = 0;
	call();
}

static void own_differs(void)
{
	if (me == 0)
		counts_in[0]--;
	call();
}

static void size_differs(void)
{
	if (me)
		call();
	else
		shmemx_int_alltoallv(SHMEM_TEAM_WORLD, (int *)a, counts_in,
				     offsets, (int *)b, counts_out, offsets);
}

static void negative(void)
{
	counts_out[n - 1] = counts_in[0] = (size_t)-3;
	call();
}

static void huge(void)
{
	for (int i = 0; i < n; i++)
		counts_out[i] = counts_in[i] = SIZE_MAX / 16;
	call();
}

static void leaves_heap(void)
{
	offsets[n - 1] = ELEMS * MAX_PES - 1;
	call();
}

/* All of the last block, so it is in no symmetric memory at all. */
static void behind_heap(void)
{
	offsets[n - 1] = (size_t)1 << 40;
	call();
}

static void dest_overlaps(void)
{
	offsets[1] = offsets[0] + 1;
	call();
}

static void in_place(void)
{
	b = a;
	call();
}

static void dest_null(void)
{
	a = NULL;
	call();
}

static void table_null(void)
{
	shmemx_long_alltoallv(SHMEM_TEAM_WORLD, a, counts_in, NULL, b,
			      counts_out, offsets);
}

static void other_routine(void)
{
	if (me)
		call();
	else
		shmem_barrier_all();
}

static void call_2d(void *dest, size_t row_bytes, size_t n_local, size_t align,
		    size_t dest_rows)
{
	size_t counts[2 * MAX_PES], at[2 * MAX_PES];

	shmemx_alltoallv_2d(SHMEM_TEAM_WORLD, dest, b, row_bytes, n_local,
			    align, dest_rows, counts_in, counts, at);
}

static void rows_many(void)
{
	call_2d(a, 8, 1, 0, (size_t)(3 * n - (me == 0)));
}

/* Of the last block's padding there may be less. */
static void rows_padded(void)
{
	call_2d(a, 8, 1, 16, (size_t)(3 * n));
	fprintf(stderr, "fine\n");
}

static void rows_private(void)
{
	long dest[ELEMS];

	call_2d(dest, 8, 1, 0, ELEMS);
}

static void rows_differ(void)
{
	call_2d(a, me ? 8 : 16, 1, 0, ELEMS);
}

static void experts_differ(void)
{
	call_2d(a, 8, me ? 1 : 2, 0, ELEMS);
}

static void rows_overflow(void)
{
	counts_in[0] = counts_in[n - 1] = SIZE_MAX - 1;
	call_2d(a, 8, 1, 0, ELEMS);
}

/* The tables' bytes wrap around to few. */
static void experts_huge(void)
{
	call_2d(a, 8, (SIZE_MAX / 6 + 2) / (size_t)n + 1, 0, ELEMS);
}

static void rows_null(void)
{
	b = NULL;
	call_2d(a, 8, 1, 0, ELEMS);
}

static void counts_null(void)
{
	size_t counts[MAX_PES];

	shmemx_alltoallv_2d(SHMEM_TEAM_WORLD, a, b, 8, 1, 0, ELEMS, counts_in,
			    counts, NULL);
}

static void rows_in_place(void)
{
	b = a;
	call_2d(a, 8, 1, 0, ELEMS);
}

static void back_many(void)
{
	size_t counts[MAX_PES], at[MAX_PES];

	shmemx_alltoallv_2d_offset(SHMEM_TEAM_WORLD, a, b, 8, 1,
				   (size_t)(3 * n - 1), counts_in, offsets,
				   counts, at);
}

#define CASE(name) \
	{ \
#name, name \
	}
static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	CASE(sends_more),    CASE(takes_none),	   CASE(own_differs),
	CASE(size_differs),  CASE(negative),	   CASE(huge),
	CASE(leaves_heap),   CASE(dest_overlaps),  CASE(in_place),
	CASE(dest_null),     CASE(table_null),	   CASE(other_routine),
	CASE(rows_many),     CASE(rows_padded),	   CASE(rows_private),
	CASE(rows_differ),   CASE(experts_differ), CASE(rows_overflow),
	CASE(rows_in_place), CASE(back_many),	   CASE(behind_heap),
	CASE(experts_huge),  CASE(rows_null),	   CASE(counts_null),
};

int main(int argc, char **argv)
{
	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	a = shmem_calloc(ELEMS * MAX_PES, sizeof(long));
	b = shmem_calloc(ELEMS * MAX_PES, sizeof(long));
	for (int i = 0; i < n; i++) {
		counts_in[i] = counts_out[i] = 3;
		offsets[i] = (size_t)i * ELEMS;
	}
	shmem_barrier_all();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (argc == 2 && !strcmp(argv[1], cases[i].name))
			cases[i].run();
	fprintf(stderr, "unnoticed: %s\n", argc == 2 ? argv[1] : "nothing");
	shmem_finalize();
	return 0;
}
