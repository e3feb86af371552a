/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A ring in the heap, for the scripts that change what is around it; built
 * twice, as two executables that differ. Arguments: "static" or "private",
 * what static data is expected to be; the MiB of a block of which only the
 * ends are touched.
 */
#include "check.h"

#ifdef PLAIN_OTHER
long other_executable[5000];
#endif
static long variable;

int main(int argc, char **argv)
{
	size_t bytes = (argc > 2 ? strtoul(argv[2], NULL, 10) : 1) << 20;
	int me, n, next, previous;
	long *heap, *last;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	next = (me + 1) % n;
	previous = (me + n - 1) % n;
	if (argc > 1)
		CHECK_EQ(shmem_addr_accessible(&variable, next),
			 !strcmp(argv[1], "static"));
	heap = shmem_malloc(bytes);
	CHECK(heap != NULL);
	if (heap) {
		last = heap + bytes / sizeof(*heap) - 1;
		shmem_long_p(heap, 10 + me, next);
		shmem_long_p(last, 20 + me, next);
		shmem_barrier_all();
		CHECK_EQ(*heap, 10 + previous);
		CHECK_EQ(*last, 20 + previous);
		CHECK_EQ(shmem_long_g(last, next), 20 + me);
		CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, heap, last, 1),
			 0);
		CHECK_EQ(*heap, 20L * n + n * (n - 1L) / 2);
	}
	shmem_free(heap);
	if (!check_failures)
		printf("fine\n");
	return check_end();
}
