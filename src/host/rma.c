/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/rma.h"

#include "base/log.h"

/* A conduit that fails in a call without a return value can't be survived. */
static void must(const char *api, int rc, int pe)
{
	if (rc)
		shmemi_fatal("%s: the transfer with PE %d failed: %s",
			     shmemi_api(api), pe, strerror(-rc));
}

static int locate(const char *api, const void *addr, size_t *offset, int pe)
{
	int seg = shmemi_locate(addr, offset);

	if (seg < 0)
		shmemi_not_symmetric(api, addr, pe);
	return seg;
}

static const struct conduit_ops *ops(int pe, int seg)
{
	return &shmemi.peers[pe].conduit[seg]->ops;
}

/* bytes > 0; pe is a world PE. */
static void put_far(const char *api, void *dest, const void *source,
		    size_t bytes, int pe)
{
	size_t offset;
	int seg = locate(api, dest, &offset, pe);

	must(api,
	     ops(pe, seg)->put(shmemi.peers[pe].ep[seg], seg, offset, source,
			       bytes),
	     pe);
}

static void get_far(const char *api, void *dest, const void *source,
		    size_t bytes, int pe)
{
	size_t offset;
	int seg = locate(api, source, &offset, pe);

	must(api,
	     ops(pe, seg)->get(shmemi.peers[pe].ep[seg], dest, seg, offset,
			       bytes),
	     pe);
}

void shmemi_put_slow(const char *api, shmem_ctx_t ctx, void *dest,
		     const void *source, size_t nelems, size_t esize, int pe)
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
		put_far(api, dest, source, bytes, pe);
}

void shmemi_get_slow(const char *api, shmem_ctx_t ctx, void *dest,
		     const void *source, size_t nelems, size_t esize, int pe)
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
		get_far(api, dest, source, bytes, pe);
}

void shmemi_p_slow(const char *api, shmem_ctx_t ctx, void *dest, uint64_t value,
		   size_t bytes, int pe)
{
	shmemi_put_slow(api, ctx, dest, &value, 1, bytes, pe);
}

static uint64_t amo_far(const char *api, enum conduit_amo op, size_t bytes,
			const void *target, uint64_t operand, uint64_t cond,
			int pe)
{
	size_t offset;
	int seg = locate(api, target, &offset, pe);
	uint64_t old;

	must(api,
	     ops(pe, seg)->amo(shmemi.peers[pe].ep[seg], op, bytes, seg, offset,
			       operand, cond, &old),
	     pe);
	return old;
}

uint64_t shmemi_amo_slow(const char *api, shmem_ctx_t ctx, enum conduit_amo op,
			 size_t bytes, const char *name, const void *target,
			 uint64_t operand, uint64_t cond, int pe)
{
	void *at;

	shmemi_check_amo(api, ctx, name, target, bytes, pe);
	pe = shmemi_ctx_pe(ctx, pe);
	at = shmemi_direct(target, pe);
	if (at)
		return shmemi_atomic(op, bytes, at, operand, cond);
	return amo_far(api, op, bytes, target, operand, cond, pe);
}

/* Payload and signal by one conduit, which knows how to order them. */
static void put_signal_one(const char *api, int seg, size_t offset,
			   const void *source, size_t bytes, int sig_seg,
			   size_t sig_offset, uint64_t value,
			   enum conduit_amo op, int pe)
{
	must(api,
	     ops(pe, seg)->put_signal(shmemi.peers[pe].ep[seg], seg, offset,
				      source, bytes, sig_seg, sig_offset, value,
				      op),
	     pe);
}

/* The payload has arrived, or there is none. */
static void signal_only(const char *api, uint64_t *signal, uint64_t value,
			enum conduit_amo op, int pe)
{
	uint64_t *flag = shmemi_direct(signal, pe);

	if (flag)
		shmemi_signal(op, flag, value);
	else
		amo_far(api, op, sizeof(value), signal, value, 0, pe);
}

/* Either is out of reach for loads and stores. */
static void put_signal_far(const char *api, void *dest, const void *source,
			   size_t bytes, uint64_t *signal, uint64_t value,
			   enum conduit_amo op, int pe)
{
	size_t offset = 0, sig_offset;
	int sig_seg = locate(api, signal, &sig_offset, pe);
	int seg = bytes ? locate(api, dest, &offset, pe) : sig_seg;
	struct conduit_ep *ep = shmemi.peers[pe].ep[seg];
	void *to;

	if (ep == shmemi.peers[pe].ep[sig_seg]) {
		put_signal_one(api, seg, offset, source, bytes, sig_seg,
			       sig_offset, value, op, pe);
		return;
	}
	to = shmemi_direct(dest, pe);
	if (to) {
		shmemi_move(to, source, bytes);
	} else {
		put_far(api, dest, source, bytes, pe);
		must(api, ops(pe, seg)->quiet(ep), pe);
	}
	signal_only(api, signal, value, op, pe);
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
		       uint64_t *signal, uint64_t value, int sig_op, int pe)
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
		put_signal_far(api, dest, source, bytes, signal, value, op, pe);
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
		put_far(api, (char *)dest + (ptrdiff_t)i * dst * unit,
			(const char *)source + (ptrdiff_t)i * sst * unit,
			bsize * esize, pe);
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
	for (size_t i = 0; i < nblocks; i++)
		get_far(api, (char *)dest + (ptrdiff_t)i * dst * unit,
			(const char *)source + (ptrdiff_t)i * sst * unit,
			bsize * esize, pe);
}
