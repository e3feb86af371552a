/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_global_exit by one PE ends those that wait, too. PES: all */
#include "api.h"

int main(void)
{
	static long never;

	shmem_init();
	if (shmem_my_pe() == shmem_n_pes() - 1)
		shmem_global_exit(0);
	shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
	return 1;
}
