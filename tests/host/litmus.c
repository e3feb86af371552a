/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory ordering by small races, many times: message passing (put, fence,
 * flag), store buffering (put, quiet, get on both sides), a message handed on
 * by a third PE, and coherence of one location.
 * PES: 2 3 4
 */
#include "check.h"

#define ROUNDS 20000
#define LAP 64

static long x[LAP], y[LAP], seen[LAP], moving;
static int me, n;

static void lap_clear(void)
{
	memset(x, 0, sizeof(x));
	memset(y, 0, sizeof(y));
	shmem_barrier_all();
}

/* PE 1 must never see the flag without the data. */
static void message_passing(void)
{
	for (int lap = 0; lap < ROUNDS / LAP; lap++) {
		lap_clear();
		for (int i = 0; i < LAP; i++) {
			if (me == 0) {
				shmem_long_p(&x[i], 1, 1);
				shmem_fence();
				shmem_long_p(&y[i], 1, 1);
			} else if (me == 1) {
				if (i % 2)
					shmem_long_wait_until(&y[i],
							      SHMEM_CMP_EQ, 1);
				else
					while (!shmem_long_atomic_fetch(&y[i],
									1))
						;
				CHECK_EQ(x[i], 1);
			}
		}
		shmem_barrier_all();
	}
}

/* x lives on PE 0, y on PE 1: not both may read the other's old value. */
static void store_buffering(void)
{
	long violations = 0;

	for (int lap = 0; lap < ROUNDS / LAP; lap++) {
		long other[LAP];

		lap_clear();
		for (int i = 0; i < LAP && me < 2; i++) {
			shmem_long_p(me ? &y[i] : &x[i], 1, 1 - me);
			shmem_quiet();
			seen[i] = shmem_long_g(me ? &x[i] : &y[i], me);
		}
		shmem_barrier_all();
		if (me == 0) {
			shmem_long_get(other, seen, LAP, 1);
			for (int i = 0; i < LAP; i++)
				violations += !seen[i] && !other[i];
		}
		shmem_barrier_all();
	}
	CHECK_EQ(violations, 0);
}

/* PE 0 tells PE 1, which tells the last PE: that one must see PE 0's data. */
static void handed_on(void)
{
	int last = n - 1;

	for (int lap = 0; lap < ROUNDS / LAP / 4; lap++) {
		lap_clear();
		for (int i = 0; i < LAP; i++) {
			if (me == 0) {
				shmem_long_p(&x[i], 1, last);
				shmem_quiet();
				shmem_long_p(&y[i], 1, 1);
			} else if (me == 1) {
				shmem_long_wait_until(&y[i], SHMEM_CMP_EQ, 1);
				if (last != 1)
					shmem_long_p(&y[i], 1, last);
			}
			if (me == last) {
				shmem_long_wait_until(&y[i], SHMEM_CMP_EQ, 1);
				CHECK_EQ(x[i], 1);
			}
		}
		shmem_barrier_all();
	}
}

/* One writer counts up; no reader may see it go back. */
static void coherence(void)
{
	long before = 0;

	moving = 0;
	shmem_barrier_all();
	for (long i = 1; i <= ROUNDS; i++) {
		if (me == 0) {
			shmem_long_atomic_set(&moving, i, 0);
		} else {
			long now = shmem_long_atomic_fetch(&moving, 0);

			CHECK(now >= before);
			before = now;
		}
	}
	shmem_barrier_all();
	CHECK_EQ(shmem_long_g(&moving, 0), ROUNDS);
}

int main(void)
{
	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	message_passing();
	store_buffering();
	handed_on();
	coherence();
	return check_end();
}
