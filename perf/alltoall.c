/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Alltoall and alltoallv of all PEs from the host, on a stream and in kernels.
 * The size is what one PE sends to each, on average: with --skew, all PEs send
 * the same receivers more. 2d sends rows of --row bytes to --experts experts a
 * PE, as many as fill the size.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shmem/exchange.h>

#include "alltoall.h"
#include "bench.h"
#include "skew.h"

static enum skew skew;
static int n_wgs, n_items;
static size_t row_bytes = 256, n_local = 4;

/* Tables of n or n * n_local counts, and their copies for kernels. */
enum { SRC_COUNTS, SRC_OFFSETS, DST_COUNTS, DST_OFFSETS, OUT, N_TABLES = 6 };
static size_t *table[N_TABLES], *device_table[N_TABLES];
static char *src, *dst, *image;	    /* image: what src holds, or dst */
static size_t src_bytes, dst_bytes; /* of this case */

static void die(const char *what)
{
	fprintf(stderr, "PE %d: no memory for %s; raise SHMEM_SYMMETRIC_SIZE\n",
		shmem_my_pe(), what);
	shmem_global_exit(1);
}

/* Units that from sends to receiver i of n: `mean` each, on average. */
static size_t units(int i, int n, size_t mean)
{
	return (size_t)(skew_share(skew, i, n) * (double)mean * n + 0.5);
}

/* Offsets of blocks without gaps; their sum. */
static size_t pack(size_t *offsets, const size_t *counts, int n)
{
	size_t sum = 0;

	for (int i = 0; i < n; i++) {
		offsets[i] = sum;
		sum += counts[i];
	}
	return sum;
}

static void tables_publish(void)
{
	const size_t bytes = (size_t)shmem_n_pes() * n_local * sizeof(size_t);

	for (int i = 0; i < N_TABLES; i++)
		shmemx_memcpy(device_table[i], table[i], bytes);
}

static void image_reserve(size_t bytes)
{
	free(image);
	image = malloc(bytes + BENCH_GUARD_BYTES);
	if (!image)
		die("the check");
}

static void buffers_open(void)
{
	src = shmem_malloc(src_bytes ? src_bytes : 1);
	dst = shmem_malloc(dst_bytes + BENCH_GUARD_BYTES);
	if (!src || !dst)
		die("the buffers");
	image_reserve(src_bytes > dst_bytes ? src_bytes : dst_bytes);
	tables_publish();
}

static void close_case(struct bench_case *c)
{
	(void)c;
	shmem_free(dst);
	shmem_free(src);
}

/* The size of symmetric memory: the largest of all PEs. */
static size_t most_received(struct bench_case *c, size_t mean)
{
	size_t most = 0;

	for (int i = 0; i < c->npes; i++) {
		const size_t all = units(i, c->npes, mean) * (size_t)c->npes;

		most = all > most ? all : most;
	}
	return most;
}

static const char *open_dense(struct bench_case *c)
{
	src_bytes = dst_bytes = c->bytes * (size_t)c->npes;
	for (int i = 0; i < c->npes; i++)
		table[SRC_COUNTS][i] = table[DST_COUNTS][i] = c->bytes;
	pack(table[SRC_OFFSETS], table[SRC_COUNTS], c->npes);
	pack(table[DST_OFFSETS], table[DST_COUNTS], c->npes);
	buffers_open();
	return NULL;
}

static const char *open_v(struct bench_case *c)
{
	for (int i = 0; i < c->npes; i++) {
		table[SRC_COUNTS][i] = units(i, c->npes, c->bytes);
		table[DST_COUNTS][i] = units(c->me, c->npes, c->bytes);
	}
	src_bytes = pack(table[SRC_OFFSETS], table[SRC_COUNTS], c->npes);
	pack(table[DST_OFFSETS], table[DST_COUNTS], c->npes);
	dst_bytes = most_received(c, c->bytes);
	buffers_open();
	return NULL;
}

/* The rows for a PE's experts: alike, the first ones one more. */
static size_t expert_rows(size_t rows, size_t e)
{
	return rows / n_local + (e < rows % n_local);
}

/* In bytes, by split: (receiver, expert) in src, (expert, sender) in dst. */
static const char *open_2d(struct bench_case *c)
{
	const size_t mean = c->bytes / row_bytes;
	const size_t n = (size_t)c->npes;

	if (!mean)
		return "the size is less than a row; see --row";
	for (size_t i = 0; i < n * n_local; i++) {
		const size_t to = units((int)(i / n_local), c->npes, mean);
		const size_t mine = units(c->me, c->npes, mean);

		table[SRC_COUNTS][i] = expert_rows(to, i % n_local);
		table[DST_COUNTS][i] = expert_rows(mine, i / n);
	}
	src_bytes = row_bytes * pack(table[SRC_OFFSETS], table[SRC_COUNTS],
				     (int)(n * n_local));
	pack(table[DST_OFFSETS], table[DST_COUNTS], (int)(n * n_local));
	dst_bytes = row_bytes * most_received(c, mean);
	buffers_open();
	return NULL;
}

static uint64_t block_tag(const struct bench_case *c, int from, size_t split)
{
	return bench_tag(c, from) + 17 * (uint64_t)split;
}

static void fill_blocks(struct bench_case *c, int n, size_t unit)
{
	for (int i = 0; i < n; i++)
		bench_fill(image + table[SRC_OFFSETS][i] * unit,
			   table[SRC_COUNTS][i] * unit,
			   block_tag(c, c->me, (size_t)i));
	shmemx_memcpy(src, image, src_bytes);
	shmemx_memset(dst, 0, dst_bytes + BENCH_GUARD_BYTES);
}

static void fill_v(struct bench_case *c)
{
	fill_blocks(c, c->npes, 1);
}

static void fill_2d(struct bench_case *c)
{
	fill_blocks(c, c->npes * (int)n_local, row_bytes);
}

static size_t wrong_guard(void)
{
	char guard[BENCH_GUARD_BYTES];

	shmemx_memcpy(guard, dst + dst_bytes, sizeof(guard));
	return bench_wrong_zeros(guard, sizeof(guard));
}

static size_t check_v(const struct bench_case *c)
{
	size_t wrong = wrong_guard();

	shmemx_memcpy(image, dst, dst_bytes);
	for (int i = 0; i < c->npes; i++)
		wrong += bench_wrong(image + table[DST_OFFSETS][i],
				     table[DST_COUNTS][i],
				     block_tag(c, i, (size_t)c->me));
	return wrong;
}

static size_t check_2d(const struct bench_case *c)
{
	const size_t n = (size_t)c->npes;
	size_t wrong = wrong_guard();

	shmemx_memcpy(image, dst, dst_bytes);
	for (size_t i = 0; i < n * n_local; i++)
		wrong +=
			bench_wrong(image + table[DST_OFFSETS][i] * row_bytes,
				    table[DST_COUNTS][i] * row_bytes,
				    block_tag(c, (int)(i % n),
					      (size_t)c->me * n_local + i / n));
	return wrong;
}

static struct bench_flow flow(const struct bench_case *c)
{
	const double all = (double)src_bytes;
	double linked = 0;

	for (int pe = 0; pe < c->npes; pe++)
		if (bench_links(c, pe))
			linked += skew_share(skew, pe, c->npes);
	return (struct bench_flow){
		all, all * (1 - skew_share(skew, c->me, c->npes)), all * linked
	};
}

static struct bench_flow flow_dense(const struct bench_case *c)
{
	const double all = (double)src_bytes;
	int linked = 0;

	for (int pe = 0; pe < c->npes; pe++)
		linked += bench_links(c, pe);
	return (struct bench_flow){ all, all - (double)c->bytes,
				    (double)c->bytes * linked };
}

static struct alltoall_args args_of(const struct bench_case *c, long iters)
{
	return (struct alltoall_args){
		.dst = dst,
		.src = src,
		.bytes = c->bytes,
		.dst_counts = device_table[DST_COUNTS],
		.dst_offsets = device_table[DST_OFFSETS],
		.src_counts = device_table[SRC_COUNTS],
		.src_offsets = device_table[SRC_OFFSETS],
		.out_counts = device_table[OUT],
		.out_offsets = device_table[OUT + 1],
		.n_local = n_local,
		.dst_rows = dst_bytes / row_bytes,
		.iters = iters,
	};
}

static void launch(enum alltoall_kernel which, int wgs,
		   struct alltoall_args args)
{
	if (shmemx_launch(alltoall_kernel(which), wgs, n_items, &args,
			  sizeof(args), NULL))
		shmem_global_exit(1);
	shmemx_stream_synchronize(NULL);
}

static void run_host(struct bench_case *c, long nops)
{
	for (long i = 0; i < nops; i++)
		shmem_alltoallmem(SHMEM_TEAM_WORLD, dst, src, c->bytes);
}

static void run_stream(struct bench_case *c, long nops)
{
	for (long i = 0; i < nops; i++)
		shmemx_alltoallmem_on_stream(SHMEM_TEAM_WORLD, dst, src,
					     c->bytes, NULL);
	shmemx_stream_synchronize(NULL);
}

static void run_wg(struct bench_case *c, long nops)
{
	launch(ALLTOALL_WG, 1, args_of(c, nops));
}

static void run_grid(struct bench_case *c, long nops)
{
	launch(ALLTOALL_GRID, n_wgs, args_of(c, nops));
}

static void run_v_host(struct bench_case *c, long nops)
{
	(void)c;
	for (long i = 0; i < nops; i++)
		shmemx_alltoallvmem(SHMEM_TEAM_WORLD, dst, table[DST_COUNTS],
				    table[DST_OFFSETS], src, table[SRC_COUNTS],
				    table[SRC_OFFSETS]);
}

static void run_v_stream(struct bench_case *c, long nops)
{
	const struct alltoall_args a = args_of(c, nops);

	for (long i = 0; i < nops; i++)
		shmemx_alltoallvmem_on_stream(
			SHMEM_TEAM_WORLD, a.dst, a.dst_counts, a.dst_offsets,
			a.src, a.src_counts, a.src_offsets, NULL);
	shmemx_stream_synchronize(NULL);
}

static void run_v_wg(struct bench_case *c, long nops)
{
	launch(ALLTOALLV_WG, 1, args_of(c, nops));
}

static void run_v_grid(struct bench_case *c, long nops)
{
	launch(ALLTOALLV_GRID, n_wgs, args_of(c, nops));
}

static void run_2d_stream(struct bench_case *c, long nops)
{
	const struct alltoall_args a = args_of(c, nops);

	for (long i = 0; i < nops; i++)
		shmemx_alltoallv_2d_on_stream(SHMEM_TEAM_WORLD, a.dst, a.src,
					      row_bytes, n_local, 1, a.dst_rows,
					      a.src_counts, a.out_counts,
					      a.out_offsets, NULL);
	shmemx_stream_synchronize(NULL);
}

static void run_2d_grid(struct bench_case *c, long nops)
{
	struct alltoall_args args = args_of(c, nops);

	args.bytes = row_bytes;
	launch(ALLTOALLV_2D_GRID, n_wgs, args);
}

#define DENSE \
	.sized = true, .open = open_dense, .fill = fill_v, .check = check_v, \
	.close = close_case, .flow = flow_dense
#define V \
	.sized = true, .open = open_v, .fill = fill_v, .check = check_v, \
	.close = close_case, .flow = flow
#define TWO_D \
	.sized = true, .open = open_2d, .fill = fill_2d, .check = check_2d, \
	.close = close_case, .flow = flow

static const struct bench_test tests[] = {
	{ .name = "alltoall_host",
	  .what = "by the host",
	  .run = run_host,
	  DENSE },
	{ .name = "alltoall_stream",
	  .what = "on the default stream, one call after the other",
	  .run = run_stream,
	  DENSE },
	{ .name = "alltoall_wg",
	  .what = "by one work-group, in a loop",
	  .run = run_wg,
	  DENSE },
	{ .name = "alltoall_grid",
	  .what = "by a grid of --wgs work-groups, in a loop",
	  .run = run_grid,
	  DENSE },
	{ .name = "alltoallv_host",
	  .what = "the same with counts; --skew",
	  .run = run_v_host,
	  V },
	{ .name = "alltoallv_stream",
	  .what = "counts of memory of kernels",
	  .run = run_v_stream,
	  V },
	{ .name = "alltoallv_wg", .what = "the same", .run = run_v_wg, V },
	{ .name = "alltoallv_grid", .what = "the same", .run = run_v_grid, V },
	{ .name = "alltoallv_2d_stream",
	  .what = "rows to experts",
	  .run = run_2d_stream,
	  TWO_D },
	{ .name = "alltoallv_2d_grid",
	  .what = "the same",
	  .run = run_2d_grid,
	  TWO_D },
};

/* What a PE's share of a GPU runs at once. */
static int gpu_wgs(void)
{
	const int n = 128 * bench_gpus() / shmem_n_pes();

	return n < 1 ? 1 : n > 128 ? 128 : n;
}

static void open_program(size_t max_bytes)
{
	const size_t bytes = (size_t)shmem_n_pes() * n_local * sizeof(size_t);
	const int on_cpu = !strcmp(shmemx_platform(), "cpu");

	(void)max_bytes;
	if (!n_items)
		n_items = on_cpu ? 32 : 1024;
	if (!n_wgs)
		n_wgs = on_cpu ? 2 : gpu_wgs();
	for (int i = 0; i < N_TABLES; i++) {
		table[i] = calloc(1, bytes);
		device_table[i] = shmem_malloc(bytes);
		if (!table[i] || !device_table[i])
			die("tables");
	}
}

static void close_program(void)
{
	for (int i = N_TABLES - 1; i >= 0; i--) {
		shmem_free(device_table[i]);
		free(table[i]);
	}
	free(image);
}

static const struct argp_option options[] = {
	{ "skew", 'k', "NAME", 0, "uniform, zipf or hot (uniform)", 1 },
	{ "wgs", 'w', "N", 0, "Work-groups of grids (128 by a GPU's PEs)", 1 },
	{ "items", 'n', "N", 0, "Work-items of a work-group (1024)", 1 },
	{ "row", 'R', "BYTES", 0, "Of a row of 2d (256)", 1 },
	{ "experts", 'E', "N", 0, "Of a PE, for 2d (4)", 1 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case 'k':
		skew = skew_parse(state, arg);
		return 0;
	case 'w':
		n_wgs = (int)bench_parse_number(state, "--wgs", arg, 1024);
		return 0;
	case 'n':
		n_items = (int)bench_parse_number(state, "--items", arg, 1024);
		return 0;
	case 'R':
		row_bytes = (size_t)bench_parse_number(state, "--row", arg,
						       1 << 20);
		return 0;
	case 'E':
		n_local = (size_t)bench_parse_number(state, "--experts", arg,
						     512);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = { .options = options, .parser = parse };
static const struct argp_child more[] = { { &argp, 0, NULL, 0 }, { 0 } };

static const struct bench_program program = {
	.name = "alltoall",
	.what = "Alltoall and alltoallv from the host, on a stream and in "
		"kernels; the slowest PE counts.",
	.tests = tests,
	.ntests = sizeof(tests) / sizeof(tests[0]),
	.min_pes = 1,
	.sizes = "16..1M",
	.own_buffers = true,
	.options = more,
	.open = open_program,
	.close = close_program,
};

int main(int argc, char **argv)
{
	return bench_main(argc, argv, &program);
}
