/* SPDX-License-Identifier: BSD-3-Clause */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "comm.h"

/* The mapping's length lies in front of it, for comm_free. */
enum { HEAD_BYTES = 4096 };

void comm_open(void)
{
}

void comm_close(void)
{
}

int comm_me(void)
{
	return 0;
}

int comm_npes(void)
{
	return 1;
}

void comm_sync(void)
{
}

void *comm_alloc(size_t bytes)
{
	const size_t huge = 2 << 20;
	const size_t whole = (bytes + HEAD_BYTES + huge - 1) & ~(huge - 1);
	char *mem = mmap(NULL, whole, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (mem == MAP_FAILED)
		err(1, "cannot map %zu bytes of shared memory", whole);
	madvise(mem, whole, MADV_HUGEPAGE);
	*(size_t *)mem = whole;
	return mem + HEAD_BYTES;
}

void comm_free(void *mem)
{
	char *head = (char *)mem - HEAD_BYTES;

	munmap(head, *(size_t *)head);
}

long comm_agree(long value)
{
	return value;
}

void comm_max(double *v, size_t nelems)
{
	(void)v;
	(void)nelems;
}

long comm_sum(long value)
{
	return value;
}

void comm_info_get(struct comm_info *info)
{
	*info = (struct comm_info){ .name = "no library" };
}
