/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The runtime of a unit with kernels for GPUs: that with which it was linked.
 * CUDA's calls and HIP's are alike but for their names.
 */
#ifndef SHMEM_DEVICE_RUNTIME_GPU_H
#define SHMEM_DEVICE_RUNTIME_GPU_H

#ifdef __CUDACC__
#include <cuda_runtime.h>
#define SHMEMD_RT(name) cuda##name
#define SHMEMD_RT_WORD "cuda"
#define SHMEMD_RT_UNITS cudaDevAttrMultiProcessorCount
#define SHMEMD_RT_BLOCK shmemd_block
#else
#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif
#include <hip/hip_runtime_api.h>
#define SHMEMD_RT(name) hip##name
#define SHMEMD_RT_WORD "hip"
#define SHMEMD_RT_UNITS hipDeviceAttributeMultiprocessorCount
#define SHMEMD_RT_BLOCK ((const void *)&shmemd_block)
#endif

/* The device is current until leave, which takes what enter gave. */
static int shmemd_enter_device(int device)
{
	int was = device;

	if (!SHMEMD_RT(GetDevice)(&was) && was != device)
		(void)SHMEMD_RT(SetDevice)(device);
	return was;
}

static void shmemd_leave_device(int device, int was)
{
	if (was != device)
		(void)SHMEMD_RT(SetDevice)(was);
}

static int shmemd_set(int device, const void *block, size_t bytes)
{
	const int was = shmemd_enter_device(device);
	const int rc = (int)SHMEMD_RT(MemcpyToSymbol)(
		SHMEMD_RT_BLOCK, block, bytes, 0,
		SHMEMD_RT(MemcpyHostToDevice));

	shmemd_leave_device(device, was);
	return rc;
}

static int shmemd_launch(int device, const struct shmemx_kernel *kernel,
			 int n_wgs, int n_items, const void *args, void *stream)
{
	const int was = shmemd_enter_device(device);
	void *params[1] = { const_cast<void *>(args) };
	const int rc = (int)SHMEMD_RT(LaunchKernel)(
		kernel->gpu, dim3((unsigned int)n_wgs),
		dim3((unsigned int)n_items), params, 0,
		(SHMEMD_RT(Stream_t))stream);

	shmemd_leave_device(device, was);
	return rc;
}

static int shmemd_max_wgs(const struct shmemx_kernel *kernel, int n_items,
			  int *n_wgs)
{
	int device, units, each;
	int rc = (int)SHMEMD_RT(GetDevice)(&device);

	if (!rc)
		rc = (int)SHMEMD_RT(DeviceGetAttribute)(
			&units, SHMEMD_RT_UNITS, device);
	if (!rc)
		rc = (int)SHMEMD_RT(OccupancyMaxActiveBlocksPerMultiprocessor)(
			&each, kernel->gpu, n_items, 0);
	if (!rc)
		*n_wgs = each * units;
	return rc;
}

static const char *shmemd_text(int error)
{
	return SHMEMD_RT(GetErrorString)((SHMEMD_RT(Error_t))error);
}

static const struct shmemx_runtime shmemd_runtime = {
	SHMEMD_RT_WORD, shmemd_set, shmemd_launch, shmemd_max_wgs, shmemd_text
};

#undef SHMEMD_RT
#undef SHMEMD_RT_WORD
#undef SHMEMD_RT_UNITS
#undef SHMEMD_RT_BLOCK

#endif
