/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cut [own]: PE 0 says "PE 0 runs" and then a kernel puts to the last PE until
 * its context fails, as somebody cuts the network meanwhile; own: that of PE 0,
 * whose NIC may say something else first. What the context says is printed;
 * then it waits for a network to finalize on.
 */
#include "../gpu/common.h"
#include <shmem/device.h>

enum { BYTES = 8192 };

struct stream {
	shmem_ctx_t ctx;
	char *dest;
	const char *source;
	int *error;
	int pe, n;
};

SHMEMX_KERNEL(send, struct stream, a)
{
	int i, error = 0;

	for (i = 0; i < a.n && !error; i++) {
		shmemx_ctx_putmem_wg(a.ctx, a.dest, a.source, BYTES, a.pe);
		shmemx_ctx_quiet_wg(a.ctx);
		error = shmemx_ctx_error(a.ctx);
	}
	if (!shmemx_item())
		*a.error = error;
}

static struct gpu_mem dest, source, error;

static int put(shmem_ctx_t ctx, int n)
{
	struct stream a = { ctx,       dest.dev, source.dev, (int *)error.dev,
			    gpu_n - 1, n };

	GPU_CHECK_EQ(shmemx_launch(SHMEMX_KERNEL_REF(send), 1, 64, &a,
				   sizeof(a), NULL),
		     0);
	gpu_sync();
	gpu_mem_pull(&error, error.bytes);
	return *(int *)error.host;
}

static void be_cut(int own)
{
	shmem_ctx_t ctx;
	char text[512];
	int failed;

	GPU_CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
	GPU_CHECK_EQ(put(ctx, 3), 0);
	GPU_CHECK_EQ(shmemx_ctx_error(ctx), 0);
	printf("PE 0 runs\n");
	fflush(stdout);
	failed = put(ctx, INT32_MAX);
	GPU_CHECK(own ? failed != 0 : failed == SHMEMX_ERROR_LINK);
	GPU_CHECK_EQ(shmemx_ctx_error(ctx), failed);
	GPU_CHECK(shmemx_ctx_error_message(ctx, text, sizeof(text)) > 0);
	printf("it says: %s\n", text);
	fflush(stdout);
	shmem_ctx_destroy(ctx);
}

int main(int argc, char **argv)
{
	(void)argv;
	gpu_begin();
	dest = gpu_mem_new(BYTES);
	source = gpu_mem_new(BYTES);
	error = gpu_mem_new(sizeof(int));
	shmem_barrier_all();
	if (gpu_me == 0)
		be_cut(argc > 1);
	return gpu_end();
}
