/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions of every type against a loop: in place and not, few elements and
 * many, in types narrow enough that sums wrap, on teams in any order.
 * PES: all
 */
#include "check.h"
#include <complex.h>
#include <shmem/types.h>

#define N 4097

static int me, n;
static void *dest, *source;

/* Small values of both signs where there are any; what PE pe brings. */
static long brings(int pe, size_t i)
{
	return (long)((pe * 31 + (int)i * 7) % 23) - 11;
}

#define FOLD(T, name, first, expr) \
	static T name(int pes, size_t i) \
	{ \
		T acc = (T)first; \
		for (int pe = 0; pe < pes; pe++) { \
			T x = (T)brings(pe, i); \
			acc = (T)(expr); \
		} \
		return acc; \
	}

/* An operation on N or 3 elements, from source and in place. */
#define CASE(N_, T, op) \
	for (size_t c = 3; c <= N; c += N - 3) \
		for (int in_place = 0; in_place < 2; in_place++) { \
			T *d = dest, *s = in_place ? dest : source; \
			for (size_t i = 0; i < c; i++) \
				s[i] = (T)brings(me, i); \
			CHECK_EQ(shmem_##N_##_##op##_reduce(SHMEM_TEAM_WORLD, \
							    d, s, c), 0); \
			for (size_t i = 0; i < c; i++) \
				CHECK(d[i] == N_##_##op(n, i)); \
			shmem_barrier_all(); \
		}

/* Small numbers: unsigned long long wraps as the narrow type does. */
#define SUM(T, a, b) \
	_Generic((T)0, float: (a) + (b), double: (a) + (b), \
		 long double: (a) + (b), \
		 default: (unsigned long long)(a) + (unsigned long long)(b))
#define PRODUCT(T, a, b) \
	_Generic((T)0, float: (a) * (b), double: (a) * (b), \
		 long double: (a) * (b), \
		 default: (unsigned long long)(a) * (unsigned long long)(b))
#define ARITHMETIC(N_, T, ...) \
	FOLD(T, N_##_sum, 0, SUM(T, acc, x)) \
	FOLD(T, N_##_prod, 1, PRODUCT(T, acc, x)) \
	FOLD(T, N_##_max, brings(0, i), x > acc ? x : acc) \
	FOLD(T, N_##_min, brings(0, i), x < acc ? x : acc) \
	static void arithmetic_##N_(void) \
	{ \
		CASE(N_, T, sum) \
		CASE(N_, T, prod) \
		CASE(N_, T, max) \
		CASE(N_, T, min) \
	}

#define BITWISE(N_, T, ...) \
	FOLD(T, N_##_and, -1, acc & x) \
	FOLD(T, N_##_or, 0, acc | x) \
	FOLD(T, N_##_xor, 0, acc ^ x) \
	static void bitwise_##N_(void) \
	{ \
		CASE(N_, T, and) \
		CASE(N_, T, or) \
		CASE(N_, T, xor) \
	}

SHMEMI_TYPES_RMA(ARITHMETIC)
SHMEMI_TYPES_BITS(BITWISE)

/* (1 + i)^n and n (1 + i) have exact results. */
static void complex_numbers(void)
{
	double complex *d = dest, *s = source, want = 1;
	float complex *fd = dest, *fs = source;

	for (int i = 0; i < 100; i++)
		s[i] = 1 + I;
	for (int pe = 0; pe < n; pe++)
		want *= 1 + I;
	CHECK_EQ(shmem_complexd_prod_reduce(SHMEM_TEAM_WORLD, d, s, 100), 0);
	CHECK(d[0] == want && d[99] == want);
	CHECK_EQ(shmem_complexd_sum_reduce(SHMEM_TEAM_WORLD, s, s, 100), 0);
	CHECK(s[0] == n * (1 + I) && s[99] == n * (1 + I));
	shmem_barrier_all();
	fs[0] = fs[1] = 1 + I;
	CHECK_EQ(shmem_complexf_sum_reduce(SHMEM_TEAM_WORLD, fd, fs, 2), 0);
	CHECK(fd[1] == n * (1 + I));
	shmem_barrier_all();
	CHECK_EQ(shmem_complexf_prod_reduce(SHMEM_TEAM_WORLD, fd, fs, 2), 0);
	CHECK(fd[0] == (float complex)want);
	shmem_barrier_all();
}

static void of_one(void)
{
	shmem_team_t alone;
	long *d = dest, *s = source;

	for (int pe = 0; pe < n; pe++) {
		CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, pe, 0, 1,
						  NULL, 0, &alone), 0);
		CHECK_EQ(alone != SHMEM_TEAM_INVALID, pe == me);
		if (pe != me)
			continue;
		for (long i = 0; i < 1000; i++)
			s[i] = i;
		CHECK_EQ(shmem_long_sum_reduce(alone, d, s, 1000), 0);
		CHECK_EQ(d[999], 999);
		CHECK_EQ(shmem_long_max_reduce(alone, s, s, 2), 0);
		CHECK_EQ(s[1], 1);
		shmem_team_destroy(alone);
	}
}

int main(void)
{
	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	dest = shmem_malloc(N * sizeof(long double));
	source = shmem_malloc(N * sizeof(long double));
#define RUN(N_, T, ...) arithmetic_##N_();
	SHMEMI_TYPES_RMA(RUN)
#define RUN_BITS(N_, T, ...) bitwise_##N_();
	SHMEMI_TYPES_BITS(RUN_BITS)
	complex_numbers();
	shmem_barrier_all();
	of_one();
	shmem_barrier_all();
	shmem_free(source);
	shmem_free(dest);
	return check_end();
}
