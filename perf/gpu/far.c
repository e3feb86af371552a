/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures what kernels do with PEs on other nodes, by the proxy or by queues
 * that they drive (SHMEM_GDA), beside the limits: a bare ring of words between
 * a kernel and a CPU, and the host's own calls. One line a figure, as bench.c:
 * library, PEs, measure, bytes, work-groups, figure, unit. What was moved is
 * checked, but with --count, for a NIC that only completes.
 *
 * SHMEM_NODE_SIZE=1 oshrun -n 2 far [--quick] [--count]
 *
 * For an NVIDIA GPU: nvcc -x cu -std=c++17 -O3 -arch=sm_90 -o far far.c
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

/* Each item a word of its own, inline, again and again. */
KERNEL(p_rate)
{
	long *dst = (long *)a->dst + lib_wg() * lib_nitems() + lib_item();

	for (int i = 0; i < a->iters; i++)
		shmem_ctx_long_p((shmem_ctx_t)a->sig, dst, a->from + i, 1);
	shmemx_ctx_quiet_wg((shmem_ctx_t)a->sig);
}

/* Nanoseconds of posts alone, by one item. */
KERNEL(p_post)
{
	const uint64_t begin = shmemd_clock();

	for (int i = 0; i < a->iters; i++)
		shmem_long_p((long *)a->dst, a->from + i, 1);
	*(uint64_t *)a->src =
		(uint64_t)((double)(shmemd_clock() - begin) * SHMEMD_CLOCK_NS);
	shmem_quiet();
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

static int quick, count;
static void *pinned;
static char way[64] = "proxy";

/* by: NULL for what has no queue of ours in it. */
static void report(const char *measure, const char *by, size_t bytes, int n_wgs,
		   double value, const char *unit)
{
	if (lib_me)
		return;
	printf("%s\t%d\t%s%s%s\t%zu\t%d\t%.4g\t%s\n", LIB_NAME, lib_n_pes,
	       measure, by ? ", " : "", by ? by : "", bytes, n_wgs, value,
	       unit);
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
	if (lib_me == 1 && !count && memcmp(want, got, bytes)) {
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
	report("bare ring, kernel and CPU", NULL, 8, 1,
	       best(KERNEL_REF(bare_ring), 1, 1, &ring, 2000, 1) * 1e6, "us");
	report("put + quiet", "host", 8, 0, host_best(args, 8, 2000, 1) * 1e6,
	       "us");
	report("put + quiet", way, 8, 1,
	       best(KERNEL_REF(put_quiet), 1, 1, args, 1000, 0) * 1e6, "us");
	report("get", way, 8, 1,
	       best(KERNEL_REF(get_one), 1, 1, args, 1000, 0) * 1e6, "us");
	report("fetch_add", way, 8, 1,
	       best(KERNEL_REF(fetch), 1, 1, args, 1000, 0) * 1e6, "us");
}

static void measure_rate(struct bench_args *args)
{
	const int items = quick ? 64 : 1024;

	for (int n_wgs = 1; n_wgs <= 8; n_wgs *= 8) {
		double s =
			best(KERNEL_REF(put_rate), n_wgs, items, args, 100, 0);

		check(args, "put rate", (size_t)items * sizeof(long));
		report("nbi puts by 1024", way, 8, n_wgs,
		       items * n_wgs / s * 1e-6, "Mop/s");
	}
	report("nbi puts", "host", 8, 0, 1e-6 / host_best(args, 8, 20000, 0),
	       "Mop/s");
}

/* Entries a second by so many items, in a context with these options. */
static void measure_entries(struct bench_args *args, const char *measure,
			    long options)
{
	static const int n_items[] = { 1, 64, 1024, 4096 };
	struct bench_args with = *args;
	shmem_ctx_t ctx;

	if (shmem_ctx_create(options, &ctx))
		exit(1);
	with.sig = (uint64_t *)ctx;
	for (size_t i = 0; i < sizeof(n_items) / sizeof(n_items[0]); i++) {
		const int n_wgs = (n_items[i] + 1023) / 1024;
		const int iters = n_items[i] < 1024 ? 400 : 50;
		double s = best(KERNEL_REF(p_rate), n_wgs, n_items[i] / n_wgs,
				&with, iters, 0);
		char name[64];

		snprintf(name, sizeof(name), "%s by %d", measure, n_items[i]);
		report(name, way, 8, n_wgs, n_items[i] / s * 1e-6, "Mop/s");
	}
	shmem_ctx_destroy(ctx);
}

static void measure_post(struct bench_args *args)
{
	struct bench_args post = *args;
	uint64_t ns;

	post.src = (char *)pinned;
	best(KERNEL_REF(p_post), 1, 1, &post, 100, 0);
	ns = *(const uint64_t *)pinned;
	report("post of p", way, 8, 1, (double)ns / (quick ? 8 : 100), "ns");
}

static void measure_bandwidth(struct bench_args *args)
{
	for (size_t bytes = 64; bytes <= MIB; bytes *= 128) {
		double s;

		args->bytes = bytes;
		s = best(KERNEL_REF(put_bandwidth), 1, 64, args, 200, 0);
		check(args, "put bandwidth", bytes);
		report("put", way, bytes, 1, (double)bytes / s * 1e-9, "GB/s");
		s = host_best(args, bytes, 200, 0);
		report("put", "host", bytes, 0, (double)bytes / s * 1e-9,
		       "GB/s");
	}
}

int main(int argc, char **argv)
{
	struct bench_args args = { 0 };
	unsigned char *bytes;

	for (int i = 1; i < argc; i++) {
		quick |= !strcmp(argv[i], "--quick");
		count |= !strcmp(argv[i], "--count");
	}
	if (getenv("SHMEM_GDA"))
		snprintf(way, sizeof(way), "%s", getenv("SHMEM_GDA"));
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
	measure_entries(&args, "p", 0);
	measure_entries(&args, "p, later", SHMEMX_CTX_LATER);
	measure_post(&args);
	measure_bandwidth(&args);
	lib_close();
	return 0;
}
