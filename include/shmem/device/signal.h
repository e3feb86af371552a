/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals of kernels, and puts that end in one. */
#ifndef SHMEM_DEVICE_SIGNAL_H
#define SHMEM_DEVICE_SIGNAL_H

#include <shmem/device/rma.h>

SHMEMD_FN enum shmemd_amo shmemd_signal_amo(int sig_op)
{
	return sig_op == SHMEM_SIGNAL_SET ? SHMEMD_SET : SHMEMD_ADD;
}

/* By one item, in no order with anything. */
SHMEMD_FN void shmemd_signal(const char *api, shmem_ctx_t ctx,
			     uint64_t *sig_addr, uint64_t signal, int sig_op,
			     int pe)
{
	const enum shmemd_amo op = shmemd_signal_amo(sig_op);
	const int world = shmemd_ctx_pe(api, ctx, pe);
	void *at;

	if (shmemd_reach_amo(api, op, sig_addr, 8, world, &at))
		far_dev_amo(ctx, op, 8, sig_addr, signal, 0, 0, world);
	else
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

/*
 * Whether the data are one word that shares 16 aligned bytes with its signal,
 * and one store brings both: no fence comes between them then.
 */
SHMEMD_FN int shmemd_signal_beside(const char *to, const char *source,
				   size_t bytes, const uint64_t *flag,
				   int sig_op)
{
	return SHMEMD_STORE_PAIR && bytes == 8 && sig_op == SHMEM_SIGNAL_SET &&
	       ((uintptr_t)to ^ (uintptr_t)flag) == 8 &&
	       !(((uintptr_t)to | (uintptr_t)source) & 7);
}

SHMEMD_FN void shmemd_put_signal_pair(char *to, const char *source,
				      uint64_t *flag, uint64_t signal)
{
	const uint64_t data = shmemd_copy_load(SHMEMD_TO_PEER, source, 8);
	const int behind = (char *)flag > to;
	struct shmemd_vec v;

	v.a = behind ? data : signal;
	v.b = behind ? signal : data;
	shmemd_store_pair(behind ? to : (char *)flag, v, behind);
}

/* flag and to, of bytes, are where loads and stores reach the peer's. */
SHMEMD_FN void shmemd_put_signal_near(enum shmemd_scope s, void *to,
				      const void *source, size_t bytes,
				      uint64_t *flag, uint64_t signal,
				      int sig_op, int near)
{
	const int first = shmemd_scope_index(s) == 0;

	if (shmemd_signal_beside((char *)to, (const char *)source, bytes, flag,
				 sig_op)) {
		if (first)
			shmemd_put_signal_pair((char *)to, (const char *)source,
					       flag, signal);
		return;
	}
	if (s != SHMEMD_THREAD && bytes > SHMEMD_SIGNAL_TINY_BYTES) {
		xgmi_dev_put(s, to, source, bytes);
		shmemd_put_before_flag(s, first, near);
	} else if (first && bytes) {
		xgmi_dev_put(SHMEMD_THREAD, to, source, bytes);
		shmemd_put_before_flag(SHMEMD_THREAD, 1, near);
	}
	if (first)
		xgmi_dev_signal(flag, signal, sig_op);
}

/* To a near PE, whose signal the proxy adds to. */
SHMEMD_FN void shmemd_put_signal_by_host(enum shmemd_scope s, shmem_ctx_t ctx,
					 void *to, const void *source,
					 size_t bytes, uint64_t *sig_addr,
					 uint64_t signal, int pe)
{
	const int first = shmemd_scope_index(s) == 0;

	if (bytes)
		shmemd_copy_to((char *)to, (const char *)source, bytes,
			       shmemd_scope_index(s), shmemd_scope_size(s));
	shmemd_put_before_flag(s, first, 0);
	if (first)
		proxy_dev_host_add(ctx, sig_addr, signal, pe);
}

SHMEMD_FN void shmemd_put_signal(enum shmemd_scope s, const char *api,
				 shmem_ctx_t ctx, void *dest,
				 const void *source, size_t nelems,
				 size_t esize, uint64_t *sig_addr,
				 uint64_t signal, int sig_op, int pe, int nbi)
{
	const size_t bytes = shmemd_span_bytes(nelems, esize);
	const int world = shmemd_ctx_pe(api, ctx, pe);
	void *flag, *to = NULL;
	int far;

	if (SHMEMD_UNLIKELY(shmemd_block.check) && sig_op != SHMEM_SIGNAL_SET &&
	    sig_op != SHMEM_SIGNAL_ADD)
		shmemd_misuse(api, "sig_op: expected one of SHMEM_SIGNAL_*",
			      (uint64_t)(int64_t)sig_op, pe);
	if (nelems)
		(void)shmemd_reach_far(api, dest, bytes, 1, world, &to);
	far = shmemd_reach_amo(api, shmemd_signal_amo(sig_op), sig_addr, 8,
			       world, &flag);
	shmemd_enter(s);
	if (SHMEMD_UNLIKELY(far && sig_op != SHMEM_SIGNAL_SET &&
			    !shmemd_pe_far(world)))
		shmemd_put_signal_by_host(s, ctx, to, source, bytes, sig_addr,
					  signal, world);
	else if (SHMEMD_UNLIKELY(far))
		far_dev_put_signal(s, ctx, dest, source, bytes, sig_addr,
				   signal, sig_op, world, nbi);
	else
		shmemd_put_signal_near(s, to, source, nelems * esize,
				       (uint64_t *)flag, signal, sig_op,
				       shmemd_signal_near(dest, sig_addr));
	if (!nbi)
		shmemd_leave(s);
}

#endif
