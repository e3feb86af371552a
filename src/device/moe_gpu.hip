/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels of MoE exchanges on GPUs: clang -x hip, or nvcc -x cu. They have
 * more registers than SHMEMX_KERNEL leaves: work-groups are smaller.
 */
#include <shmem.h>
#include <shmem/device.h>
/* The host pass needs these too, to read the bodies below. */
#include <shmem/device/body_coll.h>
#include <shmem/device/body_rma.h>

/* n: work-groups that a multiprocessor is to have room for, at least. */
#ifdef __CUDACC__
#define MOE_WG(n) __launch_bounds__(SHMEMD_MOE_ITEMS, n)
#else
#define MOE_WG(n) \
	__attribute__((amdgpu_flat_work_group_size(1, SHMEMD_MOE_ITEMS)))
#endif

#define MOE_KERNEL(n, name, args) \
	extern "C" __attribute__((global)) MOE_WG(n) void shmemd_gpu_##name( \
		struct shmemd_args_##args a)
#define KERNEL(name, args) MOE_KERNEL(1, name, args)
/* What waits for memory most of the time. */
#define KERNEL_DENSE(name, args) MOE_KERNEL(2, name, args)
#include "device/moe.inc"
