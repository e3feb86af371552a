/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "base/log.h"
#include "host/coll_node.h"
#include "host/heap.h"

static const size_t stage_bytes[COLL_NSTAGES] = {
	[COLL_STAGE_SMALL] = 128 << 10,
	[COLL_STAGE_LONG] = 1 << 20,
	[COLL_STAGE_CAST] = 1 << 20,
};

#define NO_STAGE SIZE_MAX

/* Blocks of further teams need the sync segment as well. */
static size_t in_use_bytes;

static int use(size_t bytes)
{
	size_t most = shmemi.segment[CONDUIT_SYNC].bytes / 2;

	if (__atomic_add_fetch(&in_use_bytes, bytes, __ATOMIC_RELAXED) <= most)
		return 1;
	__atomic_sub_fetch(&in_use_bytes, bytes, __ATOMIC_RELAXED);
	return 0;
}

static void unuse(size_t bytes)
{
	__atomic_sub_fetch(&in_use_bytes, bytes, __ATOMIC_RELAXED);
}

size_t coll_stage_bytes(int stage)
{
	return stage_bytes[stage];
}

static size_t stage_get(int stage)
{
	size_t bytes = stage_bytes[stage], offset;

	if (!use(bytes))
		return NO_STAGE;
	if (!shmemi_sync_get(bytes, &offset))
		return offset;
	unuse(bytes);
	return NO_STAGE;
}

static void stage_put(int stage, size_t offset)
{
	if (offset == NO_STAGE)
		return;
	shmemi_sync_put(offset);
	unuse(stage_bytes[stage]);
}

static int all_have(const struct shmem_team *team, const size_t *offset)
{
	for (int i = 0; i < team->n_pes; i++)
		if (offset[i] == NO_STAGE)
			return 0;
	return 1;
}

static void stage_make(struct shmem_team *team, int number)
{
	struct coll_stage *stage = &team->nodes->stage[number];
	size_t *offset = malloc((size_t)team->n_pes * sizeof(*offset));

	if (!offset)
		shmemi_fatal("out of memory for a team of %d PEs", team->n_pes);
	stage->asked = 1;
	stage->mine = stage_get(number);
	coll_exchange(team, &stage->mine, sizeof(stage->mine), offset);
	if (all_have(team, offset)) {
		stage->offset = offset;
		return;
	}
	stage_put(number, stage->mine);
	free(offset);
}

int coll_stage_open(struct shmem_team *team, int stage)
{
	if (unlikely(!team->nodes->stage[stage].asked))
		stage_make(team, stage);
	return team->nodes->stage[stage].offset != NULL;
}

char *coll_stage_at(const struct shmem_team *team, int stage, int member,
		    size_t offset)
{
	int pe = shmemi_team_world_pe(team, member);

	return shmemi.routes[pe].base[CONDUIT_SYNC] +
	       team->nodes->stage[stage].offset[member] + offset;
}

void coll_nodes_free(struct shmem_team *team)
{
	struct coll_nodes *nodes = team->nodes;

	for (int i = 0; nodes && i < COLL_NSTAGES; i++) {
		if (nodes->stage[i].offset)
			stage_put(i, nodes->stage[i].mine);
		free(nodes->stage[i].offset);
	}
	free(nodes);
	team->nodes = NULL;
}
