/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "host/check.h"
#include "host/coll.h"
#include "host/device.h"

/* What a member of the parent brings to a split. */
struct offer {
	uint64_t offset; /* of its block, when it is a member of a new team */
	uint64_t device_offset; /* of that for kernels */
	int32_t failed;
};

/* A new team in terms of its parent; size 0 for those who are in none. */
struct triplet {
	int start, stride, size;
};

static int member_index(const struct shmem_team *parent,
			const struct triplet *t)
{
	for (int i = 0; i < t->size; i++)
		if (t->start + i * t->stride == parent->me)
			return i;
	return -1;
}

static struct shmem_team *offer_make(const struct shmem_team *parent,
				     const struct triplet *t, int me,
				     struct offer *offer)
{
	int start = shmemi_team_world_pe(parent, t->start), stride = 0;
	struct shmem_team *team;

	if (t->size > 1)
		stride = shmemi_team_world_pe(parent, t->start + t->stride) -
			 start;
	team = shmemi_team_new(me, t->size, start, stride);
	if (!team) {
		offer->failed = 1;
		return NULL;
	}
	offer->failed = shmemi_team_publish(team) != 0;
	offer->offset = team->block_offset;
	offer->device_offset = team->device_offset;
	if (parent->map) {
		team->map = malloc((size_t)t->size * sizeof(*team->map));
		offer->failed |= !team->map;
	}
	for (int i = 0; team->map && i < t->size; i++)
		team->map[i] =
			shmemi_team_world_pe(parent, t->start + i * t->stride);
	return team;
}

static int any_failed(const struct offer *offers, int n)
{
	for (int i = 0; i < n; i++)
		if (offers[i].failed)
			return 1;
	return 0;
}

static void take_blocks(struct shmem_team *team, const struct triplet *t,
			const struct offer *offers)
{
	uint64_t *device = malloc((size_t)t->size * sizeof(*device));

	if (!device)
		shmemi_fatal("out of memory for a team of %d PEs", t->size);
	for (int i = 0; i < t->size; i++) {
		const struct offer *offer = &offers[t->start + i * t->stride];

		shmemi_team_block_set(team, i, offer->offset);
		device[i] = offer->device_offset;
	}
	if (shmemi_team_link(team))
		shmemi_fatal("out of memory for a team of %d PEs", t->size);
	shmemi_device_team_set(team, device);
	free(device);
}

/*
 * Collective over the parent, one step. Each member of the parent names the
 * new team that it will be in. All fail or none.
 */
static int split(const char *api, struct shmem_team *parent,
		 const struct triplet *t, const shmem_team_config_t *config,
		 long config_mask, shmem_team_t *handle)
{
	size_t n = (size_t)parent->n_pes;
	struct offer *offers = calloc(n, sizeof(*offers)), mine = { 0 };
	int me = member_index(parent, t), rc = 0;
	struct shmem_team *team = NULL;

	if (!offers)
		shmemi_fatal("out of memory for a team of %zu PEs", n);
	if (unlikely(shmemi.guard & SHMEMI_GUARD_CHECK))
		coll_agree(api, parent, 0, -1);
	if (me >= 0)
		team = offer_make(parent, t, me, &mine);
	coll_exchange(parent, &mine, sizeof(mine), offers);
	if (any_failed(offers, parent->n_pes)) {
		if (team)
			shmemi_team_delete(team);
		team = NULL;
		rc = -ENOMEM;
	}
	if (team)
		take_blocks(team, t, offers);
	if (team && config && config_mask & SHMEM_TEAM_NUM_CONTEXTS)
		team->config.num_contexts = config->num_contexts;
	*handle = team ? shmemi_team_handle(team) : SHMEM_TEAM_INVALID;
	shmemi_trace(TEAM, "split of %d PEs: member %d of %d, status %d",
		     parent->n_pes, me, t->size, rc);
	free(offers);
	return rc;
}

static int config_bad(const shmem_team_config_t *config, long mask)
{
	if (mask & ~SHMEM_TEAM_NUM_CONTEXTS)
		return 1;
	return mask && (!config || config->num_contexts < 0);
}

static int triplet_bad(const struct shmem_team *parent, const struct triplet *t)
{
	long last = t->start + (t->size - 1L) * t->stride;

	return t->size < 1 || t->size > parent->n_pes || t->start < 0 ||
	       t->start >= parent->n_pes || last < 0 || last >= parent->n_pes ||
	       (!t->stride && t->size > 1);
}

int pshmem_team_split_strided(shmem_team_t parent_team, int start, int stride,
			      int size, const shmem_team_config_t *config,
			      long config_mask, shmem_team_t *new_team)
{
	struct shmem_team *parent = shmemi_team(parent_team);
	const struct triplet t = { start, stride, size };

	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	*new_team = SHMEM_TEAM_INVALID;
	if (!parent || triplet_bad(parent, &t) ||
	    config_bad(config, config_mask))
		return -EINVAL;
	return split(__func__, parent, &t, config, config_mask, new_team);
}
weak_alias(pshmem_team_split_strided, shmem_team_split_strided);

int pshmem_team_split_2d(shmem_team_t parent_team, int xrange,
			 const shmem_team_config_t *xaxis_config,
			 long xaxis_mask, shmem_team_t *xaxis_team,
			 const shmem_team_config_t *yaxis_config,
			 long yaxis_mask, shmem_team_t *yaxis_team)
{
	struct shmem_team *parent = shmemi_team(parent_team);
	struct triplet x, y;
	int n, rc;

	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	*xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
	if (!parent || xrange < 1 || config_bad(xaxis_config, xaxis_mask) ||
	    config_bad(yaxis_config, yaxis_mask))
		return -EINVAL;
	n = parent->n_pes;
	if (xrange > n)
		xrange = n;
	x.start = parent->me / xrange * xrange;
	x.stride = 1;
	x.size = xrange < n - x.start ? xrange : n - x.start;
	y.start = parent->me % xrange;
	y.stride = xrange;
	y.size = (n - y.start + xrange - 1) / xrange;
	rc = split(__func__, parent, &x, xaxis_config, xaxis_mask, xaxis_team);
	if (rc)
		return rc;
	rc = split(__func__, parent, &y, yaxis_config, yaxis_mask, yaxis_team);
	if (rc) {
		pshmem_team_destroy(*xaxis_team);
		*xaxis_team = SHMEM_TEAM_INVALID;
	}
	return rc;
}
weak_alias(pshmem_team_split_2d, shmem_team_split_2d);

void pshmem_team_destroy(shmem_team_t handle)
{
	struct shmem_team *team = shmemi_team(handle);

	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	if (!team || team == &shmemi_team_world || team == &shmemi_team_shared)
		return;
	shmemi_trace(TEAM, "destroy of a team of %d PEs", team->n_pes);
	/* Nobody may still write to a block that its owner gives away. */
	pshmem_quiet();
	coll_sync_flat(team);
	shmemi_team_delete(team);
}
weak_alias(pshmem_team_destroy, shmem_team_destroy);

int pshmem_team_my_pe(shmem_team_t handle)
{
	const struct shmem_team *team = shmemi_team(handle);

	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	return team ? team->me : -1;
}
weak_alias(pshmem_team_my_pe, shmem_team_my_pe);

int pshmem_team_n_pes(shmem_team_t handle)
{
	const struct shmem_team *team = shmemi_team(handle);

	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	return team ? team->n_pes : -1;
}
weak_alias(pshmem_team_n_pes, shmem_team_n_pes);

int pshmem_team_get_config(shmem_team_t handle, long config_mask,
			   shmem_team_config_t *config)
{
	const struct shmem_team *team = shmemi_team(handle);

	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	if (!team || config_mask & ~SHMEM_TEAM_NUM_CONTEXTS ||
	    (config_mask && !config))
		return -EINVAL;
	if (config_mask)
		*config = team->config;
	return 0;
}
weak_alias(pshmem_team_get_config, shmem_team_get_config);

int pshmem_team_translate_pe(shmem_team_t src_team, int src_pe,
			     shmem_team_t dest_team)
{
	const struct shmem_team *from = shmemi_team(src_team);
	const struct shmem_team *to = shmemi_team(dest_team);

	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	if (!from || !to || src_pe < 0 || src_pe >= from->n_pes)
		return -1;
	return shmemi_team_member(to, shmemi_team_world_pe(from, src_pe));
}
weak_alias(pshmem_team_translate_pe, shmem_team_translate_pe);
