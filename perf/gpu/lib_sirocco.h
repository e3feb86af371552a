/* SPDX-License-Identifier: BSD-3-Clause */
#include <time.h>

#include <shmemx.h>
#include <shmem/device.h>

#define LIB_NAME "sirocco"

static int lib_me, lib_n_pes;

#ifdef __CUDACC__
static cudaEvent_t lib_events[2];
#else
static double lib_began;

static double lib_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
#endif

#define KERNEL(name) \
	SHMEMX_FN void name##_body(const struct bench_args *a); \
	SHMEMX_KERNEL(name, struct bench_args, args) \
	{ \
		name##_body(&args); \
	} \
	SHMEMX_FN void name##_body(const struct bench_args *a)
typedef const struct shmemx_kernel *lib_kernel;
#define KERNEL_REF(name) SHMEMX_KERNEL_REF(name)

#define lib_item() shmemx_item()
#define lib_nitems() shmemx_nitems()
#define lib_wg() shmemx_wg()
#define lib_nwgs() shmemx_nwgs()

static void lib_open(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	shmem_init();
	lib_me = shmem_my_pe();
	lib_n_pes = shmem_n_pes();
#ifdef __CUDACC__
	cudaEventCreate(&lib_events[0]);
	cudaEventCreate(&lib_events[1]);
#endif
}

static inline int lib_n_gpus(void)
{
	int n = 1;

#ifdef __CUDACC__
	cudaGetDeviceCount(&n);
#endif
	return n;
}

static void *lib_alloc(size_t bytes)
{
	return shmem_calloc(1, bytes);
}

static void lib_barrier(void)
{
	shmemx_stream_synchronize(NULL);
	shmem_barrier_all();
}

#define lib_launch(kernel, n_wgs, n_items, args) \
	shmemx_launch(kernel, n_wgs, n_items, args, sizeof(*(args)), NULL)

static void lib_start(void)
{
#ifdef __CUDACC__
	cudaEventRecord(lib_events[0], 0);
#else
	lib_began = lib_now();
#endif
}

static double lib_stop(void)
{
#ifdef __CUDACC__
	float ms = 0;

	cudaEventRecord(lib_events[1], 0);
	if (cudaEventSynchronize(lib_events[1]) ||
	    cudaEventElapsedTime(&ms, lib_events[0], lib_events[1])) {
		fprintf(stderr, "PE %d: %s\n", lib_me,
			cudaGetErrorString(cudaGetLastError()));
		shmem_global_exit(1);
	}
	return ms * 1e-3;
#else
	shmemx_stream_synchronize(NULL);
	return lib_now() - lib_began;
#endif
}

static void lib_to_host(void *dst, const void *src, size_t bytes)
{
	shmemx_memcpy(dst, src, bytes);
}

static void lib_to_device(void *dst, const void *src, size_t bytes)
{
	shmemx_memcpy(dst, src, bytes);
}

#define lib_reset() ((void)0)

static void lib_close(void)
{
	lib_barrier();
	fflush(stdout);
	shmem_finalize();
}

#define lib_p(dst, value, pe) shmem_long_p(dst, value, pe)
#define lib_wait(ivar, value) shmem_long_wait_until(ivar, SHMEM_CMP_EQ, value)
#define lib_fetch_add(dst, value, pe) \
	shmem_long_atomic_fetch_add(dst, value, pe)
#define lib_put_signal(dst, src, bytes, sig, value, pe) \
	shmemx_putmem_signal_nbi_wg(dst, src, bytes, sig, value, \
				    SHMEM_SIGNAL_SET, pe)
#define lib_word_signal(dst, src, sig, value, pe) \
	shmem_putmem_signal(dst, src, 8, sig, value, SHMEM_SIGNAL_SET, pe)
#define lib_word_wait(sig, value) \
	shmem_signal_wait_until(sig, SHMEM_CMP_EQ, value)
#define lib_signal_wait(sig, value) \
	shmemx_signal_wait_until_wg(sig, SHMEM_CMP_EQ, value)
#define lib_put(dst, src, bytes, pe) shmemx_putmem_nbi_wg(dst, src, bytes, pe)
#define lib_quiet() shmem_quiet()
#define lib_barrier_wg() shmemx_barrier_all_wg()
#define lib_alltoall(dst, src, bytes) \
	shmemx_alltoallmem_wg(SHMEM_TEAM_WORLD, dst, src, bytes)
#define LIB_GRID
#define lib_alltoall_grid(dst, src, bytes) \
	shmemx_alltoallmem_grid(SHMEM_TEAM_WORLD, dst, src, bytes)

#define LIB_ON_STREAM
#define lib_alltoall_on_stream(dst, src, bytes) \
	shmemx_alltoallmem_on_stream(SHMEM_TEAM_WORLD, dst, src, bytes, NULL)
#define lib_barrier_on_stream() shmemx_barrier_all_on_stream(NULL)
