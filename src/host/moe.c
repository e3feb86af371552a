/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/moe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "host/check.h"
#include "host/coll.h"
#include "host/heap.h"
#include "host/module.h"

static void enter(const char *api)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	shmemi_modules_retry();
}

/* What members must have alike. */
#define AGREED(X) \
	X(n_experts) \
	X(top_k) \
	X(hidden) \
	X(dtype) \
	X(quant) X(layout) X(max_tokens) X(alignment) X(id_bytes) X(n_wgs)

/* A member's configuration, in one message. */
struct offer {
	uint32_t failed;
	uint32_t place; /* of the workspace, the same on all; 0: NULL */
	uint64_t capacity;
#define FIELD(name) uint32_t name;
	AGREED(FIELD)
#undef FIELD
};
_Static_assert(sizeof(struct offer) <= COLL_INLINE, "one step");

static int differ(const char *api, const char *field, uint64_t first,
		  uint64_t other, int member)
{
	if (first == other)
		return 0;
	shmemi_log_error("%s: config.%s is %lu on PE 0 of the team, but %lu "
			 "on PE %d",
			 api, field, first, other, member);
	return -EINVAL;
}

static int compare(const char *api, const struct offer *first,
		   const struct offer *other, int member)
{
#define FIELD(name) { #name, first->name, other->name },
	const struct {
		const char *name;
		uint64_t first, other;
	} fields[] = { AGREED(FIELD) FIELD(capacity) };
#undef FIELD

	if (!first->place != !other->place) {
		shmemi_log_error("%s: config.workspace is NULL on PE %d of the "
				 "team, but not on PE %d",
				 api, first->place ? member : 0,
				 first->place ? 0 : member);
		return -EINVAL;
	}
	if (first->place != other->place) {
		shmemi_log_error("%s: config.workspace is not the same "
				 "symmetric memory on PE %d of the team as on "
				 "PE 0",
				 api, member);
		return -EINVAL;
	}
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (differ(api, fields[i].name, fields[i].first,
			   fields[i].other, member))
			return -EINVAL;
	return 0;
}

static int look_at(const char *api, const struct offer *offers, int n, int me)
{
	if (offers[me].failed)
		return -EINVAL;
	for (int i = 0; i < n; i++)
		if (offers[i].failed) {
			shmemi_log_error("%s: PE %d of the team has a "
					 "configuration that can't be",
					 api, i);
			return -EINVAL;
		}
	for (int i = 1; i < n; i++)
		if (compare(api, &offers[0], &offers[i], i))
			return -EINVAL;
	return 0;
}

/* Equal on PEs that have the same symmetric memory, in units of alignment. */
static uint32_t place_of(const void *workspace)
{
	size_t offset = 0;
	int seg = workspace ? shmemi_locate(workspace, &offset) : -1;

	if (seg < 0)
		return workspace != NULL;
	offset = offset / SHMEMI_MOE_ALIGN * CONDUIT_NSEGMENTS + (size_t)seg;
	return 1 + (uint32_t)(offset % (UINT32_MAX - 1));
}

static struct offer *offers_get(struct shmem_team *team,
				const struct offer *mine)
{
	struct offer *offers = calloc((size_t)team->n_pes, sizeof(*offers));

	if (!offers)
		shmemi_fatal("out of memory for a team of %d PEs", team->n_pes);
	coll_exchange(team, mine, sizeof(*mine), offers);
	return offers;
}

/*
 * Where the heap is to give workspaces all PEs must come, of all teams. Those
 * of WORLD know of each other already.
 */
static int agree_all(const char *api, int failed)
{
	const struct offer mine = { .failed = (uint32_t)failed };
	struct offer *offers = offers_get(&shmemi_team_world, &mine);
	int other = -1;

	for (int i = 0; i < shmemi.n_pes; i++)
		if (offers[i].failed)
			other = i;
	free(offers);
	if (other >= 0 && !failed)
		shmemi_log_error("%s: PE %d has a configuration that can't be",
				 api, other);
	return other < 0 ? 0 : -EINVAL;
}

/* Also by those whose own configuration can't be, so that no member waits. */
static int agree(const char *api, struct shmem_team *team,
		 const struct shmemx_moe_config *c, int failed)
{
	const struct offer mine = { .failed = (uint32_t)failed,
				    .place = place_of(c->workspace),
				    .capacity = c->capacity,
#define FIELD(name) .name = c->name,
				    AGREED(FIELD)
#undef FIELD
	};
	struct offer *offers = offers_get(team, &mine);
	int rc = look_at(api, offers, team->n_pes, team->me), allocates = 0;

	for (int i = 0; i < team->n_pes; i++)
		allocates |= !offers[i].place;
	free(offers);
	if (allocates && team != &shmemi_team_world)
		rc = agree_all(api, rc != 0);
	return rc;
}

/* The largest value of all members. */
static size_t most_of(struct shmem_team *team, size_t mine)
{
	size_t *all = calloc((size_t)team->n_pes, sizeof(*all));

	if (!all)
		shmemi_fatal("out of memory for a team of %d PEs", team->n_pes);
	coll_exchange(team, &mine, sizeof(mine), all);
	for (int i = 0; i < team->n_pes; i++)
		mine = all[i] > mine ? all[i] : mine;
	free(all);
	return mine;
}

/* Teams that make handles at the same time may need more: one size for all. */
static int workspace_get(const char *api, struct shmemx_moe *moe)
{
	size_t bytes = moe->plan.sizes.workspace_bytes;

	moe->workspace = moe->plan.config.workspace;
	if (moe->workspace)
		return shmemg->fill(moe->workspace, 0, bytes);
	moe->owns_workspace = 1;
	if (moe->plan.team->n_pes != shmemi.n_pes)
		bytes = most_of(&shmemi_team_world, bytes);
	moe->workspace = pshmem_calloc(1, bytes);
	if (moe->workspace)
		return 0;
	shmemi_log_error("%s: the symmetric heap has no room for a workspace "
			 "of %zu bytes",
			 api, bytes);
	return -ENOMEM;
}

/* Its own, so that handles and the program's collectives don't mix. */
static int team_get(const char *api, struct shmemx_moe *moe)
{
	int n = moe->plan.team->n_pes, rc;
	shmem_team_t handle;

	rc = pshmem_team_split_strided(moe->plan.config.team, 0, 1, n, NULL, 0,
				       &handle);
	moe->plan.team = rc ? NULL : shmemi_team(handle);
	if (rc) {
		shmemi_log_error("%s: no team of %d PEs can be made", api, n);
	} else if (!moe->plan.team->device.n_pes) {
		shmemi_log_error("%s: kernels don't know the team: there are "
				 "more than they can",
				 api);
		rc = -ENOMEM;
	}
	return rc;
}

static void describe(struct shmemx_moe *moe)
{
	const struct shmemi_moe_plan *plan = &moe->plan;
	const struct shmemx_moe_config *c = &plan->config;

	moe->device = (struct shmemd_moe){
		.team = (uintptr_t)shmemi_team_handle(plan->team),
		.me = plan->team->me,
		.n_pes = plan->team->n_pes,
		.n_experts = c->n_experts,
		.n_local = (uint32_t)plan->n_local,
		.top_k = c->top_k,
		.hidden = c->hidden,
		.dtype = c->dtype,
		.quant = c->quant,
		.layout = c->layout,
		.id_bytes = c->id_bytes,
		.max_tokens = c->max_tokens,
		.alignment = c->alignment ? c->alignment : 1,
		.capacity = plan->sizes.rows,
		.far = { .n_nodes = 1 },
	};
}

/* In the order of plan_near(). */
static void carve(struct shmemx_moe *moe)
{
	const struct shmemi_moe_plan *plan = &moe->plan;
	size_t n_stats = SHMEMX_MOE_STATS + plan->n_local + plan->n_pes;
	struct shmemd_moe *d = &moe->device;
	char *at = moe->workspace;

	d->arrivals = shmemi_moe_carve(&at, SHMEMD_MOE_POINTS * plan->n_pes,
				       sizeof(*d->arrivals));
	d->words = (void *)at;
	at = moe->tables;
	d->outgoing = shmemi_moe_carve(&at, plan->config.n_experts,
				       sizeof(*d->outgoing));
	d->sent = shmemi_moe_carve(&at, SHMEMD_MOE_POINTS, sizeof(*d->sent));
	d->shares =
		shmemi_moe_carve(&at, SHMEMD_MOE_POINTS, sizeof(*d->shares));
	d->stats = shmemi_moe_carve(&at, n_stats, sizeof(*d->stats));
}

/* What this PE can fail at alone. */
static int tables_get(struct shmemx_moe *moe)
{
	size_t bytes = shmemi_moe_plus(moe->plan.table_bytes,
				       shmemi_moe_far_table_bytes(&moe->plan));
	void *tables;
	int rc = shmemg->mem_alloc(bytes, &tables);

	if (rc)
		return rc;
	moe->tables = tables;
	describe(moe);
	carve(moe);
	if (!moe->plan.team->nodes)
		return 0;
	return shmemi_moe_far_open(moe, moe->workspace + moe->plan.near_bytes,
				   moe->tables + moe->plan.table_bytes);
}

/* All of those who share its memory are done with it, and call this. */
static void dissolve(struct shmemx_moe *moe)
{
	if (moe->plan.team)
		pshmem_team_destroy(shmemi_team_handle(moe->plan.team));
	if (moe->tables)
		shmemg->mem_free(moe->tables);
	if (moe->owns_workspace)
		pshmem_free(moe->workspace);
	free(moe);
}

/*
 * All members come to the end of this, whatever fails on some of them. It also
 * is where they meet after they cleared their workspaces.
 */
static int build(const char *api, struct shmemx_moe *moe)
{
	struct shmem_team *all = moe->plan.config.workspace ?
					 moe->plan.team :
					 &shmemi_team_world;
	int rc = workspace_get(api, moe), failed;

	failed = team_get(api, moe);
	if (!rc)
		rc = failed;
	if (!rc)
		rc = tables_get(moe);
	if (!most_of(all, rc != 0))
		return 0;
	if (!rc)
		shmemi_log_error("%s: it failed on another PE", api);
	return rc ? rc : -ENOMEM;
}

/* Of the user's, for which shmem_malloc's alignment is enough. */
static int check_workspace(const char *api, const struct shmemi_moe_plan *plan)
{
	const size_t bytes = plan->sizes.workspace_bytes;
	char *at = plan->config.workspace;
	size_t offset, room;
	int seg;

	if (!at)
		return 0;
	seg = shmemi_locate(at, &offset);
	if (seg < 0 || (uintptr_t)at % SHMEMI_MOE_ALIGN) {
		shmemi_log_error("%s: config.workspace is %p, expected "
				 "symmetric memory, at a multiple of %d",
				 api, (void *)at, SHMEMI_MOE_ALIGN);
		return -EINVAL;
	}
	room = seg == CONDUIT_DATA ? shmemi.segment[seg].bytes - offset :
				     shmemi_heap_room(at);
	if (room >= bytes)
		return 0;
	shmemi_log_error("%s: config.workspace has %zu bytes, expected %zu",
			 api, room, bytes);
	return -EINVAL;
}

static int check_config(const char *api, const struct shmemx_moe_config *config,
			struct shmemi_moe_plan *plan, shmemx_moe_t *new_moe)
{
	int rc = shmemi_moe_plan_make(api, config, plan);
	struct shmem_team *team;

	if (!rc && !new_moe) {
		shmemi_log_error("%s: new_moe is NULL", api);
		rc = -EINVAL;
	}
	if (!rc)
		rc = check_workspace(api, plan);
	team = config ? shmemi_team(config->team) : NULL;
	if (team)
		rc = agree(api, team, config, rc != 0);
	else if (!config || !config->workspace)
		rc = agree_all(api, 1);
	return rc;
}

int shmemx_moe_create(const struct shmemx_moe_config *config,
		      shmemx_moe_t *new_moe)
{
	struct shmemx_moe *moe = calloc(1, sizeof(*moe));
	int rc;

	enter(__func__);
	if (!moe)
		shmemi_fatal("%s: out of memory", __func__);
	rc = check_config(__func__, config, &moe->plan, new_moe);
	if (rc) {
		free(moe);
		return rc;
	}
	rc = build(__func__, moe);
	if (rc) {
		dissolve(moe);
		return rc;
	}
	shmemi_trace(COLL, "%s: %d PEs, %u experts, %zu rows, workspace %p",
		     __func__, moe->device.n_pes, moe->device.n_experts,
		     moe->plan.sizes.rows, (void *)moe->workspace);
	*new_moe = moe;
	return 0;
}

void shmemx_moe_destroy(shmemx_moe_t moe)
{
	enter(__func__);
	if (!moe)
		return;
	if (moe->n_layouts)
		shmemi_fatal("%s: moe has %d layouts, expected none", __func__,
			     moe->n_layouts);
	shmemg->streams_sync();
	shmemi_device_error_check();
	dissolve(moe);
}

uint64_t *shmemx_moe_stats(shmemx_moe_t moe)
{
	enter(__func__);
	return moe ? moe->device.stats : NULL;
}
