/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch that fills the device, and how its work-items share work. */
#ifndef MOE_LAYER_LAUNCH_H
#define MOE_LAYER_LAUNCH_H

#include <string.h>

#include <shmem/device.h>

/* On the CPU one thread runs all of them, and a few are enough. */
static inline void launch(const struct shmemx_kernel *kernel, const void *args,
			  size_t bytes, shmemx_stream_t stream)
{
	const int cpu = !strcmp(shmemx_platform(), "cpu");
	int wgs = 1;

	if (!cpu && shmemx_max_wgs(kernel, 256, &wgs))
		shmem_global_exit(1);
	if (shmemx_launch(kernel, wgs, cpu ? 64 : 256, args, bytes, stream))
		shmem_global_exit(1);
}

/* Work-items of the grid take turns: this one's first, and how many all are. */
SHMEMX_FN size_t grid_item(void)
{
	return (size_t)shmemx_wg() * shmemx_nitems() + shmemx_item();
}

SHMEMX_FN size_t grid_items(void)
{
	return (size_t)shmemx_nwgs() * shmemx_nitems();
}

#endif
