/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When NICs are told, and what is waited for: contexts that post now and ring
 * later, flush, quiet, quiet of some PEs, fence; contexts of one item, which
 * use no atomics.
 */
#include "ring.h"

#include <time.h>

static uint64_t *word(size_t i)
{
	return (uint64_t *)ring.memory[0][SHMEMD_GDA_DEVICE] + i;
}

static uint64_t their_word(int pe, size_t i)
{
	return __atomic_load_n((uint64_t *)ring_theirs(pe, word(i)),
			       __ATOMIC_ACQUIRE);
}

static uint64_t rings_of(unsigned int ctx, int pe)
{
	return __atomic_load_n(&ring_queue_of(ctx, pe, 0)->rings,
			       __ATOMIC_RELAXED);
}

static uint64_t rung_of(unsigned int ctx, int pe)
{
	return __atomic_load_n(&ring_queue_of(ctx, pe, 0)->doorbell,
			       __ATOMIC_ACQUIRE);
}

/* Items that come together post together: one ring, one completion. */
static void kernel_batch(const void *args)
{
	(void)args;
	if (shmemd_item() == 0)
		far_dev_p(SHMEM_CTX_DEFAULT, word(100), 1, 8, 1);
	far_dev_quiet(SHMEMD_WAVE, SHMEM_CTX_DEFAULT);
	far_dev_p(SHMEM_CTX_DEFAULT, word(shmemd_item()), 1, 8, 1);
	far_dev_quiet(SHMEMD_WAVE, SHMEM_CTX_DEFAULT);
}

static void scene_batch(unsigned int places, uint64_t batches)
{
	const struct ring_queue *r;
	uint64_t completes = 0;

	ring_begin(places, 1);
	ring_run(kernel_batch, 1, 64);
	r = ring_queue_of(1, 1, 0);
	for (uint64_t i = 1; i <= 64; i++)
		completes += r->log[i].completes;
	CHECK(r->taken == 65 && r->log[64].completes);
	CHECK(completes == (ring_gangs ? batches : 64));
	CHECK(!ring_gangs || r->rings <= batches + 1);
	ring_end();
}

/* Data and signal are one batch: one ring, and the signal's completion. */
static void kernel_signal(const void *args)
{
	(void)args;
	far_dev_p(SHMEM_CTX_DEFAULT, word(0), 1, 8, 1);
	far_dev_quiet(SHMEMD_THREAD, SHMEM_CTX_DEFAULT);
	*word(200) = 7;
	far_dev_put_signal(SHMEMD_THREAD, SHMEM_CTX_DEFAULT, word(200),
			   word(200), 100, word(150), 5, SHMEM_SIGNAL_SET, 1,
			   0);
	far_dev_quiet(SHMEMD_THREAD, SHMEM_CTX_DEFAULT);
	CHECK(their_word(1, 200) == 7 && their_word(1, 150) == 5);
}

static void scene_signal(void)
{
	const struct ring_queue *r;

	ring_begin(64, 1);
	ring_run(kernel_signal, 1, 1);
	r = ring_queue_of(1, 1, 0);
	CHECK(r->taken == 3 && r->rings == 2);
	CHECK(!r->log[1].completes && r->log[2].completes);
	ring_end();
}

/* Nothing is told before a flush, and then by one ring for each queue. */
static unsigned int ctx_now;

static void kernel_later(const void *args)
{
	const shmem_ctx_t ctx = CTX(ctx_now);

	(void)args;
	for (uint64_t i = 0; i < 10; i++) {
		far_dev_p(ctx, word(i), i + 1, 8, 1);
		far_dev_p(ctx, word(i), i + 1, 8, 2);
	}
	CHECK(rung_of(ctx_now, 1) == 0 && rung_of(ctx_now, 2) == 0);
	far_dev_flush(SHMEMD_THREAD, ctx);
	CHECK(rung_of(ctx_now, 1) == 10 && rung_of(ctx_now, 2) == 10);
	far_dev_quiet(SHMEMD_THREAD, ctx);
	CHECK(their_word(1, 9) == 10 && their_word(2, 9) == 10);
	CHECK(rings_of(ctx_now, 1) == 1 && rings_of(ctx_now, 2) == 1);
	/* A quiet, a result and a blocking put tell by themselves. */
	far_dev_p(ctx, word(20), 21, 8, 1);
	far_dev_quiet(SHMEMD_THREAD, ctx);
	CHECK(their_word(1, 20) == 21);
	far_dev_p(ctx, word(21), 22, 8, 1);
	CHECK(far_dev_g(ctx, word(21), 8, 1) == 22);
	*word(30) = 31;
	far_dev_put(SHMEMD_THREAD, ctx, word(30), word(30), 100, 1, 0);
	CHECK(their_word(1, 30) == 31);
}

/* More than the ring holds, by one item and by many. */
static void kernel_later_full(const void *args)
{
	const uint64_t i = shmemd_item(), n = shmemd_nitems();

	(void)args;
	for (uint64_t k = 0; k < 50; k++)
		far_dev_p(CTX(ctx_now), word(k * n + i), k * n + i, 8, 3);
	far_dev_flush(SHMEMD_WG, CTX(ctx_now));
	far_dev_quiet(SHMEMD_WG, CTX(ctx_now));
	for (uint64_t k = 0; k < 50; k++)
		CHECK(their_word(3, k * n + i) == k * n + i);
}

static void scene_later(unsigned int ctx, int items)
{
	ctx_now = ctx;
	ring_begin(32, 1);
	ring_run(kernel_later, 1, 1);
	ring_end();
	ring_begin(16, 1);
	ring_run(kernel_later_full, 1, items);
	CHECK(rings_of(ctx, 3) <= 50 * (uint64_t)items);
	ring_end();
}

/* One PE's queue stands still: a quiet of another PE does not see it. */
static void kernel_pe_quiet(const void *args)
{
	const int pes[2] = { 0, 2 };

	(void)args;
	far_dev_p(SHMEM_CTX_DEFAULT, word(0), 1, 8, 1);
	far_dev_quiet(SHMEMD_WG, SHMEM_CTX_DEFAULT);
	ring_hold(ring_queue_of(1, 1, 0), 0);
	far_dev_p(SHMEM_CTX_DEFAULT, word(0), 2, 8, 2);
	far_dev_p(SHMEM_CTX_DEFAULT, word(1), 3, 8, 1);
	shmemd_ctx_pe_quiet(SHMEMD_WG, "test", SHMEM_CTX_DEFAULT, pes, 2);
	CHECK(their_word(2, 0) == 2 && their_word(1, 1) == 0);
	/* Nor does a fence, where one queue has all. */
	far_dev_fence(SHMEMD_THREAD, SHMEM_CTX_DEFAULT);
	CHECK(their_word(1, 1) == 0);
	ring_hold(ring_queue_of(1, 1, 0), UINT64_MAX);
	far_dev_quiet(SHMEMD_WG, SHMEM_CTX_DEFAULT);
	CHECK(their_word(1, 1) == 3);
}

static void scene_pe_quiet(void)
{
	ring_begin(16, 1);
	ring_run(kernel_pe_quiet, 1, 1);
	ring_end();
}

/* With several queues a fence waits, but not in a context of one item. */
static void kernel_fence(const void *args)
{
	(void)args;
	far_dev_p(SHMEM_CTX_DEFAULT, word(0), 1, 8, 1);
	far_dev_fence(SHMEMD_THREAD, SHMEM_CTX_DEFAULT);
	CHECK(their_word(1, 0) == 1);
	far_dev_p(CTX(SERIAL), word(1), 1, 8, 1);
	far_dev_quiet(SHMEMD_THREAD, CTX(SERIAL));
	ring_hold(ring_queue_of(SERIAL, 1, 0), 0);
	far_dev_p(CTX(SERIAL), word(2), 1, 8, 1);
	far_dev_fence(SHMEMD_THREAD, CTX(SERIAL));
	CHECK(their_word(1, 2) == 0);
	ring_hold(ring_queue_of(SERIAL, 1, 0), UINT64_MAX);
}

static void scene_fence(void)
{
	ring_begin(16, 4);
	ring_run(kernel_fence, 1, 1);
	ring_end();
}

/* Behind an atomic that nobody waited for, a fence waits: for it alone. */
static void *let_go(void *queue)
{
	struct ring_queue *r = queue;
	const struct timespec a_while = { .tv_nsec = 20000000 };

	nanosleep(&a_while, NULL);
	CHECK(__atomic_load_n(&r->q.posted, __ATOMIC_ACQUIRE) == 2);
	ring_hold(r, 2);
	return NULL;
}

static void kernel_fence_amo(const void *args)
{
	struct ring_queue *r;
	pthread_t thread;

	(void)args;
	far_dev_p(SHMEM_CTX_DEFAULT, word(0), 1, 8, 1);
	far_dev_quiet(SHMEMD_THREAD, SHMEM_CTX_DEFAULT);
	r = ring_queue_of(1, 1, 0);
	ring_hold(r, 1);
	(void)far_dev_amo(SHMEM_CTX_DEFAULT, SHMEMD_ADD, 8, word(1), 5, 0, 0,
			  1);
	CHECK(!pthread_create(&thread, NULL, let_go, r));
	far_dev_fence(SHMEMD_THREAD, SHMEM_CTX_DEFAULT);
	CHECK(their_word(1, 1) == 5);
	far_dev_p(SHMEM_CTX_DEFAULT, word(2), 1, 8, 1);
	far_dev_fence(SHMEMD_THREAD, SHMEM_CTX_DEFAULT);
	CHECK(their_word(1, 2) == 0);
	pthread_join(thread, NULL);
	ring_hold(r, UINT64_MAX);
	far_dev_quiet(SHMEMD_THREAD, SHMEM_CTX_DEFAULT);
	CHECK(their_word(1, 2) == 1);
}

static void scene_fence_amo(void)
{
	ring_begin(16, 1);
	ring_run(kernel_fence_amo, 1, 1);
	ring_end();
}

/* One work-group sends on and on; the other's quiet is for its own. */
static uint64_t stops;

static void kernel_own(const void *args)
{
	uint64_t n = 0;

	(void)args;
	if (shmemd_wg()) {
		while (!shmemd_load64(&stops))
			far_dev_p(SHMEM_CTX_DEFAULT, word(100 + shmemd_item()),
				  n++, 8, 1);
		return;
	}
	for (uint64_t i = 1; i <= 50; i++) {
		far_dev_p(SHMEM_CTX_DEFAULT, word(shmemd_item()), i, 8, 1);
		far_dev_quiet(SHMEMD_THREAD, SHMEM_CTX_DEFAULT);
		CHECK(their_word(1, shmemd_item()) == i);
	}
	shmemd_wg_barrier();
	shmemd_store64(&stops, 1);
}

static void scene_own(void)
{
	stops = 0;
	ring_begin(64, 1);
	ring_run(kernel_own, 2, 20);
	ring_end();
}

/* A context of one item: connected, it uses no atomics at all. */
static void kernel_private(const void *args)
{
	const shmem_ctx_t ctx = CTX(ctx_now);
	uint64_t before;
	char back[200];

	(void)args;
	far_dev_p(ctx, word(0), 1, 8, 1);
	before = __atomic_load_n(&ring_atomics, __ATOMIC_RELAXED);
	CHECK(before);
	for (uint64_t i = 0; i < 100; i++) {
		far_dev_p(ctx, word(i), i, 8, 1);
		far_dev_put(SHMEMD_THREAD, ctx, word(200), word(200), 3 * CHUNK,
			    1, (int)i & 1);
		far_dev_get(SHMEMD_THREAD, ctx, back, word(0), sizeof(back), 1,
			    0);
		far_dev_put_signal(SHMEMD_THREAD, ctx, word(150), back, 8,
				   word(151), 1, SHMEM_SIGNAL_ADD, 1, 0);
		far_dev_amo(ctx, SHMEMD_XOR, 4, word(152), 1, 0, 1, 1);
		far_dev_fence(SHMEMD_THREAD, ctx);
		if (i % 10 == 0)
			far_dev_quiet(SHMEMD_THREAD, ctx);
	}
	far_dev_flush(SHMEMD_THREAD, ctx);
	far_dev_quiet(SHMEMD_THREAD, ctx);
	CHECK(__atomic_load_n(&ring_atomics, __ATOMIC_RELAXED) == before);
	CHECK(their_word(1, 99) == 99 && their_word(1, 151) == 100);
	CHECK(their_word(1, 152) == 0);
}

static void scene_private(unsigned int ctx)
{
	ctx_now = ctx;
	ring_begin(16, 2);
	ring_run(kernel_private, 1, 1);
	ring_end();
}

static void scenes(void)
{
	scene_batch(64, 2);
	scene_batch(256, 1);
	scene_batch(16, 8);
	scene_signal();
	scene_later(LATER, 100);
	scene_later(PRIVATE_LATER, 1);
	scene_pe_quiet();
	scene_fence();
	scene_fence_amo();
	scene_own();
	scene_private(PRIVATE);
	scene_private(PRIVATE_LATER);
}

int main(void)
{
	return ring_main(scenes);
}
