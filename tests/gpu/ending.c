/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finalizing with work on a stream: what streams hold for peers is done before
 * any of these unmaps its memory. And NULL where no NULL can be. PES: 1 2 3
 */
#include "common.h"

#define BYTES ((size_t)8 << 20)

int main(void)
{
	char *dest, *source = (char *)malloc(BYTES);

	shmem_init();
	dest = (char *)shmem_malloc(BYTES);
	if (!source || !dest)
		shmem_global_exit(2);
	memset(source, 1, BYTES);
	if (!shmemx_stream_destroy(NULL) || !shmemx_graph_launch(NULL, NULL) ||
	    !shmemx_graph_destroy(NULL))
		shmem_global_exit(3);
	for (int i = 0; i < 8; i++)
		shmemx_putmem_on_stream(dest, source, BYTES,
					(shmem_my_pe() + 1) % shmem_n_pes(),
					NULL);
	shmem_finalize();
	free(source);
	return 0;
}
