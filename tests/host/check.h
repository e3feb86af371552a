/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks that count failures instead of ending the PE, so that its peers do not
 * wait for it in vain; and numbers that a seed makes.
 */
#ifndef HOST_CHECK_H
#define HOST_CHECK_H

#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CHECK(ok) check_that(!!(ok), #ok, __FILE__, __LINE__)
#define CHECK_EQ(got, want) \
	check_equal((long long)(got), (long long)(want), #got, __FILE__, \
		    __LINE__)

static int check_failures;

static inline int check_pe(void)
{
	int up;

	shmem_query_initialized(&up);
	return up ? shmem_my_pe() : -1;
}

/* Whether to print this failure as well. */
static inline int check_failed(void)
{
	return __atomic_fetch_add(&check_failures, 1, __ATOMIC_RELAXED) < 10;
}

static inline void check_that(int ok, const char *what, const char *file,
			      int line)
{
	if (!ok && check_failed())
		fprintf(stderr, "%s:%d: PE %d: not true: %s\n", file, line,
			check_pe(), what);
}

static inline void check_equal(long long got, long long want, const char *what,
			       const char *file, int line)
{
	if (got != want && check_failed())
		fprintf(stderr, "%s:%d: PE %d: %s is %lld, expected %lld\n",
			file, line, check_pe(), what, got, want);
}

/* Whether loads and stores reach a PE's host memory. */
static inline int check_near(int pe)
{
	return shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe,
				       SHMEM_TEAM_SHARED) >= 0;
}

/* The program's exit status. */
static inline int check_end(void)
{
	shmem_finalize();
	return check_failures != 0;
}

static inline void check_sleep_ms(int ms)
{
	const struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&t, NULL);
}

static inline double check_now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t check_seed_shared;

/* One seed for all PEs: $SEED, or the time; printed by PE 0. */
static inline uint64_t check_seed(void)
{
	const char *text = getenv("SEED");

	if (shmem_my_pe() == 0) {
		uint64_t seed = text ? strtoull(text, NULL, 0) :
				       (uint64_t)time(NULL) * 1000 +
						(uint64_t)(getpid() % 1000);

		printf("SEED=%llu\n", (unsigned long long)seed);
		fflush(stdout);
		for (int pe = 0; pe < shmem_n_pes(); pe++)
			shmem_uint64_p(&check_seed_shared, seed, pe);
	}
	shmem_barrier_all();
	return check_seed_shared;
}

static inline uint64_t check_random(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15u;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

static inline size_t check_below(uint64_t *state, size_t n)
{
	return (size_t)(check_random(state) % n);
}

#endif
