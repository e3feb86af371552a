/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoall and alltoalls: where each block goes for all small strides, what
 * lies between is left alone; team forms and those on an active set; bytes for
 * the mem forms; pSync as it was.
 * PES: all
 */
#include "check.h"

#define BLOCK 5
#define STRIDE 4

static int me, n;
static long *dest, *source;
static size_t total;

static void fill(void)
{
	for (size_t i = 0; i < total; i++) {
		dest[i] = -1;
		source[i] = me * 1000000L + (long)i;
	}
	shmem_barrier_all();
}

static void holds(size_t dst, size_t sst, size_t nelems)
{
	size_t written = 0;

	for (int pe = 0; pe < n; pe++)
		for (size_t k = 0; k < nelems; k++) {
			size_t at = ((size_t)pe * nelems + k) * dst;
			size_t from = ((size_t)me * nelems + k) * sst;

			CHECK_EQ(dest[at], pe * 1000000L + (long)from);
			dest[at] = -1;
			written++;
		}
	for (size_t i = 0; i < total; i++)
		CHECK_EQ(dest[i], -1);
	CHECK_EQ(written, (size_t)n * nelems);
	shmem_barrier_all();
}

static void strides(size_t dst, size_t sst, size_t nelems)
{
	static long sync[2][SHMEM_ALLTOALLS_SYNC_SIZE];
	static int turn;

	fill();
	CHECK_EQ(shmem_long_alltoalls(SHMEM_TEAM_WORLD, dest, source,
				      (ptrdiff_t)dst, (ptrdiff_t)sst, nelems),
		 0);
	holds(dst, sst, nelems);
	fill();
	shmem_alltoalls64(dest, source, (ptrdiff_t)dst, (ptrdiff_t)sst, nelems,
			  0, 0, n, sync[++turn % 2]);
	holds(dst, sst, nelems);
	for (int i = 0; i < SHMEM_ALLTOALLS_SYNC_SIZE; i++)
		CHECK_EQ(sync[turn % 2][i], SHMEM_SYNC_VALUE);
}

static void contiguous(size_t nelems)
{
	static long sync[SHMEM_ALLTOALL_SYNC_SIZE];

	fill();
	CHECK_EQ(shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, source, nelems),
		 0);
	holds(1, 1, nelems);
	fill();
	CHECK_EQ(shmem_alltoallmem(SHMEM_TEAM_WORLD, dest, source, nelems * 8),
		 0);
	holds(1, 1, nelems);
	fill();
	shmem_alltoall64(dest, source, nelems, 0, 0, n, sync);
	holds(1, 1, nelems);
}

/* A byte at a time, so that strides are in bytes. */
static void bytes(void)
{
	unsigned char *to = (unsigned char *)dest;
	unsigned char *from = (unsigned char *)source;
	size_t all = (size_t)n * 3;

	memset(to, 0xee, all * 5 + 8);
	for (size_t i = 0; i < all * 2; i++)
		from[i] = (unsigned char)((size_t)me * 50 + i);
	shmem_barrier_all();
	CHECK_EQ(shmem_alltoallsmem(SHMEM_TEAM_WORLD, to, from, 5, 2, 3), 0);
	for (size_t i = 0; i < all * 5; i++) {
		size_t pe = i / 5 / 3, k = i / 5 % 3;
		size_t at = ((size_t)me * 3 + k) * 2;
		int want = i % 5 ? 0xee : (unsigned char)(pe * 50 + at);

		CHECK_EQ(to[i], want);
	}
	shmem_barrier_all();
}

int main(void)
{
	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	total = (size_t)n * 600 * STRIDE;
	dest = shmem_malloc(total * sizeof(*dest));
	source = shmem_malloc(total * sizeof(*source));
	for (size_t dst = 1; dst <= STRIDE; dst++)
		for (size_t sst = 1; sst <= STRIDE; sst++)
			for (size_t nelems = 1; nelems <= BLOCK; nelems += 2)
				strides(dst, sst, nelems);
	strides(2, 3, 600);
	contiguous(1);
	contiguous(7);
	contiguous(8);
	contiguous(600);
	bytes();
	shmem_free(source);
	shmem_free(dest);
	return check_end();
}
