/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A wait sees what another PE stores through shmem_ptr, and what it sees is
 * whole; the data stored before is there as well.
 * PES: 2 4
 */
#include "check.h"

#define ROUNDS 3000

static long flag, payload[8];
static uint64_t wide;

static void writer(int to)
{
	long *peer_flag = shmem_ptr(&flag, to);
	long *peer_payload = shmem_ptr(payload, to);
	uint64_t *peer_wide = shmem_ptr(&wide, to);

	CHECK(peer_flag && peer_payload && peer_wide);
	for (long i = 1; i <= ROUNDS; i++) {
		for (int k = 0; k < 8; k++)
			peer_payload[k] = i * 10 + k;
		/* Both halves change at once. */
		__atomic_store_n(peer_wide, (uint64_t)i << 32 | (uint64_t)i,
				 __ATOMIC_RELEASE);
		__atomic_store_n(peer_flag, i, __ATOMIC_RELEASE);
		shmem_long_wait_until(&flag, SHMEM_CMP_EQ, i);
	}
}

static void reader(int from)
{
	for (long i = 1; i <= ROUNDS; i++) {
		uint64_t seen;

		shmem_uint64_wait_until(&wide, SHMEM_CMP_GT,
					(uint64_t)(i - 1) << 32 | 0xffffffffu);
		seen = __atomic_load_n(&wide, __ATOMIC_RELAXED);
		CHECK_EQ(seen >> 32, seen & 0xffffffffu);
		shmem_long_wait_until(&flag, SHMEM_CMP_EQ, i);
		for (int k = 0; k < 8; k++)
			CHECK_EQ(payload[k], i * 10 + k);
		shmem_long_atomic_set(&flag, i, from);
	}
}

int main(void)
{
	int me;

	shmem_init();
	me = shmem_my_pe();
	if (!check_near(me ^ 1)) {
		shmem_finalize();
		puts("the other PE is on another node");
		return 77;
	}
	if (me % 2)
		reader(me - 1);
	else
		writer(me + 1);
	return check_end();
}
