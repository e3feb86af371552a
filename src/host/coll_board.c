/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/line.h"
#include "host/coll_node.h"

/* Members of the largest node that have one counterpart on the smallest. */
static size_t sharers(const struct coll_nodes *nodes)
{
	return (size_t)((nodes->most + nodes->least - 1) / nodes->least);
}

size_t coll_board_room(const struct shmem_team *team)
{
	size_t n = (size_t)team->nodes->n * sharers(team->nodes);

	return coll_half_bytes() / n / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
}

/* Where a member's post lies in the stage of its counterpart on a node. */
static size_t place_of_post(const struct shmem_team *team, int member, int node)
{
	const struct coll_nodes *nodes = team->nodes;
	size_t turn =
		(size_t)(nodes->place_of[member] / coll_node_size(nodes, node));
	size_t i = (size_t)nodes->node[member] * sharers(nodes) + turn;

	return coll_half(team) + i * coll_board_room(team);
}

static void post_far(struct shmem_team *team, int node, const void *data,
		     size_t bytes)
{
	int to = coll_counterpart(team->nodes, team->me, node);

	if (bytes <= COLL_INLINE)
		coll_send(team, to, data, bytes);
	else
		coll_stage_push(team, COLL_STAGE_SMALL, to,
				place_of_post(team, team->me, node), data,
				bytes);
}

/* Long ones lie in this member's own stage for those that are near. */
static void post_near(struct shmem_team *team, const void *data, size_t bytes)
{
	const struct coll_nodes *nodes = team->nodes;
	size_t in_slot = bytes <= COLL_INLINE ? bytes : 0;

	if (!in_slot && bytes)
		shmemi_move(coll_stage_at(
				    team, COLL_STAGE_SMALL, team->me,
				    place_of_post(team, team->me, nodes->mine)),
			    data, bytes);
	for (int i = 0; i < coll_n_near(nodes); i++)
		coll_send(team, coll_near_peer(nodes, i), data, in_slot);
}

void coll_board_post(struct shmem_team *team, const void *data, size_t bytes)
{
	const struct coll_nodes *nodes = team->nodes;

	coll_room(team, 1);
	coll_step_begin(team);
	for (int i = 1; i < nodes->n; i++)
		post_far(team, coll_node_next(nodes, i), data, bytes);
	post_near(team, data, bytes);
}

const void *coll_board_look(struct shmem_team *team, int member, size_t bytes)
{
	const struct coll_nodes *nodes = team->nodes;
	int holder = coll_is_far(team, member) ?
			     coll_counterpart(nodes, member, nodes->mine) :
			     team->me;
	const void *data = coll_receive_at(team, holder, member);

	if (bytes <= COLL_INLINE)
		return data;
	if (!coll_is_far(team, member))
		holder = member;
	return coll_stage_at(team, COLL_STAGE_SMALL, holder,
			     place_of_post(team, member, nodes->mine));
}

void coll_board_end(struct shmem_team *team, size_t bytes)
{
	if (bytes > COLL_INLINE)
		coll_half_end(team);
	coll_step_end(team, 1);
}
