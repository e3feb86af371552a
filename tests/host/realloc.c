/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * realloc keeps the content on every PE, whether it grows in place, moves or
 * shrinks; one that fails leaves the block as it was, on all PEs.
 * ENV: SHMEM_SYMMETRIC_SIZE=16m
 * PES: 1 2 4
 */
#include "check.h"

static void fill(unsigned char *p, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		p[i] = (unsigned char)(i * 7 + (size_t)shmem_my_pe());
}

static void holds(const unsigned char *p, size_t bytes)
{
	size_t i = 0;

	while (i < bytes &&
	       p[i] == (unsigned char)(i * 7 + (size_t)shmem_my_pe()))
		i++;
	CHECK_EQ(i, bytes);
}

int main(void)
{
	static const size_t sizes[] = { 1, 100, 5000, 70000, 3000, 1 << 20,
					16, 2 << 20, 1 };
	unsigned char *p = NULL, *wall, *q;
	size_t had = 0;

	shmem_init();
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		p = shmem_realloc(p, sizes[i]);
		CHECK(p != NULL);
		holds(p, had < sizes[i] ? had : sizes[i]);
		fill(p, sizes[i]);
		had = sizes[i];
	}
	/* A neighbour in the way: it must move. */
	p = shmem_realloc(p, 1000);
	fill(p, 1000);
	wall = shmem_malloc(1000);
	q = shmem_realloc(p, 3 << 20);
	CHECK(q != NULL);
	holds(q, 1000);
	fill(q, 3 << 20);
	/* More than there is. */
	CHECK(!shmem_realloc(q, 1 << 30));
	CHECK(!shmem_realloc(q, SIZE_MAX));
	CHECK(!shmem_realloc(q, SIZE_MAX / 2));
	holds(q, 3 << 20);
	q = shmem_realloc(q, 4 << 20);
	CHECK(q != NULL);
	holds(q, 3 << 20);
	CHECK(!shmem_realloc(q, 0));
	CHECK(!shrealloc(wall, 0));
	/* All of it came back. */
	p = shmem_malloc(15 << 20);
	CHECK(p != NULL);
	shmem_free(p);
	return check_end();
}
