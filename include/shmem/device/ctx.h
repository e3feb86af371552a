/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts of kernels: entries of a table that host and device share; those
 * from SHMEMD_CTXS on are made here. By one work-item each, which gives the
 * handle to others if it likes. Loads and stores keep nothing per context, so
 * SHMEM_CTX_PRIVATE and _SERIALIZED find no lock to leave out, but have a ring
 * of the proxy or queues of NICs to themselves, private ones without atomics;
 * SHMEM_CTX_NOSTORE spares its fence and quiet the stores of others.
 * SHMEMX_CTX_LATER and _VISIBLE are for queues of NICs alone (gda_ring.h,
 * gda.h).
 */
#ifndef SHMEM_DEVICE_CTX_H
#define SHMEM_DEVICE_CTX_H

#include <errno.h>

#include <shmem/device/far.h>

#define SHMEMD_CTX_OPTIONS \
	(SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE | \
	 SHMEMX_CTX_LATER | SHMEMX_CTX_VISIBLE)

/* The entry of a handle; NULL after a misuse. */
SHMEMD_FN struct shmemd_ctx *shmemd_ctx_entry(const char *api,
					      shmem_ctx_t handle)
{
	struct shmemd_ctx *ctx = shmemd_ctx_find(handle);

	if (SHMEMD_UNLIKELY(!ctx))
		shmemd_misuse(api, "ctx: expected a context, not destroyed",
			      (uint64_t)(uintptr_t)handle, -1);
	return ctx;
}

/*
 * Whether a context with these options may take the free entry h. Its queues
 * of NICs stay: those of a private context are nobody else's, and what has
 * failed is not used again.
 */
SHMEMD_FN int shmemd_ctx_fits(uint32_t h, long options)
{
	const struct shmemd_ctx *old = &shmemd_block.ctxs[h];

	if (SHMEMD_LIKELY(!far_by_gda()))
		return 1;
	if (shmemd_load32(&gda_failure(h)->state) != SHMEMD_ERROR_NONE)
		return 0;
	return options & SHMEM_CTX_PRIVATE || !gda_row(h) ||
	       !(shmemd_load32(&old->options) & SHMEM_CTX_PRIVATE);
}

/* Takes a free entry, from a place of this item's own on. 0: none is free. */
SHMEMD_FN uint32_t shmemd_ctx_claim(long options)
{
	const uint32_t start = shmemd_scope_index(SHMEMD_GRID);
	uint32_t i;

	for (i = 0; i < SHMEMD_DEVICE_CTXS; i++) {
		const uint32_t h =
			SHMEMD_CTXS + (start + i) % SHMEMD_DEVICE_CTXS;
		uint32_t *live = &shmemd_block.ctxs[h].live;

		if (shmemd_load32(live) == 0 && shmemd_ctx_fits(h, options) &&
		    shmemd_amo32(SHMEMD_CSWAP, live, 1, 0) == 0)
			return h;
	}
	return 0;
}

SHMEMD_SLOW int shmemd_ctx_create(shmem_team_t team, long options,
				  shmem_ctx_t *ctx)
{
	struct shmemd_ctx *entry;
	uint32_t h;

	*ctx = SHMEM_CTX_INVALID;
	if (options & ~SHMEMD_CTX_OPTIONS || !shmemd_team_find(team) ||
	    !shmemd_block.ctxs)
		return -EINVAL;
	h = shmemd_ctx_claim(options);
	if (!h)
		return -ENOMEM;
	entry = &shmemd_block.ctxs[h];
	shmemd_store32(&entry->team, (uint32_t)(uintptr_t)team);
	shmemd_store32(&entry->options, (uint32_t)options);
	*ctx = (shmem_ctx_t)(uintptr_t)h;
	return 0;
}

/* Options of a context for its fence and quiet. */
SHMEMD_FN long shmemd_ctx_options(const char *api, shmem_ctx_t handle)
{
	const struct shmemd_ctx *ctx;

	if (handle == SHMEM_CTX_DEFAULT)
		return 0;
	ctx = shmemd_ctx_entry(api, handle);
	return ctx ? (long)shmemd_ctx_word(handle, &ctx->options) : 0;
}

SHMEMD_FN void shmemd_ctx_quiet(enum shmemd_scope s, const char *api,
				shmem_ctx_t ctx)
{
	if (ctx == SHMEM_CTX_INVALID)
		return;
	if (shmemd_ctx_options(api, ctx) & SHMEM_CTX_NOSTORE)
		shmemd_quiet_puts(s);
	else
		shmemd_quiet(s);
	if (SHMEMD_UNLIKELY(shmemd_block.n_far))
		far_dev_quiet(s, ctx);
}

SHMEMD_FN void shmemd_ctx_fence(enum shmemd_scope s, const char *api,
				shmem_ctx_t ctx)
{
	if (ctx == SHMEM_CTX_INVALID)
		return;
	if (shmemd_ctx_options(api, ctx) & SHMEM_CTX_NOSTORE)
		shmemd_quiet_puts(s);
	else
		shmemd_fence(s);
	if (SHMEMD_UNLIKELY(shmemd_block.n_far))
		far_dev_fence(s, ctx);
}

/* Of far PEs, those that are named, by items in turn. */
SHMEMD_FN void shmemd_ctx_pe_quiet_far(enum shmemd_scope s, const char *api,
				       shmem_ctx_t ctx, const int *target_pes,
				       size_t npes)
{
	const enum shmemd_scope of = s == SHMEMD_GRID ? SHMEMD_WG : s;
	const unsigned int index = shmemd_scope_index(of);
	const unsigned int step = far_sharers(of, ctx);
	size_t i;

	shmemd_payload_before_entry(s);
	SHMEMD_ROLLED
	for (i = index < step ? index : npes; i < npes; i += step) {
		const int pe = shmemd_ctx_pe(api, ctx, target_pes[i]);

		if (shmemd_pe_far(pe))
			far_dev_pe_quiet(ctx, pe);
	}
	shmemd_flag_before_payload(s);
}

/* One quiet is for all near PEs. */
SHMEMD_FN void shmemd_ctx_pe_quiet(enum shmemd_scope s, const char *api,
				   shmem_ctx_t ctx, const int *target_pes,
				   size_t npes)
{
	size_t i;

	if (ctx == SHMEM_CTX_INVALID || !npes)
		return;
	for (i = 0; shmemd_block.check && i < npes; i++) {
		const int pe = shmemd_ctx_pe(api, ctx, target_pes[i]);

		if ((unsigned int)pe >= (unsigned int)shmemd_block.n_pes)
			shmemd_misuse(api, "target_pes: expected PEs",
				      (uint64_t)(int64_t)pe, pe);
	}
	if (shmemd_ctx_options(api, ctx) & SHMEM_CTX_NOSTORE)
		shmemd_quiet_puts(s);
	else
		shmemd_quiet(s);
	if (SHMEMD_UNLIKELY(shmemd_block.n_far))
		shmemd_ctx_pe_quiet_far(s, api, ctx, target_pes, npes);
}

SHMEMD_FN void shmemd_ctx_destroy(const char *api, shmem_ctx_t handle)
{
	struct shmemd_ctx *ctx;

	if (handle == SHMEM_CTX_INVALID || handle == SHMEM_CTX_DEFAULT)
		return;
	ctx = shmemd_ctx_entry(api, handle);
	if ((uintptr_t)handle < SHMEMD_CTXS)
		shmemd_misuse(api, "ctx: the host made it and destroys it",
			      (uint64_t)(uintptr_t)handle, -1);
	shmemd_quiet(SHMEMD_THREAD);
	if (SHMEMD_UNLIKELY(shmemd_block.n_far))
		far_dev_quiet(SHMEMD_THREAD, handle);
	if (ctx)
		shmemd_store32(&ctx->live, 0);
}

SHMEMD_FN int shmemd_ctx_get_team(const char *api, shmem_ctx_t handle,
				  shmem_team_t *team)
{
	const struct shmemd_ctx *ctx;

	*team = SHMEM_TEAM_INVALID;
	if (handle == SHMEM_CTX_INVALID)
		return -EINVAL;
	*team = SHMEM_TEAM_WORLD;
	if (handle == SHMEM_CTX_DEFAULT)
		return 0;
	ctx = shmemd_ctx_entry(api, handle);
	if (ctx)
		*team = shmemd_ctx_team(handle, ctx);
	return 0;
}

/* What has gone wrong first: queues of NICs alone fail by context. */
SHMEMD_FN int shmemd_ctx_error(const char *api, shmem_ctx_t handle)
{
	if (handle == SHMEM_CTX_INVALID)
		return 0;
	if (handle != SHMEM_CTX_DEFAULT)
		(void)shmemd_ctx_entry(api, handle);
	return far_dev_error(handle);
}

/* Sends what the context has kept back. */
SHMEMD_FN void shmemd_ctx_flush(enum shmemd_scope s, const char *api,
				shmem_ctx_t handle)
{
	if (handle == SHMEM_CTX_INVALID)
		return;
	if (handle != SHMEM_CTX_DEFAULT)
		(void)shmemd_ctx_entry(api, handle);
	if (SHMEMD_UNLIKELY(shmemd_block.n_far))
		far_dev_flush(s, handle);
	else
		shmemd_scope_sync(s);
}

/* Sessions are hints, which loads and stores have no use for. */
SHMEMD_FN void shmemd_ctx_session(const char *api, shmem_ctx_t ctx)
{
	if (ctx != SHMEM_CTX_INVALID && ctx != SHMEM_CTX_DEFAULT)
		(void)shmemd_ctx_entry(api, ctx);
}

#endif
