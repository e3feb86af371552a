/* SPDX-License-Identifier: BSD-3-Clause */
/* How many work-groups of a kernel may be launched. */
#ifndef SHMEMI_GRID_H
#define SHMEMI_GRID_H

#include "gpu/gpu.h"

/*
 * This PE's part of the work-groups of n_items that fit on the device, which
 * PEs may share: what fills it. At least 1; ends the job if it can't be told.
 */
int shmemi_grid_filling(const char *api, const struct shmemg_kernel *kernel,
			int n_items);

/*
 * Those that are sure to run at once, for kernels whose work-groups wait for
 * each other or for peers: half of that, as other streams and the program have
 * kernels too. At least 1.
 */
int shmemi_grid_fitting(const char *api, const struct shmemg_kernel *kernel,
			int n_items);

#endif
