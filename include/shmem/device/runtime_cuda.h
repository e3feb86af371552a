/* SPDX-License-Identifier: BSD-3-Clause */
/* The runtime of a unit by nvcc: its own, if it was linked statically. */
#ifndef SHMEM_DEVICE_RUNTIME_CUDA_H
#define SHMEM_DEVICE_RUNTIME_CUDA_H

#include <cuda_runtime.h>

static int shmemd_set(const void *block, size_t bytes)
{
	return (int)cudaMemcpyToSymbol(shmemd_block, block, bytes);
}

static int shmemd_launch(const struct shmemx_kernel *kernel, int n_wgs,
			 int n_items, const void *args, void *stream)
{
	void *params[1] = { const_cast<void *>(args) };

	return (int)cudaLaunchKernel(kernel->gpu, dim3((unsigned int)n_wgs),
				     dim3((unsigned int)n_items), params, 0,
				     (cudaStream_t)stream);
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
