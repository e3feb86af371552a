/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of before: start_pes, and a return that is the end. PES: all */
#include "api.h"

static long word;

int main(void)
{
	start_pes(0);
	shmem_long_p(&word, _my_pe() + 1L, (_my_pe() + 1) % _num_pes());
	shmem_barrier_all();
	return word != (_my_pe() + _num_pes() - 1) % _num_pes() + 1;
}
