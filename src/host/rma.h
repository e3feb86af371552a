/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The byte core of RMA, AMO and signals. pe is relative to the context's team.
 * What can be loaded and stored is done in line; the _far functions go through
 * the peer's conduit, and end the job if the address is not symmetric.
 */
#ifndef SHMEMI_RMA_H
#define SHMEMI_RMA_H

#include "base/atomic.h"
#include "base/copy.h"
#include "host/check.h"
#include "host/ctx.h"

#define always_inline inline __attribute__((always_inline))

/* pe is a world PE here. */
void shmemi_put_far(const char *api, void *dest, const void *source,
		    size_t bytes, int pe);
void shmemi_get_far(const char *api, void *dest, const void *source,
		    size_t bytes, int pe);
uint64_t shmemi_amo_far(const char *api, enum conduit_amo op, size_t bytes,
			const void *target, uint64_t operand, uint64_t cond,
			int pe);
void shmemi_put_signal_far(const char *api, void *dest, const void *source,
			   size_t bytes, uint64_t *signal, uint64_t value,
			   enum conduit_amo op, int pe);

/*
 * Blocks of bsize elements, dst and sst elements apart; a strided transfer of
 * nelems elements is nblocks = nelems blocks of one.
 */
void shmemi_iput(const char *api, shmem_ctx_t ctx, void *dest,
		 const void *source, ptrdiff_t dst, ptrdiff_t sst,
		 size_t bsize, size_t nblocks, size_t esize, int pe);
void shmemi_iget(const char *api, shmem_ctx_t ctx, void *dest,
		 const void *source, ptrdiff_t dst, ptrdiff_t sst,
		 size_t bsize, size_t nblocks, size_t esize, int pe);

static always_inline void shmemi_put(const char *api, shmem_ctx_t ctx,
				     void *dest, const void *source,
				     size_t nelems, size_t esize, int pe)
{
	void *to;

	if (unlikely(shmemi.guard))
		shmemi_check_rma(api, ctx, "dest", dest, source, nelems, esize,
				 pe);
	pe = shmemi_ctx_pe(ctx, pe);
	to = shmemi_direct(dest, pe);
	if (likely(to))
		shmemi_copy(to, source, nelems * esize);
	else
		shmemi_put_far(api, dest, source, nelems * esize, pe);
}

static always_inline void shmemi_get(const char *api, shmem_ctx_t ctx,
				     void *dest, const void *source,
				     size_t nelems, size_t esize, int pe)
{
	const void *from;

	if (unlikely(shmemi.guard))
		shmemi_check_rma(api, ctx, "source", source, dest, nelems,
				 esize, pe);
	pe = shmemi_ctx_pe(ctx, pe);
	from = shmemi_direct(source, pe);
	if (likely(from))
		shmemi_copy(dest, from, nelems * esize);
	else
		shmemi_get_far(api, dest, source, nelems * esize, pe);
}

/*
 * value and cond point to `bytes` bytes each, or are NULL; the value before
 * goes to old unless that is NULL.
 */
static always_inline void shmemi_amo(const char *api, shmem_ctx_t ctx,
				     enum conduit_amo op, size_t bytes,
				     const void *target, const void *value,
				     const void *cond, void *old, int pe)
{
	uint64_t v = 0, c = 0;
	void *at;

	if (unlikely(shmemi.guard))
		shmemi_check_amo(api, ctx,
				 op == CONDUIT_FETCH ? "source" : "dest",
				 target, bytes, pe);
	if (value)
		memcpy(&v, value, bytes);
	if (cond)
		memcpy(&c, cond, bytes);
	pe = shmemi_ctx_pe(ctx, pe);
	at = shmemi_direct(target, pe);
	if (likely(at))
		v = shmemi_atomic(op, bytes, at, v, c);
	else
		v = shmemi_amo_far(api, op, bytes, target, v, c, pe);
	if (old)
		memcpy(old, &v, bytes);
}

void shmemi_put_signal(const char *api, shmem_ctx_t ctx, void *dest,
		       const void *source, size_t nelems, size_t esize,
		       uint64_t *signal, uint64_t value, int sig_op, int pe);
void shmemi_signal_op(const char *api, shmem_ctx_t ctx, uint64_t *signal,
		      uint64_t value, enum conduit_amo op, int pe);

#endif
