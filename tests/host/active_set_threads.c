/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads of several PEs make different active sets at the same time: one
 * thread for each set of two PEs or more, started in an order that differs
 * between the PEs; again after each new shmem_init.
 * PES: 3 5
 */
#include "check.h"
#include <pthread.h>

#define SETS 64
#define ROUNDS 10
#define CALLS 20

static struct set {
	int start, log_stride, size;
	long source, dest, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
	long sync[SHMEM_REDUCE_SYNC_SIZE];
} sets[SETS];
static int n_sets, me;
static pthread_barrier_t go;

static int is_member(const struct set *s)
{
	int from = me - s->start, stride = 1 << s->log_stride;

	return from >= 0 && from % stride == 0 && from / stride < s->size;
}

static void add_set(int start, int log_stride, int size)
{
	struct set *s = &sets[n_sets++];

	s->start = start;
	s->log_stride = log_stride;
	s->size = size;
}

static void make_sets(int n)
{
	for (int log = 0; 1 << log < n; log++)
		for (int start = 0; start < n; start++)
			for (int size = 2; start + ((size - 1) << log) < n;
			     size++)
				add_set(start, log, size);
}

static void *use(void *arg)
{
	struct set *s = arg;
	long want = 0;

	for (int i = 0; i < s->size; i++)
		want += s->start + i * (1 << s->log_stride);
	pthread_barrier_wait(&go);
	for (int call = 0; call < CALLS; call++) {
		s->source = me + call;
		shmem_long_sum_to_all(&s->dest, &s->source, 1, s->start,
				      s->log_stride, s->size, s->work, s->sync);
		CHECK_EQ(s->dest, want + (long)call * s->size);
	}
	return NULL;
}

static void all_sets(uint64_t *seed)
{
	pthread_t threads[SETS];
	int mine[SETS], n = 0;

	for (int i = 0; i < n_sets; i++)
		if (is_member(&sets[i]))
			mine[n++] = i;
	for (int i = n - 1; i > 0; i--) {
		size_t other = check_below(seed, (size_t)i + 1);
		int swap = mine[i];

		mine[i] = mine[other];
		mine[other] = swap;
	}
	pthread_barrier_init(&go, NULL, (unsigned int)n);
	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, use, &sets[mine[i]]);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&go);
}

int main(void)
{
	uint64_t seed;
	int provided;

	shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
	me = shmem_my_pe();
	make_sets(shmem_n_pes());
	seed = check_seed() + (uint64_t)me;
	for (int i = 0; i < ROUNDS; i++) {
		all_sets(&seed);
		shmem_finalize();
		shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
	}
	return check_end();
}
