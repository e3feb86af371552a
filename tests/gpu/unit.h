/* SPDX-License-Identifier: BSD-3-Clause */
/* Two C++ units with kernels, of which the compiler inlines nothing. */
#ifndef GPU_UNIT_H
#define GPU_UNIT_H

#include <shmem.h>
#include <shmem/device.h>

struct unit_args {
	long *dest;
	long value;
	int pe;
};

/* Launches the kernel of the other unit: 0. */
int unit_other(const struct unit_args *args);

#endif
