/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A context that only its maker uses, in calls of a work-group: what its items
 * would share is posted by one. Run by shapes.sh, with rings that are full.
 */
#include "../gpu/common.h"
#include <shmem/device.h>

enum { ITEMS = 128, BLOCKS = 256, BYTES = 20000 };

struct call {
	shmem_ctx_t ctx;
	char *dest;
	const char *unknown; /* no NIC knows it */
	long *spread;
	const long *words;
	int pe;
};

SHMEMX_KERNEL(call, struct call, a)
{
	shmemx_ctx_putmem_wg(a.ctx, a.dest, a.unknown, BYTES, a.pe);
	shmemx_ctx_long_iput_wg(a.ctx, a.spread, a.words, 2, 1, BLOCKS, a.pe);
	shmemx_ctx_quiet_wg(a.ctx);
}

static void fill(char *bytes, long *words, int pe, int round)
{
	for (int i = 0; i < BYTES; i++)
		bytes[i] = (char)(i * 7 + pe + round * 31);
	for (int i = 0; i < BLOCKS; i++)
		words[i] = i + 1000L * pe + 77L * round;
}

static void check(const struct gpu_mem *dest, const struct gpu_mem *spread,
		  int round)
{
	const long *got = (const long *)(void *)spread->host;
	long words[BLOCKS];
	char bytes[BYTES];

	fill(bytes, words, (gpu_me + gpu_n - 1) % gpu_n, round);
	gpu_mem_pull(dest, BYTES);
	gpu_mem_pull(spread, spread->bytes);
	if (memcmp(dest->host, bytes, BYTES))
		gpu_fail("round %d: wrong bytes", round);
	for (int i = 0; i < BLOCKS; i++)
		if (got[2 * i] != words[i])
			gpu_fail("round %d: word %d is %ld, expected %ld",
				 round, i, got[2 * i], words[i]);
}

int main(void)
{
	struct gpu_mem dest, spread, words;
	struct call c = { 0 };
	char *unknown = malloc(BYTES);

	gpu_begin();
	dest = gpu_mem_new(BYTES);
	spread = gpu_mem_new(2 * BLOCKS * sizeof(long));
	words = gpu_mem_new(BLOCKS * sizeof(long));
	GPU_CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &c.ctx), 0);
	c.dest = dest.dev;
	c.unknown = unknown;
	c.spread = (long *)(void *)spread.dev;
	c.words = (const long *)(void *)words.dev;
	c.pe = (gpu_me + 1) % gpu_n;
	for (int round = 0; round < 20; round++) {
		fill(unknown, (long *)(void *)words.host, gpu_me, round);
		gpu_mem_push(&words, words.bytes);
		shmem_barrier_all();
		GPU_CHECK_EQ(shmemx_launch(SHMEMX_KERNEL_REF(call), 1, ITEMS,
					   &c, sizeof(c), NULL),
			     0);
		gpu_sync();
		shmem_barrier_all();
		check(&dest, &spread, round);
		shmem_barrier_all();
	}
	shmem_ctx_destroy(c.ctx);
	free(unknown);
	gpu_mem_free(&words);
	gpu_mem_free(&spread);
	gpu_mem_free(&dest);
	return gpu_end();
}
