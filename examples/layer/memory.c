/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "moe_layer.h"

void *local_alloc(size_t bytes)
{
	void *p = calloc(bytes ? bytes : 1, 1);

	if (p)
		return p;
	fprintf(stderr, "moe_layer: PE %d has no memory for %zu bytes\n",
		shmem_my_pe(), bytes);
	shmem_global_exit(1);
}

void *symmetric_alloc(size_t bytes)
{
	void *p = shmem_malloc(bytes ? bytes : 1);

	if (p)
		return p;
	if (shmem_my_pe() == 0)
		fprintf(stderr,
			"moe_layer: no symmetric memory for %zu bytes; set "
			"SHMEM_SYMMETRIC_SIZE, as in "
			"SHMEM_SYMMETRIC_SIZE=4G\n",
			bytes);
	shmem_barrier_all();
	shmem_global_exit(1);
}

void from_pe0(void *data, size_t bytes)
{
	void *all = symmetric_alloc(bytes);

	if (shmem_my_pe() == 0)
		shmemx_memcpy(all, data, bytes);
	shmem_barrier_all();
	shmem_getmem(data, all, bytes, 0);
	shmem_barrier_all();
	shmem_free(all);
}

void sum_over_pes(double *v, int n)
{
	const size_t bytes = (size_t)n * sizeof(*v);
	double *mine = symmetric_alloc(bytes), *all = symmetric_alloc(bytes);

	shmemx_memcpy(mine, v, bytes);
	shmem_double_sum_reduce(SHMEM_TEAM_WORLD, all, mine, (size_t)n);
	shmemx_memcpy(v, all, bytes);
	shmem_free(all);
	shmem_free(mine);
}

double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
