/* SPDX-License-Identifier: BSD-3-Clause */
/* Says that it is there and waits for ever; run by kill.sh. */
#include "check.h"

static long never;

int main(void)
{
	shmem_init();
	shmem_barrier_all();
	printf("PE %d waits\n", shmem_my_pe());
	fflush(stdout);
	shmem_long_wait_until(&never, SHMEM_CMP_EQ, 1);
	return 1;
}
