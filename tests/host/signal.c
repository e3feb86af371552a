/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A signal is visible only after its own data, at every size; SET and ADD; what
 * the waits return; the source may be reused when the blocking form returns.
 * PES: all
 */
#include "check.h"

#define MAX_BYTES (1 << 20)

static uint64_t signal, total;
static int me, n, next;

static void data_before_signal(char *dest, char *source)
{
	static const size_t sizes[] = { 1, 7, 8, 64, 1000, 4096, 65536,
					MAX_BYTES };

	for (uint64_t i = 0; i < 40; i++) {
		size_t bytes = sizes[i % 8], k = 0;
		char want = (char)(i + 1 + (uint64_t)((me + n - 1) % n));

		memset(source, (char)(i + 1 + (uint64_t)me), bytes);
		shmem_putmem_signal(dest, source, bytes, &signal, i + 1,
				    SHMEM_SIGNAL_SET, next);
		memset(source, 0x55, bytes);
		CHECK_EQ(shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, i + 1),
			 i + 1);
		while (k < bytes && dest[k] == want)
			k++;
		CHECK_EQ(k, bytes);
		shmem_barrier_all();
	}
}

/* nbi: the source is free after quiet. */
static void non_blocking(long *dest, long *source)
{
	for (long i = 0; i < 50; i++) {
		for (int k = 0; k < 100; k++)
			source[k] = i * 1000 + k + me;
		shmem_long_put_signal_nbi(dest, source, 100, &signal, 1,
					  SHMEM_SIGNAL_ADD, next);
		shmem_signal_wait_until(&signal, SHMEM_CMP_EQ,
					(uint64_t)i + 1);
		for (int k = 0; k < 100; k++)
			CHECK_EQ(dest[k], i * 1000 + k + (me + n - 1) % n);
		shmem_quiet();
		shmem_barrier_all();
	}
}

/* ADD is atomic against ADD, put_signal's and signal_add's alike. */
static void add_is_atomic(long *dest)
{
	long value = 3;

	for (int i = 0; i < 500; i++) {
		shmem_long_put_signal(&dest[me], &value, 1, &total, 1,
				      SHMEM_SIGNAL_ADD, i % n);
		shmem_signal_add(&total, 2, i % n);
		shmem_ctx_signal_add(SHMEM_CTX_DEFAULT, &total, 3, i % n);
	}
	shmem_barrier_all();
	CHECK_EQ(shmem_signal_fetch(&total),
		 6 * n * (500 / n + (me < 500 % n)));
	shmem_barrier_all();
	shmem_signal_set(&total, 77, next);
	CHECK_EQ(shmem_signal_wait_until(&total, SHMEM_CMP_EQ, 77), 77);
	shmem_barrier_all();
	shmem_ctx_signal_set(SHMEM_CTX_DEFAULT, &total, UINT64_MAX, next);
	CHECK(shmem_signal_wait_until(&total, SHMEM_CMP_GT, 77) == UINT64_MAX);
	shmem_barrier_all();
	shmem_signal_add(&total, 2, next);
	CHECK_EQ(shmem_signal_wait_until(&total, SHMEM_CMP_LT, 77), 1);
}

int main(void)
{
	char *dest, *source;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	next = (me + 1) % n;
	dest = shmem_malloc(MAX_BYTES);
	source = malloc(MAX_BYTES);
	data_before_signal(dest, source);
	signal = 0;
	shmem_barrier_all();
	non_blocking((long *)dest, (long *)source);
	add_is_atomic((long *)dest);
	shmem_free(dest);
	free(source);
	return check_end();
}
