/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures what the proxy does for kernels, beside the limits of it: a bare
 * ring of words between a kernel and a CPU, and the host's own calls. One line
 * a figure, as bench.c: library, PEs, measure, bytes, work-groups, figure,
 * unit. What was moved is checked.
 *
 * SHMEM_NODE_SIZE=1 oshrun -n 2 proxy [--quick]
 *
 * For an NVIDIA GPU: nvcc -x cu -std=c++17 -O3 -arch=sm_90 -o proxy proxy.c
 * -I<include> -L<lib> -lsirocco
 */
#include "lib.h"

#define MIB ((size_t)1 << 20)

/* src is pinned host memory, dst symmetric. */
KERNEL(bare_ring)
{
	volatile long *mine = (volatile long *)a->src;
	volatile long *answer = mine + 16;

	for (long i = a->from + 1; i <= a->from + a->iters; i++) {
		*mine = i;
		while (*answer != i)
			;
	}
}

KERNEL(put_quiet)
{
	for (int i = 0; i < a->iters; i++) {
		shmem_long_p((long *)a->dst, a->from + i + 1, 1);
		shmem_quiet();
	}
}

KERNEL(put_rate)
{
	for (int i = 0; i < a->iters; i++)
		shmem_long_put_nbi((long *)a->dst + lib_item(),
				   (const long *)a->src + lib_item(), 1, 1);
	shmemx_quiet_wg();
}

KERNEL(put_bandwidth)
{
	for (int i = 0; i < a->iters; i++)
		shmemx_putmem_nbi_wg(a->dst, a->src, a->bytes, 1);
	shmemx_quiet_wg();
}

KERNEL(fetch)
{
	for (int i = 0; i < a->iters; i++)
		(void)shmem_long_atomic_fetch_add((long *)a->dst, 1, 1);
}

KERNEL(get_one)
{
	for (int i = 0; i < a->iters; i++)
		(void)shmem_long_g((const long *)a->dst, 1);
}

static int quick;
static void *pinned;

static void report(const char *measure, size_t bytes, int n_wgs, double value,
		   const char *unit)
{
	if (lib_me)
		return;
	printf("%s\t%d\t%s\t%zu\t%d\t%.4g\t%s\n", LIB_NAME, lib_n_pes, measure,
	       bytes, n_wgs, value, unit);
	fflush(stdout);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *pinned_alloc(size_t bytes)
{
	void *p = NULL;

#ifdef __CUDACC__
	if (cudaHostAlloc(&p, bytes, cudaHostAllocMapped))
		exit(1);
#else
	p = calloc(1, bytes);
#endif
	memset(p, 0, bytes);
	return p;
}

/* Answers words as they come. */
static void serve(long from, long iters)
{
	volatile long *word = (volatile long *)pinned;
	volatile long *answer = word + 16;

	for (long i = from + 1; i <= from + iters; i++) {
		while (*word != i)
			;
		*answer = i;
	}
}

/* Seconds an operation of a kernel on PE 0 takes, the best of some runs. */
static double best(lib_kernel kernel, int n_wgs, int n_items,
		   struct bench_args *args, int iters, int serves)
{
	double min = 1e9;

	args->iters = quick ? 8 : iters;
	for (int rep = 0; rep < (quick ? 2 : 6); rep++) {
		double s = 1e9;

		lib_barrier();
		if (!lib_me) {
			lib_start();
			if (lib_launch(kernel, n_wgs, n_items, args))
				exit(1);
			if (serves)
				serve(args->from, args->iters);
			s = lib_stop() / args->iters;
		}
		lib_barrier();
		args->from += args->iters;
		min = s < min ? s : min;
	}
	return min;
}

static double host_best(struct bench_args *args, size_t bytes, int iters,
			int each)
{
	double min = 1e9;

	iters = quick ? 8 : iters;
	for (int rep = 0; rep < (quick ? 2 : 6); rep++) {
		double s = now();

		for (int i = 0; !lib_me && i < iters; i++) {
			shmem_putmem_nbi(args->dst, args->src, bytes, 1);
			if (each)
				shmem_quiet();
		}
		shmem_quiet();
		s = (now() - s) / iters;
		min = s < min ? s : min;
		lib_barrier();
	}
	return min;
}

static void check(struct bench_args *args, const char *measure, size_t bytes)
{
	unsigned char *want = (unsigned char *)malloc(bytes);
	unsigned char *got = (unsigned char *)malloc(bytes);

	lib_to_host(want, args->src, bytes);
	lib_to_host(got, args->dst, bytes);
	if (lib_me == 1 && memcmp(want, got, bytes)) {
		fprintf(stderr, "%s: wrong bytes\n", measure);
		exit(1);
	}
	free(want);
	free(got);
}

static void measure_latency(struct bench_args *args)
{
	struct bench_args ring = *args;

	ring.src = (char *)pinned;
	report("bare ring, kernel and CPU", 8, 1,
	       best(KERNEL_REF(bare_ring), 1, 1, &ring, 2000, 1) * 1e6, "us");
	report("put + quiet, host", 8, 0, host_best(args, 8, 2000, 1) * 1e6,
	       "us");
	report("put + quiet, proxy", 8, 1,
	       best(KERNEL_REF(put_quiet), 1, 1, args, 1000, 0) * 1e6, "us");
	report("get, proxy", 8, 1,
	       best(KERNEL_REF(get_one), 1, 1, args, 1000, 0) * 1e6, "us");
	report("fetch_add, proxy", 8, 1,
	       best(KERNEL_REF(fetch), 1, 1, args, 1000, 0) * 1e6, "us");
}

static void measure_rate(struct bench_args *args)
{
	const int items = quick ? 64 : 1024;

	for (int n_wgs = 1; n_wgs <= 8; n_wgs *= 8) {
		double s =
			best(KERNEL_REF(put_rate), n_wgs, items, args, 100, 0);

		check(args, "put rate", (size_t)items * sizeof(long));
		report("nbi puts by 1024, proxy", 8, n_wgs,
		       items * n_wgs / s * 1e-6, "Mop/s");
	}
	report("nbi puts, host", 8, 0, 1e-6 / host_best(args, 8, 20000, 0),
	       "Mop/s");
}

static void measure_bandwidth(struct bench_args *args)
{
	for (size_t bytes = 64; bytes <= MIB; bytes *= 128) {
		double s;

		args->bytes = bytes;
		s = best(KERNEL_REF(put_bandwidth), 1, 64, args, 200, 0);
		check(args, "put bandwidth", bytes);
		report("put, proxy", bytes, 1, (double)bytes / s * 1e-9,
		       "GB/s");
		s = host_best(args, bytes, 200, 0);
		report("put, host", bytes, 0, (double)bytes / s * 1e-9, "GB/s");
	}
}

int main(int argc, char **argv)
{
	struct bench_args args = { 0 };
	unsigned char *bytes;

	quick = argc > 1 && !strcmp(argv[1], "--quick");
	lib_open(argc, argv);
	if (lib_n_pes != 2) {
		fprintf(stderr, "for 2 PEs\n");
		return 1;
	}
	args.src = (char *)lib_alloc(MIB);
	args.dst = (char *)lib_alloc(MIB);
	args.me = lib_me;
	args.n_pes = lib_n_pes;
	bytes = (unsigned char *)malloc(MIB);
	for (size_t i = 0; i < MIB; i++)
		bytes[i] = (unsigned char)(i * 7 + i / 251);
	lib_to_device(args.src, bytes, MIB);
	free(bytes);
	pinned = pinned_alloc(4096);
	lib_barrier();
	measure_latency(&args);
	measure_rate(&args);
	measure_bandwidth(&args);
	lib_close();
	return 0;
}
