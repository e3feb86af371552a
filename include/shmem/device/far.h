/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels' calls to PEs that loads and stores don't reach: by queues of a NIC
 * that kernels drive (gda.h) where there are some, else by the proxy (proxy.h).
 * shmemd_block.n_far tells whether there are such PEs.
 *
 * far_dev_put, _get, _put_signal, _quiet and _fence are made by all of s with
 * the same arguments, the others by one item each. Barriers are in there: what
 * items of s wrote before is sent, and after a blocking call sources may be
 * written and what was got may be read by all of s. pe is a world PE that
 * shmemd_pe_far says yes to; dest, source, target and sig are MY addresses of
 * symmetric objects: heap, host heap, static data, or the sync blocks behind
 * the device heap. Other addresses are any memory of a kernel. Callers have
 * checked them.
 */
#ifndef SHMEM_DEVICE_FAR_H
#define SHMEM_DEVICE_FAR_H

#include <shmem/device/gda.h>
#include <shmem/device/proxy.h>

/* Whether kernels drive NICs: the same in all kernels of a program. */
SHMEMD_FN int far_by_gda(void)
{
	return shmemd_block.gda.format != SHMEMD_GDA_NONE;
}

SHMEMD_FN void far_dev_put(enum shmemd_scope s, shmem_ctx_t ctx, void *dest,
			   const void *src, size_t bytes, int pe, int nbi)
{
	if (far_by_gda())
		gda_dev_put(s, ctx, dest, src, bytes, pe, nbi);
	else
		proxy_dev_put(s, ctx, dest, src, bytes, pe, nbi);
}

SHMEMD_FN void far_dev_get(enum shmemd_scope s, shmem_ctx_t ctx, void *dst,
			   const void *source, size_t bytes, int pe, int nbi)
{
	if (far_by_gda())
		gda_dev_get(s, ctx, dst, source, bytes, pe, nbi);
	else
		proxy_dev_get(s, ctx, dst, source, bytes, pe, nbi);
}

/* sig_op: SHMEM_SIGNAL_SET or _ADD; bytes may be 0. */
SHMEMD_FN void far_dev_put_signal(enum shmemd_scope s, shmem_ctx_t ctx,
				  void *dest, const void *src, size_t bytes,
				  uint64_t *sig, uint64_t v, int sig_op, int pe,
				  int nbi)
{
	if (far_by_gda())
		gda_dev_put_signal(s, ctx, dest, src, bytes, sig, v, sig_op, pe,
				   nbi);
	else
		proxy_dev_put_signal(s, ctx, dest, src, bytes, sig, v, sig_op,
				     pe, nbi);
}

/*
 * bytes is 4 or 8. The value before; 0 where fetches is 0. pe may be near, for
 * what shmemd_amo_by_host says yes to.
 */
SHMEMD_FN uint64_t far_dev_amo(shmem_ctx_t ctx, enum shmemd_amo op,
			       unsigned int bytes, const void *target,
			       uint64_t v, uint64_t cond, int fetches, int pe)
{
	if (far_by_gda() && shmemd_pe_far(pe))
		return gda_dev_amo(ctx, op, bytes, target, v, cond, fetches,
				   pe);
	return proxy_dev_amo(ctx, op, bytes, target, v, cond, fetches, pe);
}

/* An element of 1, 2, 4 or 8 bytes, aligned to its size. */
SHMEMD_FN void far_dev_p(shmem_ctx_t ctx, void *dest, uint64_t v,
			 unsigned int bytes, int pe)
{
	if (far_by_gda())
		gda_dev_p(ctx, dest, v, bytes, pe);
	else
		proxy_dev_p(ctx, dest, v, bytes, pe);
}

SHMEMD_FN uint64_t far_dev_g(shmem_ctx_t ctx, const void *source,
			     unsigned int bytes, int pe)
{
	if (far_by_gda())
		return gda_dev_g(ctx, source, bytes, pe);
	return proxy_dev_g(ctx, source, bytes, pe);
}

/*
 * The word at dest, after all that this item sent to pe by SHMEM_CTX_DEFAULT:
 * whoever sees it sees that.
 */
SHMEMD_FN void far_dev_store64(uint64_t *dest, uint64_t v, int pe)
{
	if (far_by_gda())
		gda_dev_store64(dest, v, pe);
	else
		proxy_dev_store64(dest, v, pe);
}

/* Of the context's operations to far PEs alone; near ones have their own. */
SHMEMD_FN void far_dev_quiet(enum shmemd_scope s, shmem_ctx_t ctx)
{
	if (far_by_gda())
		gda_dev_quiet(s, ctx);
	else
		proxy_dev_quiet(s, ctx);
}

SHMEMD_FN void far_dev_fence(enum shmemd_scope s, shmem_ctx_t ctx)
{
	if (far_by_gda())
		gda_dev_fence(s, ctx);
	else
		proxy_dev_fence(s, ctx);
}

/*
 * By one item, before its group's shmemd_flag_before_payload: the context's
 * operations to one PE; the proxy's are those to all.
 */
SHMEMD_FN void far_dev_pe_quiet(shmem_ctx_t ctx, int pe)
{
	if (far_by_gda())
		gda_dev_pe_quiet(ctx, pe);
	else
		proxy_settle(ctx);
}

/* By all of s: of a context with SHMEMX_CTX_LATER, starts what they sent. */
SHMEMD_FN void far_dev_flush(enum shmemd_scope s, shmem_ctx_t ctx)
{
	if (far_by_gda())
		gda_dev_flush(s, ctx);
	else
		shmemd_scope_sync(s);
}

/* SHMEMX_ERROR_* of what failed first on the context, or 0. */
SHMEMD_FN int far_dev_error(shmem_ctx_t ctx)
{
	return far_by_gda() ? (int)gda_dev_error(ctx) : 0;
}

/* Polls between which a wait for a near member looks whether it is in vain. */
#define FAR_PATIENCE 4096
#define FAR_FIRST_LOOK 255

/* Whether SHMEM_CTX_DEFAULT has failed, by which members meet. */
SHMEMD_FN int far_failed(void)
{
	return far_by_gda() && gda_ctx_failed((uintptr_t)SHMEM_CTX_DEFAULT);
}

/*
 * Between two polls of a collective's wait for a member, a far pe, or -1 for a
 * near one: whether it is in vain, since SHMEM_CTX_DEFAULT has failed, by which
 * members tell each other. A near one's word comes all the same, unless it
 * waits for one that has failed.
 */
SHMEMD_FN int far_vain(const struct shmemd_wait *wait, int pe)
{
	const unsigned int look = pe < 0 ? FAR_PATIENCE : GDA_LOOK;
	const unsigned int at = pe < 0 ? FAR_FIRST_LOOK : GDA_LOOK - 1;

	if (SHMEMD_LIKELY(wait->polls % look != at) || !far_by_gda())
		return 0;
	if (pe >= 0)
		gda_pe_look((uintptr_t)SHMEM_CTX_DEFAULT, pe);
	return gda_ctx_failed((uintptr_t)SHMEM_CTX_DEFAULT);
}

/* Of a group's items, those that parts of its call may be given to. */
SHMEMD_FN unsigned int far_sharers(enum shmemd_scope s, shmem_ctx_t ctx)
{
	return far_by_gda() ? gda_sharers(s, gda_options(ctx)) :
			      shmemd_scope_size(s);
}

/*
 * Parts of a group's call, by one item each, between
 * shmemd_payload_before_entry and a barrier: without order and not blocking.
 */
SHMEMD_FN void far_put(shmem_ctx_t ctx, void *dest, const void *src,
		       size_t bytes, int pe)
{
	if (far_by_gda())
		gda_put(ctx, dest, src, bytes, pe);
	else
		proxy_put(ctx, (char *)dest, (const char *)src, bytes, pe, 1);
}

SHMEMD_FN void far_get(shmem_ctx_t ctx, void *dst, const void *source,
		       size_t bytes, int pe)
{
	if (far_by_gda())
		gda_get(ctx, dst, source, bytes, pe);
	else
		proxy_get(ctx, (char *)dst, (const char *)source, bytes, pe, 1);
}

/* Whether a put has copied its source when it returns, whatever it is. */
SHMEMD_FN int far_copies(uintptr_t src, size_t bytes)
{
	if (far_by_gda())
		return bytes <= GDA_INLINE_LEAST;
	return proxy_way((const char *)src, bytes) != 0;
}

#endif
