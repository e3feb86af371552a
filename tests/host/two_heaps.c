/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A heap in host memory and one in device memory, side by side: every kind of
 * host call with its objects in either, in static data and in private memory.
 * What lies in the device heap is looked at through the library only.
 * PES: 1 2 3 4
 * ENV: SHMEM_PLATFORM=cpu
 * ENV: SHMEM_DEVICE_HEAP_SIZE=16m
 */
#include "check.h"

#include <shmem/platform.h>

#define MAX_PES 4
#define N 5000 /* of longs: more than one block of a reduction */

enum { HOST, DEVICE, STATIC, PRIVATE, KINDS, SYMMETRIC = PRIVATE };

/* What a kind of memory holds; all of one layout. */
struct objects {
	long a[N * MAX_PES], b[N * MAX_PES];
	uint64_t signal, counter;
	int32_t small;
	long wait;
};

static struct objects in_static;
static struct objects *at[KINDS];
static int me, n, next, before;

/* This PE's memory of any kind, through the library where that must be. */
static void fill(long *p, long first, size_t count)
{
	static long values[N * MAX_PES];

	for (size_t i = 0; i < count; i++)
		values[i] = first + (long)i;
	CHECK(!shmemx_memcpy(p, values, count * sizeof(*p)));
}

static long look(const long *p)
{
	long value;

	CHECK(!shmemx_memcpy(&value, p, sizeof(value)));
	return value;
}

static void is(const long *p, long first, size_t count)
{
	static long values[N * MAX_PES];

	CHECK(!shmemx_memcpy(values, p, count * sizeof(*p)));
	for (size_t i = 0; i < count; i++)
		if (values[i] != first + (long)i) {
			CHECK_EQ(values[i], first + (long)i);
			return;
		}
}

static void put_and_get(struct objects *far, struct objects *local)
{
	static const size_t sizes[] = { 1, 2, 17, N };

	for (size_t i = 0; i < 4; i++) {
		fill(local->a, 1000 * me, sizes[i]);
		fill(far->b, -1, sizes[i]);
		shmem_barrier_all();
		shmem_long_put(far->b, local->a, sizes[i], next);
		shmem_barrier_all();
		is(far->b, 1000 * before, sizes[i]);
		shmem_long_get_nbi(local->a, far->b, sizes[i], next);
		shmem_quiet();
		is(local->a, 1000 * me, sizes[i]);
		shmem_barrier_all();
	}
}

static void strided(struct objects *far, struct objects *local)
{
	fill(local->a, 50 * me, 40);
	fill(far->b, 0, 40);
	shmem_barrier_all();
	shmem_long_iput(far->b, local->a, 3, 2, 10, next);
	shmem_barrier_all();
	for (int i = 0; i < 10; i++) {
		is(far->b + 3 * i, 50 * before + 2 * i, 1);
		is(far->b + 3 * i + 1, 3 * i + 1, 1);
	}
	shmem_long_iget(local->a, far->b, 1, 3, 10, next);
	for (int i = 0; i < 10; i++)
		is(local->a + i, 50 * me + 2 * i, 1);
	shmem_barrier_all();
}

static void atomics(struct objects *far, struct objects *local)
{
	long *word = far->b;
	int32_t small = 0;

	fill(word, 0, 1);
	CHECK(!shmemx_memset(&far->small, 0, sizeof(far->small)));
	shmem_barrier_all();
	for (int i = 0; i < 20; i++)
		shmem_long_atomic_add(word, 1, 0);
	shmem_int32_atomic_inc(&far->small, 0);
	shmem_barrier_all();
	CHECK_EQ(shmem_long_atomic_fetch(word, 0), 20 * n);
	CHECK_EQ(shmem_int32_atomic_fetch(&far->small, 0), n);
	shmem_long_atomic_fetch_nbi(local->a, word, 0);
	shmem_quiet();
	is(local->a, 20 * n, 1);
	shmem_barrier_all();
	shmem_long_p(word, 7, next);
	shmem_barrier_all();
	CHECK_EQ(shmem_long_g(word, next), 7);
	shmem_barrier_all();
	CHECK_EQ(shmem_long_atomic_compare_swap(word, 7, 8, next), 7);
	CHECK_EQ(shmem_long_atomic_swap(word, 9, next), 8);
	CHECK_EQ(shmem_int32_atomic_fetch_xor(&far->small, 3, next),
		 next ? 0 : n);
	shmem_barrier_all();
	is(word, 9, 1);
	CHECK(!shmemx_memcpy(&small, &far->small, sizeof(small)));
	CHECK_EQ(small, me ? 3 : n ^ 3);
	shmem_barrier_all();
}

static void signals(struct objects *far, struct objects *local,
		    struct objects *flag)
{
	CHECK(!shmemx_memset(&flag->signal, 0, sizeof(flag->signal)));
	fill(local->a, 300 * me, N);
	shmem_barrier_all();
	shmem_long_put_signal(far->b, local->a, N, &flag->signal, 5,
			      SHMEM_SIGNAL_ADD, next);
	CHECK_EQ(shmem_signal_wait_until(&flag->signal, SHMEM_CMP_GE, 5), 5);
	is(far->b, 300 * before, N);
	CHECK_EQ(shmem_signal_fetch(&flag->signal), 5);
	shmem_barrier_all();
	shmem_putmem_signal(far->b, local->a, 0, &flag->signal, 6,
			    SHMEM_SIGNAL_SET, next);
	shmem_signal_wait_until(&flag->signal, SHMEM_CMP_EQ, 6);
	shmem_barrier_all();
}

static void waits(struct objects *far)
{
	fill(far->a, 0, 3);
	shmem_barrier_all();
	CHECK(!shmem_long_test(far->a, SHMEM_CMP_NE, 0));
	CHECK(!shmem_long_test_all(far->a, 3, NULL, SHMEM_CMP_GE, 1));
	shmem_barrier_all();
	shmem_long_p(far->a + 2, 4, next);
	CHECK_EQ(shmem_long_wait_until_any(far->a, 3, NULL, SHMEM_CMP_GT, 3),
		 2);
	shmem_barrier_all();
	shmem_long_p(far->a, 3, next);
	shmem_long_wait_until(far->a, SHMEM_CMP_EQ, 3);
	CHECK(shmem_long_test(far->a, SHMEM_CMP_LE, 3));
	shmem_barrier_all();
}

static void collectives(struct objects *d, struct objects *s, size_t k)
{
	shmem_team_t team = SHMEM_TEAM_WORLD;

	fill(s->a, 100000 * me, k * (size_t)n);
	fill(d->b, -1, k * (size_t)n);
	shmem_barrier_all();
	shmem_long_broadcast(team, d->b, s->a, k, n - 1);
	is(d->b, 100000 * (n - 1), k);
	shmem_barrier_all();
	shmem_long_alltoall(team, d->b, s->a, k);
	for (int i = 0; i < n; i++)
		is(d->b + k * (size_t)i, 100000 * i + (long)k * me, k);
	shmem_barrier_all();
	shmem_long_fcollect(team, d->b, s->a, k);
	for (int i = 0; i < n; i++)
		is(d->b + k * (size_t)i, 100000 * i, k);
	shmem_barrier_all();
	shmem_long_collect(team, d->b, s->a, k);
	is(d->b + k * (size_t)(n - 1), 100000 * (n - 1), k);
	shmem_barrier_all();
	shmem_long_max_reduce(team, d->b, s->a, k);
	is(d->b, 100000 * (n - 1), k);
	shmem_barrier_all();
	shmem_long_sum_reduce(team, d->b, s->a, k);
	for (size_t i = 0; i < k; i += k - 1)
		CHECK_EQ(look(d->b + i),
			 100000 * n * (n - 1) / 2 + (long)i * n);
	shmem_barrier_all();
	shmem_long_sum_exscan(team, d->b, s->a, k);
	CHECK_EQ(look(d->b + 1), 100000 * me * (me - 1) / 2 + me);
	shmem_long_sum_inscan(team, s->a, s->a, k);
	CHECK_EQ(look(s->a + 1), 100000 * me * (me + 1) / 2 + me + 1);
	shmem_barrier_all();
}

static void addresses(void)
{
	for (int kind = 0; kind < SYMMETRIC; kind++) {
		CHECK_EQ(shmem_addr_accessible(at[kind], next), 1);
		CHECK(shmem_ptr(at[kind], me) == at[kind]);
		for (int pe = 0; pe < n; pe++)
			CHECK_EQ(shmem_ptr(at[kind], pe) != NULL,
				 check_near(pe));
	}
	CHECK_EQ(shmem_addr_accessible(at[PRIVATE], next), 0);
	CHECK(!shmem_ptr(at[PRIVATE], me));
}

/* Each heap has its own room; blocks stay in the heap that they are from. */
static void blocks(void)
{
	void *all = shmemx_malloc_device(14 << 20), *more, *host;
	long *d;

	CHECK(all != NULL);
	CHECK(!shmemx_malloc_device(14 << 20));
	host = shmemx_malloc_host(14 << 20);
	CHECK(host != NULL);
	shmem_free(all);
	more = shmemx_malloc_device(14 << 20);
	CHECK(more != NULL);
	shmem_free(more);
	shmem_free(host);
	d = shmemx_malloc_device(100 * sizeof(*d));
	all = shmemx_malloc_device(1000);
	fill(d, 77, 100);
	d = shmem_realloc(d, 100000);
	CHECK(labs((char *)d - (char *)all) < 16 << 20);
	is(d, 77, 100);
	shmem_free(d);
	shmem_free(all);
}

static void pair(struct objects *far, struct objects *local)
{
	put_and_get(far, local);
	strided(far, local);
	atomics(far, local);
}

int main(void)
{
	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	next = (me + 1) % n;
	before = (me + n - 1) % n;
	blocks();
	at[HOST] = shmemx_malloc_host(sizeof(struct objects));
	at[DEVICE] = shmemx_malloc_device(sizeof(struct objects));
	at[STATIC] = &in_static;
	at[PRIVATE] = malloc(sizeof(struct objects));
	addresses();
	for (int far = 0; far < SYMMETRIC; far++) {
		for (int local = 0; local < KINDS; local++)
			pair(at[far], at[local]);
		for (int local = 0; local < SYMMETRIC; local++) {
			signals(at[far], at[PRIVATE], at[local]);
			collectives(at[far], at[local], 3);
			collectives(at[far], at[local], N);
		}
		waits(at[far]);
	}
	free(at[PRIVATE]);
	return check_end();
}
