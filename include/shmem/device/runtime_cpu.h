/* SPDX-License-Identifier: BSD-3-Clause */
/* The runtime of a unit for the CPU, where constant memory is static data. */
#ifndef SHMEM_DEVICE_RUNTIME_CPU_H
#define SHMEM_DEVICE_RUNTIME_CPU_H

#include <string.h>

static int shmemd_set(int device, const void *block, size_t bytes)
{
	(void)device;
	memcpy(&shmemd_block, block, bytes);
	return 0;
}

static const struct shmemx_runtime shmemd_runtime = { "cpu", shmemd_set, NULL,
						      NULL, NULL };

#endif
