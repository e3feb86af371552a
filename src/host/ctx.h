/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts: the team that PE numbers are of, and a queue of the conduit of
 * other nodes. On routes that load and store, an operation is done when its
 * instructions are, whatever options and sessions promise.
 */
#ifndef SHMEMI_CTX_H
#define SHMEMI_CTX_H

#include "host/team.h"

struct shmem_ctx {
	struct shmem_team *team;
	struct shmem_ctx *next, **link; /* in team->contexts */
	/* NULL before its first use, or where all PEs are on one node. */
	struct conduit_queue *queue;
	long options;
	unsigned int handle;
};

extern visibility_hidden struct shmemi_handles shmemi_ctxs;

/* The context of a handle; NULL for one that is none, or destroyed. */
static inline struct shmem_ctx *shmemi_ctx(shmem_ctx_t handle)
{
	return shmemi_handle_object(&shmemi_ctxs, (uintptr_t)handle);
}

/* SHMEM_CTX_DEFAULT, for host and kernels. 0 or -ENOMEM, logged. */
int shmemi_ctxs_open(void);
void shmemi_ctxs_close(void);

/* Quiet of every context, while the peers are there. */
void shmemi_ctxs_quiet(void);

/* The queue of a context, opened by its first use. shmemi.net is there. */
struct conduit_queue *shmemi_ctx_queue_open(struct shmem_ctx *ctx);

static inline struct conduit_queue *shmemi_ctx_queue(struct shmem_ctx *ctx)
{
	struct conduit_queue *q =
		__atomic_load_n(&ctx->queue, __ATOMIC_ACQUIRE);

	return likely(q != NULL) ? q : shmemi_ctx_queue_open(ctx);
}

/* The library's own, for what it sends on behalf of nobody. */
extern visibility_hidden struct shmem_ctx shmemi_own_ctx;

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
