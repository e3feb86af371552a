/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transfers with PEs of other (pretended) nodes whose device memory no host
 * touches: puts, gets, atomics and signals of all sizes between host, device
 * and private memory, of all PEs at once.
 * PES: 2 3
 * ENV: SHMEM_PLATFORM=cpu
 * ENV: SHMEM_NODE_SIZE=1
 * ENV: SHMEM_SYMMETRIC_SIZE=64m
 * ENV: SHMEM_DEVICE_HEAP_SIZE=64m
 * ENV: SHMEM_CPU_HOST_ACCESS=no
 */
#include "check.h"

#include <shmem/platform.h>

#define MIB ((size_t)1 << 20)
#define BYTES (8 * MIB)
#define SMALLS 1000

enum { HOST, DEVICE, PRIVATE, KINDS };

static unsigned char *from[KINDS], *to[KINDS]; /* private: no target */
static uint64_t *signals[KINDS];
static unsigned char *bytes_of, *seen;
static int me, n, next, before;

static const size_t sizes[] = { 1,    4,    8,	   100, 256,  257,
				4096, 5000, 70000, MIB, BYTES };
#define SIZES (sizeof(sizes) / sizeof(*sizes))

static void fill(unsigned char *p, size_t bytes, int with)
{
	for (size_t i = 0; i < bytes; i++)
		bytes_of[i] = (unsigned char)(i + (i >> 8) * 3 + (size_t)with);
	CHECK(!shmemx_memcpy(p, bytes_of, bytes));
}

static int is(const unsigned char *p, size_t bytes, int with)
{
	CHECK(!shmemx_memcpy(seen, p, bytes));
	for (size_t i = 0; i < bytes; i++)
		if (seen[i] != (unsigned char)(i + (i >> 8) * 3 + (size_t)with))
			return 0;
	return 1;
}

static void puts_and_gets(int source, int target, size_t bytes)
{
	fill(from[source], bytes, me);
	shmem_barrier_all();
	shmem_putmem(to[target], from[source], bytes, next);
	shmem_barrier_all();
	CHECK(is(to[target], bytes, before));
	shmem_getmem(from[source], to[target], bytes, next);
	CHECK(is(from[source], bytes, me));
	shmem_barrier_all();
	fill(from[source], bytes, me + 7);
	shmem_putmem_nbi(to[target], from[source], bytes, next);
	shmem_quiet();
	fill(from[source], bytes, 0);
	shmem_getmem_nbi(from[source], to[target], bytes, next);
	shmem_quiet();
	CHECK(is(from[source], bytes, me + 7));
	shmem_barrier_all();
}

static void with_signal(int source, int target, int flag, size_t bytes, int op)
{
	uint64_t zero = 0, seven = 7;
	uint64_t *signal = signals[flag];

	CHECK(!shmemx_memcpy(signal, &zero, sizeof(zero)));
	fill(from[source], bytes, me + (int)bytes);
	fill(to[target], bytes, 0);
	shmem_barrier_all();
	if (op == SHMEM_SIGNAL_ADD)
		shmem_putmem_signal(to[target], from[source], bytes, signal,
				    seven, op, next);
	else
		shmem_putmem_signal_nbi(to[target], from[source], bytes, signal,
					seven, op, next);
	CHECK_EQ(shmem_signal_wait_until(signal, SHMEM_CMP_GE, 7), 7);
	CHECK(is(to[target], bytes, before + (int)bytes));
	shmem_barrier_all();
}

/* All PEs add to PE 0's word, which must lose nothing. */
static void atomics(int target)
{
	uint64_t zero = 0, old = 0;
	uint64_t *word = signals[target];

	CHECK(!shmemx_memcpy(word, &zero, sizeof(zero)));
	shmem_barrier_all();
	for (int i = 0; i < 50; i++) {
		shmem_uint64_atomic_inc(word, 0);
		shmem_uint64_atomic_fetch_add(word, 3, 0);
		shmem_uint64_atomic_fetch_add_nbi(&old, word, 5, 0);
	}
	shmem_quiet();
	shmem_barrier_all();
	CHECK_EQ(shmem_uint64_atomic_fetch(word, 0), 450 * n);
	shmem_barrier_all();
	if (me == n - 1) {
		CHECK_EQ(shmem_uint64_atomic_swap(word, 17, 0), 450 * n);
		CHECK_EQ(shmem_uint64_atomic_compare_swap(word, 17, 18, 0), 17);
		CHECK_EQ(shmem_uint64_atomic_fetch_xor(word, 3, 0), 18);
		CHECK_EQ(shmem_uint64_g(word, 0), 17);
	}
	shmem_barrier_all();
}

/* Small ones that follow each other, scattered, in parts in one row. */
static void many_small(int target, uint64_t *state)
{
	uint64_t *words = (uint64_t *)to[target];
	size_t step = 2 * check_below(state, SMALLS) + 1;

	for (size_t i = 0; i < SMALLS; i++) {
		size_t at = i * step % 1024;

		shmem_uint64_p(&words[at], at * 5 + (size_t)me, next);
		shmem_uint64_p(&words[2048 + i], i * 3 + (size_t)me, next);
	}
	shmem_barrier_all();
	CHECK(!shmemx_memcpy(seen, words, 4096 * sizeof(*words)));
	words = (uint64_t *)seen;
	for (size_t i = 0; i < SMALLS; i++) {
		size_t at = i * step % 1024;

		CHECK_EQ(words[at], at * 5 + (size_t)before);
		CHECK_EQ(words[2048 + i], i * 3 + (size_t)before);
	}
	shmem_barrier_all();
}

/* More at once than there are buffers for, in both directions. */
static void flood(void)
{
	fill(from[DEVICE], BYTES, me);
	fill(from[HOST], BYTES, 0);
	shmem_barrier_all();
	for (int pe = 0; pe < n; pe++) {
		shmem_putmem_nbi(to[DEVICE], from[DEVICE], BYTES, next);
		shmem_getmem_nbi(from[HOST], from[DEVICE], BYTES, next);
	}
	shmem_quiet();
	shmem_barrier_all();
	CHECK(is(to[DEVICE], BYTES, before));
	CHECK(is(from[HOST], BYTES, next));
	shmem_barrier_all();
}

static void memory_get(void)
{
	from[HOST] = shmem_malloc(BYTES);
	from[DEVICE] = shmemx_malloc_device(BYTES);
	from[PRIVATE] = malloc(BYTES);
	to[HOST] = shmem_malloc(BYTES);
	to[DEVICE] = shmemx_malloc_device(BYTES);
	signals[HOST] = shmem_malloc(sizeof(uint64_t));
	signals[DEVICE] = shmemx_malloc_device(sizeof(uint64_t));
	bytes_of = malloc(BYTES);
	seen = malloc(BYTES);
	for (int kind = 0; kind < KINDS; kind++)
		CHECK(from[kind]);
	CHECK(to[HOST] && to[DEVICE] && bytes_of && seen);
}

int main(void)
{
	uint64_t state;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	next = (me + 1) % n;
	before = (me + n - 1) % n;
	memory_get();
	state = check_seed();
	for (size_t i = 0; i < SIZES; i++)
		for (int source = 0; source < KINDS; source++)
			for (int target = 0; target < PRIVATE; target++) {
				puts_and_gets(source, target, sizes[i]);
				with_signal(source, target, (int)i % 2,
					    sizes[i], SHMEM_SIGNAL_ADD);
				with_signal(source, target, target, sizes[i],
					    SHMEM_SIGNAL_SET);
			}
	for (int target = 0; target < PRIVATE; target++) {
		atomics(target);
		many_small(target, &state);
	}
	flood();
	return check_end();
}
