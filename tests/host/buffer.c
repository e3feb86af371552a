/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of the program is shown to kernels and taken back; a kernel moves what
 * lies there to a peer. What can't be is refused with a line.
 * PES: 1 2
 */
#include "check.h"
#include <errno.h>
#include <shmem/device.h>

#define ELEMS 1000
#define PAGE 4096

struct args {
	long *dest;
	const long *source;
	int pe;
};

SHMEMX_KERNEL(push, struct args, a)
{
	shmemx_long_put_wg(a.dest, a.source, ELEMS, a.pe);
	shmemx_barrier_all_wg();
}

static void kernel_reads(long *buffer)
{
	int n = shmem_n_pes(), me = shmem_my_pe();
	struct args args = { shmem_malloc(ELEMS * sizeof(long)), buffer,
			     (me + 1) % n };

	for (long i = 0; i < ELEMS; i++)
		buffer[i] = me * 10000 + i;
	shmem_barrier_all();
	CHECK_EQ(shmemx_launch(SHMEMX_KERNEL_REF(push), 1, 64, &args,
			       sizeof(args), NULL),
		 0);
	CHECK_EQ(shmemx_stream_synchronize(NULL), 0);
	for (long i = 0; i < ELEMS; i++)
		CHECK_EQ(args.dest[i], (me + n - 1) % n * 10000 + i);
	shmem_free(args.dest);
}

static void refused(char *buffer)
{
	CHECK_EQ(shmemx_buffer_register(buffer, 0), -EINVAL);
	CHECK_EQ(shmemx_buffer_register(NULL, 1), -EINVAL);
	CHECK_EQ(shmemx_buffer_register(buffer, SIZE_MAX), -EINVAL);
	CHECK_EQ(shmemx_buffer_register(buffer, PAGE), -EINVAL);
	CHECK_EQ(shmemx_buffer_register(buffer - 1, 2), -EINVAL);
	CHECK_EQ(shmemx_buffer_register(buffer + 2 * PAGE - 1, 1), -EINVAL);
	CHECK_EQ(shmemx_buffer_unregister(buffer + 1), -ENOENT);
	CHECK_EQ(shmemx_buffer_unregister(buffer + 2 * PAGE), -ENOENT);
}

int main(void)
{
	char *buffer = aligned_alloc(PAGE, 4 * PAGE), *heap;

	shmem_init();
	CHECK_EQ(shmemx_buffer_register(buffer + PAGE, 2 * PAGE), 0);
	refused(buffer + PAGE);
	kernel_reads((long *)(buffer + PAGE));
	CHECK_EQ(shmemx_buffer_register(buffer, PAGE), 0);
	CHECK_EQ(shmemx_buffer_unregister(buffer + PAGE), 0);
	CHECK_EQ(shmemx_buffer_unregister(buffer + PAGE), -ENOENT);
	CHECK_EQ(shmemx_buffer_unregister(buffer), 0);

	heap = shmem_malloc(PAGE);
	CHECK_EQ(shmemx_buffer_register(heap, PAGE), 0);
	CHECK_EQ(shmemx_buffer_unregister(heap), 0);
	shmem_free(heap);

	/* What is left is forgotten. */
	CHECK_EQ(shmemx_buffer_register(buffer, PAGE), 0);
	shmem_finalize();
	shmem_init();
	CHECK_EQ(shmemx_buffer_register(buffer, PAGE), 0);
	CHECK_EQ(shmemx_buffer_unregister(buffer), 0);
	free(buffer);
	return check_end();
}
