/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conduit xgmi in kernels: memory that loads and stores reach, of peers on
 * this node or of this PE. Addresses are those of shmemd_reach. Made by all of
 * s, without barriers; order.h completes and orders them.
 */
#ifndef SHMEM_DEVICE_XGMI_H
#define SHMEM_DEVICE_XGMI_H

#include <shmem/constants.h>

#include <shmem/device/copy.h>

/* bytes from local src, of any kind of memory, to a peer's dst. */
SHMEMD_FN void xgmi_dev_put(enum shmemd_scope s, void *dst, const void *src,
			    size_t bytes)
{
	shmemd_copy(s, SHMEMD_TO_PEER, dst, src, bytes);
}

/* bytes from a peer's src to local dst, of any kind of memory. */
SHMEMD_FN void xgmi_dev_get(enum shmemd_scope s, void *dst, const void *src,
			    size_t bytes)
{
	shmemd_copy(s, SHMEMD_FROM_PEER, dst, src, bytes);
}

/* By one item, on 4 or 8 bytes; the value before, 0 where none is wanted. */
SHMEMD_FN uint64_t xgmi_dev_amo(enum shmemd_amo op, unsigned int bytes,
				void *at, uint64_t v, uint64_t cond,
				int fetches)
{
	if (op == SHMEMD_FETCH)
		return bytes == 4 ? shmemd_load32(at) : shmemd_load64(at);
	if (op == SHMEMD_SET && bytes == 4)
		shmemd_store32(at, (uint32_t)v);
	else if (op == SHMEMD_SET)
		shmemd_store64(at, v);
	else if (fetches && bytes == 4)
		return shmemd_amo32(op, at, (uint32_t)v, (uint32_t)cond);
	else if (fetches)
		return shmemd_amo64(op, at, v, cond);
	else if (bytes == 4)
		shmemd_red32(op, at, (uint32_t)v, (uint32_t)cond);
	else
		shmemd_red64(op, at, v, cond);
	return 0;
}

/* By one item: sig_op of SHMEM_SIGNAL_SET, SHMEM_SIGNAL_ADD. */
SHMEMD_FN void xgmi_dev_signal(uint64_t *at, uint64_t v, int sig_op)
{
	if (sig_op == SHMEM_SIGNAL_SET)
		shmemd_store64(at, v);
	else
		shmemd_red64(SHMEMD_ADD, at, v, 0);
}

#endif
