/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tool that takes one routine's name gets its calls, and no other's.
 * PES: 2
 */
#include <stdio.h>
#include <pshmem.h>

static int calls;

void shmem_long_put(long *dest, const long *source, size_t nelems, int pe)
{
	calls++;
	pshmem_long_put(dest, source, nelems, pe);
}

static long words[3];
static int ints[2];

int main(void)
{
	const long value[2] = { 5, 6 };
	const int number = 7;
	int bad, right;

	shmem_init();
	right = (shmem_my_pe() + 1) % shmem_n_pes();
	shmem_long_put(words, value, 2, right);
	shmem_put(words + 2, value, 1, right);
	shmem_put(ints, &number, 1, right);
	shmem_int_put(ints + 1, &number, 1, right);
	pshmem_long_put(words + 2, value + 1, 1, right);
	shmem_put64(words + 2, value + 1, 1, right);
	shmem_ctx_long_put(SHMEM_CTX_DEFAULT, words, value, 1, right);
	shmem_pcontrol(1);
	shmem_pcontrol(2, "phase", 1.5, words);
	pshmem_pcontrol(0, 1, 2, 3, 4, 5, 6, 7, 8.5);
	shmem_barrier_all();
	bad = calls != 2 || words[0] != 5 || words[1] != 6 || words[2] != 6 ||
	      ints[0] != 7 || ints[1] != 7;
	if (bad)
		printf("%d calls, words %ld %ld %ld\n", calls, words[0],
		       words[1], words[2]);
	pshmem_finalize();
	return bad;
}
