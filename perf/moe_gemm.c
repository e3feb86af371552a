/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of matrices: what a processor computes beside an exchange. */
#include "moe_bench.h"

static const int tile = 512;

static float *matrices; /* a, b, and their product */
static shmemx_stream_t stream;

const char *moe_gemm_open(struct bench_case *c)
{
	moe_case_open(c);
	matrices = moe_alloc(3 * (size_t)tile * tile * sizeof(float));
	moe_must(shmemx_stream_create(&stream));
	return NULL;
}

void moe_gemm_close(struct bench_case *c)
{
	shmemx_stream_destroy(stream);
	shmem_free(matrices);
	moe_case_close(c);
}

static void gemms(shmemx_stream_t on)
{
	const struct moe_kernel_args args = {
		.in = matrices,
		.out = matrices + 2 * (size_t)tile * tile,
		.tile = moe_on_cpu() ? 16 : (uint32_t)tile,
	};

	for (uint32_t i = 0; i < moe.n_gemms; i++)
		moe_must(shmemx_launch(
			moe_kernel(MOE_GEMM), moe_on_cpu() ? 2 : 64,
			moe_on_cpu() ? 8 : 256, &args, sizeof(args), on));
}

void moe_gemm_alone(struct bench_case *c, long nops)
{
	(void)c;
	for (long i = 0; i < nops; i++)
		gemms(stream);
	shmemx_stream_synchronize(stream);
}

void moe_gemm_between(struct bench_case *c, long nops)
{
	(void)c;
	for (long i = 0; i < nops; i++) {
		moe_must(shmemx_moe_dispatch_send(moe.handle, moe.record, moe.x,
						  moe.ids, moe.n_tokens,
						  moe.rows, moe.scales, NULL));
		gemms(NULL);
		moe_must(shmemx_moe_dispatch_recv(moe.handle, NULL));
	}
	shmemx_stream_synchronize(NULL);
}

void moe_gemm_beside(struct bench_case *c, long nops)
{
	(void)c;
	for (long i = 0; i < nops; i++) {
		gemms(stream);
		moe_dispatch();
		moe_combine();
	}
	shmemx_stream_synchronize(stream);
	shmemx_stream_synchronize(NULL);
}
