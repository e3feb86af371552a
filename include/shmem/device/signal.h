/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals of kernels, and puts that end in one. */
#ifndef SHMEM_DEVICE_SIGNAL_H
#define SHMEM_DEVICE_SIGNAL_H

#include <shmem/device/rma.h>

/* By one item, in no order with anything. */
SHMEMD_FN void shmemd_signal(const char *api, shmem_ctx_t ctx,
			     uint64_t *sig_addr, uint64_t signal, int sig_op,
			     int pe)
{
	void *at = shmemd_reach_span(api, sig_addr, 8, 8,
				     shmemd_ctx_pe(api, ctx, pe));

	xgmi_dev_signal((uint64_t *)at, signal, sig_op);
}

/* The signal here; then loads of what was put before it. */
SHMEMD_FN uint64_t shmemd_signal_fetch(const uint64_t *sig_addr)
{
	return shmemd_flag_load(sig_addr);
}

/*
 * Whether all who may look at the two objects see what this device's caches
 * hold: its own memory, and every PE on this device.
 */
SHMEMD_FN int shmemd_signal_near(const void *dest, const void *sig_addr)
{
	return shmemd_block.near &&
	       shmemd_in(shmemd_block.heap, shmemd_block.heap_bytes, dest, 1) &&
	       shmemd_in(shmemd_block.heap, shmemd_block.heap_bytes, sig_addr,
			 8);
}

/* Payloads up to here are item 0's alone: no barrier, one fence. */
#define SHMEMD_SIGNAL_TINY_BYTES 16

SHMEMD_FN void shmemd_put_signal(enum shmemd_scope s, const char *api,
				 shmem_ctx_t ctx, void *dest,
				 const void *source, size_t nelems,
				 size_t esize, uint64_t *sig_addr,
				 uint64_t signal, int sig_op, int pe, int nbi)
{
	const size_t bytes = nelems * esize;
	const int world = shmemd_ctx_pe(api, ctx, pe);
	const int first = shmemd_scope_index(s) == 0;
	const int tiny = bytes <= SHMEMD_SIGNAL_TINY_BYTES;
	uint64_t *flag =
		(uint64_t *)shmemd_reach_span(api, sig_addr, 8, 8, world);
	void *to = NULL;

	if (SHMEMD_UNLIKELY(shmemd_block.check) && sig_op != SHMEM_SIGNAL_SET &&
	    sig_op != SHMEM_SIGNAL_ADD)
		shmemd_misuse(api, "sig_op: expected one of SHMEM_SIGNAL_*",
			      (uint64_t)(int64_t)sig_op, pe);
	if (nelems)
		to = shmemd_reach_span(
			api, dest, shmemd_span_bytes(nelems, esize), 1, world);
	shmemd_enter(s);
	if (s != SHMEMD_THREAD && !tiny) {
		xgmi_dev_put(s, to, source, bytes);
		shmemd_put_before_flag(s, first,
				       shmemd_signal_near(dest, sig_addr));
	} else if (first && nelems) {
		xgmi_dev_put(SHMEMD_THREAD, to, source, bytes);
		shmemd_put_before_flag(SHMEMD_THREAD, 1,
				       shmemd_signal_near(dest, sig_addr));
	}
	if (first)
		xgmi_dev_signal(flag, signal, sig_op);
	if (!nbi)
		shmemd_leave(s);
}

#endif
