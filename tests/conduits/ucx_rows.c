/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rows of the conduit of the network, between two processes: over TCP and
 * over shared memory, with and without a thread of progress, whose absence the
 * target makes up for by calls.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ucx_pair.h"

#define BYTES ((size_t)16 << 20)
#define LONGEST ((size_t)8 << 20)
#define WORD 64
#define SIGNAL 128
#define DATA 4096
#define N_THREADS 4
#define N_AMOS 3000

static char *heap;

static void pattern(unsigned char *p, size_t bytes, size_t seed)
{
	for (size_t i = 0; i < bytes; i++)
		p[i] = (unsigned char)(i * 7 + (i >> 9) + seed);
}

static void wait_for(const volatile uint64_t *at, uint64_t value)
{
	while (__atomic_load_n(at, __ATOMIC_ACQUIRE) != value)
		if (!conduit_settings.progress_thread)
			net->ops.progress(net);
		else
			sched_yield();
}

static void put(size_t at, const void *src, size_t bytes, int flags)
{
	need(!net->ops.put(q, ep, CONDUIT_HEAP, at, src, bytes, flags), "put");
}

static void get(void *dst, size_t at, size_t bytes, int flags)
{
	need(!net->ops.get(q, ep, dst, CONDUIT_HEAP, at, bytes, flags), "get");
}

/* PE 0 acts, PE 1 looks. */
static void check_rma(int flags)
{
	static const size_t sizes[] = { 0,	1,	 3,	 8,
					64,	777,	 8184,	 65536,
					100008, 1 << 20, LONGEST };
	static unsigned char out[LONGEST], in[LONGEST];

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		size_t n = sizes[i], at = DATA + 8 * i;

		if (flags & CONDUIT_WHOLE)
			n &= ~(size_t)7;
		else
			at += i % 3;
		pattern(out, n, i);
		if (!me) {
			put(at, out, n, flags);
			net->ops.quiet(q, i % 2 ? ep : NULL);
			memset(in, 0, n);
			get(in, at, n, flags & CONDUIT_NBI);
			quiet();
			need(!memcmp(in, out, n), "get does not find the put");
		}
		meet();
		need(!me || !memcmp(heap + at, out, n), "a put is not there");
		meet();
	}
}

static uint64_t amo(enum conduit_amo op, size_t bytes, uint64_t operand,
		    uint64_t cond, int flags)
{
	uint64_t old = 0;

	need(!net->ops.amo(q, ep, op, bytes, CONDUIT_HEAP, WORD, operand, cond,
			   &old, flags),
	     "amo");
	if (flags)
		quiet();
	return old;
}

static void check_amo_size(size_t bytes, int flags)
{
	uint64_t top = bytes == 8 ? (uint64_t)1 << 63 : (uint64_t)1 << 31;
	uint64_t word = top + 5, none = 77;

	put(WORD, &word, 8, 0);
	quiet();
	need(amo(CONDUIT_FETCH, bytes, 9, 0, flags) == word, "fetch");
	need(amo(CONDUIT_ADD, bytes, 2, 0, flags) == top + 5, "add");
	need(amo(CONDUIT_SWAP, bytes, 12, 0, flags) == top + 7, "swap");
	need(amo(CONDUIT_CSWAP, bytes, 3, 13, flags) == 12, "cswap, other");
	need(amo(CONDUIT_CSWAP, bytes, 6, 12, flags) == 12, "cswap, same");
	need(amo(CONDUIT_AND, bytes, 12, 0, flags) == 6, "and");
	need(amo(CONDUIT_OR, bytes, 3, 0, flags) == 4, "or");
	need(amo(CONDUIT_XOR, bytes, 1, 0, flags) == 7, "xor");
	need(amo(CONDUIT_SET, bytes, 40, 0, flags) == 6, "set");
	need(amo(CONDUIT_FETCH, bytes, 0, 0, flags) == 40, "fetch of set");
	for (int op = CONDUIT_SET; op <= CONDUIT_XOR; op++)
		need(!net->ops.amo(q, ep, (enum conduit_amo)op, bytes,
				   CONDUIT_HEAP, WORD, none, 0, NULL, flags),
		     "amo without a result");
	quiet();
	/* 77, cswap fails, then +, &, |, ^ with 77 */
	need(amo(CONDUIT_FETCH, bytes, 0, 0, 0) == (((154 & 77) | 77) ^ 77),
	     "amos without results");
}

static void check_amo(void)
{
	for (int flags = 0; !me && flags <= CONDUIT_NBI; flags++) {
		check_amo_size(8, flags);
		check_amo_size(4, flags);
	}
	meet();
}

/* The owner's own instructions, and the other's, on one word. */
static void check_mixed(void)
{
	uint64_t *word = (uint64_t *)(heap + WORD);
	uint64_t *end = (uint64_t *)(heap + SIGNAL);
	uint64_t was, owners = 0;

	if (me)
		*word = *end = 0;
	meet();
	for (int i = 0; !me && i < N_AMOS; i++) {
		void *old = i % 3 ? NULL : &was;

		need(!net->ops.amo(q, ep, CONDUIT_ADD, 8, CONDUIT_HEAP, WORD, 1,
				   0, old, 0),
		     "amo");
	}
	if (!me) {
		quiet();
		net->ops.amo(q, ep, CONDUIT_SET, 8, CONDUIT_HEAP, SIGNAL, 1, 0,
			     NULL, 0);
		quiet();
		meet();
		return;
	}
	while (!__atomic_load_n(end, __ATOMIC_ACQUIRE)) {
		for (int i = 0; i < 100; i++, owners++)
			__atomic_fetch_add(word, (uint64_t)1 << 32,
					   __ATOMIC_SEQ_CST);
		if (!conduit_settings.progress_thread)
			net->ops.progress(net);
		else if (owners % 100000 == 0)
			sched_yield();
	}
	need(*word == (owners << 32) + N_AMOS, "an atomic was lost");
	meet();
}

static void check_signal(int flags)
{
	static const size_t sizes[] = { 0, 8, 100, 4096, 5000, 1 << 20 };
	static unsigned char out[1 << 20];
	uint64_t *signal = (uint64_t *)(heap + SIGNAL);
	uint64_t sum = 0;

	if (me)
		*signal = 0;
	meet();
	for (size_t i = 0; i < 6 * 20; i++) {
		enum conduit_amo op = i % 2 ? CONDUIT_ADD : CONDUIT_SET;
		uint64_t value = op == CONDUIT_ADD ? 1 : 1000 * i + 1;
		size_t n = sizes[i % 6];

		sum = op == CONDUIT_ADD ? sum + value : value;
		pattern(out, n, i);
		if (me) {
			wait_for(signal, sum);
			need(!memcmp(heap + DATA, out, n),
			     "the signal came before the bytes");
		} else {
			need(!net->ops.put_signal(q, ep, CONDUIT_HEAP, DATA,
						  out, n, CONDUIT_HEAP, SIGNAL,
						  value, op, flags),
			     "put_signal");
			quiet();
		}
		meet();
	}
}

/* A flag after a fence, by put, by signal and by atomic in turn. */
static void check_fence(void)
{
	static uint64_t out[4096];
	volatile uint64_t *flag = (volatile uint64_t *)(heap + WORD);

	if (me)
		*flag = 0;
	meet();
	for (uint64_t i = 1; i <= 300; i++) {
		size_t n = i % 5 ? 16 : 4096;

		if (me) {
			wait_for(flag, i);
			for (size_t k = 0; k < n; k++)
				need(((uint64_t *)(heap + DATA))[k] == i,
				     "a fence let the flag pass");
			meet();
			continue;
		}
		for (size_t k = 0; k < n; k++)
			out[k] = i;
		put(DATA, out, 8 * n, i % 7 ? CONDUIT_NBI : CONDUIT_WHOLE);
		need(!net->ops.fence(q), "fence");
		if (i % 3 == 0)
			net->ops.put_signal(q, ep, CONDUIT_HEAP, SIGNAL + 8,
					    out, 8, CONDUIT_HEAP, WORD, i,
					    CONDUIT_SET, 0);
		else if (i % 3 == 1)
			put(WORD, &i, 8, 0);
		else
			net->ops.amo(q, ep, CONDUIT_SET, 8, CONDUIT_HEAP, WORD,
				     i, 0, NULL, 0);
		quiet();
		meet();
	}
}

static void *thread_run(void *arg)
{
	size_t index = (size_t)(uintptr_t)arg;
	uint64_t block[64], back[64];

	for (size_t i = 0; i < 200; i++) {
		size_t at = DATA + (index * 64 + i % 32) * sizeof(block);

		for (size_t k = 0; k < 64; k++)
			block[k] = index * 1000 + i + k;
		put(at, block, sizeof(block), i % 2 ? CONDUIT_NBI : 0);
		quiet();
		get(back, at, sizeof(back), 0);
		need(!memcmp(back, block, sizeof(back)), "a thread's put");
		net->ops.amo(q, ep, CONDUIT_ADD, 8, CONDUIT_HEAP, WORD, 1, 0,
			     NULL, 0);
	}
	quiet();
	return NULL;
}

static void check_threads(void)
{
	uint64_t *word = (uint64_t *)(heap + WORD);
	pthread_t threads[N_THREADS];

	if (me)
		*word = 0;
	meet();
	for (uintptr_t i = 0; !me && i < N_THREADS; i++)
		need(!pthread_create(&threads[i], NULL, thread_run, (void *)i),
		     "pthread_create");
	for (int i = 0; !me && i < N_THREADS; i++)
		pthread_join(threads[i], NULL);
	meet();
	need(!me || *word == N_THREADS * 200, "threads' atomics");
	meet();
}

static void check_queue(int options)
{
	need(!net->ops.queue_open(options, &q), "queue_open");
	check_rma(0);
	check_rma(CONDUIT_NBI);
	check_rma(CONDUIT_WHOLE);
	check_amo();
	check_mixed();
	check_signal(0);
	check_signal(CONDUIT_NBI);
	check_fence();
	if (!(options & CONDUIT_QUEUE_PRIVATE))
		check_threads();
	quiet();
	need(!net->ops.queue_close(q), "queue_close");
}

static void run_rows(void)
{
	static struct conduit_region regions[CONDUIT_NSEGMENTS];

	pair_open(regions, BYTES);
	heap = regions[CONDUIT_HEAP].base;
	check_queue(0);
	if (!conduit_settings.net_heap) {
		check_queue(CONDUIT_QUEUE_OWN);
		check_queue(CONDUIT_QUEUE_OWN | CONDUIT_QUEUE_PRIVATE);
	}
	meet();
	need(!net->ops.disconnect(ep), "disconnect");
	if (conduit_settings.net_heap)
		need(!net->ops.free(&regions[CONDUIT_HEAP]), "free");
	need(!net->ops.close(net), "close");
	shmemg_close();
}

static void test_rows(const char *tls, int thread, int net_heap)
{
	static char name[80];

	snprintf(name, sizeof(name), "%s, %s%s", tls,
		 thread ? "thread" : "calls", net_heap ? ", its heap" : "");
	what = name;
	setenv("UCX_TLS", tls, 1);
	conduit_settings.progress_thread = thread;
	conduit_settings.net_heap = net_heap;
	conduit_settings.timeout_s = 60;
	need(!pair_run(run_rows, NULL, 0), "failed");
	printf("%s: ok\n", what);
}

int main(void)
{
	pair_find();
	test_rows("tcp,self", 1, 0);
	test_rows("tcp,self", 0, 0);
	test_rows("posix,self", 1, 0);
	test_rows("posix,cma,self", 1, 1);
	test_rows("posix,self", 0, 1);
	return 0;
}
