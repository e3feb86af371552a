/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/team.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "host/coll_node.h"
#include "host/ctx.h"
#include "host/device.h"
#include "host/heap.h"

struct shmem_team shmemi_team_world;
struct shmem_team shmemi_team_shared;
struct shmemi_handles shmemi_teams;

/* My member number among start, start + stride, ...; -1 if I am none. */
static int member_of(int pe, int start, int stride, int n_pes)
{
	int away = pe - start;

	if (n_pes == 1 || !stride)
		return away ? -1 : 0;
	if (away % stride || away / stride < 0 || away / stride >= n_pes)
		return -1;
	return away / stride;
}

int shmemi_team_member(const struct shmem_team *team, int world_pe)
{
	if (!team->map)
		return member_of(world_pe, team->start, team->stride,
				 team->n_pes);
	for (int i = 0; i < team->n_pes; i++)
		if (team->map[i] == world_pe)
			return i;
	return -1;
}

static int team_init(struct shmem_team *team, int me, int n_pes, int start,
		     int stride)
{
	memset(team, 0, sizeof(*team));
	team->me = me;
	team->n_pes = n_pes;
	team->start = start;
	team->stride = stride;
	team->device_offset = SHMEMI_NO_BLOCK;
	pthread_mutex_init(&team->lock, NULL);
	team->block = calloc((size_t)n_pes, sizeof(*team->block));
	team->offset = calloc((size_t)n_pes, sizeof(*team->offset));
	if (team->block && team->offset &&
	    !shmemi_sync_get(coll_block_bytes(n_pes), &team->block_offset))
		return 0;
	free(team->block);
	free(team->offset);
	return -ENOMEM;
}

/* Leaves the block: slower peers may be in their last collective still. */
static void team_fini(struct shmem_team *team)
{
	shmemi_ctx_destroy_all(team);
	if (team->handle)
		shmemi_handle_put(&shmemi_teams, team->handle);
	pthread_mutex_destroy(&team->lock);
	coll_nodes_free(team);
	free(team->block);
	free(team->offset);
	free(team->map);
}

/* Teams that nobody destroyed end with the library. */
static struct shmem_team *teams;
static pthread_mutex_t teams_lock = PTHREAD_MUTEX_INITIALIZER;

static void enlist(struct shmem_team *team)
{
	pthread_mutex_lock(&teams_lock);
	team->next = teams;
	team->link = &teams;
	if (teams)
		teams->link = &team->next;
	teams = team;
	pthread_mutex_unlock(&teams_lock);
}

static void delist(struct shmem_team *team)
{
	pthread_mutex_lock(&teams_lock);
	*team->link = team->next;
	if (team->next)
		team->next->link = team->link;
	pthread_mutex_unlock(&teams_lock);
}

struct shmem_team *shmemi_team_new(int me, int n_pes, int start, int stride)
{
	struct shmem_team *team = malloc(sizeof(*team));

	if (!team)
		return NULL;
	if (team_init(team, me, n_pes, start, stride)) {
		free(team);
		return NULL;
	}
	enlist(team);
	return team;
}

int shmemi_team_publish(struct shmem_team *team)
{
	team->handle = shmemi_handle_new(&shmemi_teams, team);
	if (!team->handle)
		return -ENOMEM;
	shmemi_device_team_get(team);
	return 0;
}

void shmemi_team_block_set(struct shmem_team *team, int member, size_t offset)
{
	int pe = shmemi_team_world_pe(team, member);

	team->offset[member] = offset;
	if (shmemi_is_near(pe))
		team->block[member] =
			(void *)(shmemi.routes[pe].base[CONDUIT_SYNC] + offset);
}

int shmemi_team_link(struct shmem_team *team)
{
	return coll_nodes_make(team);
}

void shmemi_team_delete(struct shmem_team *team)
{
	delist(team);
	shmemi_device_team_put(team);
	shmemi_sync_put(team->block_offset);
	team_fini(team);
	free(team);
}

/* Handles of teams that all have from the start are 1 and 2. */
static int publish_alike(struct shmem_team *team)
{
	int rc = shmemi_team_publish(team);

	if (!rc)
		shmemi_device_team_set(team, NULL);
	return rc;
}

/* All PEs allocate the same first, so the block lies at one offset on all. */
static int open_world(void)
{
	struct shmem_team *team = &shmemi_team_world;
	int rc = team_init(team, shmemi.me, shmemi.n_pes, 0, 1);

	for (int i = 0; !rc && i < team->n_pes; i++)
		shmemi_team_block_set(team, i, team->block_offset);
	if (!rc)
		rc = shmemi_team_link(team);
	return rc ? rc : publish_alike(team);
}

/* Those whose memory can be loaded and stored: one node's, in any order. */
static int open_shared(void)
{
	int *map = malloc((size_t)shmemi.n_pes * sizeof(*map)), n = 0, me = 0;
	int rc;

	if (!map)
		return -ENOMEM;
	for (int pe = 0; pe < shmemi.n_pes; pe++) {
		if (!shmemi_is_near(pe) ||
		    !shmemi.routes[pe].base[CONDUIT_HEAP])
			continue;
		if (pe == shmemi.me)
			me = n;
		map[n++] = pe;
	}
	rc = team_init(&shmemi_team_shared, me, n, 0, 1);
	if (rc) {
		free(map);
		return rc;
	}
	shmemi_team_shared.map = map;
	for (int i = 0; i < n; i++)
		shmemi_team_block_set(&shmemi_team_shared, i,
				      shmemi_team_shared.block_offset);
	return publish_alike(&shmemi_team_shared);
}

int shmemi_teams_open(void)
{
	int rc = open_world();

	if (rc)
		goto fail;
	rc = shmemi_active_sets_open();
	if (rc)
		goto close_world;
	rc = open_shared();
	if (rc)
		goto close_sets;
	return 0;

close_sets:
	shmemi_active_sets_close();
close_world:
	team_fini(&shmemi_team_world);
fail:
	shmemi_log_error("out of memory for a team of %d PEs", shmemi.n_pes);
	return rc;
}

void shmemi_teams_close(void)
{
	shmemi_active_sets_close();
	while (teams)
		shmemi_team_delete(teams);
	team_fini(&shmemi_team_shared);
	team_fini(&shmemi_team_world);
}
