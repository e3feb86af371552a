/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Device memory that the host can't touch, whole words and signals over the
 * conduit of the network, between two processes that do the same to each other
 * at the same time. The cpu platform's memory stands for the device's: what the
 * host may not touch is checked by the platform's copies.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ucx_pair.h"

#define MIB ((size_t)1 << 20)
#define HEAP_BYTES (20 * MIB)
#define BIG_BYTES (8 * MIB)
#define SIGNALS (HEAP_BYTES - 4096) /* in both segments */
#define WORDS 512

static struct conduit_region mine[CONDUIT_NSEGMENTS];
static unsigned int seed;

static void segments_make(void)
{
	void *device;

	mine[CONDUIT_HEAP].bytes = HEAP_BYTES;
	mine[CONDUIT_HEAP].base = mmap(NULL, HEAP_BYTES, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	need(mine[CONDUIT_HEAP].base != MAP_FAILED, "mmap (%zu)", HEAP_BYTES);
	need(!shmemg->mem_alloc(HEAP_BYTES, &device), "mem_alloc (%zu)",
	     HEAP_BYTES);
	mine[CONDUIT_DEVICE].bytes = HEAP_BYTES;
	mine[CONDUIT_DEVICE].base = device;
}

static void put(enum conduit_segment seg, size_t offset, const void *src,
		size_t bytes, int flags)
{
	need(!net->ops.put(q, ep, seg, offset, src, bytes, flags), "put (%zu)",
	     bytes);
}

static void get(void *dst, enum conduit_segment seg, size_t offset,
		size_t bytes, int flags)
{
	need(!net->ops.get(q, ep, dst, seg, offset, bytes, flags), "get (%zu)",
	     bytes);
}

/* The same bytes for the same start, but for other ones at another place. */
static const unsigned char *pattern(size_t start)
{
	static unsigned char bytes[BIG_BYTES + 256];

	if (!bytes[1])
		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = (unsigned char)((i + (i >> 8)) * 7);
	return bytes + start % 256;
}

/* Local memory of a kind: the host's own, or the last third of a segment. */
static void *local(int device)
{
	return mine[device ? CONDUIT_DEVICE : CONDUIT_HEAP].base + 9 * MIB;
}

static void check_rma_size(enum conduit_segment seg, int device, size_t bytes,
			   int flags)
{
	unsigned char *p = local(device);

	memcpy(p, pattern(bytes + (size_t)me), bytes);
	put(seg, 64, p, bytes, flags);
	quiet();
	memset(p, 0, bytes);
	get(p, seg, 64, bytes, flags);
	quiet();
	need(!memcmp(p, pattern(bytes + (size_t)me), bytes),
	     "get does not find the put (%zu)", bytes);
}

static void check_rma(enum conduit_segment seg, int device)
{
	static const size_t sizes[] = { 1,    216,   217,	257,
					4096, 40000, 512 << 10, 3 * MIB + 1 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		check_rma_size(seg, device, sizes[i], 0);
		check_rma_size(seg, device, sizes[i], CONDUIT_NBI);
	}
}

/* Both ways at once, and more than the buffers hold. */
static void check_flood(void)
{
	unsigned char *p = local(1);

	memcpy(p, pattern(3), BIG_BYTES);
	meet();
	for (int round = 0; round < 2; round++) {
		put(CONDUIT_DEVICE, 0, p, BIG_BYTES, CONDUIT_NBI);
		get(mine[CONDUIT_HEAP].base, CONDUIT_DEVICE, 9 * MIB, BIG_BYTES,
		    CONDUIT_NBI);
	}
	quiet();
	meet();
	need(!memcmp(mine[CONDUIT_DEVICE].base, p, BIG_BYTES), "flood of puts");
	need(!memcmp(mine[CONDUIT_HEAP].base, p, BIG_BYTES), "flood of gets");
}

/* Words in random order, which messages gather. */
static void check_scatter(void)
{
	static uint64_t v[WORDS];
	uint64_t *got = (void *)mine[CONDUIT_DEVICE].base;

	memset(got, 0, 8 * 4 * WORDS);
	meet();
	for (int round = 0; round < 5; round++) {
		int step = 2 * (rand_r(&seed) % WORDS) + 1;

		for (int i = 0; i < WORDS; i++) {
			int at = i * step % WORDS;

			v[i] = (uint64_t)(round * WORDS + at);
			put(CONDUIT_DEVICE, 32 * (size_t)at, &v[i], 8,
			    CONDUIT_NBI);
		}
		quiet();
		meet();
		for (int i = 0; i < WORDS; i++)
			need(got[4 * i] == (uint64_t)(round * WORDS + i),
			     "a word of many (%zu)", (size_t)i);
		meet();
	}
}

static uint64_t amo(enum conduit_segment seg, enum conduit_amo op, size_t bytes,
		    uint64_t operand, uint64_t cond, int flags)
{
	uint64_t old = 0;

	need(!net->ops.amo(q, ep, op, bytes, seg, SIGNALS, operand, cond, &old,
			   flags),
	     "amo (%zu)", bytes);
	if (flags & CONDUIT_NBI)
		quiet();
	return old;
}

static void check_amo(enum conduit_segment seg, size_t bytes, int flags)
{
	uint64_t big = bytes == 4 ? 0xfffffff0u : 0xfffffffffffffff0u;

	need(!net->ops.amo(q, ep, CONDUIT_SET, bytes, seg, SIGNALS, 5, 0, NULL,
			   flags),
	     "set (%zu)", bytes);
	quiet();
	need(amo(seg, CONDUIT_SWAP, bytes, 6, 0, flags) == 5, "swap (%zu)",
	     bytes);
	need(amo(seg, CONDUIT_CSWAP, bytes, 7, 5, flags) == 6, "cswap (%zu)",
	     bytes);
	need(amo(seg, CONDUIT_CSWAP, bytes, big, 6, flags) == 6, "cswap (%zu)",
	     bytes);
	need(amo(seg, CONDUIT_ADD, bytes, 0x12, 0, flags) == big, "add (%zu)",
	     bytes);
	need(amo(seg, CONDUIT_OR, bytes, 0x0d, 0, flags) == 2, "or (%zu)",
	     bytes);
	need(amo(seg, CONDUIT_AND, bytes, 0x0c, 0, flags) == 0x0f, "and (%zu)",
	     bytes);
	need(amo(seg, CONDUIT_XOR, bytes, 0x0f, 0, flags) == 0x0c, "xor (%zu)",
	     bytes);
	need(amo(seg, CONDUIT_FETCH, bytes, 0, 0, flags) == 0x03, "fetch (%zu)",
	     bytes);
	meet();
}

static void wait_turn(void)
{
	if (!net->ops.progress(net))
		sched_yield();
}

static uint64_t signal_now(enum conduit_segment seg)
{
	return __atomic_load_n((uint64_t *)(mine[seg].base + SIGNALS + 8),
			       __ATOMIC_ACQUIRE);
}

/* Who sees the signal sees the bytes. */
static void check_signal_size(enum conduit_segment seg,
			      enum conduit_segment sig_seg, int device,
			      size_t bytes, int flags)
{
	uint64_t *signal = (void *)(mine[sig_seg].base + SIGNALS + 8);
	unsigned char *p = local(device);
	unsigned char *got = (void *)mine[seg].base;

	*signal = 100;
	memset(got, 0, bytes);
	memcpy(p, pattern(bytes), bytes);
	meet();
	need(!net->ops.put_signal(q, ep, seg, 0, p, bytes, sig_seg, SIGNALS + 8,
				  23, CONDUIT_ADD, flags),
	     "put_signal (%zu)", bytes);
	while (signal_now(sig_seg) != 123)
		wait_turn();
	need(!memcmp(got, pattern(bytes), bytes),
	     "the signal came before the bytes (%zu)", bytes);
	quiet();
	meet();
}

static void check_signal(enum conduit_segment seg, enum conduit_segment sig_seg,
			 int device)
{
	static const size_t sizes[] = { 0, 8, 216, 217, 4096, 100000, 3 * MIB };

	for (int i = 0; i < (int)(sizeof(sizes) / sizeof(*sizes)); i++)
		check_signal_size(seg, sig_seg, device, sizes[i],
				  (i + device) % 2 ? CONDUIT_NBI : 0);
}

/* Each word as it was or will be, while the peer's stores arrive. */
static void check_whole(enum conduit_segment seg)
{
	static uint64_t v[8192];
	uint64_t *got = (void *)mine[seg].base;

	memset(got, 0, sizeof(v));
	meet();
	for (uint64_t round = 1; round < 6; round++) {
		for (size_t i = 0; i < 8192; i++)
			v[i] = round * 0x0101010101010101u;
		put(seg, 0, v, sizeof(v), CONDUIT_WHOLE);
		for (size_t i = 0; i < 8192; i++) {
			uint64_t w = __atomic_load_n(&got[i], __ATOMIC_RELAXED);

			need(w == (w & 0xff) * 0x0101010101010101u,
			     "torn (%zu)", i);
		}
	}
	quiet();
	meet();
	for (size_t i = 0; i < 8192; i++)
		need(got[i] == 5 * 0x0101010101010101u, "whole words (%zu)", i);
	meet();
}

/* A flag after a fence is behind all of before, by whatever way each goes. */
static void check_fence(enum conduit_segment seg, enum conduit_segment flag_seg,
			size_t bytes)
{
	uint64_t *flag = (void *)(mine[flag_seg].base + SIGNALS + 8);
	unsigned char *got = (void *)mine[seg].base;
	unsigned char *p = local(0);

	*flag = 0;
	meet();
	for (uint64_t round = 1; round < 5; round++) {
		memset(p, (int)round, bytes);
		put(seg, 0, p, bytes, CONDUIT_NBI);
		need(!net->ops.fence(q), "fence (%zu)", bytes);
		need(!net->ops.put_signal(q, ep, flag_seg, SIGNALS, p, 0,
					  flag_seg, SIGNALS + 8, round,
					  CONDUIT_SET, 0),
		     "put_signal");
		while (signal_now(flag_seg) != round)
			wait_turn();
		for (size_t i = 0; i < bytes; i++)
			need(got[i] == round, "the fence did not hold (%zu)",
			     i);
		quiet();
		meet();
	}
}

#define THREADS 3
#define ROUNDS 8
#define PIECE (MIB + 100)

/* Long ones with a signal, small ones and waits of threads in one queue. */
static void *thread_main(void *arg)
{
	const int t = *(int *)arg;
	const size_t to = (size_t)t * 2 * MIB;
	unsigned char *p = (unsigned char *)local(1) + to;

	for (int i = 0; i < ROUNDS; i++) {
		need(!net->ops.put_signal(q, ep, CONDUIT_DEVICE, to, p, PIECE,
					  CONDUIT_DEVICE, SIGNALS + 16, 1,
					  CONDUIT_ADD, i % 2 ? CONDUIT_NBI : 0),
		     "put_signal of a thread (%zu)", (size_t)t);
		put(CONDUIT_DEVICE, to + PIECE + 8 * (size_t)i, p, 8, 0);
		quiet();
	}
	return NULL;
}

static void check_threads(void)
{
	uint64_t *signal = (void *)(mine[CONDUIT_DEVICE].base + SIGNALS + 16);
	int numbers[THREADS];
	pthread_t threads[THREADS];

	*signal = 0;
	memcpy(local(1), pattern(5), 2 * MIB * THREADS);
	memset(mine[CONDUIT_DEVICE].base, 0, 2 * MIB * THREADS);
	meet();
	for (int t = 0; t < THREADS; t++) {
		numbers[t] = t;
		need(!pthread_create(&threads[t], NULL, thread_main,
				     &numbers[t]),
		     "pthread_create (%zu)", (size_t)t);
	}
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	meet();
	need(*signal == THREADS * ROUNDS, "signals of threads (%zu)", *signal);
	for (size_t t = 0; t < THREADS; t++) {
		const char *got = mine[CONDUIT_DEVICE].base + t * 2 * MIB;

		need(!memcmp(got, pattern(5) + t * 2 * MIB, PIECE),
		     "what a thread put (%zu)", t);
		for (size_t i = 0; i < ROUNDS; i++)
			need(!memcmp(got + PIECE + 8 * i,
				     pattern(5) + t * 2 * MIB, 8),
			     "a word that a thread put (%zu)", i);
	}
	meet();
}

static void check_all(void)
{
	meet();
	for (int device = 0; device < 2; device++) {
		check_rma(CONDUIT_DEVICE, device);
		check_rma(CONDUIT_HEAP, device);
		meet();
		check_signal(CONDUIT_DEVICE, CONDUIT_DEVICE, device);
		check_signal(CONDUIT_HEAP, CONDUIT_DEVICE, device);
		check_signal(CONDUIT_DEVICE, CONDUIT_HEAP, device);
		check_signal(CONDUIT_HEAP, CONDUIT_HEAP, device);
	}
	check_flood();
	check_scatter();
	check_threads();
	for (int flags = 0; flags <= CONDUIT_NBI; flags++) {
		check_amo(CONDUIT_DEVICE, 4, flags);
		check_amo(CONDUIT_DEVICE, 8, flags);
	}
	check_whole(CONDUIT_HEAP);
	check_whole(CONDUIT_DEVICE);
	for (int seg = 0; seg < 4; seg++) {
		check_fence(seg & 1 ? CONDUIT_HEAP : CONDUIT_DEVICE,
			    seg & 2 ? CONDUIT_HEAP : CONDUIT_DEVICE, 8);
		check_fence(seg & 1 ? CONDUIT_HEAP : CONDUIT_DEVICE,
			    seg & 2 ? CONDUIT_HEAP : CONDUIT_DEVICE, 100000);
	}
}

static void run(void)
{
	need(!shmemg_open("cpu", -1, 0), "shmemg_open");
	shmemg_device.host_access = 0;
	segments_make();
	need(!net->ops.open(net), "open");
	pair_connect(mine);
	for (int i = 0; i < 2; i++) {
		int options = i ? CONDUIT_QUEUE_OWN : 0;

		need(!net->ops.queue_open(options, &q), "queue_open");
		check_all();
		need(!net->ops.queue_close(q), "queue_close");
		meet();
	}
	need(!net->ops.disconnect(ep), "disconnect");
	need(!net->ops.close(net), "close");
	shmemg->mem_free(mine[CONDUIT_DEVICE].base);
	shmemg_close();
}

int main(void)
{
	const char *s = getenv("SEED");

	seed = s ? (unsigned int)atoi(s) : (unsigned int)getpid();
	printf("SEED=%u\n", seed);
	fflush(stdout);
	pair_find();
	conduit_settings.timeout_s = 60;
	for (int thread = 1; thread >= 0; thread--) {
		what = thread ? "thread" : "calls";
		conduit_settings.progress_thread = thread;
		need(!pair_run(run, NULL, 0), "failed");
	}
	return 0;
}
