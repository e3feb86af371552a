/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is ordered between PEs that only the proxy reaches: puts before those
 * after a fence, also if another work-group makes them; the bytes of a put
 * before its signal, in any size. Kernels of two PEs run at once.
 * PES: 2 3
 * ENV: SHMEM_NODE_SIZE=1
 */
#include "common.h"
#include <shmem/device.h>

enum { ROUNDS = 60, WORDS = 300, SIGNAL_BYTES = 40000 };

struct order {
	long *words;	 /* WORDS */
	uint64_t *flags; /* 0: of the sender, 1: of the receiver */
	long *local;	 /* of the device: 0 the context, 1 the relay's word */
	char *big, *source;
	long *faults;
	int to, from, own_ctx;
};

/* The next PE's kernel goes on when it has looked at the round before. */
SHMEMX_FN void await_reader(const struct order *a, long round)
{
	shmem_uint64_wait_until(&a->flags[1], SHMEM_CMP_GE,
				(uint64_t)round - 1);
}

SHMEMX_FN void write_words(const struct order *a, shmem_ctx_t ctx, long round)
{
	int i;

	for (i = 0; i < WORDS; i++)
		shmem_ctx_long_p(ctx, &a->words[i], round, a->to);
}

/* What is older than the flag says is a fault. */
SHMEMX_FN void read_words(const struct order *a, long round)
{
	int i;

	shmem_uint64_wait_until(&a->flags[0], SHMEM_CMP_GE, (uint64_t)round);
	for (i = 0; i < WORDS; i++)
		if (shmem_long_g(&a->words[i], shmem_my_pe()) < round)
			++*a->faults;
	shmem_uint64_p(&a->flags[1], (uint64_t)round, a->from);
}

/* Work-group 0 sends, work-group 1 reads what the PE before sends. */
SHMEMX_KERNEL(fences, struct order, a)
{
	shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
	long round;

	if (shmemx_wg() == 0 && a.own_ctx &&
	    shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx))
		++*a.faults;
	for (round = 1; round <= ROUNDS; round++) {
		if (shmemx_wg()) {
			read_words(&a, round);
			continue;
		}
		await_reader(&a, round);
		write_words(&a, ctx, round);
		shmem_ctx_fence(ctx);
		shmem_ctx_uint64_p(ctx, &a.flags[0], (uint64_t)round, a.to);
	}
	if (shmemx_wg() == 0 && a.own_ctx)
		shmem_ctx_destroy(ctx);
}

/* As fences, but the flag is sent by work-group 2, when 0 has told it. */
SHMEMX_FN void relay(const struct order *a, long round)
{
	const int me = shmem_my_pe();

	if (shmemx_wg() == 0) {
		await_reader(a, round);
		write_words(a, SHMEM_CTX_DEFAULT, round);
		shmem_fence();
		shmem_long_p(&a->local[1], round, me);
	} else if (shmemx_wg() == 2) {
		shmem_long_wait_until(&a->local[1], SHMEM_CMP_GE, round);
		shmem_uint64_p(&a->flags[0], (uint64_t)round, a->to);
	} else {
		read_words(a, round);
	}
}

SHMEMX_KERNEL(relays, struct order, a)
{
	long round;

	for (round = 1; round <= ROUNDS; round++)
		relay(&a, round);
}

SHMEMX_FN size_t signal_bytes(long round)
{
	const size_t sizes[] = {
		1, 8, 24, 25, 64, 300, 512, 513, SIGNAL_BYTES
	};

	return sizes[(size_t)round % (sizeof(sizes) / sizeof(*sizes))];
}

SHMEMX_FN void send_signal(const struct order *a, long round)
{
	const size_t bytes = signal_bytes(round);
	size_t i;

	await_reader(a, round);
	for (i = shmemx_item(); i < bytes; i += shmemx_nitems())
		a->source[i] = (char)(round + (long)i);
	shmemx_putmem_signal_wg(a->big, a->source, bytes, &a->flags[0],
				round % 2 ? 1 : (uint64_t)round,
				round % 2 ? SHMEM_SIGNAL_ADD : SHMEM_SIGNAL_SET,
				a->to);
}

SHMEMX_FN void read_signal(const struct order *a, long round)
{
	const size_t bytes = signal_bytes(round);
	const volatile char *big = a->big;
	size_t i;

	shmemx_signal_wait_until_wg(&a->flags[0], SHMEM_CMP_GE,
				    (uint64_t)round);
	for (i = shmemx_item(); i < bytes; i += shmemx_nitems())
		if (big[i] != (char)(round + (long)i))
			shmem_long_atomic_inc(a->faults, shmem_my_pe());
	shmemx_wg_barrier();
	if (shmemx_item() == 0)
		shmem_uint64_p(&a->flags[1], (uint64_t)round, a->from);
}

SHMEMX_KERNEL(signals, struct order, a)
{
	long round;

	for (round = 1; round <= ROUNDS; round++)
		if (shmemx_wg())
			read_signal(&a, round);
		else
			send_signal(&a, round);
}

static struct gpu_mem words, flags, small, big, source, faults;

static void run(const char *name, const struct shmemx_kernel *kernel, int n_wgs,
		int n_items, int own_ctx)
{
	struct order a = { (long *)words.dev,
			   (uint64_t *)flags.dev,
			   (long *)small.dev,
			   big.dev,
			   source.dev,
			   (long *)faults.dev,
			   (gpu_me + 1) % gpu_n,
			   (gpu_me + gpu_n - 1) % gpu_n,
			   own_ctx };

	gpu_mem_fill(&words, 0, words.bytes);
	gpu_mem_fill(&flags, 0, flags.bytes);
	gpu_mem_fill(&small, 0, small.bytes);
	gpu_mem_fill(&faults, 0, faults.bytes);
	shmem_barrier_all();
	GPU_CHECK_EQ(shmemx_launch(kernel, n_wgs, n_items, &a, sizeof(a), NULL),
		     0);
	gpu_sync();
	shmem_barrier_all();
	gpu_mem_pull(&faults, sizeof(long));
	if (*(long *)faults.host)
		gpu_fail("%s: %ld old values", name, *(long *)faults.host);
}

int main(void)
{
	gpu_begin();
	words = gpu_mem_new(WORDS * sizeof(long));
	flags = gpu_mem_new(2 * sizeof(uint64_t));
	small = gpu_mem_new(2 * sizeof(long));
	big = gpu_mem_new(SIGNAL_BYTES);
	source = gpu_mem_new(SIGNAL_BYTES);
	faults = gpu_mem_new(sizeof(long));
	run("fence", SHMEMX_KERNEL_REF(fences), 2, 1, 0);
	run("fence of a context", SHMEMX_KERNEL_REF(fences), 2, 1, 1);
	run("fence and another work-group", SHMEMX_KERNEL_REF(relays), 3, 1, 0);
	run("put with a signal", SHMEMX_KERNEL_REF(signals), 2, 96, 0);
	return gpu_end();
}
