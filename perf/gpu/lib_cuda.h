/* SPDX-License-Identifier: BSD-3-Clause */
/* Common to the peers on CUDA: kernels, launches, timing, one fork per PE. */
#ifndef PERF_GPU_LIB_CUDA_H
#define PERF_GPU_LIB_CUDA_H

#include <cuda_runtime.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int lib_me, lib_n_pes, lib_gpus;
static cudaEvent_t lib_events[2];
static cudaStream_t lib_stream; /* the default stream, unless set */
static volatile long *lib_arrived;
static long lib_meetings;

static void lib_must(cudaError_t error, const char *what)
{
	if (!error)
		return;
	fprintf(stderr, "PE %d: %s: %s\n", lib_me, what,
		cudaGetErrorString(error));
	_exit(1);
}

#ifndef LIB_NO_KERNELS
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

static int lib_launch(const void *kernel, int n_wgs, int n_items,
		      const struct bench_args *args)
{
	void *params[] = { (void *)args };

	return cudaLaunchKernel(kernel, dim3((unsigned)n_wgs),
				dim3((unsigned)n_items), params, 0, lib_stream);
}
#endif

static void lib_start(void)
{
	lib_must(cudaEventRecord(lib_events[0], lib_stream), "event");
}

static double lib_stop(void)
{
	float ms;

	lib_must(cudaEventRecord(lib_events[1], lib_stream), "event");
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

#define lib_n_gpus() lib_gpus

/* PEs take the GPUs in turn. */
static void lib_device(void)
{
	lib_must(cudaGetDeviceCount(&lib_gpus), "devices");
	lib_must(cudaSetDevice(lib_me % lib_gpus), "device");
}

/* One process per PE, forked before CUDA starts; what they share. */
static void *lib_fork(int argc, char **argv, size_t shared_bytes)
{
	char *shared =
		(char *)mmap(NULL, 64 + shared_bytes, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	lib_arrived = (volatile long *)shared;
	lib_n_pes = argc > 1 ? atoi(argv[1]) : 2;
	for (lib_me = lib_n_pes - 1; lib_me > 0; lib_me--)
		if (!fork())
			break;
	if (lib_me)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	lib_device();
	cudaEventCreate(&lib_events[0]);
	cudaEventCreate(&lib_events[1]);
	return shared + 64;
}

/* Ends all if a process has ended that is waited for. */
static void lib_meet(void)
{
	const long all = ++lib_meetings * lib_n_pes;

	__sync_fetch_and_add((long *)lib_arrived, 1);
	while (*lib_arrived < all) {
		if (!lib_me && waitpid(-1, NULL, WNOHANG) > 0 &&
		    *lib_arrived < all)
			_exit(1);
		usleep(20);
	}
}

static void lib_join(void)
{
	int status, failed = 0;

	fflush(stdout);
	if (lib_me)
		_exit(0);
	while (wait(&status) > 0)
		failed |= status;
	if (failed)
		_exit(1);
}

#endif
