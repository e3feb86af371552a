/* SPDX-License-Identifier: BSD-3-Clause */
/* The runtime of a unit by nvcc: its own, if it was linked statically. */
#ifndef SHMEM_DEVICE_RUNTIME_CUDA_H
#define SHMEM_DEVICE_RUNTIME_CUDA_H

#include <cuda_runtime.h>

/* The device is current until leave, which takes what enter gave. */
static int shmemd_enter_device(int device)
{
	int was = device;

	if (!cudaGetDevice(&was) && was != device)
		(void)cudaSetDevice(device);
	return was;
}

static void shmemd_leave_device(int device, int was)
{
	if (was != device)
		(void)cudaSetDevice(was);
}

static int shmemd_set(int device, const void *block, size_t bytes)
{
	const int was = shmemd_enter_device(device);
	const int rc = (int)cudaMemcpyToSymbol(shmemd_block, block, bytes);

	shmemd_leave_device(device, was);
	return rc;
}

static int shmemd_launch(int device, const struct shmemx_kernel *kernel,
			 int n_wgs, int n_items, const void *args, void *stream)
{
	const int was = shmemd_enter_device(device);
	void *params[1] = { const_cast<void *>(args) };
	const int rc = (int)cudaLaunchKernel(
		kernel->gpu, dim3((unsigned int)n_wgs),
		dim3((unsigned int)n_items), params, 0, (cudaStream_t)stream);

	shmemd_leave_device(device, was);
	return rc;
}

static int shmemd_max_wgs(const struct shmemx_kernel *kernel, int n_items,
			  int *n_wgs)
{
	int device, units, each;
	int rc = (int)cudaGetDevice(&device);

	if (!rc)
		rc = (int)cudaDeviceGetAttribute(
			&units, cudaDevAttrMultiProcessorCount, device);
	if (!rc)
		rc = (int)cudaOccupancyMaxActiveBlocksPerMultiprocessor(
			&each, kernel->gpu, n_items, 0);
	if (!rc)
		*n_wgs = each * units;
	return rc;
}

static const char *shmemd_text(int error)
{
	return cudaGetErrorString((cudaError_t)error);
}

static const struct shmemx_runtime shmemd_runtime = {
	"cuda", shmemd_set, shmemd_launch, shmemd_max_wgs, shmemd_text
};

#endif
