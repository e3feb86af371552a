/* SPDX-License-Identifier: BSD-3-Clause */
#include "moe_bench.h"

#include <stdlib.h>
#include <string.h>

/* Tables of the host, and their copies for kernels, each of n_experts. */
enum {
	SENT,	      /* [n][n_local] rows for each expert */
	CAME,	      /* [n][n_local] rows from each PE for each expert */
	FROM,	      /* where a block begins by PE, */
	TO,	      /* by expert, */
	ENDS,	      /* and how many rows come up to its end */
	SEND_COUNTS,  /* [n] bytes */
	SEND_OFFSETS, /* [n] */
	RECV_COUNTS,
	RECV_OFFSETS,
	N_TABLES
};

static struct {
	size_t *table[N_TABLES], *device[N_TABLES], *first;
	int32_t *ranks, *before, *place;
	char *sorted, *came, *by_expert; /* rows; came is symmetric */
	size_t most, n_rows;
} b;

const char *moe_baseline_open(void)
{
	const size_t ids = (size_t)moe.n_tokens * moe.top_k;
	const size_t chunks = (moe.n_tokens + MOE_CHUNK - 1) / MOE_CHUNK;
	const size_t row = (size_t)moe.hidden * moe.elem_bytes;

	if (moe.dtype == SHMEMX_MOE_FP16)
		return "its kernels know no FP16";
	b.most = ids * moe.n_pes;
	for (int i = 0; i < N_TABLES; i++) {
		b.table[i] = calloc(moe.n_experts, sizeof(size_t));
		b.device[i] = moe_alloc(moe.n_experts * sizeof(size_t));
	}
	b.first = moe_alloc(moe.n_experts * sizeof(size_t));
	b.ranks = moe_alloc(ids * sizeof(int32_t));
	b.place = moe_alloc(ids * sizeof(int32_t));
	b.before = moe_alloc(chunks * moe.n_experts * sizeof(int32_t));
	b.sorted = moe_alloc(ids * row);
	b.came = moe_alloc(b.most * row);
	b.by_expert = moe_alloc(b.most * row);
	return NULL;
}

void moe_baseline_close(void)
{
	shmem_free(b.by_expert);
	shmem_free(b.came);
	shmem_free(b.sorted);
	shmem_free(b.before);
	shmem_free(b.place);
	shmem_free(b.ranks);
	shmem_free(b.first);
	for (int i = 0; i < N_TABLES; i++) {
		shmem_free(b.device[i]);
		free(b.table[i]);
	}
	memset(&b, 0, sizeof(b));
}

static struct moe_kernel_args args_of(const void *in, void *out)
{
	return (struct moe_kernel_args){
		.in = in,
		.out = out,
		.weights = moe.weights,
		.ids = moe.ids,
		.ranks = b.ranks,
		.before = b.before,
		.place = b.place,
		.counts = b.device[SENT],
		.first = b.first,
		.n_rows = b.n_rows,
		.n_blocks = moe.n_experts,
		.n_tokens = moe.n_tokens,
		.top_k = moe.top_k,
		.hidden = moe.hidden,
		.n_experts = moe.n_experts,
		.elem_bytes = moe.elem_bytes,
	};
}

static void sort(void)
{
	const struct moe_kernel_args args = args_of(moe.x, b.sorted);

	moe_launch(MOE_SORT_COUNT, args,
		   (moe.n_tokens + MOE_CHUNK - 1) / MOE_CHUNK);
	moe_launch(MOE_SORT_SCAN, args, 1);
	moe_launch(MOE_SORT_MOVE, args, (size_t)moe.n_tokens * moe.top_k);
}

/* What goes to and comes from each PE, in bytes. */
static void splits_make(void)
{
	const size_t row = (size_t)moe.hidden * moe.elem_bytes;
	size_t sent = 0, came = 0;

	for (size_t pe = 0; pe < moe.n_pes; pe++) {
		size_t out = 0, in = 0;

		for (size_t e = 0; e < moe.n_local; e++) {
			out += b.table[SENT][pe * moe.n_local + e];
			in += b.table[CAME][pe * moe.n_local + e];
		}
		b.table[SEND_COUNTS][pe] = out * row;
		b.table[SEND_OFFSETS][pe] = sent * row;
		b.table[RECV_COUNTS][pe] = in * row;
		b.table[RECV_OFFSETS][pe] = came * row;
		sent += out;
		came += in;
	}
	b.n_rows = came;
}

/* Where each PE's block for each expert lies, before and after. */
static void blocks_make(void)
{
	size_t sum = 0;

	for (size_t i = 0; i < moe.n_experts; i++) {
		b.table[FROM][i] = sum;
		sum += b.table[CAME][i];
		b.table[ENDS][i] = sum;
	}
	sum = 0;
	for (size_t e = 0; e < moe.n_local; e++)
		for (size_t pe = 0; pe < moe.n_pes; pe++) {
			const size_t i = pe * moe.n_local + e;

			b.table[TO][i] = sum;
			sum += b.table[CAME][i];
		}
}

static void fetch(int which)
{
	shmemx_memcpy(b.table[which], b.device[which],
		      moe.n_experts * sizeof(size_t));
}

static void publish(int which)
{
	shmemx_memcpy(b.device[which], b.table[which],
		      moe.n_experts * sizeof(size_t));
}

void moe_baseline_dispatch(void)
{
	struct moe_kernel_args args;

	sort();
	moe_must(shmemx_alltoallmem_on_stream(
		SHMEM_TEAM_WORLD, b.device[CAME], b.device[SENT],
		moe.n_local * sizeof(size_t), NULL));
	shmemx_stream_synchronize(NULL);
	fetch(SENT);
	fetch(CAME);
	splits_make();
	blocks_make();
	for (int i = FROM; i < N_TABLES; i++)
		publish(i);
	moe_must(shmemx_alltoallvmem_on_stream(
		SHMEM_TEAM_WORLD, b.came, b.device[RECV_COUNTS],
		b.device[RECV_OFFSETS], b.sorted, b.device[SEND_COUNTS],
		b.device[SEND_OFFSETS], NULL));
	args = args_of(b.came, b.by_expert);
	args.from = b.device[FROM];
	args.to = b.device[TO];
	args.ends = b.device[ENDS];
	moe_launch(MOE_MOVE, args, b.n_rows);
}

void moe_baseline_combine(void)
{
	struct moe_kernel_args args = args_of(b.by_expert, b.came);

	args.from = b.device[TO];
	args.to = b.device[FROM];
	args.ends = b.device[ENDS];
	moe_launch(MOE_MOVE, args, b.n_rows);
	moe_must(shmemx_alltoallvmem_on_stream(
		SHMEM_TEAM_WORLD, b.sorted, b.device[SEND_COUNTS],
		b.device[SEND_OFFSETS], b.came, b.device[RECV_COUNTS],
		b.device[RECV_OFFSETS], NULL));
	moe_launch(MOE_SUM, args_of(b.sorted, moe.out), moe.n_tokens);
}
