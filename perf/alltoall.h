/* SPDX-License-Identifier: BSD-3-Clause */
/* What alltoall.c has kernels do, which alltoall_kernels.c holds. */
#ifndef PERF_ALLTOALL_H
#define PERF_ALLTOALL_H

#include <stddef.h>

#include <shmemx.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One exchange, made iters times; the tables are of memory of kernels. */
struct alltoall_args {
	char *dst;
	const char *src;
	size_t bytes; /* of a block; of a row */
	const size_t *dst_counts, *dst_offsets, *src_counts, *src_offsets;
	size_t *out_counts, *out_offsets; /* 2d */
	size_t n_local, dst_rows;
	long iters;
};

enum alltoall_kernel {
	ALLTOALL_WG,
	ALLTOALL_GRID,
	ALLTOALLV_WG,
	ALLTOALLV_GRID,
	ALLTOALLV_2D_GRID
};

const struct shmemx_kernel *alltoall_kernel(enum alltoall_kernel which);

#ifdef __cplusplus
}
#endif

#endif
