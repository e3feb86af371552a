/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A number travels round a ring of PEs, and each PE's kernel adds its own: the
 * smallest program in which kernels communicate. The same source runs on the
 * CPU, where a kernel is a C function, and on GPUs.
 *
 *	oshcc -o ring ring.c && oshrun -n 4 ./ring
 */
#include <stdio.h>
#include <shmem/device.h>

/* Symmetric memory: each PE has its own, at an address that all know. */
struct mailbox {
	long number;
	uint64_t arrived;
};

struct ring_args {
	struct mailbox *box;
};

/* Run by every work-item; one of them is enough here. */
SHMEMX_KERNEL(ring, struct ring_args, args)
{
	const int me = shmem_my_pe(), n = shmem_n_pes();
	struct mailbox *box = args.box;

	if (shmemx_item() != 0)
		return;
	if (me == 0)
		box->number = 0;
	else
		shmem_signal_wait_until(&box->arrived, SHMEM_CMP_EQ, 1);
	box->number += me;
	if (n == 1)
		return;
	/* The number, and the news that it is there, to the next PE. */
	shmem_long_put_signal(&box->number, &box->number, 1, &box->arrived, 1,
			      SHMEM_SIGNAL_SET, (me + 1) % n);
	if (me == 0)
		shmem_signal_wait_until(&box->arrived, SHMEM_CMP_EQ, 1);
}

int main(void)
{
	struct ring_args args;
	struct mailbox result;
	int me, n, wrong;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	args.box = (struct mailbox *)shmem_calloc(1, sizeof(*args.box));

	if (shmemx_launch(SHMEMX_KERNEL_REF(ring), 1, 64, &args, sizeof(args),
			  NULL))
		shmem_global_exit(1);
	shmemx_stream_synchronize(NULL);

	/* The host may not touch device memory itself. */
	shmemx_memcpy(&result, args.box, sizeof(result));
	wrong = me == 0 && result.number != (long)n * (n - 1) / 2;
	if (me == 0)
		printf("%s: round %d PEs the sum is %ld, %s\n",
		       shmemx_platform(), n, result.number,
		       wrong ? "wrong" : "right");
	shmem_finalize();
	return wrong;
}
