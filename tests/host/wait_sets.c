/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The forms of wait and test over arrays: the status mask, sets that are empty,
 * vectors of values, indices that are unique; what is true at the call, and
 * what becomes true by another PE.
 * PES: 1 2
 */
#include "check.h"

#define N 9

static int vars[N];
static size_t indices[N];
static int status[N];

static void empty_set(const int *mask, size_t n)
{
	int values[N] = { 0 };

	shmem_int_wait_until_all(vars, n, mask, SHMEM_CMP_EQ, 99);
	shmem_int_wait_until_all_vector(vars, n, mask, SHMEM_CMP_NE, values);
	CHECK(shmem_int_wait_until_any(vars, n, mask, SHMEM_CMP_EQ, 99) ==
	      SIZE_MAX);
	CHECK(shmem_int_wait_until_any_vector(vars, n, mask, SHMEM_CMP_NE,
					      values) == SIZE_MAX);
	CHECK(shmem_int_test_any(vars, n, mask, SHMEM_CMP_EQ, 0) == SIZE_MAX);
	CHECK(shmem_int_test_any_vector(vars, n, mask, SHMEM_CMP_EQ, values) ==
	      SIZE_MAX);
	CHECK_EQ(shmem_int_wait_until_some(vars, n, indices, mask,
					   SHMEM_CMP_EQ, 99), 0);
	CHECK_EQ(shmem_int_wait_until_some_vector(vars, n, indices, mask,
						  SHMEM_CMP_NE, values), 0);
	CHECK_EQ(shmem_int_test_some(vars, n, indices, mask, SHMEM_CMP_EQ, 0),
		 0);
	CHECK_EQ(shmem_int_test_some_vector(vars, n, indices, mask,
					    SHMEM_CMP_EQ, values), 0);
	CHECK_EQ(shmem_int_test_all(vars, n, mask, SHMEM_CMP_EQ, 99), 1);
	CHECK_EQ(shmem_int_test_all_vector(vars, n, mask, SHMEM_CMP_NE,
					   values), 1);
}

/* Each of the set once, none outside it. */
static void indices_are(size_t found, const int *expected)
{
	int seen[N] = { 0 };

	for (size_t i = 0; i < found; i++) {
		CHECK(indices[i] < N);
		seen[indices[i] % N]++;
	}
	for (int i = 0; i < N; i++)
		CHECK_EQ(seen[i], expected[i]);
}

/* vars: 0 1 2 3 ...; even ones are excluded. */
static void masked(void)
{
	static const int odd_above_4[N] = { [5] = 1, [7] = 1 };
	static const int odd[N] = { [1] = 1, [3] = 1, [5] = 1, [7] = 1 };
	int values[N];
	size_t i;

	for (int k = 0; k < N; k++) {
		vars[k] = k;
		values[k] = k % 2 ? k : -1;
		status[k] = k % 2 ? 0 : k + 1;
	}
	CHECK_EQ(shmem_int_test_all(vars, N, status, SHMEM_CMP_NE, 4), 1);
	CHECK_EQ(shmem_int_test_all(vars, N, NULL, SHMEM_CMP_NE, 4), 0);
	CHECK_EQ(shmem_int_test_all_vector(vars, N, status, SHMEM_CMP_EQ,
					   values), 1);
	CHECK_EQ(shmem_int_test_all_vector(vars, N, NULL, SHMEM_CMP_EQ,
					   values), 0);
	shmem_int_wait_until_all(vars, N, status, SHMEM_CMP_NE, 4);
	shmem_int_wait_until_all_vector(vars, N, status, SHMEM_CMP_EQ, values);
	indices_are(shmem_int_test_some(vars, N, indices, status, SHMEM_CMP_GT,
					4), odd_above_4);
	indices_are(shmem_int_wait_until_some(vars, N, indices, status,
					      SHMEM_CMP_GT, 4), odd_above_4);
	indices_are(shmem_int_test_some_vector(vars, N, indices, NULL,
					       SHMEM_CMP_EQ, values), odd);
	indices_are(shmem_int_wait_until_some_vector(vars, N, indices, NULL,
						     SHMEM_CMP_EQ, values),
		    odd);
	i = shmem_int_test_any(vars, N, status, SHMEM_CMP_GT, 5);
	CHECK_EQ(i, 7);
	i = shmem_int_wait_until_any(vars, N, status, SHMEM_CMP_GT, 5);
	CHECK_EQ(i, 7);
	CHECK(shmem_int_test_any(vars, N, status, SHMEM_CMP_GT, 7) ==
	      SIZE_MAX);
	i = shmem_int_wait_until_any_vector(vars, N, NULL, SHMEM_CMP_EQ,
					    values);
	CHECK(i % 2 == 1);
	CHECK_EQ(shmem_int_test_some(vars, N, indices, status, SHMEM_CMP_GT,
				     7), 0);
}

/* The other PE sets one after the other. */
static void become_true(int me, int other)
{
	int left = N;

	memset(status, 0, sizeof(status));
	for (int k = 0; k < N; k++)
		vars[k] = 0;
	shmem_barrier_all();
	if (me == 1)
		for (int k = N - 1; k >= 0; k--) {
			shmem_int_p(&vars[k], k + 1, other);
			check_sleep_ms(1);
		}
	if (me == 0 && other != me) {
		while (left) {
			size_t i = shmem_int_wait_until_any(
				vars, N, status, SHMEM_CMP_NE, 0);

			CHECK(i < N);
			CHECK_EQ(status[i], 0);
			CHECK_EQ(vars[i], i + 1);
			status[i] = 1;
			left--;
		}
		CHECK(shmem_int_wait_until_any(vars, N, status, SHMEM_CMP_NE,
					       0) == SIZE_MAX);
	}
	shmem_barrier_all();
	if (me == 1)
		for (int k = 0; k < N; k++)
			shmem_int_p(&vars[k], 100, other);
	if (me == 0 && other != me)
		shmem_int_wait_until_all(vars, N, NULL, SHMEM_CMP_EQ, 100);
	shmem_barrier_all();
}

static void some_until_all(int me, int other)
{
	size_t found = 0;

	for (int k = 0; k < N; k++)
		vars[k] = status[k] = 0;
	shmem_barrier_all();
	if (me == 1)
		for (int k = 0; k < N; k++)
			shmem_int_p(&vars[(k * 4) % N], 1, other);
	while (me == 0 && other != me && found < N) {
		size_t got = shmem_int_wait_until_some(vars, N, indices,
						       status, SHMEM_CMP_EQ, 1);

		CHECK(got > 0);
		for (size_t i = 0; i < got; i++) {
			CHECK_EQ(status[indices[i]], 0);
			status[indices[i]] = 1;
		}
		found += got;
	}
	shmem_barrier_all();
}

int main(void)
{
	int all_out[N], me, other;

	shmem_init();
	me = shmem_my_pe();
	other = shmem_n_pes() - 1 - me;
	for (int i = 0; i < N; i++)
		all_out[i] = -i - 1;
	empty_set(NULL, 0);
	empty_set(all_out, N);
	masked();
	become_true(me, other);
	some_until_all(me, other);
	return check_end();
}
