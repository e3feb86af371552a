/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts. On routes that load and store, an operation is done when its
 * instructions are, whatever the options and sessions promise: a context is
 * the team that its PE numbers are of.
 */
#ifndef SHMEMI_CTX_H
#define SHMEMI_CTX_H

#include "host/team.h"

struct shmem_ctx {
	struct shmem_team *team;
	struct shmem_ctx *next, **link; /* in team->contexts */
	unsigned int handle;
};

extern hidden struct shmemi_handles shmemi_ctxs;

/* The context of a handle; NULL for one that is none, or destroyed. */
static inline struct shmem_ctx *shmemi_ctx(shmem_ctx_t handle)
{
	return shmemi_handle_object(&shmemi_ctxs, (uintptr_t)handle);
}

/* SHMEM_CTX_DEFAULT, for host and kernels. 0 or -ENOMEM, logged. */
int shmemi_ctxs_open(void);
void shmemi_ctxs_close(void);

/* World PE of a PE that is given relative to the context's team. */
static inline int shmemi_ctx_pe(shmem_ctx_t ctx, int pe)
{
	if (ctx == SHMEM_CTX_DEFAULT)
		return pe;
	return shmemi_team_world_pe(shmemi_ctx(ctx)->team, pe);
}

/* Destroys the contexts that a team still has. */
void shmemi_ctx_destroy_all(struct shmem_team *team);

#endif
