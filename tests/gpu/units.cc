/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each of several C++ units has its own block, which init fills, also where
 * no function is inlined. PES: 1 2
 */
#include <cstdio>
#include <cstdlib>

#include "unit.h"

SHMEMX_KERNEL(mine, struct unit_args, a)
{
	shmem_long_p(a.dest, a.value, a.pe);
}

int main()
{
	long *dest, got[2];
	int me, n, failed;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	dest = (long *)shmem_calloc(2, sizeof(long));
	struct unit_args a = { dest, 100 + me, (me + 1) % n };
	struct unit_args b = { dest + 1, 200 + me, (me + 1) % n };
	failed = shmemx_launch(SHMEMX_KERNEL_REF(mine), 1, 1, &a, sizeof(a),
			       NULL) ||
		 unit_other(&b) || shmemx_stream_synchronize(NULL);
	shmem_barrier_all();
	shmemx_memcpy(got, dest, sizeof(got));
	failed |= got[0] != 100 + (me + n - 1) % n ||
		  got[1] != 200 + (me + n - 1) % n;
	if (failed)
		printf("PE %d: %ld, %ld\n", me, got[0], got[1]);
	shmem_finalize();
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
