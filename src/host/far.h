/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transfers with PEs that loads and stores do not reach, through their
 * conduits, for those who know a segment and an offset. pe is a world PE; ctx
 * is whose queue the operation joins. A transfer that fails ends the job, with
 * the name of the routine, the PE and its host.
 *
 * flags: CONDUIT_NBI, CONDUIT_WHOLE; completion is as conduit.h says.
 */
#ifndef SHMEMI_FAR_H
#define SHMEMI_FAR_H

#include "host/ctx.h"
#include "host/turn.h"

/* A place in a PE's memory. */
struct shmemi_place {
	int pe;
	enum conduit_segment seg;
	size_t offset;
};

void shmemi_far_put(const char *api, struct shmem_ctx *ctx,
		    struct shmemi_place to, const void *src, size_t bytes,
		    int flags);
void shmemi_far_get(const char *api, struct shmem_ctx *ctx, void *dst,
		    struct shmemi_place from, size_t bytes, int flags);
/* old: bytes of them, or NULL. */
void shmemi_far_amo(const char *api, struct shmem_ctx *ctx, enum conduit_amo op,
		    size_t bytes, struct shmemi_place at, uint64_t operand,
		    uint64_t cond, void *old, int flags);
/* Both on one PE and by one conduit; bytes may be 0. */
void shmemi_far_put_signal(const char *api, struct shmem_ctx *ctx,
			   struct shmemi_place to, const void *src,
			   size_t bytes, struct shmemi_place signal,
			   uint64_t value, enum conduit_amo op, int flags);
void shmemi_far_fence(const char *api, struct shmem_ctx *ctx);
/* pe -1: all. */
void shmemi_far_quiet(const char *api, struct shmem_ctx *ctx, int pe);

/* Whether the host loads and stores the library's own blocks of a PE. */
static inline int shmemi_is_near(int pe)
{
	return shmemi.routes[pe].base[CONDUIT_SYNC] != NULL;
}

#endif
