/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <shmem.h>

#include "moe.h"

static long share_first(long total, int n, int pe)
{
	return total / n * pe + total % n * pe / n;
}

struct share share_of(long total, int n, int pe)
{
	const long first = share_first(total, n, pe);

	return (struct share){ first, share_first(total, n, pe + 1) - first };
}

int share_owner(long total, int n, long i)
{
	int pe = 0;

	while (share_first(total, n, pe + 1) <= i)
		pe++;
	return pe;
}

void *local_alloc(size_t bytes)
{
	void *p = malloc(bytes ? bytes : 1);

	if (p)
		return p;
	fprintf(stderr, "moe_exchange: PE %d has no memory for %zu bytes\n",
		shmem_my_pe(), bytes);
	shmem_global_exit(1);
}

void *symmetric_alloc(size_t bytes)
{
	void *p = shmem_malloc(bytes ? bytes : 1);

	if (p)
		return p;
	fprintf(stderr,
		"moe_exchange: PE %d has no symmetric memory for %zu "
		"bytes; set SHMEM_SYMMETRIC_SIZE, as in "
		"SHMEM_SYMMETRIC_SIZE=4G\n",
		shmem_my_pe(), bytes);
	shmem_global_exit(1);
}

void from_pe0(void *data, size_t bytes)
{
	void *source = symmetric_alloc(bytes), *dest = symmetric_alloc(bytes);

	if (shmem_my_pe() == 0)
		memcpy(source, data, bytes);
	shmem_broadcastmem(SHMEM_TEAM_WORLD, dest, source, bytes, 0);
	memcpy(data, dest, bytes);
	shmem_free(dest);
	shmem_free(source);
}

double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
