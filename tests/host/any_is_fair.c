/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Repeated calls of the _any forms return each index that is satisfied, even
 * when those returned before stay satisfied; calls over other arrays in
 * between do not change that.
 * PES: 1
 */
#include "check.h"

#define N 37

static long vars[N], other[2] = { 1, 1 };

typedef size_t (*any_fn)(long *, size_t, const int *, int, long);

static void is_fair(any_fn any, const int *status, int expected)
{
	int seen[N] = { 0 }, distinct = 0;

	for (int i = 0; i < 40 * N; i++) {
		size_t k = any(vars, N, status, SHMEM_CMP_EQ, 1);

		CHECK(k < N && vars[k] == 1 && (!status || !status[k]));
		if (k < N)
			distinct += !seen[k]++;
		any(other, 2, NULL, SHMEM_CMP_EQ, 1);
	}
	CHECK_EQ(distinct, expected);
}

int main(void)
{
	int status[N];

	shmem_init();
	for (int i = 0; i < N; i++) {
		vars[i] = i % 3 != 0;
		status[i] = i % 2;
	}
	is_fair(shmem_long_test_any, NULL, 24);
	is_fair(shmem_long_wait_until_any, NULL, 24);
	is_fair(shmem_long_test_any, status, 12);
	is_fair(shmem_long_wait_until_any, status, 12);
	return check_end();
}
