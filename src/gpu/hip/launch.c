/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/hip/hip.h"

#include <errno.h>

#include "base/log.h"

static int check_kernel(const struct shmemg_kernel *kernel)
{
	if (kernel->gpu)
		return 0;
	shmemi_log_error("kernel %s was not built for GPUs", kernel->name);
	return -EOPNOTSUPP;
}

int hip_launch(const struct shmemg_kernel *kernel, int n_wgs, int n_items,
	       const void *args, size_t bytes, shmemg_stream stream)
{
	const dim3 grid = { (unsigned int)n_wgs, 1, 1 };
	const dim3 block = { (unsigned int)n_items, 1, 1 };
	void *params[1] = { (void *)(uintptr_t)args };
	hipError_t err;
	int was, rc;

	(void)bytes;
	rc = check_kernel(kernel);
	if (rc)
		return rc;
	was = hip_enter();
	err = hipLaunchKernel(kernel->gpu, grid, block, params, 0, stream);
	hip_leave(was);
	return hip_check(err, "kernel %s, %d x %d, can't be launched",
			 kernel->name, n_wgs, n_items);
}

int hip_max_wgs(const struct shmemg_kernel *kernel, int n_items, int *n_wgs)
{
	int per_unit = 0, rc, was;
	hipError_t err;

	rc = check_kernel(kernel);
	if (rc)
		return rc;
	was = hip_enter();
	err = hipOccupancyMaxActiveBlocksPerMultiprocessor(
		&per_unit, kernel->gpu, n_items, 0);
	hip_leave(was);
	*n_wgs = per_unit * hip_device.info.n_units;
	return hip_check(err, "kernel %s by %d work-items", kernel->name,
			 n_items);
}
