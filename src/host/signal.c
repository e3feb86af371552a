/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/log.h"
#include "host/p2p.h"
#include "host/rma.h"

static enum conduit_amo signal_amo(const char *api, int sig_op)
{
	if (sig_op != SHMEM_SIGNAL_SET && sig_op != SHMEM_SIGNAL_ADD)
		shmemi_fatal("%s: sig_op is %d, expected SHMEM_SIGNAL_SET or "
			     "SHMEM_SIGNAL_ADD", shmemi_api(api), sig_op);
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
		shmemi_put_signal_far(api, dest, source, bytes, signal, value,
				      op, pe);
		return;
	}
	if (bytes)
		shmemi_copy(to, source, bytes);
	shmemi_signal(op, flag, value);
}

void shmemi_signal_op(const char *api, shmem_ctx_t ctx, uint64_t *signal,
		      uint64_t value, enum conduit_amo op, int pe)
{
	uint64_t *flag;

	if (unlikely(shmemi.guard))
		shmemi_check_amo(api, ctx, "sig_addr", signal, sizeof(*signal),
				 pe);
	pe = shmemi_ctx_pe(ctx, pe);
	flag = shmemi_direct(signal, pe);
	if (likely(flag))
		shmemi_signal(op, flag, value);
	else
		shmemi_amo_far(api, op, sizeof(*signal), signal, value, 0, pe);
}

void pshmem_signal_add(uint64_t *sig_addr, uint64_t signal, int pe)
{
	shmemi_signal_op(__func__, SHMEM_CTX_DEFAULT, sig_addr, signal,
			 CONDUIT_ADD, pe);
}
weak_alias(pshmem_signal_add, shmem_signal_add);

void pshmem_ctx_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr,
			   uint64_t signal, int pe)
{
	shmemi_signal_op(__func__, ctx, sig_addr, signal, CONDUIT_ADD, pe);
}
weak_alias(pshmem_ctx_signal_add, shmem_ctx_signal_add);

void pshmem_signal_set(uint64_t *sig_addr, uint64_t signal, int pe)
{
	shmemi_signal_op(__func__, SHMEM_CTX_DEFAULT, sig_addr, signal,
			 CONDUIT_SET, pe);
}
weak_alias(pshmem_signal_set, shmem_signal_set);

void pshmem_ctx_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr,
			   uint64_t signal, int pe)
{
	shmemi_signal_op(__func__, ctx, sig_addr, signal, CONDUIT_SET, pe);
}
weak_alias(pshmem_ctx_signal_set, shmem_ctx_signal_set);

uint64_t pshmem_signal_fetch(const uint64_t *sig_addr)
{
	if (unlikely(shmemi.guard))
		shmemi_check_sym(__func__, "sig_addr", sig_addr,
				 sizeof(*sig_addr));
	return flag_load(sig_addr);
}
weak_alias(pshmem_signal_fetch, shmem_signal_fetch);

uint64_t pshmem_signal_wait_until(uint64_t *sig_addr, int cmp,
				  uint64_t cmp_value)
{
	return shmemi_wait_until(__func__, sig_addr, sizeof(*sig_addr), 0, cmp,
				 cmp_value);
}
weak_alias(pshmem_signal_wait_until, shmem_signal_wait_until);
