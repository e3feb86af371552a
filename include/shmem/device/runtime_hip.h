/* SPDX-License-Identifier: BSD-3-Clause */
/* The runtime of a unit by clang for AMD's GPUs. */
#ifndef SHMEM_DEVICE_RUNTIME_HIP_H
#define SHMEM_DEVICE_RUNTIME_HIP_H

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif
#include <hip/hip_runtime_api.h>

static int shmemd_set(const void *block, size_t bytes)
{
	return (int)hipMemcpyToSymbol((const void *)&shmemd_block, block, bytes,
				      0, hipMemcpyHostToDevice);
}

static int shmemd_launch(const struct shmemx_kernel *kernel, int n_wgs,
			 int n_items, const void *args, void *stream)
{
	void *params[1] = { const_cast<void *>(args) };

	return (int)hipLaunchKernel(kernel->gpu, dim3((unsigned int)n_wgs),
				     dim3((unsigned int)n_items), params, 0,
				     (hipStream_t)stream);
}

static int shmemd_max_wgs(const struct shmemx_kernel *kernel, int n_items,
			  int *n_wgs)
{
	int device, units, each;
	int rc = (int)hipGetDevice(&device);

	if (!rc)
		rc = (int)hipDeviceGetAttribute(
			&units, hipDeviceAttributeMultiprocessorCount, device);
	if (!rc)
		rc = (int)hipOccupancyMaxActiveBlocksPerMultiprocessor(
			&each, kernel->gpu, n_items, 0);
	if (!rc)
		*n_wgs = each * units;
	return rc;
}

static const char *shmemd_text(int error)
{
	return hipGetErrorString((hipError_t)error);
}

static const struct shmemx_runtime shmemd_runtime = {
	"hip", shmemd_set, shmemd_launch, shmemd_max_wgs, shmemd_text
};

#endif
