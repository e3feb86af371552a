/* SPDX-License-Identifier: BSD-3-Clause */
/* Common to the peers on CUDA: kernels, launches, timing, one fork per PE. */
#ifndef PERF_GPU_LIB_CUDA_H
#define PERF_GPU_LIB_CUDA_H

#include <cuda_runtime.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int lib_me, lib_n_pes;
static cudaEvent_t lib_events[2];

#define KERNEL(name) \
	static __device__ void name##_body(const struct bench_args *a); \
	static __global__ void __launch_bounds__(1024) \
		name(struct bench_args a) \
	{ \
		name##_body(&a); \
	} \
	static __device__ void name##_body(const struct bench_args *a)
typedef const void *lib_kernel;
#define KERNEL_REF(name) (const void *)name

#define lib_item() threadIdx.x
#define lib_nitems() blockDim.x
#define lib_wg() blockIdx.x
#define lib_nwgs() gridDim.x

static void lib_must(cudaError_t error, const char *what)
{
	if (!error)
		return;
	fprintf(stderr, "PE %d: %s: %s\n", lib_me, what,
		cudaGetErrorString(error));
	_exit(1);
}

static int lib_launch(const void *kernel, int n_wgs, int n_items,
		      const struct bench_args *args)
{
	void *params[] = { (void *)args };

	return cudaLaunchKernel(kernel, dim3((unsigned)n_wgs),
				dim3((unsigned)n_items), params, 0, 0);
}

static void lib_start(void)
{
	lib_must(cudaEventRecord(lib_events[0], 0), "event");
}

static double lib_stop(void)
{
	float ms;

	lib_must(cudaEventRecord(lib_events[1], 0), "event");
	lib_must(cudaEventSynchronize(lib_events[1]), "kernel");
	lib_must(cudaEventElapsedTime(&ms, lib_events[0], lib_events[1]),
		 "event");
	return ms * 1e-3;
}

static void lib_to_host(void *dst, const void *src, size_t bytes)
{
	lib_must(cudaMemcpy(dst, src, bytes, cudaMemcpyDeviceToHost), "copy");
}

static void lib_to_device(void *dst, const void *src, size_t bytes)
{
	lib_must(cudaMemcpy(dst, src, bytes, cudaMemcpyHostToDevice), "copy");
	lib_must(cudaDeviceSynchronize(), "copy");
}

/* One process per PE, forked before CUDA starts; what they share. */
/* PEs take the GPUs in turn. */
static void lib_device(void)
{
	int n;

	lib_must(cudaGetDeviceCount(&n), "devices");
	lib_must(cudaSetDevice(lib_me % n), "device");
}

static void *lib_fork(int argc, char **argv, size_t shared_bytes)
{
	void *shared = mmap(NULL, shared_bytes, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	lib_n_pes = argc > 1 ? atoi(argv[1]) : 2;
	for (lib_me = lib_n_pes - 1; lib_me > 0; lib_me--)
		if (!fork())
			break;
	lib_device();
	cudaEventCreate(&lib_events[0]);
	cudaEventCreate(&lib_events[1]);
	return shared;
}

static void lib_join(void)
{
	fflush(stdout);
	if (lib_me)
		_exit(0);
	while (wait(NULL) > 0)
		;
}

#endif
