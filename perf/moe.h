/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pieces of the MoE benchmark: moe.c is the program, moe_data.c who goes
 * where, moe_baseline.c the exchange without shmemx_moe_*, moe_gemm.c what is
 * computed beside it, moe_kernels.c the kernels around them.
 */
#ifndef PERF_MOE_H
#define PERF_MOE_H

#include <stddef.h>
#include <stdint.h>

#include <shmem/moe.h>
#include <shmemx.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Tokens of a chunk that one work-group of the baseline sorts. */
#define MOE_CHUNK 32

/* What a kernel of moe_kernels.c is told; pointers of memory of kernels. */
struct moe_kernel_args {
	const void *in;
	void *out;
	const float *scales, *weights;
	const int32_t *ids;
	int32_t *ranks, *before, *place;
	size_t *counts, *first;
	const size_t *from, *to, *ends; /* blocks of rows: begins, begins, and
					   how many rows come up to the end */
	size_t n_rows, n_blocks;
	uint32_t n_tokens, top_k, hidden, n_experts, elem_bytes, quant;
	uint32_t tile; /* gemm: rows and columns */
};

enum moe_kernel {
	MOE_IDENTITY,	/* rows of dispatch to rows of dtype: an expert */
	MOE_SORT_COUNT, /* the baseline's: ranks in chunks, counts of chunks */
	MOE_SORT_SCAN,	/* where each expert's tokens begin */
	MOE_SORT_MOVE,	/* tokens to their places */
	MOE_MOVE,	/* blocks of rows */
	MOE_SUM,	/* rows to tokens */
	MOE_GEMM	/* work for the processor beside an exchange */
};

const struct shmemx_kernel *moe_kernel(enum moe_kernel which);

#ifdef __cplusplus
}
#endif

#endif
