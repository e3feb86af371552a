/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the MoE benchmark share: a case, its buffers, launches. */
#ifndef PERF_MOE_BENCH_H
#define PERF_MOE_BENCH_H

#include "bench.h"
#include "moe.h"
#include "skew.h"

struct moe_case {
	uint32_t hidden, n_experts, top_k, dtype, quant, layout, n_wgs;
	uint32_t n_gemms; /* beside or between */
	enum skew skew;
	uint32_t n_tokens, elem_bytes;
	size_t n_pes, n_local;
	shmemx_moe_t handle;
	shmemx_moe_layout_t record;
	struct shmemx_moe_sizes sizes;
	/* Of memory of kernels; rows to results are symmetric. */
	void *x, *out, *rows, *results, *gradients;
	int32_t *ids;
	float *scales, *weights, *grad_weights;
	int32_t *host_ids; /* [n_tokens][top_k] */
};

extern struct moe_case moe;

bool moe_on_cpu(void);
/* A case's handle and buffers, for struct bench_test. */
const char *moe_case_open(struct bench_case *c);
void moe_case_close(struct bench_case *c);
/* The case's tokens to its rows, its results to out; on the default stream. */
void moe_dispatch(void);
void moe_combine(void);

/* Zeroed memory of kernels; symmetric if all call alike. Ends the job. */
void *moe_alloc(size_t bytes);
/* On the default stream; work-groups by the platform and n rows of work. */
void moe_launch(enum moe_kernel which, struct moe_kernel_args args, size_t n);
/*
 * moe_data.c: x, ids and weights of a repetition. wrong: bytes of elements of
 * out that differ from want times x by more than a share.
 */
void moe_data_open(void);
void moe_data_close(void);
void moe_data_fill(const struct bench_case *c);
size_t moe_data_wrong(float want, float slack);

/* moe_args.c, for struct bench_program. */
extern const struct argp_child moe_options[];

/* 0 or nothing: a call that fails has said why. */
void moe_must(int rc);

/*
 * The exchange as programs do it that have collectives alone: sort by expert,
 * exchange counts, bring them to the host, alltoallv, sort by expert again, and
 * all the way back. open: NULL or why not.
 */
const char *moe_baseline_open(void);
void moe_baseline_dispatch(void);
void moe_baseline_combine(void);
void moe_baseline_close(void);

/*
 * Products of matrices, n_gemms an operation: alone, on a stream of their own;
 * between the halves of a dispatch; on their stream while the default stream
 * dispatches and combines. For struct bench_test.
 */
const char *moe_gemm_open(struct bench_case *c);
void moe_gemm_close(struct bench_case *c);
void moe_gemm_alone(struct bench_case *c, long nops);
void moe_gemm_between(struct bench_case *c, long nops);
void moe_gemm_beside(struct bench_case *c, long nops);

#endif
