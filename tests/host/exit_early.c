/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PEs that end without finalize, each at its own time, after exit(0) in a
 * function that main called: finalize is implied, puts until then arrive.
 * PES: all
 */
#include "check.h"

static long value;

int main(void)
{
	int me, n;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	shmem_long_p(&value, me + 1, (me + 1) % n);
	check_sleep_ms(me * 20);
	shmem_long_wait_until(&value, SHMEM_CMP_EQ, (me + n - 1) % n + 1);
	exit(check_failures != 0);
}
