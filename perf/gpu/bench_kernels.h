/* SPDX-License-Identifier: BSD-3-Clause */
/* What bench.c measures of calls in kernels. */
#ifndef PERF_GPU_BENCH_KERNELS_H
#define PERF_GPU_BENCH_KERNELS_H

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

KERNEL(pingpong_word)
{
	for (long i = a->from + 1; i <= a->from + a->iters; i++) {
		if (a->me)
			lib_word_wait(a->sig, (uint64_t)i);
		lib_word_signal(a->dst, a->src, a->sig, (uint64_t)i, !a->me);
		if (!a->me)
			lib_word_wait(a->sig, (uint64_t)i);
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
	long sum = 0;

	for (int i = 0; i < a->iters; i++)
		sum += lib_fetch_add((long *)a->dst + lib_item(), 1, 1);
	((long *)a->src)[lib_item()] = sum;
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

static void measure_signal(struct bench_args *args, lib_kernel kernel,
			   int n_items, size_t bytes, uint64_t *sig,
			   const char *measure)
{
	const uint64_t none = 0;
	double s;

	args->bytes = bytes;
	args->sig = sig;
	args->from = 0;
	lib_to_device(sig, &none, sizeof(none));
	fill(args, bytes, 1);
	s = best(kernel, 1, n_items, args, bytes > 65536 ? 100 : 1000, 2);
	check(measure, args, bytes, 1, !lib_me);
	report(measure, bytes, 1, s / 2 * 1e6, "us");
}

static void measure_pingpong(struct bench_args *args)
{
	static const size_t sizes[] = { 8, 64, 1024, 8192, 65536, 1048576 };
	uint64_t *sig = args->sig;
	double s = best(KERNEL_REF(pingpong_p), 1, 1, args, 2000, 2);

	report("p + wait, half round trip", 8, 1, s / 2 * 1e6, "us");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		measure_signal(args, KERNEL_REF(pingpong_signal),
			       sizes[i] <= 1024 ? 64 : 1024, sizes[i], sig,
			       "put_signal, half round trip");
	measure_signal(args, KERNEL_REF(pingpong_word), 1, 8, sig,
		       "put_signal by an item, half round trip");
	measure_signal(args, KERNEL_REF(pingpong_word), 1, 8,
		       (uint64_t *)args->dst + 1,
		       "put_signal by an item, beside, half round trip");
	args->sig = sig;
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

static void alltoall_of(struct bench_args *args, size_t bytes)
{
	int iters = bytes < 65536 ? 500 : bytes < 16 * MIB ? 20 : 4;
	double s;

	args->bytes = bytes;
	fill(args, bytes, lib_n_pes);
	s = best(KERNEL_REF(alltoall), 1, bytes < 1024 ? 256 : 1024, args,
		 iters, lib_n_pes);
	check("alltoall", args, bytes, lib_n_pes, -1);
	report("alltoall by a work-group", bytes, 1, s * 1e6, "us");
}

static void measure_alltoall(struct bench_args *args)
{
	size_t last = most ? most : quick ? 4096 : MIB;

	if (!strcmp(LIB_NAME, "bare") && last > 16384)
		last = 16384;
	for (size_t bytes = 16; bytes <= last; bytes *= 4)
		alltoall_of(args, bytes);
}

#ifdef LIB_GRID
/* Work-groups of a PE that run at once with those of its GPU's other PEs. */
static int most_wgs(void)
{
	int n = 128 / ((lib_n_pes + lib_n_gpus() - 1) / lib_n_gpus());

	return n > 16 && !most ? 16 : n > 1 ? n : 1;
}

static void alltoall_grid_of(struct bench_args *args, size_t bytes, int n_wgs)
{
	double s;

	args->bytes = bytes;
	fill(args, bytes, lib_n_pes);
	s = best(KERNEL_REF(alltoall_grid), n_wgs, quick ? 32 : 1024, args,
		 bytes < MIB	  ? 50 :
		 bytes < 16 * MIB ? 20 :
				    8,
		 lib_n_pes);
	check("alltoall grid", args, bytes, lib_n_pes, -1);
	report("alltoall by the grid", bytes, n_wgs, s * 1e6, "us");
}

static void measure_alltoall_grid(struct bench_args *args)
{
	size_t last = most ? most : quick ? 16384 : 4 * MIB;
	int n_wgs, full = most_wgs(), first = most ? full / 8 : full / 2;

	first = first ? first : 1;
	for (size_t bytes = limit ? last : 16384; bytes <= last; bytes *= 4)
		for (n_wgs = first; n_wgs <= full; n_wgs *= 2)
			alltoall_grid_of(args, bytes, n_wgs);
}
#endif

static void measure_kernels(struct bench_args *args)
{
	if (lib_n_pes == 2) {
		if (!limit)
			measure_pingpong(args);
		measure_put(args);
		if (!limit)
			measure_fetch_add(args);
	}
	args->from = 0;
	if (!limit) {
		measure_barrier(args);
		measure_alltoall(args);
	}
#ifdef LIB_GRID
	measure_alltoall_grid(args);
#endif
}

#endif
