/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/coll_node.h"

#include <errno.h>
#include <stdlib.h>

static int is_on_one_node(const struct shmem_team *team)
{
	for (int i = 0; i < team->n_pes; i++)
		if (coll_is_far(team, i))
			return 0;
	return 1;
}

static int node_of(const struct shmem_team *team, int member)
{
	return shmemi.peers[shmemi_team_world_pe(team, member)].node;
}

/* Numbers the nodes; known has one entry a PE, all -1. */
static void number(const struct shmem_team *team, struct coll_nodes *nodes,
		   int *known)
{
	for (int i = 0; i < team->n_pes; i++) {
		int *node = &known[node_of(team, i)];

		if (*node < 0)
			*node = nodes->n++;
		nodes->node[i] = *node;
		nodes->place_of[i] = nodes->first[*node + 1]++;
	}
}

static void sort(const struct shmem_team *team, struct coll_nodes *nodes)
{
	nodes->least = team->n_pes;
	for (int b = 0; b < nodes->n; b++) {
		int size = nodes->first[b + 1];

		nodes->least = size < nodes->least ? size : nodes->least;
		nodes->most = size > nodes->most ? size : nodes->most;
		nodes->first[b + 1] += nodes->first[b];
	}
	for (int i = 0; i < team->n_pes; i++)
		nodes->member[nodes->first[nodes->node[i]] +
			      nodes->place_of[i]] = i;
	nodes->mine = nodes->node[team->me];
	nodes->place = nodes->place_of[team->me];
}

/* The struct and its tables, 4 ints a member and one, in one piece. */
static struct coll_nodes *nodes_alloc(size_t n)
{
	struct coll_nodes *nodes =
		calloc(1, sizeof(*nodes) + (4 * n + 1) * sizeof(int));
	int *table;

	if (!nodes)
		return NULL;
	table = (int *)(nodes + 1);
	nodes->node = table;
	nodes->place_of = table + n;
	nodes->member = table + 2 * n;
	nodes->first = table + 3 * n;
	nodes->casts.oldest = 1;
	return nodes;
}

int coll_nodes_make(struct shmem_team *team)
{
	size_t n = (size_t)shmemi.n_pes;
	int *known;

	if (is_on_one_node(team))
		return 0;
	known = malloc(n * sizeof(*known));
	team->nodes = nodes_alloc((size_t)team->n_pes);
	if (!known || !team->nodes) {
		free(known);
		return -ENOMEM;
	}
	memset(known, -1, n * sizeof(*known));
	number(team, team->nodes, known);
	sort(team, team->nodes);
	free(known);
	return 0;
}

const void *coll_receive_at(struct shmem_team *team, int receiver, int from)
{
	const struct coll_slot *slot = coll_slot(team, receiver, from);

	coll_wait(&slot->seq, team->seq);
	return slot->data;
}

void coll_near_send_all(struct shmem_team *team)
{
	const struct coll_nodes *nodes = team->nodes;

	for (int i = 1; i < coll_n_near(nodes); i++)
		coll_send(team, coll_near_peer(nodes, i), NULL, 0);
}

void coll_near_receive_all(struct shmem_team *team)
{
	const struct coll_nodes *nodes = team->nodes;

	for (int i = 1; i < coll_n_near(nodes); i++)
		coll_receive(team, coll_near_peer(nodes, i));
}
