/* SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#include "comm.h"

/* The harness's memory is the host's, where the default heap may be a GPU's. */
#ifdef COMM_HOST_HEAP
#include <shmemx.h>
#define heap_get(bytes) shmemx_malloc_host(bytes)
#else
#define heap_get(bytes) shmem_align(4096, bytes)
#endif

/*
 * Two slots, used in turn: a PE may write the next value while another still
 * reads the one before.
 */
static long *slots;
static unsigned turn;
static long *sums;

void comm_open(void)
{
	shmem_init();
	slots = comm_alloc(2 * sizeof(long));
	sums = comm_alloc((size_t)comm_npes() * sizeof(long));
}

void comm_close(void)
{
	comm_free(sums);
	comm_free(slots);
	shmem_finalize();
}

int comm_me(void)
{
	return shmem_my_pe();
}

int comm_npes(void)
{
	return shmem_n_pes();
}

void comm_sync(void)
{
	shmem_barrier_all();
}

void *comm_alloc(size_t bytes)
{
	void *mem = heap_get(bytes ? bytes : 1);

	if (!mem) {
		fprintf(stderr,
			"PE %d: no %zu bytes left in the symmetric "
			"heap; raise SHMEM_SYMMETRIC_SIZE\n",
			shmem_my_pe(), bytes);
		shmem_global_exit(1);
	}
	return mem;
}

void comm_free(void *mem)
{
	shmem_free(mem);
}

long comm_agree(long value)
{
	long *slot = &slots[turn++ % 2];

	if (!comm_me())
		for (int pe = 0; pe < comm_npes(); pe++)
			shmem_long_p(slot, value, pe);
	shmem_barrier_all();
	return *slot;
}

void comm_max(double *v, size_t nelems)
{
	double *other;

	shmem_barrier_all();
	if (comm_me())
		goto wait;
	other = malloc(nelems * sizeof(*other));
	if (!other)
		shmem_global_exit(1);
	for (int pe = 1; pe < comm_npes(); pe++) {
		shmem_getmem(other, v, nelems * sizeof(*v), pe);
		for (size_t i = 0; i < nelems; i++)
			if (other[i] > v[i])
				v[i] = other[i];
	}
	free(other);
wait:
	shmem_barrier_all();
}

long comm_sum(long value)
{
	long sum = 0;

	shmem_barrier_all();
	for (int pe = 0; pe < comm_npes(); pe++)
		shmem_long_p(&sums[comm_me()], value, pe);
	shmem_barrier_all();
	for (int pe = 0; pe < comm_npes(); pe++)
		sum += sums[pe];
	return sum;
}

void comm_info_get(struct comm_info *info)
{
	char name[SHMEM_MAX_NAME_LEN];

	shmem_info_get_name(name);
	shmem_info_get_version(&info->major, &info->minor);
	snprintf(info->name, sizeof(info->name), "%s", name);
}
