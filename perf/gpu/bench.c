/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures calls in kernels, one line a figure: library, PEs, measure, bytes,
 * work-groups, figure, unit. compare builds it for each library and puts the
 * lines side by side. What was moved is checked; wrong bytes end the run.
 *
 * bench [PES] [--quick] [--no-stream | --only-stream]
 */
#include "lib.h"

#define MIB ((size_t)1 << 20)

static int quick, no_stream, only_stream;

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

KERNEL(pingpong_p)
{
	long *word = (long *)a->dst;

	for (long i = a->from + 1; i <= a->from + a->iters; i++) {
		if (a->me)
			lib_wait(word, i);
		lib_p(word, i, !a->me);
		if (!a->me)
			lib_wait(word, i);
	}
}

KERNEL(pingpong_signal)
{
	for (long i = a->from + 1; i <= a->from + a->iters; i++) {
		if (a->me)
			lib_signal_wait(a->sig, (uint64_t)i);
		lib_put_signal(a->dst, a->src, a->bytes, a->sig, (uint64_t)i,
			       !a->me);
		if (!a->me)
			lib_signal_wait(a->sig, (uint64_t)i);
	}
}

KERNEL(put)
{
	size_t part = a->bytes / lib_nwgs(), at = part * lib_wg();

	for (int i = 0; i < a->iters; i++)
		lib_put(a->dst + at, a->src + at, part, 1);
	lib_quiet();
}

KERNEL(fetch_add)
{
	for (int i = 0; i < a->iters; i++)
		lib_fetch_add((long *)a->dst + lib_item(), 1, 1);
}

KERNEL(barrier)
{
	for (int i = 0; i < a->iters; i++)
		lib_barrier_wg();
}

KERNEL(alltoall)
{
	for (int i = 0; i < a->iters; i++)
		lib_alltoall(a->dst, a->src, a->bytes);
}

#ifdef LIB_GRID
KERNEL(alltoall_grid)
{
	for (int i = 0; i < a->iters; i++)
		lib_alltoall_grid(a->dst, a->src, a->bytes);
}
#endif

/* Seconds that one of `iters` operations takes; PEs from `busy` on idle. */
static double once(lib_kernel kernel, int n_wgs, int n_items,
		   struct bench_args *args, int iters, int busy)
{
	double s = 0;

	args->iters = iters;
	lib_reset();
	lib_barrier();
	if (lib_me < busy) {
		lib_start();
		if (lib_launch(kernel, n_wgs, n_items, args)) {
			fprintf(stderr, "%s: a launch failed\n", LIB_NAME);
			exit(1);
		}
		s = lib_stop();
	}
	lib_barrier();
	args->from += iters;
	return s / iters;
}

static double best(lib_kernel kernel, int n_wgs, int n_items,
		   struct bench_args *args, int iters, int busy)
{
	double s, min = 1e9;

	once(kernel, n_wgs, n_items, args, 4, busy);
	for (int rep = 0; rep < (quick ? 1 : 5); rep++) {
		s = once(kernel, n_wgs, n_items, args, quick ? 8 : iters, busy);
		min = s < min ? s : min;
	}
	return min;
}

static unsigned char pattern(int from, int to, size_t i)
{
	return (unsigned char)(from * 31 + to * 7 + (int)(i % 251) + 1);
}

static void fill(struct bench_args *args, size_t bytes, int blocks)
{
	unsigned char *host = (unsigned char *)malloc(bytes * (size_t)blocks);

	for (int to = 0; to < blocks; to++)
		for (size_t i = 0; i < bytes; i++)
			host[(size_t)to * bytes + i] = pattern(lib_me, to, i);
	lib_to_device(args->src, host, bytes * (size_t)blocks);
	memset(host, 0, bytes * (size_t)blocks);
	lib_to_device(args->dst, host, bytes * (size_t)blocks);
	free(host);
	lib_barrier();
}

/* Block `from` of dst came from PE `from`, or all of it from one PE. */
static void check(const char *measure, struct bench_args *args, size_t bytes,
		  int blocks, int one_from)
{
	unsigned char *host = (unsigned char *)malloc(bytes * (size_t)blocks);
	int to = blocks > 1 || lib_n_pes == 1 ? lib_me : 0;

	lib_to_host(host, args->dst, bytes * (size_t)blocks);
	for (int b = 0; b < blocks; b++)
		for (size_t i = 0; i < bytes; i++)
			if (host[(size_t)b * bytes + i] !=
			    pattern(one_from < 0 ? b : one_from, to, i))
				fail(measure, bytes);
	free(host);
}

static void measure_pingpong(struct bench_args *args)
{
	double s = best(KERNEL_REF(pingpong_p), 1, 1, args, 2000, 2);
	static const size_t sizes[] = { 8, 64, 1024, 8192, 65536, 1048576 };

	report("p + wait, half round trip", 8, 1, s / 2 * 1e6, "us");
	args->from = 0;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		size_t bytes = sizes[i];
		int items = bytes <= 1024 ? 64 : 1024;

		args->bytes = bytes;
		fill(args, bytes, 1);
		s = best(KERNEL_REF(pingpong_signal), 1, items, args,
			 bytes > 65536 ? 100 : 1000, 2);
		check("put_signal", args, bytes, 1, !lib_me);
		report("put_signal, half round trip", bytes, 1, s / 2 * 1e6,
		       "us");
	}
}

static void measure_put(struct bench_args *args)
{
	args->bytes = quick ? MIB : 32 * MIB;
	for (int n_wgs = 1; n_wgs <= 128; n_wgs *= n_wgs < 16 ? 4 : 2) {
		double s;

		fill(args, args->bytes, 1);
		s = best(KERNEL_REF(put), n_wgs, quick ? 64 : 1024, args,
			 n_wgs < 16 ? 8 : 40, 1);
		if (lib_me == 1)
			check("put", args, args->bytes, 1, 0);
		report("put", args->bytes, n_wgs,
		       (double)args->bytes / s * 1e-9, "GB/s");
	}
}

static void measure_fetch_add(struct bench_args *args)
{
	int items = quick ? 64 : 1024;
	long total, before = args->from;
	double s;

	total = 0;
	for (int i = 0; i < items; i++)
		lib_to_device((long *)args->dst + i, &total, sizeof(total));
	s = best(KERNEL_REF(fetch_add), 1, items, args, 1000, 1);
	lib_to_host(&total, args->dst, sizeof(total));
	if (lib_me == 1 && total != args->from - before)
		fail("fetch_add", 8);
	report("fetch_add by 1024", 8, 1, items / s * 1e-9, "Gop/s");
}

static void measure_barrier(struct bench_args *args)
{
	double s = best(KERNEL_REF(barrier), 1, 256, args, 1000, lib_n_pes);

	report("barrier_all", 0, 1, s * 1e6, "us");
}

static void measure_alltoall(struct bench_args *args)
{
	size_t most = strcmp(LIB_NAME, "bare") ? MIB : 16384;

	for (size_t bytes = 16; bytes <= (quick ? 4096 : most); bytes *= 4) {
		double s;

		args->bytes = bytes;
		fill(args, bytes, lib_n_pes);
		s = best(KERNEL_REF(alltoall), 1, bytes < 1024 ? 256 : 1024,
			 args, bytes < 65536 ? 500 : 20, lib_n_pes);
		check("alltoall", args, bytes, lib_n_pes, -1);
		report("alltoall by a work-group", bytes, 1, s * 1e6, "us");
	}
}

#ifdef LIB_GRID
static void measure_alltoall_grid(struct bench_args *args)
{
	int most = 128 / lib_n_pes;

	if (most > 16)
		most = 16;
	for (size_t bytes = 16384; bytes <= (quick ? 16384 : 4 * MIB);
	     bytes *= 4)
		for (int n_wgs = most / 2; n_wgs <= most; n_wgs *= 2) {
			double s;

			args->bytes = bytes;
			fill(args, bytes, lib_n_pes);
			s = best(KERNEL_REF(alltoall_grid), n_wgs,
				 quick ? 32 : 1024, args,
				 bytes < MIB ? 50 : 20, lib_n_pes);
			check("alltoall grid", args, bytes, lib_n_pes, -1);
			report("alltoall by the grid", bytes, n_wgs, s * 1e6,
			       "us");
		}
}
#endif

#ifdef LIB_ON_STREAM
static double stream_best(struct bench_args *args, size_t bytes)
{
	int iters = quick ? 4 : 50;
	double min = 1e9;

	for (int rep = 0; rep < (quick ? 1 : 5); rep++) {
		double s;

		lib_barrier();
		lib_start();
		for (int i = 0; i < iters; i++) {
			if (bytes)
				lib_alltoall_on_stream(args->dst, args->src,
						       bytes);
			else
				lib_barrier_on_stream();
		}
		s = lib_stop() / iters;
		min = s < min ? s : min;
		lib_barrier();
	}
	return min;
}

static void measure_on_stream(struct bench_args *args)
{
	stream_best(args, 0);
	report("barrier_all on stream", 0, 0, stream_best(args, 0) * 1e6, "us");
	for (size_t bytes = 16; bytes <= (quick ? 1024 : 4 * MIB); bytes *= 8) {
		fill(args, bytes, lib_n_pes);
		stream_best(args, bytes);
		report("alltoall on stream", bytes, 0,
		       stream_best(args, bytes) * 1e6, "us");
		check("alltoall on stream", args, bytes, lib_n_pes, -1);
	}
}
#endif

static void measure_kernels(struct bench_args *args)
{
	if (lib_n_pes == 2) {
		measure_pingpong(args);
		measure_put(args);
		measure_fetch_add(args);
	}
	args->from = 0;
	measure_barrier(args);
	measure_alltoall(args);
#ifdef LIB_GRID
	measure_alltoall_grid(args);
#endif
}

int main(int argc, char **argv)
{
	struct bench_args args = { 0 };
	size_t bytes;

	for (int i = 1; i < argc; i++) {
		quick |= !strcmp(argv[i], "--quick");
		no_stream |= !strcmp(argv[i], "--no-stream");
		only_stream |= !strcmp(argv[i], "--only-stream");
	}
	lib_open(argc, argv);
	bytes = quick ? 2 * MIB : 4 * MIB * (size_t)lib_n_pes;
	if (!quick && bytes < 32 * MIB)
		bytes = 32 * MIB;
	args.src = (char *)lib_alloc(bytes);
	args.dst = (char *)lib_alloc(bytes);
	args.sig = (uint64_t *)lib_alloc(256);
	args.me = lib_me;
	args.n_pes = lib_n_pes;
	lib_barrier();
	if (!only_stream)
		measure_kernels(&args);
#ifdef LIB_ON_STREAM
	if (!no_stream)
		measure_on_stream(&args);
#endif
	lib_close();
	return 0;
}
