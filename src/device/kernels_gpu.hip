/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's kernels on GPUs: clang -x hip, or nvcc -x cu. */
#include <shmem.h>
#include <shmem/device.h>
/* The host pass needs these too, to read the bodies below. */
#include <shmem/device/body_coll.h>
#include <shmem/device/body_rma.h>

#define KERNEL(name, args) \
	SHMEMX_KERNEL(shmemd_gpu_##name, struct shmemd_args_##args, a)
#include "device/kernels.inc"
