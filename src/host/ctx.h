/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts. On routes that load and store, an operation is done when its
 * instructions are, so a context is a team and its options.
 */
#ifndef SHMEMI_CTX_H
#define SHMEMI_CTX_H

#include "host/team.h"

struct shmem_ctx {
	struct shmem_team *team;
	long options;
	long session_options; /* of the session that is open */
	shmem_ctx_session_config_t session;
	struct shmem_ctx *next; /* in team->contexts */
};

extern hidden struct shmem_ctx shmemi_ctx_default;

static inline struct shmem_ctx *shmemi_ctx(shmem_ctx_t handle)
{
	return handle == SHMEM_CTX_DEFAULT ? &shmemi_ctx_default : handle;
}

/* World PE of a PE that is given relative to the context's team. */
static inline int shmemi_ctx_pe(shmem_ctx_t ctx, int pe)
{
	if (ctx == SHMEM_CTX_DEFAULT)
		return pe;
	return shmemi_team_world_pe(ctx->team, pe);
}

/* Destroys the contexts that a team still has. */
void shmemi_ctx_destroy_all(struct shmem_team *team);

#endif
