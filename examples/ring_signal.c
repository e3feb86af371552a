/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A list travels once around a ring of PEs, each of which adds its square.
 * Shows shmem_put_signal: data and the news that it is there, in one call.
 *
 *	oshcc -o ring_signal ring_signal.c && oshrun -n 4 ./ring_signal
 */
#include <shmem.h>
#include <stdio.h>

enum { MOST = 1024 };

/* Static data is symmetric: each PE has it, and any PE can write to it. */
static long list[MOST];
static uint64_t arrived;

/* The signal is set after the data: who sees it may read the list. */
static void pass_on(int pe)
{
	shmem_long_put_signal(list, list, (size_t)shmem_n_pes(), &arrived, 1,
			      SHMEM_SIGNAL_SET, pe);
}

static long wrong_entries(int npes)
{
	long wrong = 0;

	for (long pe = 0; pe < npes; pe++)
		wrong += list[pe] != pe * pe;
	return wrong;
}

int main(void)
{
	int me, npes;
	long wrong = 0;

	shmem_init();
	me = shmem_my_pe();
	npes = shmem_n_pes();
	if (npes > MOST) {
		fprintf(stderr, "ring_signal: at most %d PEs\n", MOST);
		shmem_global_exit(1);
	}
	if (me != 0)
		shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 1);
	list[me] = (long)me * me;
	if (npes > 1)
		pass_on((me + 1) % npes);
	if (me == 0) {
		if (npes > 1)
			shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 1);
		wrong = wrong_entries(npes);
		printf("the list came round %d PEs; last entry %ld, %ld "
		       "wrong\n",
		       npes, list[npes - 1], wrong);
	}
	shmem_finalize();
	return wrong != 0;
}
