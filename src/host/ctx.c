/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/ctx.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "conduits/gda/gda.h"
#include "conduits/proxy/proxy.h"
#include "host/check.h"
#include "host/device.h"
#include "host/far.h"

/* Kernels number those that they create themselves. */
struct shmemi_handles shmemi_ctxs = {
	.skip = SHMEMD_CTXS,
	.skip_end = SHMEMD_CTXS + SHMEMD_DEVICE_CTXS,
};

static struct shmem_ctx default_ctx = { .team = &shmemi_team_world };
struct shmem_ctx shmemi_own_ctx = { .team = &shmemi_team_world };

static int queue_options(long options)
{
	int out = 0;

	if (options & (SHMEM_CTX_PRIVATE | SHMEM_CTX_SERIALIZED))
		out |= CONDUIT_QUEUE_OWN;
	if (options & SHMEM_CTX_PRIVATE)
		out |= CONDUIT_QUEUE_PRIVATE;
	return out;
}

struct conduit_queue *shmemi_ctx_queue_open(struct shmem_ctx *ctx)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct conduit_queue *q;
	int rc = 0;

	pthread_mutex_lock(&lock);
	q = ctx->queue;
	if (!q)
		rc = shmemi.net->ops.queue_open(queue_options(ctx->options),
						&q);
	if (rc)
		shmemi_fatal("no queue for a context: %s", strerror(-rc));
	__atomic_store_n(&ctx->queue, q, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&lock);
	return q;
}

static void queue_close(struct shmem_ctx *ctx)
{
	if (ctx->queue)
		(void)shmemi.net->ops.queue_close(ctx->queue);
	ctx->queue = NULL;
}

int shmemi_ctxs_open(void)
{
	default_ctx.handle = shmemi_handle_new(&shmemi_ctxs, &default_ctx);
	if (!default_ctx.handle) {
		shmemi_log_error("out of memory for a context");
		return -ENOMEM;
	}
	shmemi_device_ctx_set(default_ctx.handle, &shmemi_team_world, 0);
	return 0;
}

void shmemi_ctxs_close(void)
{
	shmemi_handle_put(&shmemi_ctxs, default_ctx.handle);
	queue_close(&default_ctx);
	queue_close(&shmemi_own_ctx);
}

void shmemi_ctxs_quiet(void)
{
	if (shmemi.net) {
		proxy_quiet();
		gda_quiet();
	}
	for (int c = 0; shmemi.net && c < SHMEMI_HANDLE_CHUNKS; c++) {
		void **chunk = shmemi_ctxs.chunk[c];

		for (int i = 0; chunk && i < SHMEMI_HANDLES_PER_CHUNK; i++)
			if (chunk[i])
				shmemi_far_quiet("shmem_finalize", chunk[i],
						 -1);
	}
}

static void forget(struct shmem_ctx *ctx)
{
	shmemi_device_ctx_set(ctx->handle, NULL, 0);
	shmemi_handle_put(&shmemi_ctxs, ctx->handle);
	queue_close(ctx);
	free(ctx);
}

static int ctx_create(const char *api, struct shmem_team *team, long options,
		      shmem_ctx_t *handle)
{
	const long known = SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE |
			   SHMEM_CTX_NOSTORE | SHMEMX_CTX_LATER |
			   SHMEMX_CTX_VISIBLE;
	struct shmem_ctx *ctx;

	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	*handle = SHMEM_CTX_INVALID;
	if (!team || options & ~known)
		return -EINVAL;
	ctx = calloc(1, sizeof(*ctx));
	if (!ctx)
		return -ENOMEM;
	ctx->team = team;
	ctx->options = options;
	ctx->handle = shmemi_handle_new(&shmemi_ctxs, ctx);
	if (!ctx->handle) {
		free(ctx);
		return -ENOMEM;
	}
	shmemi_device_ctx_set(ctx->handle, team, options);
	pthread_mutex_lock(&team->lock);
	ctx->next = team->contexts;
	ctx->link = &team->contexts;
	if (ctx->next)
		ctx->next->link = &ctx->next;
	team->contexts = ctx;
	pthread_mutex_unlock(&team->lock);
	*handle = (shmem_ctx_t)(uintptr_t)ctx->handle;
	shmemi_trace(CTX, "%s: context %u, options %ld", shmemi_api(api),
		     ctx->handle, options);
	return 0;
}

int pshmem_ctx_create(long options, shmem_ctx_t *ctx)
{
	return ctx_create(__func__, &shmemi_team_world, options, ctx);
}
weak_alias(pshmem_ctx_create, shmem_ctx_create);

int pshmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t *ctx)
{
	return ctx_create(__func__, shmemi_team(team), options, ctx);
}
weak_alias(pshmem_team_create_ctx, shmem_team_create_ctx);

void pshmem_ctx_destroy(shmem_ctx_t handle)
{
	struct shmem_ctx *ctx = shmemi_ctx(handle);

	if (unlikely(shmemi.guard))
		shmemi_check_ctx(__func__, handle);
	if (!ctx || handle == SHMEM_CTX_DEFAULT)
		return;
	pshmem_ctx_quiet(handle);
	pthread_mutex_lock(&ctx->team->lock);
	*ctx->link = ctx->next;
	if (ctx->next)
		ctx->next->link = ctx->link;
	pthread_mutex_unlock(&ctx->team->lock);
	forget(ctx);
}
weak_alias(pshmem_ctx_destroy, shmem_ctx_destroy);

void shmemi_ctx_destroy_all(struct shmem_team *team)
{
	while (team->contexts) {
		struct shmem_ctx *ctx = team->contexts;

		team->contexts = ctx->next;
		/* What is under way writes to memory that may go now. */
		if (shmemi.net)
			shmemi_far_quiet("shmem_team_destroy", ctx, -1);
		forget(ctx);
	}
}

int pshmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team)
{
	if (unlikely(shmemi.guard))
		shmemi_check_ctx(__func__, ctx);
	*team = SHMEM_TEAM_INVALID;
	if (!shmemi_ctx(ctx))
		return -EINVAL;
	*team = shmemi_team_handle(shmemi_ctx(ctx)->team);
	return 0;
}
weak_alias(pshmem_ctx_get_team, shmem_ctx_get_team);

/* Sessions are hints: transfers start at once without them too. */
void pshmem_ctx_session_start(shmem_ctx_t ctx, long options,
			      const shmem_ctx_session_config_t *config,
			      long config_mask)
{
	if (unlikely(shmemi.guard))
		shmemi_check_ctx(__func__, ctx);
	(void)options, (void)config, (void)config_mask;
}
weak_alias(pshmem_ctx_session_start, shmem_ctx_session_start);

void pshmem_ctx_session_stop(shmem_ctx_t ctx)
{
	if (unlikely(shmemi.guard))
		shmemi_check_ctx(__func__, ctx);
}
weak_alias(pshmem_ctx_session_stop, shmem_ctx_session_stop);
