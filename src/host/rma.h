/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The byte core of RMA, AMO and signals. pe is relative to the context's team.
 * What can be loaded and stored is done in line. The _slow functions do the
 * same for everything else: they check, trace, go through the peer's conduit,
 * and end the job if the address is not symmetric.
 */
#ifndef SHMEMI_RMA_H
#define SHMEMI_RMA_H

#include "conduits/atomic.h"
#include "base/copy.h"
#include "host/check.h"
#include "host/ctx.h"
#include "host/move.h"

/* flags: 0 or CONDUIT_NBI. */
void shmemi_put_slow(const char *api, shmem_ctx_t ctx, void *dest,
		     const void *source, size_t nelems, size_t esize, int pe,
		     int flags);
void shmemi_get_slow(const char *api, shmem_ctx_t ctx, void *dest,
		     const void *source, size_t nelems, size_t esize, int pe,
		     int flags);
void shmemi_p_slow(const char *api, shmem_ctx_t ctx, void *dest, uint64_t value,
		   size_t bytes, int pe);
/* The value before goes to old, of any memory, unless that is NULL. */
void shmemi_amo_slow(const char *api, shmem_ctx_t ctx, enum conduit_amo op,
		     size_t bytes, const char *name, const void *target,
		     uint64_t operand, uint64_t cond, void *old, int pe,
		     int flags);

/*
 * Blocks of bsize elements, dst and sst elements apart; a strided transfer of
 * nelems elements is nblocks = nelems blocks of one.
 */
void shmemi_iput(const char *api, shmem_ctx_t ctx, void *dest,
		 const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
		 size_t nblocks, size_t esize, int pe);
void shmemi_iget(const char *api, shmem_ctx_t ctx, void *dest,
		 const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
		 size_t nblocks, size_t esize, int pe);

/* Where to load and store at once; NULL when the call must be looked at. */
static __always_inline void *shmemi_fast(shmem_ctx_t ctx, const void *addr,
					 int pe)
{
	if (unlikely(shmemi.guard))
		return NULL;
	return shmemi_direct(addr, shmemi_ctx_pe(ctx, pe));
}

static __always_inline void shmemi_put(const char *api, shmem_ctx_t ctx,
				       void *dest, const void *source,
				       size_t nelems, size_t esize, int pe,
				       int flags)
{
	void *to = shmemi_fast(ctx, dest, pe);

	if (likely(to))
		shmemi_copy(to, source, nelems * esize);
	else
		shmemi_put_slow(api, ctx, dest, source, nelems, esize, pe,
				flags);
}

static __always_inline void shmemi_get(const char *api, shmem_ctx_t ctx,
				       void *dest, const void *source,
				       size_t nelems, size_t esize, int pe,
				       int flags)
{
	const void *from = shmemi_fast(ctx, source, pe);

	if (likely(from))
		shmemi_copy(dest, from, nelems * esize);
	else
		shmemi_get_slow(api, ctx, dest, source, nelems, esize, pe,
				flags);
}

/* One element; small ones stay in a register. */
static __always_inline void shmemi_p(const char *api, shmem_ctx_t ctx,
				     void *dest, const void *value,
				     size_t bytes, int pe)
{
	uint64_t bits = 0;
	void *to;

	if (bytes > sizeof(bits)) {
		shmemi_put(api, ctx, dest, value, 1, bytes, pe, 0);
		return;
	}
	memcpy(&bits, value, bytes);
	to = shmemi_fast(ctx, dest, pe);
	if (likely(to))
		shmemi_copy(to, &bits, bytes);
	else
		shmemi_p_slow(api, ctx, dest, bits, bytes, pe);
}

/* What the words at value and cond say; each may be NULL. */
static __always_inline uint64_t shmemi_word(const void *value, size_t bytes)
{
	uint64_t v = 0;

	if (value)
		memcpy(&v, value, bytes);
	return v;
}

/*
 * name is that of the argument target. value and cond point to `bytes` bytes
 * each, or are NULL; the value before goes to old, which is the caller's own
 * variable, unless that is NULL.
 */
static __always_inline void shmemi_amo(const char *api, shmem_ctx_t ctx,
				       enum conduit_amo op, size_t bytes,
				       const char *name, const void *target,
				       const void *value, const void *cond,
				       void *old, int pe)
{
	void *at = shmemi_fast(ctx, target, pe);
	uint64_t v = shmemi_word(value, bytes), c = shmemi_word(cond, bytes);

	if (likely(at)) {
		v = shmemi_atomic(op, bytes, at, v, c);
		if (old)
			memcpy(old, &v, bytes);
	} else {
		shmemi_amo_slow(api, ctx, op, bytes, name, target, v, c, old,
				pe, old ? 0 : CONDUIT_NBI);
	}
}

/* The same, but fetch is the user's, and is written by a quiet at last. */
static __always_inline void shmemi_amo_nbi(const char *api, shmem_ctx_t ctx,
					   enum conduit_amo op, size_t bytes,
					   const char *name, const void *target,
					   const void *value, const void *cond,
					   void *fetch, int pe)
{
	void *at = shmemi_fast(ctx, target, pe);
	uint64_t v = shmemi_word(value, bytes), c = shmemi_word(cond, bytes);

	if (likely(at)) {
		v = shmemi_atomic(op, bytes, at, v, c);
		shmemi_give(fetch, &v, bytes);
	} else {
		shmemi_amo_slow(api, ctx, op, bytes, name, target, v, c, fetch,
				pe, CONDUIT_NBI);
	}
}

void shmemi_put_signal(const char *api, shmem_ctx_t ctx, void *dest,
		       const void *source, size_t nelems, size_t esize,
		       uint64_t *signal, uint64_t value, int sig_op, int pe,
		       int flags);

#endif
