/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/ctx.h"

#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "host/check.h"
#include "host/device.h"

/* Kernels number those that they create themselves. */
struct shmemi_handles shmemi_ctxs = {
	.skip = SHMEMD_CTXS,
	.skip_end = SHMEMD_CTXS + SHMEMD_DEVICE_CTXS,
};

static struct shmem_ctx default_ctx = { .team = &shmemi_team_world };

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
}

static void forget(struct shmem_ctx *ctx)
{
	shmemi_device_ctx_set(ctx->handle, NULL, 0);
	shmemi_handle_put(&shmemi_ctxs, ctx->handle);
	free(ctx);
}

static int ctx_create(const char *api, struct shmem_team *team, long options,
		      shmem_ctx_t *handle)
{
	const long known =
		SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE;
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

/* Sessions are hints, which loads and stores have no use for. */
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
