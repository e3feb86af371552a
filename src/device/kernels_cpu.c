/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's kernels on the CPU, and the table of all kernels. */
#ifndef SHMEMI_NO_GENERIC
#define SHMEMI_NO_GENERIC
#endif
#pragma GCC visibility push(default)
#include <shmem/device.h>
#pragma GCC visibility pop

#include "gpu/gpu.h"

#define KERNEL(name, args) \
	SHMEMX_KERNEL(shmemd_cpu_##name, struct shmemd_args_##args, a)
#include "device/kernels.inc"

/* What launch takes is the address of the symbol, whatever it stands for. */
#ifdef SIROCCO_GPU_PLATFORM
#define GPU_EXTERN(name, args) extern const char shmemd_gpu_##name[];
SHMEMD_KERNELS(GPU_EXTERN)
#define GPU(name) shmemd_gpu_##name
#else
#define GPU(name) NULL
#endif

#define DEFINE(name, args) \
	const struct shmemg_kernel shmemd_kernel_##name = { \
		#name, shmemd_cpu_##name, GPU(name) \
	};
SHMEMD_KERNELS(DEFINE)

#define POINTER(name, args) &shmemd_kernel_##name,
const struct shmemg_kernel *const shmemd_kernels[SHMEMD_NKERNELS] = {
	SHMEMD_KERNELS(POINTER)
};

int shmemd_gda_completes(struct shmemd_gda_queue *copy)
{
	struct gda_status status;
	uint64_t doorbell;

	copy->alone = 1;
	copy->own[2] = (uintptr_t)&doorbell;
	return gda_poll_as(copy->format, copy, &status);
}
