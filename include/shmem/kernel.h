/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels from one source, for every platform:
 *
 *	struct ring_args { long *dest; int pe; };
 *
 *	SHMEMX_KERNEL(ring, struct ring_args, a)
 *	{
 *		if (shmemx_item() == 0)
 *			shmem_long_p(a.dest, 1, a.pe);
 *	}
 *
 *	struct ring_args args = { dest, pe };
 *	shmemx_launch(SHMEMX_KERNEL_REF(ring), 1, 64, &args, sizeof(args),
 *		      NULL);
 *
 * By a GPU compiler ring is extern "C" __global__ void ring(struct ring_args),
 * and may be launched by that compiler's own means; by others it is a static
 * function that each work-item runs. A kernel ends where its work-items return;
 * none may leave while others of its wave or work-group are yet to meet.
 *
 * A function that kernels call has SHMEMX_FN before its type, once, where it is
 * defined: the file's own and inline, for a GPU code of the device only. On the
 * CPU the host may call it as well.
 *
 *	SHMEMX_FN int next_pe(void)
 *	{
 *		return (shmem_my_pe() + 1) % shmem_n_pes();
 *	}
 *
 * For kernels:
 *   shmemx_item(), shmemx_nitems()  this work-item's index in its work-group,
 *                                   and how many there are
 *   shmemx_wg(), shmemx_nwgs()      the work-group's index in the grid, and
 *                                   how many there are
 *   shmemx_lane()                   the work-item's index in its wave
 *   shmemx_wave_size()              32 or 64, from the hardware
 *   shmemx_wg_barrier(), shmemx_wave_barrier()  called by all work-items of
 *                                   the work-group or wave: each sees what the
 *                                   others wrote before
 * Outside of kernels, on the CPU, the caller is work-item 0 of 1.
 */
#include <shmem.h>

#ifndef SHMEM_KERNEL_H
#define SHMEM_KERNEL_H

#include <shmem/device/api.h>
#ifndef SHMEMI_NO_GENERIC
#ifdef __cplusplus
#include <shmem/device/overload.h>
#elif __STDC_VERSION__ >= 201112L
#include <shmem/device/generic.h>
#endif
#endif
#include <shmem/platform.h>
#include <shmem/runtime.h>

#define SHMEMX_FN SHMEMD_FN
#define SHMEMX_KERNEL_REF(name) (&name##_kernel)

#if defined(__CUDACC__) || defined(__HIP__)
#include <shmem/device/kernel_gpu.h>
#else
#include <shmem/device/kernel_cpu.h>
#endif

SHMEMD_FN unsigned int shmemx_item(void)
{
	return shmemd_item();
}

SHMEMD_FN unsigned int shmemx_nitems(void)
{
	return shmemd_nitems();
}

SHMEMD_FN unsigned int shmemx_wg(void)
{
	return shmemd_wg();
}

SHMEMD_FN unsigned int shmemx_nwgs(void)
{
	return shmemd_nwgs();
}

SHMEMD_FN unsigned int shmemx_lane(void)
{
	return shmemd_lane();
}

SHMEMD_FN unsigned int shmemx_wave_size(void)
{
	return shmemd_wave_size();
}

SHMEMD_FN void shmemx_wg_barrier(void)
{
	shmemd_wg_barrier();
}

SHMEMD_FN void shmemx_wave_barrier(void)
{
	shmemd_wave_barrier();
}

#endif
