/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One small ring for many work-items, each of which sends more than it holds:
 * calls wait for places, none is lost, and those who wait for results get
 * theirs although places are used again at once.
 * PES: 2 3
 * ENV: SHMEM_NODE_SIZE=1 SHMEM_PROXY_RINGS=1 SHMEM_PROXY_SLOTS=128
 */
#include "common.h"
#include <shmem/device.h>

enum { WGS = 4, ITEMS = 96, CALLS = 20, BLOCK = 504 };

struct full {
	long *words;   /* by PE, item and call */
	char *blocks;  /* by PE and item */
	long *counter; /* of PE 0 */
	long *tickets; /* by item and call */
	char *source;  /* by item */
};

SHMEMX_FN size_t my_number(void)
{
	return (size_t)shmemx_wg() * shmemx_nitems() + shmemx_item();
}

SHMEMX_KERNEL(floods, struct full, a)
{
	const int me = shmem_my_pe(), n = shmem_n_pes();
	const size_t i = my_number();
	long *words = a.words + ((size_t)me * WGS * ITEMS + i) * CALLS;
	int call;

	for (call = 0; call < CALLS; call++) {
		shmem_long_p(words + call, (long)(i * 1000) + call,
			     (me + 1) % n);
		a.tickets[i * CALLS + (size_t)call] =
			shmem_long_atomic_fetch_add(a.counter, 1, (me + 1) % n);
	}
	shmem_putmem_nbi(a.blocks + ((size_t)me * WGS * ITEMS + i) * BLOCK,
			 a.source + i * BLOCK, BLOCK, (me + 1) % n);
	shmem_quiet();
}

static struct gpu_mem words, blocks, counter, tickets, source;

/* The counter was at each number once. */
static void check_tickets(void)
{
	const size_t n = (size_t)WGS * ITEMS * CALLS;
	unsigned char *seen = (unsigned char *)calloc(n, 1);

	gpu_mem_pull(&tickets, tickets.bytes);
	for (size_t i = 0; i < n; i++) {
		long t = ((long *)tickets.host)[i];

		if (t < 0 || (size_t)t >= n || seen[t]++)
			gpu_fail("call %zu got %ld", i, t);
	}
	free(seen);
	gpu_mem_pull(&counter, counter.bytes);
	GPU_CHECK_EQ(*(long *)counter.host, n);
}

static void check_words(int prev)
{
	const long *from =
		(long *)words.host + (size_t)prev * WGS * ITEMS * CALLS;

	gpu_mem_pull(&words, words.bytes);
	for (long i = 0; i < (long)WGS * ITEMS; i++)
		for (long call = 0; call < CALLS; call++)
			GPU_CHECK_EQ(from[i * CALLS + call], i * 1000 + call);
}

static void check_blocks(int prev)
{
	const size_t bytes = (size_t)WGS * ITEMS * BLOCK;
	unsigned char *want = (unsigned char *)malloc(bytes);

	gpu_bytes(want, bytes, gpu_seed, prev, 0);
	gpu_mem_pull(&blocks, blocks.bytes);
	gpu_same("blocks", blocks.host + (size_t)prev * bytes, want, bytes);
	free(want);
}

int main(void)
{
	const size_t items = (size_t)WGS * ITEMS;
	struct full a;

	gpu_begin();
	words = gpu_mem_new((size_t)gpu_n * items * CALLS * sizeof(long));
	blocks = gpu_mem_new((size_t)gpu_n * items * BLOCK);
	counter = gpu_mem_new(sizeof(long));
	tickets = gpu_mem_new(items * CALLS * sizeof(long));
	source = gpu_mem_new(items * BLOCK);
	gpu_bytes(source.host, source.bytes, gpu_seed, gpu_me, 0);
	gpu_mem_push(&source, source.bytes);
	a.words = (long *)words.dev;
	a.blocks = blocks.dev;
	a.counter = (long *)counter.dev;
	a.tickets = (long *)tickets.dev;
	a.source = source.dev;
	gpu_mem_fill(&counter, 0, counter.bytes);
	shmem_barrier_all();
	GPU_CHECK_EQ(shmemx_launch(SHMEMX_KERNEL_REF(floods), WGS, ITEMS, &a,
				   sizeof(a), NULL),
		     0);
	gpu_sync();
	shmem_barrier_all();
	check_tickets();
	check_words((gpu_me + gpu_n - 1) % gpu_n);
	check_blocks((gpu_me + gpu_n - 1) % gpu_n);
	return gpu_end();
}
