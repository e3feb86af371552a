/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of alltoall.c, for CPUs and GPUs. */
#include <shmem/device.h>

#include "alltoall.h"

SHMEMX_KERNEL(alltoall_wg, struct alltoall_args, a)
{
	for (long i = 0; i < a.iters; i++)
		shmemx_alltoallmem_wg(SHMEM_TEAM_WORLD, a.dst, a.src, a.bytes);
}

SHMEMX_KERNEL(alltoall_grid, struct alltoall_args, a)
{
	for (long i = 0; i < a.iters; i++)
		shmemx_alltoallmem_grid(SHMEM_TEAM_WORLD, a.dst, a.src,
					a.bytes);
}

SHMEMX_KERNEL(alltoallv_wg, struct alltoall_args, a)
{
	for (long i = 0; i < a.iters; i++)
		shmemx_alltoallvmem_wg(SHMEM_TEAM_WORLD, a.dst, a.dst_counts,
				       a.dst_offsets, a.src, a.src_counts,
				       a.src_offsets);
}

SHMEMX_KERNEL(alltoallv_grid, struct alltoall_args, a)
{
	for (long i = 0; i < a.iters; i++)
		shmemx_alltoallvmem_grid(SHMEM_TEAM_WORLD, a.dst, a.dst_counts,
					 a.dst_offsets, a.src, a.src_counts,
					 a.src_offsets);
}

SHMEMX_KERNEL(alltoallv_2d_grid, struct alltoall_args, a)
{
	for (long i = 0; i < a.iters; i++)
		shmemx_alltoallv_2d_grid(
			SHMEM_TEAM_WORLD, a.dst, a.src, a.bytes, a.n_local, 1,
			a.dst_rows, a.src_counts, a.out_counts, a.out_offsets);
}

const struct shmemx_kernel *alltoall_kernel(enum alltoall_kernel which)
{
	switch (which) {
	case ALLTOALL_WG:
		return SHMEMX_KERNEL_REF(alltoall_wg);
	case ALLTOALL_GRID:
		return SHMEMX_KERNEL_REF(alltoall_grid);
	case ALLTOALLV_WG:
		return SHMEMX_KERNEL_REF(alltoallv_wg);
	case ALLTOALLV_GRID:
		return SHMEMX_KERNEL_REF(alltoallv_grid);
	default:
		return SHMEMX_KERNEL_REF(alltoallv_2d_grid);
	}
}
