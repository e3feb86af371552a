/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entries that fail, peers that are refused, completions that never come while
 * the host says that a context has failed: all waits end, results are 0, the
 * first failure is kept, what comes later is dropped, other contexts go on. And
 * contexts of kernels, which leave such queues alone.
 */
#include "ring.h"

enum { ITEMS = 100, GOOD = 5 };

static unsigned int ctx_now;

static uint64_t *word(size_t i)
{
	return (uint64_t *)ring.memory[0][SHMEMD_GDA_DEVICE] + i;
}

/* Connects the queue, and makes it fail after some entries. */
static void kernel_first(const void *args)
{
	struct ring_queue *r;

	(void)args;
	far_dev_p(CTX(ctx_now), word(0), 1, 8, 1);
	far_dev_quiet(SHMEMD_THREAD, CTX(ctx_now));
	CHECK(!far_dev_error(CTX(ctx_now)));
	r = ring_queue_of(ctx_now, 1, 0);
	__atomic_store_n(&r->fails, GOOD, __ATOMIC_RELEASE);
}

/* Everything that waits, by all, until nothing works any more. */
static void kernel_all(const void *args)
{
	const shmem_ctx_t ctx = CTX(ctx_now);
	char some[500] = { 0 };

	(void)args;
	for (int i = 0; i < 40; i++) {
		far_dev_p(ctx, word(1), 1, 8, 1);
		far_dev_put(SHMEMD_THREAD, ctx, word(2), word(2), 5000, 1, 0);
		far_dev_put(SHMEMD_THREAD, ctx, word(2), some, 500, 1, i & 1);
		far_dev_get(SHMEMD_THREAD, ctx, some, word(2), 500, 1, 0);
		far_dev_put_signal(SHMEMD_THREAD, ctx, word(2), word(2), 100,
				   word(1), 1, SHMEM_SIGNAL_ADD, 1, 0);
	}
	far_dev_fence(SHMEMD_WG, ctx);
	far_dev_flush(SHMEMD_WG, ctx);
	far_dev_quiet(SHMEMD_WG, ctx);
	CHECK(far_dev_g(ctx, word(0), 8, 1) == 0);
	CHECK(far_dev_amo(ctx, SHMEMD_ADD, 8, word(0), 1, 0, 1, 1) == 0);
	CHECK(far_dev_amo(ctx, SHMEMD_XOR, 4, word(0), 1, 0, 1, 1) == 0);
	CHECK(far_dev_error(ctx) == SHMEMX_ERROR_REMOTE);
}

static void kernel_other(const void *args)
{
	(void)args;
	far_dev_p(CTX(OTHER), word(3), 9, 8, 1);
	CHECK(far_dev_g(CTX(OTHER), word(3), 8, 1) == 9);
	CHECK(!far_dev_error(CTX(OTHER)));
}

static void scene_entry(unsigned int ctx, int items)
{
	const struct shmemd_gda_failure *f = &ring.failures[ctx];

	ctx_now = ctx;
	ring_begin(16, 1);
	ring_run(kernel_first, 1, 1);
	ring_run(kernel_all, 1, items);
	CHECK(f->state == SHMEMD_ERROR_WRITTEN && f->pe == 1 && f->nic == 0);
	CHECK(f->format == SHMEMD_GDA_VERBS && f->code == CODE);
	CHECK(f->vendor == VENDOR && f->error == SHMEMX_ERROR_REMOTE);
	CHECK(f->number == NUMBER);
	CHECK(ring_queue_of(ctx, 1, 0)->taken == GOOD);
	ring_run(kernel_other, 1, 3);
	ring_end();
}

/* The NIC is silent; another item plays the host. */
static void kernel_silent(const void *args)
{
	(void)args;
	if (shmemd_wg()) {
		if (shmemd_item() == 0)
			ring_host_fails(ctx_now, 1, SHMEMX_ERROR_LINK);
		return;
	}
	for (int i = 0; i < 30; i++)
		far_dev_p(CTX(ctx_now), word(1), 1, 8, 1);
	far_dev_quiet(SHMEMD_THREAD, CTX(ctx_now));
	CHECK(far_dev_g(CTX(ctx_now), word(0), 8, 1) == 0);
	CHECK(far_dev_error(CTX(ctx_now)) == SHMEMX_ERROR_LINK);
}

static void kernel_hold(const void *args)
{
	(void)args;
	far_dev_p(CTX(ctx_now), word(0), 1, 8, 1);
	far_dev_quiet(SHMEMD_THREAD, CTX(ctx_now));
	ring_hold(ring_queue_of(ctx_now, 1, 0), 0);
}

static void scene_silent(unsigned int ctx)
{
	ctx_now = ctx;
	ring_begin(16, 1);
	ring_run(kernel_hold, 1, 1);
	ring_run(kernel_silent, 2, ITEMS);
	ring_end();
}

static void kernel_refused(const void *args)
{
	char some[200];

	(void)args;
	far_dev_p(SHMEM_CTX_DEFAULT, word(0), 1, 8, 2);
	far_dev_put(SHMEMD_THREAD, SHMEM_CTX_DEFAULT, word(0), some, 200, 2, 0);
	far_dev_get(SHMEMD_THREAD, SHMEM_CTX_DEFAULT, some, word(0), 200, 2, 0);
	CHECK(far_dev_g(SHMEM_CTX_DEFAULT, word(0), 8, 2) == 0);
	CHECK(far_dev_amo(SHMEM_CTX_DEFAULT, SHMEMD_OR, 4, word(0), 1, 0, 1,
			  2) == 0);
	far_dev_quiet(SHMEMD_WG, SHMEM_CTX_DEFAULT);
	CHECK(far_dev_error(SHMEM_CTX_DEFAULT) == SHMEMX_ERROR_CONNECT);
}

static void scene_refused(void)
{
	ring_begin(16, 2);
	ring.refuses = 2;
	ring_run(kernel_refused, 2, ITEMS);
	ring_end();
}

/* A free handle of a kernel's context, with queues that others may not have. */
static shmem_ctx_t kernel_ctx(long options)
{
	shmem_ctx_t ctx;

	CHECK(!shmemd_ctx_create(SHMEM_TEAM_WORLD, options, &ctx));
	far_dev_p(ctx, word(0), 1, 8, 1);
	shmemd_ctx_destroy("test", ctx);
	return ctx;
}

static void kernel_contexts(const void *args)
{
	shmem_ctx_t first, second, third;

	(void)args;
	first = kernel_ctx(SHMEM_CTX_PRIVATE);
	CHECK(ring_queue_of((unsigned int)(uintptr_t)first, 1, 0)->q.alone);
	second = kernel_ctx(0);
	CHECK(first != second);
	CHECK(kernel_ctx(SHMEM_CTX_PRIVATE) == first);
	ring_host_fails((unsigned int)(uintptr_t)first, 1, SHMEMX_ERROR_LINK);
	third = kernel_ctx(SHMEM_CTX_PRIVATE);
	CHECK(third == second);
	CHECK(!ring_queue_of((unsigned int)(uintptr_t)third, 1, 0)->q.alone);
}

static void scene_contexts(void)
{
	ring_begin(16, 1);
	ring_run(kernel_contexts, 1, 1);
	ring_end();
}

static void scenes(void)
{
	scene_entry(1, 1);
	scene_entry(1, ITEMS);
	scene_entry(LATER, ITEMS);
	scene_entry(PRIVATE, 1);
	scene_silent(1);
	scene_silent(LATER);
	scene_refused();
	scene_contexts();
}

int main(void)
{
	return ring_main(scenes);
}
