/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The active-set reductions: work array of the least size, in place, sets with
 * a start and a stride, back to back with two pSync in turn, sizes 0 and 1.
 * PES: all
 */
#include "check.h"

#define N 1000
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static long long_work[MAX(N / 2 + 1, SHMEM_REDUCE_MIN_WRKDATA_SIZE)];
static double double_work[MAX(N / 2 + 1, SHMEM_REDUCE_MIN_WRKDATA_SIZE)];
static short short_work[MAX(N / 2 + 1, SHMEM_REDUCE_MIN_WRKDATA_SIZE)];
static long psync[2][SHMEM_REDUCE_SYNC_SIZE];
static long a[N], b[N];
static double da[N], db[N];
static short sa[N], sb[N];
static int turn;

static long *next_sync(void)
{
	return psync[turn++ % 2];
}

static void longs(int start, int log_stride, int size, int nreduce)
{
	int me = shmem_my_pe(), stride = 1 << log_stride;
	long sum = 0, top = start + (size - 1L) * stride;

	for (int i = 0; i < size; i++)
		sum += start + i * stride;
	for (int i = 0; i < N; i++) {
		a[i] = -7;
		b[i] = me + i;
	}
	shmem_barrier(start, log_stride, size, next_sync());
	shmem_long_sum_to_all(a, b, nreduce, start, log_stride, size,
			      long_work, next_sync());
	for (int i = 0; i < nreduce; i++)
		CHECK_EQ(a[i], sum + (long)size * i);
	CHECK_EQ(a[nreduce], -7);
	shmem_long_max_to_all(a, b, nreduce, start, log_stride, size,
			      long_work, next_sync());
	for (int i = 0; i < nreduce; i++)
		CHECK_EQ(a[i], top + i);
	shmem_long_min_to_all(b, b, nreduce, start, log_stride, size,
			      long_work, next_sync());
	for (int i = 0; i < nreduce; i++)
		CHECK_EQ(b[i], start + i);
	shmem_barrier(start, log_stride, size, next_sync());
}

static void others(int n)
{
	for (int i = 0; i < N; i++) {
		da[i] = 0.5 * i;
		sa[i] = (short)(1 << (shmem_my_pe() % 15));
	}
	shmem_barrier_all();
	shmem_double_prod_to_all(db, da, 3, 0, 0, n, double_work, next_sync());
	CHECK(db[0] == 0);
	shmem_short_or_to_all(sb, sa, N - 1, 0, 0, n, short_work, next_sync());
	CHECK_EQ(sb[N - 2], (1 << (n < 15 ? n : 15)) - 1);
	shmem_short_xor_to_all(sb, sa, 5, 0, 0, n, short_work, next_sync());
	CHECK_EQ(sb[4], (1 << n) - 1);
	shmem_short_and_to_all(sa, sa, 5, 0, 0, n, short_work, next_sync());
	CHECK_EQ(sa[4], n == 1 ? 1 : 0);
	shmem_barrier_all();
}

int main(void)
{
	int me, n, strided;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	strided = (n + 1) / 2;
	for (int nreduce = 0; nreduce < N; nreduce += nreduce / 2 + 1) {
		longs(0, 0, n, nreduce);
		if (me % 2 == 0)
			longs(0, 1, strided, nreduce);
		if (me > 0)
			longs(1, 0, n - 1, nreduce);
		longs(me, 0, 1, nreduce);
	}
	others(n);
	for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
		CHECK_EQ(psync[0][i] | psync[1][i], SHMEM_SYNC_VALUE);
	return check_end();
}
