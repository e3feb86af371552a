/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where kernels read what the library tells them: each translation unit with
 * kernels has a block of its own, shmemd_block, in constant memory, and gives
 * the library a function that fills it. Nothing is left to the program but for
 * GPU modules that it loads by hand: shmemx_module_init.
 *
 * Before the library is initialised, and after it is finalised, the block is
 * all zero: it knows no PE, and any call of a kernel ends its work-item.
 */
#ifndef SHMEM_DEVICE_MODULE_H
#define SHMEM_DEVICE_MODULE_H

#include <shmem/device/arch.h>
#include <shmem/device/state.h>
#include <shmem/runtime.h>

static SHMEMD_CONST struct shmemd_block shmemd_block;

#if defined(__CUDACC__) || defined(__HIP__)
#include <shmem/device/runtime_gpu.h>
#else
#include <shmem/device/runtime_cpu.h>
#endif

static struct shmemx_module shmemd_module = { NULL, &shmemd_runtime,
					      SHMEMD_LAYOUT, 0 };

/*
 * nvcc registers a unit's variables with its runtime in a constructor; the one
 * of an object at the end of the unit's start-up comes after it.
 */
#ifdef __cplusplus
namespace
{
/* Of this unit alone: without a name around it, units would share its code. */
struct shmemd_module_guard {
	shmemd_module_guard()
	{
		shmemx_module_register(&shmemd_module);
	}
	~shmemd_module_guard()
	{
		shmemx_module_unregister(&shmemd_module);
	}
} shmemd_module_guard;
} // namespace
#else
__attribute__((constructor)) static void shmemd_module_enter(void)
{
	shmemx_module_register(&shmemd_module);
}

__attribute__((destructor)) static void shmemd_module_leave(void)
{
	shmemx_module_unregister(&shmemd_module);
}
#endif

#endif
