/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements of 16 bytes: the 128-bit and long double forms of put, get, strided,
 * block-strided, with signal and non-blocking.
 * PES: 1 2 3
 */
#include "check.h"

#define N 40

struct wide {
	uint64_t low, high;
};

static struct wide object[N];
static long double reals[N];
static uint64_t signal;
static int me, n, next, previous;

static void fill(struct wide *w, uint64_t salt)
{
	for (uint64_t i = 0; i < N; i++)
		w[i] = (struct wide){ salt + i, ~(salt + i) };
}

static int is(struct wide w, uint64_t value)
{
	return w.low == value && w.high == ~value;
}

static void contiguous(struct wide *heap)
{
	struct wide source[N], got[N];
	uint64_t mine = 1000 * (uint64_t)me, theirs = 1000 * (uint64_t)previous;

	fill(source, mine);
	shmem_put128(object, source, N, next);
	shmem_put128_signal(heap, source, N, &signal, 1, SHMEM_SIGNAL_ADD,
			    next);
	shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 1);
	CHECK(is(heap[0], theirs) && is(heap[N - 1], theirs + N - 1));
	shmem_barrier_all();
	CHECK(is(object[0], theirs) && is(object[N - 1], theirs + N - 1));
	shmem_get128_nbi(got, object, N, next);
	shmem_quiet();
	CHECK(is(got[N - 1], mine + N - 1));
	shmem_get128(got, heap + 1, 1, next);
	CHECK(is(got[0], mine + 1));
	shmem_barrier_all();
}

static void strided(struct wide *heap)
{
	struct wide source[N];
	uint64_t mine = 5000 * (uint64_t)me + 1, theirs;

	theirs = 5000 * (uint64_t)previous + 1;
	memset(heap, 0, N * sizeof(*heap));
	shmem_barrier_all();
	fill(source, mine);
	shmem_iput128(heap, source, 2, 3, 10, next);
	shmem_barrier_all();
	for (uint64_t i = 0; i < 10; i++) {
		CHECK(is(heap[2 * i], theirs + 3 * i));
		CHECK(heap[2 * i + 1].high == 0);
	}
	memset(source, 0, sizeof(source));
	shmem_iget128(source, heap, 3, 2, 10, next);
	CHECK(is(source[27], mine + 27) && source[28].high == 0);
	shmem_barrier_all();
	fill(source, mine);
	shmem_ibput128(heap, source, 7, 5, 3, 4, next);
	shmem_barrier_all();
	for (uint64_t b = 0; b < 4; b++)
		for (uint64_t k = 0; k < 3; k++)
			CHECK(is(heap[7 * b + k], theirs + 5 * b + k));
	shmem_ibget128(source, heap, 3, 7, 3, 4, next);
	CHECK(is(source[11], mine + 17));
	shmem_barrier_all();
}

static void long_doubles(void)
{
	long double source[N], got;

	for (int i = 0; i < N; i++)
		source[i] = 1.0L / (i + 1) + me;
	shmem_longdouble_put(reals, source, N, next);
	shmem_barrier_all();
	CHECK(reals[N - 1] == 1.0L / N + previous);
	CHECK(shmem_longdouble_g(&reals[2], next) == 1.0L / 3 + me);
	shmem_barrier_all();
	shmem_longdouble_p(&reals[1], source[4], next);
	shmem_barrier_all();
	CHECK(reals[1] == 1.0L / 5 + previous);
	shmem_longdouble_get(&got, &reals[1], 1, me);
	CHECK(got == reals[1]);
	shmem_longdouble_iput(reals, source, 3, 2, 10, next);
	shmem_barrier_all();
	CHECK(reals[27] == 1.0L / 19 + previous);
}

int main(void)
{
	struct wide *heap;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	next = (me + 1) % n;
	previous = (me + n - 1) % n;
	heap = shmem_malloc(N * sizeof(*heap));
	contiguous(heap);
	strided(heap);
	long_doubles();
	shmem_barrier_all();
	shmem_free(heap);
	return check_end();
}
