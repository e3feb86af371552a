/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SHMEMX_KERNEL by GPU compilers. The bound makes room for the registers of
 * the largest work-group, as a launch of more than fit is refused; NVIDIA's
 * compiler else spills some to make room for two.
 */
#ifndef SHMEM_DEVICE_KERNEL_GPU_H
#define SHMEM_DEVICE_KERNEL_GPU_H

#ifdef __CUDACC__
#define SHMEMD_ANY_WG __launch_bounds__(1024, 1)
#else
#define SHMEMD_ANY_WG __attribute__((amdgpu_flat_work_group_size(1, 1024)))
#endif

#define SHMEMX_KERNEL(name, type, arg) \
	extern "C" __attribute__((global)) void name(type arg); \
	static const struct shmemx_kernel name##_kernel \
		__attribute__((unused)) = { #name, NULL, \
					    (const void *)name, \
					    &shmemd_runtime }; \
	extern "C" __attribute__((global)) SHMEMD_ANY_WG void name(type arg)

#endif
