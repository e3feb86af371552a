/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures calls in kernels and on streams, one line a figure: library, PEs,
 * measure, bytes, work-groups, figure, unit. compare and node build it for each
 * library and put the lines side by side. What was moved is checked; wrong
 * bytes end the run.
 *
 * bench [PES] [--quick] [--most MIB] [--no-stream | --only-stream | --limit]
 *
 * --most has alltoall go from 16 bytes to so many MiB a pair, by factors of 4;
 * --limit measures put and the largest alltoall by the grid alone.
 */
#include "lib.h"

#define MIB ((size_t)1 << 20)

static int quick, no_stream, only_stream, limit;
static size_t most; /* 0: as far as each alltoall is usually of interest */

static void report(const char *measure, size_t bytes, int n_wgs, double value,
		   const char *unit)
{
	if (lib_me)
		return;
	printf("%s\t%d\t%s\t%zu\t%d\t%.4g\t%s\n", LIB_NAME, lib_n_pes, measure,
	       bytes, n_wgs, value, unit);
	fflush(stdout);
}

static void fail(const char *measure, size_t bytes)
{
	fprintf(stderr, "%s: PE %d: %s of %zu bytes: wrong result\n", LIB_NAME,
		lib_me, measure, bytes);
	exit(1);
}

#include "bench_data.h"
#ifndef LIB_NO_KERNELS
#include "bench_kernels.h"
#endif

#ifdef LIB_ON_STREAM
static double stream_best(struct bench_args *args, size_t bytes)
{
	int iters = quick ? 4 : bytes < 16 * MIB ? 50 : 8;
	double min = 1e9;

	for (int rep = 0; rep < (quick ? 1 : 5); rep++) {
		double s;

		lib_barrier();
		lib_start();
		for (int i = 0; i < iters; i++) {
			if (bytes)
				lib_alltoall_on_stream(args->dst, args->src,
						       bytes);
#ifdef lib_barrier_on_stream
			else
				lib_barrier_on_stream();
#endif
		}
		s = lib_stop() / iters;
		min = s < min ? s : min;
		lib_barrier();
	}
	return min;
}

static void measure_on_stream(struct bench_args *args)
{
	size_t last = most ? most : quick ? 1024 : 4 * MIB;

#ifdef lib_barrier_on_stream
	stream_best(args, 0);
	report("barrier_all on stream", 0, 0, stream_best(args, 0) * 1e6, "us");
#endif
	for (size_t bytes = 16; bytes <= last; bytes *= most ? 4 : 8) {
		fill(args, bytes, lib_n_pes);
		stream_best(args, bytes);
		report("alltoall on stream", bytes, 0,
		       stream_best(args, bytes) * 1e6, "us");
		check("alltoall on stream", args, bytes, lib_n_pes, -1);
	}
}
#endif

static void parse(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		quick |= !strcmp(argv[i], "--quick");
		no_stream |= !strcmp(argv[i], "--no-stream");
		only_stream |= !strcmp(argv[i], "--only-stream");
		limit |= !strcmp(argv[i], "--limit");
		if (!strcmp(argv[i], "--most") && i + 1 < argc)
			most = (size_t)atol(argv[i + 1]) * MIB;
	}
	no_stream |= limit;
}

/* Of src, and of dst. */
static size_t buffer_bytes(int n_pes)
{
	size_t bytes = quick ? 2 * MIB : 32 * MIB;
	size_t all = (most ? most : quick ? 0 : 4 * MIB) * (size_t)n_pes;

	return all > bytes ? all : bytes;
}

int main(int argc, char **argv)
{
	struct bench_args args = { 0 };
	size_t bytes;

	parse(argc, argv);
	lib_open(argc, argv);
	bytes = buffer_bytes(lib_n_pes);
	args.src = (char *)lib_alloc(bytes);
	args.dst = (char *)lib_alloc(bytes);
	args.sig = (uint64_t *)lib_alloc(256);
	args.me = lib_me;
	args.n_pes = lib_n_pes;
	lib_barrier();
#ifndef LIB_NO_KERNELS
	if (!only_stream)
		measure_kernels(&args);
#endif
#ifdef LIB_ON_STREAM
	if (!no_stream)
		measure_on_stream(&args);
#endif
	lib_close();
	return 0;
}
