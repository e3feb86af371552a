/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Zero elements, with NULL or a pointer that is not symmetric, do nothing in
 * every shape of routine; a signal is delivered all the same.
 * PES: 1 2 3
 */
#include "check.h"

static uint64_t signal;

static void transfers(int pe, void *p)
{
	shmem_putmem(p, p, 0, pe);
	shmem_getmem(p, p, 0, pe);
	shmem_putmem_nbi(p, p, 0, pe);
	shmem_getmem_nbi(p, p, 0, pe);
	shmem_put8(p, p, 0, pe);
	shmem_get16(p, p, 0, pe);
	shmem_put32_nbi(p, p, 0, pe);
	shmem_get64_nbi(p, p, 0, pe);
	shmem_put128(p, p, 0, pe);
	shmem_long_put(p, p, 0, pe);
	shmem_double_get(p, p, 0, pe);
	shmem_longdouble_put_nbi(p, p, 0, pe);
	shmem_char_get_nbi(p, p, 0, pe);
	shmem_ctx_putmem(SHMEM_CTX_DEFAULT, p, p, 0, pe);
	shmem_ctx_int_get(SHMEM_CTX_DEFAULT, p, p, 0, pe);
}

static void strided(int pe, void *p)
{
	shmem_long_iput(p, p, 1, 1, 0, pe);
	shmem_long_iget(p, p, 3, 2, 0, pe);
	shmem_iput128(p, p, 2, 5, 0, pe);
	shmem_iget8(p, p, 2, 5, 0, pe);
	shmem_int_ibput(p, p, 4, 4, 2, 0, pe);
	shmem_int_ibput(p, p, 4, 4, 0, 3, pe);
	shmem_int_ibget(p, p, 4, 4, 2, 0, pe);
	shmem_int_ibget(p, p, 4, 4, 0, 3, pe);
	shmem_ibput64(p, p, 1, 1, 1, 0, pe);
	shmem_ibget32(p, p, 1, 1, 1, 0, pe);
}

static void collectives(void *p)
{
	shmem_team_t t = SHMEM_TEAM_WORLD;

	CHECK_EQ(shmem_alltoallmem(t, p, p, 0), 0);
	CHECK_EQ(shmem_long_alltoalls(t, p, p, 1, 1, 0), 0);
	CHECK_EQ(shmem_alltoallsmem(t, p, p, 2, 3, 0), 0);
	CHECK_EQ(shmem_broadcastmem(t, p, p, 0, shmem_n_pes() - 1), 0);
	CHECK_EQ(shmem_collectmem(t, p, p, 0), 0);
	CHECK_EQ(shmem_fcollectmem(t, p, p, 0), 0);
	CHECK_EQ(shmem_long_sum_reduce(t, p, p, 0), 0);
	CHECK_EQ(shmem_uint_xor_reduce(t, p, p, 0), 0);
	CHECK_EQ(shmem_char_max_reduce(t, p, p, 0), 0);
	CHECK_EQ(shmem_complexd_prod_reduce(t, p, p, 0), 0);
	CHECK_EQ(shmem_long_sum_inscan(t, p, p, 0), 0);
	CHECK_EQ(shmem_double_sum_exscan(t, p, p, 0), 0);
}

static void active_set(void *p)
{
	static long sync[SHMEM_ALLTOALLS_SYNC_SIZE];
	static long work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
	int n = shmem_n_pes();

	shmem_broadcast32(p, p, 0, 0, 0, 0, n, sync);
	shmem_broadcast64(p, p, 0, n - 1, 0, 0, n, sync);
	shmem_collect32(p, p, 0, 0, 0, n, sync);
	shmem_fcollect64(p, p, 0, 0, 0, n, sync);
	shmem_alltoall32(p, p, 0, 0, 0, n, sync);
	shmem_alltoalls64(p, p, 1, 1, 0, 0, 0, n, sync);
	shmem_long_sum_to_all(p, p, 0, 0, 0, n, work, sync);
	shmem_long_or_to_all(p, p, 0, 0, 0, n, work, sync);
	shmem_barrier_all();
}

static void signals(int from, int to, void *p)
{
	shmem_putmem_signal(p, p, 0, &signal, 5, SHMEM_SIGNAL_SET, to);
	shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 5);
	shmem_barrier_all();
	shmem_long_put_signal_nbi(p, p, 0, &signal, 2, SHMEM_SIGNAL_ADD, to);
	CHECK_EQ(shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 7), 7);
	shmem_barrier_all();
	shmem_put128_signal(p, p, 0, &signal, 1, SHMEM_SIGNAL_ADD, from);
	CHECK_EQ(shmem_signal_wait_until(&signal, SHMEM_CMP_GT, 7), 8);
	shmem_barrier_all();
	signal = 0;
	shmem_barrier_all();
}

static void waits(void *p)
{
	shmem_long_wait_until_all(p, 0, NULL, SHMEM_CMP_EQ, 1);
	shmem_long_wait_until_all_vector(p, 0, NULL, SHMEM_CMP_EQ, NULL);
	CHECK(shmem_long_wait_until_any(p, 0, NULL, 0, 1) == SIZE_MAX);
	CHECK(shmem_long_test_any(p, 0, NULL, 0, 1) == SIZE_MAX);
	CHECK(shmem_long_wait_until_some(p, 0, NULL, NULL, 0, 1) == 0);
	CHECK(shmem_long_test_some(p, 0, NULL, NULL, 0, 1) == 0);
	CHECK_EQ(shmem_long_test_all(p, 0, NULL, 0, 1), 1);
	CHECK_EQ(shmem_long_test_all_vector(p, 0, NULL, 0, NULL), 1);
}

int main(void)
{
	int me, n, local;
	void *pointers[] = { NULL, &local, malloc(16) };

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	for (int i = 0; i < 3; i++) {
		for (int pe = 0; pe < n; pe++) {
			transfers(pe, pointers[i]);
			strided(pe, pointers[i]);
		}
		waits(pointers[i]);
		signals((me + n - 1) % n, (me + 1) % n, pointers[i]);
		collectives(pointers[i]);
		active_set(pointers[i]);
	}
	shmem_pe_quiet(NULL, 0);
	shmem_ctx_pe_quiet(SHMEM_CTX_DEFAULT, NULL, 0);
	free(pointers[2]);
	return check_end();
}
