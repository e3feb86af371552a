/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/p2p.h"
#include "host/rma.h"

/*
 * A signal is a 64-bit atomic whose op the caller's name says; the update
 * orders nothing but itself.
 */
static void update(const char *api, shmem_ctx_t ctx, enum conduit_amo op,
		   uint64_t *sig_addr, uint64_t signal, int pe)
{
	shmemi_amo(api, ctx, op, sizeof(signal), "sig_addr", sig_addr, &signal,
		   NULL, NULL, pe);
}

void pshmem_signal_add(uint64_t *sig_addr, uint64_t signal, int pe)
{
	update(__func__, SHMEM_CTX_DEFAULT, CONDUIT_ADD, sig_addr, signal, pe);
}
weak_alias(pshmem_signal_add, shmem_signal_add);

void pshmem_ctx_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal,
			   int pe)
{
	update(__func__, ctx, CONDUIT_ADD, sig_addr, signal, pe);
}
weak_alias(pshmem_ctx_signal_add, shmem_ctx_signal_add);

void pshmem_signal_set(uint64_t *sig_addr, uint64_t signal, int pe)
{
	update(__func__, SHMEM_CTX_DEFAULT, CONDUIT_SET, sig_addr, signal, pe);
}
weak_alias(pshmem_signal_set, shmem_signal_set);

void pshmem_ctx_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal,
			   int pe)
{
	update(__func__, ctx, CONDUIT_SET, sig_addr, signal, pe);
}
weak_alias(pshmem_ctx_signal_set, shmem_ctx_signal_set);

uint64_t pshmem_signal_fetch(const uint64_t *sig_addr)
{
	uint64_t bounce;

	if (unlikely(shmemi.guard))
		shmemi_check_sym(__func__, "sig_addr", sig_addr,
				 sizeof(*sig_addr));
	return flag_load(shmemi_fetch(sig_addr, &bounce, sizeof(bounce)));
}
weak_alias(pshmem_signal_fetch, shmem_signal_fetch);

uint64_t pshmem_signal_wait_until(uint64_t *sig_addr, int cmp,
				  uint64_t cmp_value)
{
	return shmemi_wait_until(__func__, sig_addr, sizeof(*sig_addr), 0, cmp,
				 cmp_value);
}
weak_alias(pshmem_signal_wait_until, shmem_signal_wait_until);
