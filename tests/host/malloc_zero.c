/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allocations of nothing return NULL and do not synchronise: one PE makes them
 * while the others wait for it. Neither does shmem_free(NULL).
 * PES: 1 2 3
 */
#include "check.h"

static long done;

static void nothing(void)
{
	CHECK(!shmem_malloc(0));
	CHECK(!shmem_calloc(0, 8));
	CHECK(!shmem_calloc(8, 0));
	CHECK(!shmem_calloc(0, 0));
	CHECK(!shmem_align(64, 0));
	CHECK(!shmem_malloc_with_hints(0, 0));
	CHECK(!shmem_malloc_with_hints(0, SHMEM_MALLOC_ATOMICS_REMOTE));
	CHECK(!shmem_realloc(NULL, 0));
	CHECK(!shmalloc(0));
	CHECK(!shmemalign(64, 0));
	shmem_free(NULL);
	shfree(NULL);
}

int main(void)
{
	shmem_init();
	if (shmem_my_pe() == 0) {
		nothing();
		for (int pe = 1; pe < shmem_n_pes(); pe++)
			shmem_long_p(&done, 1, pe);
	} else {
		shmem_long_wait_until(&done, SHMEM_CMP_EQ, 1);
	}
	shmem_barrier_all();
	return check_end();
}
