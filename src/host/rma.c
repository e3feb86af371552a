/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/rma.h"

#include "base/log.h"
#include "host/far.h"

/* Where pe, a world PE, has the symmetric object at addr. */
static struct shmemi_place place(const char *api, const void *addr, int pe)
{
	struct shmemi_place at = { .pe = pe };
	int seg = shmemi_locate(addr, &at.offset);

	if (seg < 0)
		shmemi_not_symmetric(api, addr, pe);
	at.seg = seg;
	return at;
}

void shmemi_put_slow(const char *api, shmem_ctx_t ctx, void *dest,
		     const void *source, size_t nelems, size_t esize, int pe,
		     int flags)
{
	size_t bytes = nelems * esize;
	void *to;

	shmemi_check_rma(api, ctx, "dest", dest, source, nelems, esize, pe);
	if (!bytes)
		return;
	pe = shmemi_ctx_pe(ctx, pe);
	to = shmemi_direct(dest, pe);
	if (to)
		shmemi_move(to, source, bytes);
	else
		shmemi_far_put(api, shmemi_ctx(ctx), place(api, dest, pe),
			       source, bytes, flags);
}

void shmemi_get_slow(const char *api, shmem_ctx_t ctx, void *dest,
		     const void *source, size_t nelems, size_t esize, int pe,
		     int flags)
{
	size_t bytes = nelems * esize;
	const void *from;

	shmemi_check_rma(api, ctx, "source", source, dest, nelems, esize, pe);
	if (!bytes)
		return;
	pe = shmemi_ctx_pe(ctx, pe);
	from = shmemi_direct(source, pe);
	if (from)
		shmemi_move(dest, from, bytes);
	else
		shmemi_far_get(api, shmemi_ctx(ctx), dest,
			       place(api, source, pe), bytes, flags);
}

void shmemi_p_slow(const char *api, shmem_ctx_t ctx, void *dest, uint64_t value,
		   size_t bytes, int pe)
{
	shmemi_put_slow(api, ctx, dest, &value, 1, bytes, pe, 0);
}

/* Conduits that map leave the value before in host memory only. */
static void amo_far(const char *api, struct shmem_ctx *ctx, enum conduit_amo op,
		    size_t bytes, struct shmemi_place at, uint64_t operand,
		    uint64_t cond, void *old, int flags)
{
	uint64_t before;

	if (!old || shmemi.peers[at.pe].conduit[at.seg] == shmemi.net) {
		shmemi_far_amo(api, ctx, op, bytes, at, operand, cond, old,
			       flags);
		return;
	}
	shmemi_far_amo(api, ctx, op, bytes, at, operand, cond, &before, 0);
	shmemi_give(old, &before, bytes);
}

void shmemi_amo_slow(const char *api, shmem_ctx_t ctx, enum conduit_amo op,
		     size_t bytes, const char *name, const void *target,
		     uint64_t operand, uint64_t cond, void *old, int pe,
		     int flags)
{
	void *at;

	shmemi_check_amo(api, ctx, name, target, bytes, pe);
	pe = shmemi_ctx_pe(ctx, pe);
	at = shmemi_direct(target, pe);
	if (!at) {
		amo_far(api, shmemi_ctx(ctx), op, bytes, place(api, target, pe),
			operand, cond, old, flags);
		return;
	}
	operand = shmemi_atomic(op, bytes, at, operand, cond);
	if (old)
		shmemi_give(old, &operand, bytes);
}

/* The payload has arrived, or there is none. */
static void signal_only(const char *api, shmem_ctx_t ctx, uint64_t *signal,
			uint64_t value, enum conduit_amo op, int pe)
{
	uint64_t *flag = shmemi_direct(signal, pe);

	if (flag)
		shmemi_signal(op, flag, value);
	else
		shmemi_far_amo(api, shmemi_ctx(ctx), op, sizeof(value),
			       place(api, signal, pe), value, 0, NULL,
			       CONDUIT_NBI);
}

/* Payload and signal by different routes, so one after the other. */
static void put_signal_apart(const char *api, shmem_ctx_t ctx, void *dest,
			     const void *source, size_t bytes, uint64_t *signal,
			     uint64_t value, enum conduit_amo op, int pe)
{
	void *to = shmemi_direct(dest, pe);

	if (to) {
		shmemi_move(to, source, bytes);
	} else {
		shmemi_far_put(api, shmemi_ctx(ctx), place(api, dest, pe),
			       source, bytes, 0);
		shmemi_far_quiet(api, shmemi_ctx(ctx), pe);
	}
	signal_only(api, ctx, signal, value, op, pe);
}

/* Either is out of reach for loads and stores. */
static void put_signal_far(const char *api, shmem_ctx_t ctx, void *dest,
			   const void *source, size_t bytes, uint64_t *signal,
			   uint64_t value, enum conduit_amo op, int pe,
			   int flags)
{
	struct shmemi_place sig = place(api, signal, pe), to = sig;
	const struct shmemi_peer *peer = &shmemi.peers[pe];

	if (bytes)
		to = place(api, dest, pe);
	if (peer->ep[to.seg] == peer->ep[sig.seg])
		shmemi_far_put_signal(api, shmemi_ctx(ctx), to, source, bytes,
				      sig, value, op, flags);
	else
		put_signal_apart(api, ctx, dest, source, bytes, signal, value,
				 op, pe);
}

static enum conduit_amo signal_amo(const char *api, int sig_op)
{
	if (sig_op != SHMEM_SIGNAL_SET && sig_op != SHMEM_SIGNAL_ADD)
		shmemi_fatal("%s: sig_op is %d, expected SHMEM_SIGNAL_SET or "
			     "SHMEM_SIGNAL_ADD",
			     shmemi_api(api), sig_op);
	return sig_op == SHMEM_SIGNAL_ADD ? CONDUIT_ADD : CONDUIT_SET;
}

void shmemi_put_signal(const char *api, shmem_ctx_t ctx, void *dest,
		       const void *source, size_t nelems, size_t esize,
		       uint64_t *signal, uint64_t value, int sig_op, int pe,
		       int flags)
{
	enum conduit_amo op = signal_amo(api, sig_op);
	size_t bytes = nelems * esize;
	uint64_t *flag;
	void *to;

	if (unlikely(shmemi.guard)) {
		shmemi_check_rma(api, ctx, "dest", dest, source, nelems, esize,
				 pe);
		shmemi_check_amo(api, ctx, "sig_addr", signal, sizeof(*signal),
				 pe);
	}
	pe = shmemi_ctx_pe(ctx, pe);
	to = bytes ? shmemi_direct(dest, pe) : NULL;
	flag = shmemi_direct(signal, pe);
	if (!flag || (bytes && !to)) {
		put_signal_far(api, ctx, dest, source, bytes, signal, value, op,
			       pe, flags);
		return;
	}
	if (bytes)
		shmemi_move(to, source, bytes);
	shmemi_signal(op, flag, value);
}

/* Elements from the first to past the last of a strided array. */
static size_t extent(ptrdiff_t stride, size_t bsize, size_t nblocks)
{
	if (!nblocks || !bsize)
		return 0;
	return (nblocks - 1) * (size_t)stride + bsize;
}

void shmemi_iput(const char *api, shmem_ctx_t ctx, void *dest,
		 const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
		 size_t nblocks, size_t esize, int pe)
{
	ptrdiff_t unit = (ptrdiff_t)esize;
	char *to;

	if (unlikely(shmemi.guard))
		shmemi_check_rma(api, ctx, "dest", dest, NULL,
				 extent(dst, bsize, nblocks), esize, pe);
	if (!nblocks || !bsize)
		return;
	pe = shmemi_ctx_pe(ctx, pe);
	to = shmemi_direct(dest, pe);
	if (to) {
		shmemi_move_strided(to, dst * unit, source, sst * unit,
				    bsize * esize, nblocks);
		return;
	}
	for (size_t i = 0; i < nblocks; i++)
		shmemi_far_put(api, shmemi_ctx(ctx),
			       place(api,
				     (char *)dest + (ptrdiff_t)i * dst * unit,
				     pe),
			       (const char *)source + (ptrdiff_t)i * sst * unit,
			       bsize * esize, 0);
}

void shmemi_iget(const char *api, shmem_ctx_t ctx, void *dest,
		 const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
		 size_t nblocks, size_t esize, int pe)
{
	ptrdiff_t unit = (ptrdiff_t)esize;
	const char *from;

	if (unlikely(shmemi.guard))
		shmemi_check_rma(api, ctx, "source", source, NULL,
				 extent(sst, bsize, nblocks), esize, pe);
	if (!nblocks || !bsize)
		return;
	pe = shmemi_ctx_pe(ctx, pe);
	from = shmemi_direct(source, pe);
	if (from) {
		shmemi_move_strided(dest, dst * unit, from, sst * unit,
				    bsize * esize, nblocks);
		return;
	}
	/* All at once; the quiet is what makes the call a blocking one. */
	for (size_t i = 0; i < nblocks; i++)
		shmemi_far_get(
			api, shmemi_ctx(ctx),
			(char *)dest + (ptrdiff_t)i * dst * unit,
			place(api,
			      (const char *)source + (ptrdiff_t)i * sst * unit,
			      pe),
			bsize * esize, CONDUIT_NBI);
	shmemi_far_quiet(api, shmemi_ctx(ctx), pe);
}
