/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomics of kernels, by one work-item on 4 or 8 bytes of any type. */
#ifndef SHMEM_DEVICE_AMO_H
#define SHMEM_DEVICE_AMO_H

#include <shmem/device/far.h>
#include <shmem/device/xgmi.h>

/*
 * value, cond: operands of the target's type, NULL where op has none; fetch:
 * where the value before goes, NULL if it is not wanted, of any kind of memory.
 */
SHMEMD_FN void shmemd_atomic(const char *api, shmem_ctx_t ctx,
			     enum shmemd_amo op, unsigned int bytes,
			     const void *target, const void *value,
			     const void *cond, void *fetch, int pe)
{
	const int world = shmemd_ctx_pe(api, ctx, pe);
	uint64_t v = 0, c = 0, before;
	void *at;

	if (value)
		__builtin_memcpy(&v, value, bytes);
	if (cond)
		__builtin_memcpy(&c, cond, bytes);
	if (shmemd_reach_amo(api, op, target, bytes, world, &at))
		before = far_dev_amo(ctx, op, bytes, target, v, c,
				     fetch != NULL, world);
	else
		before = xgmi_dev_amo(op, bytes, at, v, c, fetch != NULL);
	if (fetch)
		__builtin_memcpy(fetch, &before, bytes);
}

#endif
