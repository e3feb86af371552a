/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MoE exchanges of all PEs, one after the other on the default stream. The size
 * is tokens of a PE. Experts return what they get, so that out must be x times
 * the sum of the weights: 1.
 *
 * GB/s counts the rows and scales that a PE sends (dispatch) or fetches
 * (combine), wire GB/s those of other PEs, link GB/s those of other GPUs.
 */
#include "moe_bench.h"

#include <stdio.h>
#include <string.h>

struct moe_case moe = {
	.hidden = 7168,
	.n_experts = 256,
	.top_k = 8,
	.dtype = SHMEMX_MOE_BF16,
	.quant = SHMEMX_MOE_QUANT_FP8,
	.n_gemms = 1,
};

bool moe_on_cpu(void)
{
	return !strcmp(shmemx_platform(), "cpu");
}

void *moe_alloc(size_t bytes)
{
	void *mem = shmem_malloc(bytes ? bytes : 1);

	if (!mem) {
		fprintf(stderr,
			"PE %d: no %zu bytes; raise SHMEM_SYMMETRIC_SIZE\n",
			shmem_my_pe(), bytes);
		shmem_global_exit(1);
	}
	shmemx_memset(mem, 0, bytes);
	return mem;
}

void moe_must(int rc)
{
	if (rc)
		shmem_global_exit(1);
}

void moe_launch(enum moe_kernel which, struct moe_kernel_args args, size_t n)
{
	const size_t most = moe_on_cpu() ? 4 : 1024;

	/* A work-group of sort_count is a chunk: as many as there are. */
	if (which == MOE_SORT_COUNT)
		n = n ? n : 1;
	else
		n = !n ? 1 : n < most ? n : most;
	moe_must(shmemx_launch(moe_kernel(which), (int)n,
			       moe_on_cpu() ? 16 : 256, &args, sizeof(args),
			       NULL));
}

static struct shmemx_moe_config config(void)
{
	return (struct shmemx_moe_config){
		.version = SHMEMX_MOE_VERSION,
		.n_experts = moe.n_experts,
		.team = SHMEM_TEAM_WORLD,
		.top_k = moe.top_k,
		.hidden = moe.hidden,
		.dtype = moe.dtype,
		.quant = moe.quant,
		.layout = moe.layout,
		.max_tokens = moe.n_tokens,
		.alignment = 1,
		.id_bytes = sizeof(int32_t),
		.n_wgs = moe.n_wgs,
	};
}

const char *moe_case_open(struct bench_case *c)
{
	const size_t n = c->bytes, x_bytes = n * moe.hidden * moe.elem_bytes;
	struct shmemx_moe_config cfg;

	moe.n_tokens = (uint32_t)n;
	moe.n_pes = (size_t)c->npes;
	moe.n_local = moe.n_experts / moe.n_pes;
	cfg = config();
	moe_must(shmemx_moe_sizes(&cfg, &moe.sizes));
	moe_must(shmemx_moe_create(&cfg, &moe.handle));
	moe_must(shmemx_moe_layout_create(moe.handle, &moe.record));
	moe.x = moe_alloc(x_bytes);
	moe.out = moe_alloc(x_bytes);
	moe.ids = moe_alloc(n * moe.top_k * sizeof(int32_t));
	moe.weights = moe_alloc(n * moe.top_k * sizeof(float));
	moe.grad_weights = moe_alloc(n * moe.top_k * sizeof(float));
	moe.rows = moe_alloc(moe.sizes.dispatch_bytes);
	moe.scales = moe.sizes.scales_bytes ?
			     moe_alloc(moe.sizes.scales_bytes) :
			     NULL;
	moe.results = moe_alloc(moe.sizes.combine_bytes);
	moe.gradients = moe_alloc(moe.sizes.combine_bytes);
	moe_data_open();
	return NULL;
}

void moe_case_close(struct bench_case *c)
{
	(void)c;
	moe_data_close();
	shmem_free(moe.gradients);
	shmem_free(moe.results);
	if (moe.scales)
		shmem_free(moe.scales);
	shmem_free(moe.rows);
	shmem_free(moe.grad_weights);
	shmem_free(moe.weights);
	shmem_free(moe.ids);
	shmem_free(moe.out);
	shmem_free(moe.x);
	shmemx_moe_layout_destroy(moe.record);
	shmemx_moe_destroy(moe.handle);
}

static void identity(void)
{
	moe_launch(MOE_IDENTITY,
		   (struct moe_kernel_args){
			   .in = moe.rows,
			   .out = moe.results,
			   .scales = moe.scales,
			   .n_rows = moe.sizes.rows,
			   .hidden = moe.hidden,
			   .elem_bytes = moe.elem_bytes,
			   .quant = moe.quant,
		   },
		   moe.sizes.rows);
}

void moe_dispatch(void)
{
	moe_must(shmemx_moe_dispatch(moe.handle, moe.record, moe.x, moe.ids,
				     moe.n_tokens, moe.rows, moe.scales, NULL));
}

void moe_combine(void)
{
	moe_must(shmemx_moe_combine(moe.handle, moe.record, moe.results,
				    moe.weights, moe.out, NULL));
}

/* New tokens; and, as combine and the gradients start there, dispatched. */
static void fill(struct bench_case *c)
{
	moe_data_fill(c);
	moe_dispatch();
	identity();
	moe_combine();
	shmemx_stream_synchronize(NULL);
}

/* E4M3 has 3 bits behind the first, and its scale is not exact. */
static float slack_of(int quantised)
{
	return quantised && moe.quant ? 0.07f : 0.01f;
}

/* Nothing is in out from before: experts and combine run once more. */
static size_t check_dispatch(const struct bench_case *c)
{
	(void)c;
	shmemx_memset(moe.out, 0xff, 16);
	identity();
	moe_combine();
	shmemx_stream_synchronize(NULL);
	return moe_data_wrong(1, slack_of(1));
}

static size_t check_combine(const struct bench_case *c)
{
	(void)c;
	return moe_data_wrong(1, slack_of(1));
}

static size_t check_dispatch_backward(const struct bench_case *c)
{
	(void)c;
	return moe_data_wrong((float)moe.top_k, slack_of(1));
}

/* Rows are x / top_k: their sum is x. */
static size_t check_combine_backward(const struct bench_case *c)
{
	(void)c;
	moe_must(shmemx_moe_dispatch_backward(moe.handle, moe.record,
					      moe.gradients, moe.out, NULL));
	shmemx_stream_synchronize(NULL);
	return moe_data_wrong(1, slack_of(0));
}

static void run_dispatch(struct bench_case *c, long nops)
{
	(void)c;
	for (long i = 0; i < nops; i++)
		moe_dispatch();
	shmemx_stream_synchronize(NULL);
}

static void run_cached(struct bench_case *c, long nops)
{
	(void)c;
	for (long i = 0; i < nops; i++)
		moe_must(shmemx_moe_dispatch(moe.handle, moe.record, moe.x,
					     NULL, moe.n_tokens, moe.rows,
					     moe.scales, NULL));
	shmemx_stream_synchronize(NULL);
}

static void run_combine(struct bench_case *c, long nops)
{
	(void)c;
	for (long i = 0; i < nops; i++)
		moe_combine();
	shmemx_stream_synchronize(NULL);
}

static void run_both(struct bench_case *c, long nops)
{
	(void)c;
	for (long i = 0; i < nops; i++) {
		moe_dispatch();
		moe_combine();
	}
	shmemx_stream_synchronize(NULL);
}

static void run_dispatch_backward(struct bench_case *c, long nops)
{
	(void)c;
	for (long i = 0; i < nops; i++)
		moe_must(shmemx_moe_dispatch_backward(
			moe.handle, moe.record, moe.results, moe.out, NULL));
	shmemx_stream_synchronize(NULL);
}

static void run_combine_backward(struct bench_case *c, long nops)
{
	(void)c;
	for (long i = 0; i < nops; i++)
		moe_must(shmemx_moe_combine_backward(
			moe.handle, moe.record, moe.x, moe.results, moe.weights,
			moe.gradients, moe.grad_weights, NULL));
	shmemx_stream_synchronize(NULL);
}

static const char *open_baseline(struct bench_case *c)
{
	moe_case_open(c);
	return moe_baseline_open();
}

static void close_baseline(struct bench_case *c)
{
	moe_baseline_close();
	moe_case_close(c);
}

static void fill_baseline(struct bench_case *c)
{
	fill(c);
	moe_baseline_dispatch();
	moe_baseline_combine();
}

static size_t check_baseline(const struct bench_case *c)
{
	(void)c;
	moe_baseline_combine();
	shmemx_stream_synchronize(NULL);
	return moe_data_wrong(1, slack_of(0));
}

static void run_baseline_dispatch(struct bench_case *c, long nops)
{
	(void)c;
	for (long i = 0; i < nops; i++)
		moe_baseline_dispatch();
	shmemx_stream_synchronize(NULL);
}

static void run_baseline_combine(struct bench_case *c, long nops)
{
	(void)c;
	for (long i = 0; i < nops; i++)
		moe_baseline_combine();
	shmemx_stream_synchronize(NULL);
}

static void run_baseline(struct bench_case *c, long nops)
{
	(void)c;
	for (long i = 0; i < nops; i++) {
		moe_baseline_dispatch();
		moe_baseline_combine();
	}
	shmemx_stream_synchronize(NULL);
}

static size_t check_nothing(const struct bench_case *c)
{
	(void)c;
	return 0;
}

/* Rows that this PE sends, those to others, and those to others' GPUs. */
static struct bench_flow flow_of(const struct bench_case *c, double row_bytes)
{
	const size_t n = (size_t)moe.n_tokens * moe.top_k;
	size_t others = 0, linked = 0;

	for (size_t i = 0; i < n; i++) {
		const int pe = (int)((size_t)moe.host_ids[i] / moe.n_local);

		others += pe != c->me;
		linked += bench_links(c, pe);
	}
	return (struct bench_flow){ (double)n * row_bytes,
				    (double)others * row_bytes,
				    (double)linked * row_bytes };
}

static double token_bytes(void)
{
	return (double)moe.hidden * moe.elem_bytes;
}

static double sent_bytes(void)
{
	if (!moe.quant)
		return token_bytes();
	return moe.hidden * (1 + 4.0 / SHMEMX_MOE_SCALE_ELEMS);
}

static struct bench_flow flow_sent(const struct bench_case *c)
{
	return flow_of(c, sent_bytes());
}

static struct bench_flow flow_token(const struct bench_case *c)
{
	return flow_of(c, token_bytes());
}

static struct bench_flow flow_both(const struct bench_case *c)
{
	return flow_of(c, sent_bytes() + token_bytes());
}

static struct bench_flow flow_twice(const struct bench_case *c)
{
	return flow_of(c, 2 * token_bytes());
}

#define CASE \
	.sized = true, .open = moe_case_open, .fill = fill, \
	.close = moe_case_close
#define BASE \
	.sized = true, .open = open_baseline, .fill = fill_baseline, \
	.check = check_baseline, .close = close_baseline
#define GEMM \
	.sized = true, .open = moe_gemm_open, .fill = fill, \
	.close = moe_gemm_close

static const struct bench_test tests[] = {
	{ .name = "dispatch",
	  .what = "tokens to experts",
	  .run = run_dispatch,
	  .check = check_dispatch,
	  .flow = flow_sent,
	  CASE },
	{ .name = "dispatch_again",
	  .what = "with the layout of the one before",
	  .run = run_cached,
	  .check = check_dispatch,
	  .flow = flow_sent,
	  CASE },
	{ .name = "combine",
	  .what = "results to tokens",
	  .run = run_combine,
	  .check = check_combine,
	  .flow = flow_token,
	  CASE },
	{ .name = "both",
	  .what = "dispatch and combine",
	  .run = run_both,
	  .check = check_dispatch,
	  .flow = flow_both,
	  CASE },
	{ .name = "dispatch_backward",
	  .what = "gradients of rows to tokens",
	  .run = run_dispatch_backward,
	  .check = check_dispatch_backward,
	  .flow = flow_token,
	  CASE },
	{ .name = "combine_backward",
	  .what = "gradients of tokens to rows, and of weights",
	  .run = run_combine_backward,
	  .check = check_combine_backward,
	  .flow = flow_twice,
	  CASE },
	{ .name = "baseline_dispatch",
	  .what = "sort, counts to the host, alltoallv, sort; not quantised",
	  .run = run_baseline_dispatch,
	  .flow = flow_token,
	  BASE },
	{ .name = "baseline_combine",
	  .what = "sort, alltoallv, sum",
	  .run = run_baseline_combine,
	  .flow = flow_token,
	  BASE },
	{ .name = "baseline",
	  .what = "both of the baseline",
	  .run = run_baseline,
	  .flow = flow_twice,
	  BASE },
	{ .name = "gemm",
	  .what = "--gemms products of matrices alone",
	  .run = moe_gemm_alone,
	  .check = check_nothing,
	  GEMM },
	{ .name = "gemm_between",
	  .what = "they between the halves of a dispatch",
	  .run = moe_gemm_between,
	  .check = check_dispatch,
	  GEMM },
	{ .name = "gemm_beside",
	  .what = "they beside a dispatch and a combine, on another stream",
	  .run = moe_gemm_beside,
	  .check = check_dispatch,
	  GEMM },
};

static void open_program(size_t max_bytes)
{
	(void)max_bytes;
	moe.elem_bytes = moe.dtype == SHMEMX_MOE_FP32 ? 4 : 2;
	if (moe.n_experts % (uint32_t)shmem_n_pes()) {
		fprintf(stderr,
			"moe: --experts is %u, expected a multiple of "
			"the %d PEs\n",
			moe.n_experts, shmem_n_pes());
		shmem_global_exit(2);
	}
}

static const struct bench_program program = {
	.name = "moe",
	.what = "MoE dispatch and combine on a stream; sizes are tokens of a "
		"PE; the slowest PE counts.",
	.tests = tests,
	.ntests = sizeof(tests) / sizeof(tests[0]),
	.min_pes = 1,
	.sizes = "128",
	.size_name = "tokens",
	.own_buffers = true,
	.options = moe_options,
	.open = open_program,
};

int main(int argc, char **argv)
{
	return bench_main(argc, argv, &program);
}
