/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The smallest OpenSHMEM program: each process, a PE, says its number.
 *
 *	oshcc -o hello hello.c && oshrun -n 4 ./hello
 */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
	shmem_init();
	printf("PE %d of %d\n", shmem_my_pe(), shmem_n_pes());
	shmem_finalize();
	return 0;
}
