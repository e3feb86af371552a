/* SPDX-License-Identifier: BSD-3-Clause */
/* The runtime of a unit by clang for AMD's GPUs. */
#ifndef SHMEM_DEVICE_RUNTIME_HIP_H
#define SHMEM_DEVICE_RUNTIME_HIP_H

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif
#include <hip/hip_runtime_api.h>

/* The device is current until leave, which takes what enter gave. */
static int shmemd_enter_device(int device)
{
	int was = device;

	if (!hipGetDevice(&was) && was != device)
		(void)hipSetDevice(device);
	return was;
}

static void shmemd_leave_device(int device, int was)
{
	if (was != device)
		(void)hipSetDevice(was);
}

static int shmemd_set(int device, const void *block, size_t bytes)
{
	const int was = shmemd_enter_device(device);
	const int rc =
		(int)hipMemcpyToSymbol((const void *)&shmemd_block, block,
				       bytes, 0, hipMemcpyHostToDevice);

	shmemd_leave_device(device, was);
	return rc;
}

static int shmemd_launch(int device, const struct shmemx_kernel *kernel,
			 int n_wgs, int n_items, const void *args, void *stream)
{
	const int was = shmemd_enter_device(device);
	void *params[1] = { const_cast<void *>(args) };
	const int rc = (int)hipLaunchKernel(
		kernel->gpu, dim3((unsigned int)n_wgs),
		dim3((unsigned int)n_items), params, 0, (hipStream_t)stream);

	shmemd_leave_device(device, was);
	return rc;
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
