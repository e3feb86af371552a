/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SHMEM_THREAD_MULTIPLE: several threads per PE do puts, atomics, locks, waits
 * and contexts at once; one that waits or is blocked in a lock does not keep
 * others from going on.
 * PES: 1 2 4
 */
#include "check.h"
#include <pthread.h>

#define THREADS 5
#define ROUNDS 300
#define MAX_PES 64

static long cells[MAX_PES][THREADS], flags[THREADS], counter, guarded;
static long lock;
static uint64_t signals[THREADS];
static int me, n, next, previous;

/* Ping-pong around the ring, on this thread's own flag. */
static void ring(int id)
{
	for (long i = 1; i <= ROUNDS / 10; i++) {
		if (me) {
			shmem_long_wait_until(&flags[id], SHMEM_CMP_EQ, i);
			shmem_long_p(&flags[id], i, next);
		} else {
			shmem_long_p(&flags[id], i, next);
			shmem_long_wait_until(&flags[id], SHMEM_CMP_EQ, i);
		}
	}
}

static void puts_and_atomics(int id, shmem_ctx_t ctx)
{
	for (long i = 0; i < ROUNDS; i++) {
		long value = i * 100 + id, got = -1;

		shmem_ctx_long_put(ctx, &cells[me][id], &value, 1, next);
		shmem_ctx_quiet(ctx);
		shmem_ctx_long_get_nbi(ctx, &got, &cells[me][id], 1, next);
		shmem_ctx_quiet(ctx);
		CHECK_EQ(got, value);
		shmem_ctx_long_atomic_inc(ctx, &counter, (int)i % n);
		shmem_ctx_signal_add(ctx, &signals[id], 1, next);
	}
	shmem_signal_wait_until(&signals[id], SHMEM_CMP_EQ, ROUNDS);
}

static void locked(void)
{
	for (int i = 0; i < 20; i++) {
		if (i % 4)
			shmem_set_lock(&lock);
		else
			while (shmem_test_lock(&lock))
				check_sleep_ms(0);
		shmem_long_p(&guarded, shmem_long_g(&guarded, 0) + 1, 0);
		shmem_clear_lock(&lock);
	}
}

static void contexts(int id)
{
	for (int i = 0; i < 50; i++) {
		long options = i % 2 ? SHMEM_CTX_PRIVATE : 0;
		shmem_ctx_t ctx;

		CHECK_EQ(shmem_ctx_create(options, &ctx), 0);
		shmem_ctx_long_p(ctx, &cells[me][id], i, next);
		shmem_ctx_quiet(ctx);
		CHECK_EQ(shmem_ctx_long_g(ctx, &cells[me][id], next), i);
		shmem_ctx_destroy(ctx);
	}
}

static void *body(void *arg)
{
	int id = (int)(intptr_t)arg;
	shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;

	if (id % 2)
		shmem_ctx_create(id == 3 ? SHMEM_CTX_PRIVATE : 0, &ctx);
	ring(id);
	puts_and_atomics(id, ctx);
	locked();
	contexts(id);
	if (ctx != SHMEM_CTX_DEFAULT)
		shmem_ctx_destroy(ctx);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	int provided = -1, again = -1;
	long mine = 0;

	CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
	CHECK_EQ(provided, SHMEM_THREAD_MULTIPLE);
	shmem_query_thread(&again);
	CHECK_EQ(again, provided);
	me = shmem_my_pe();
	n = shmem_n_pes();
	next = (me + 1) % n;
	previous = (me + n - 1) % n;
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, body, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	shmem_barrier_all();
	for (int i = 0; i < ROUNDS; i++)
		mine += i % n == me ? n * THREADS : 0;
	CHECK_EQ(counter, mine);
	for (int i = 0; i < THREADS; i++)
		CHECK_EQ(cells[previous][i], 49);
	CHECK_EQ(shmem_long_g(&guarded, 0), 20L * THREADS * n);
	return check_end();
}
