/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of MoE exchanges on the CPU, and what launches know of all. */
#ifndef SHMEMI_NO_GENERIC
#define SHMEMI_NO_GENERIC
#endif
#pragma GCC visibility push(default)
#include <shmem/device.h>
#include <shmem/moe.h>
#pragma GCC visibility pop

#include "gpu/gpu.h"

#define KERNEL(name, args) \
	SHMEMX_KERNEL(shmemd_cpu_##name, struct shmemd_args_##args, a)
#define KERNEL_DENSE KERNEL
#include "device/moe.inc"

#ifdef SIROCCO_GPU_PLATFORM
#define GPU_EXTERN(name, args) extern const char shmemd_gpu_##name[];
SHMEMD_MOE_KERNELS(GPU_EXTERN)
#define GPU(name) shmemd_gpu_##name
#else
#define GPU(name) NULL
#endif

#define DEFINE(name, args) \
	const struct shmemg_kernel shmemd_kernel_##name = { \
		#name, shmemd_cpu_##name, GPU(name) \
	};
SHMEMD_MOE_KERNELS(DEFINE)
