/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Alltoall with one message for each pair of nodes. On each there is an agent
 * for the other, the agents being different members while there are enough.
 * Members pack what they have for a node into its agent's stage; it goes to the
 * agent there, in whose stage each finds what is for it.
 *
 * A half of the small stage is blocks to send, then blocks received: for each
 * node that the agent is for, an array [their member][our member] of pieces.
 */
#include "host/coll_node.h"
#include "host/coll_table.h"

/* Pieces of size bytes in blocks of the same number per member. */
struct alltoall {
	const struct coll_call *call;
	struct shmem_team *team;
	const struct coll_nodes *nodes;
	ptrdiff_t dst, sst; /* bytes from piece to piece */
	size_t size;
	size_t per_member;
	size_t at, n; /* those of each block that this step is about */
};

/* Nodes that one member is an agent for, at most. */
static size_t turns(const struct coll_nodes *nodes)
{
	return (size_t)((nodes->n + nodes->least - 1) / nodes->least);
}

/* Bytes of a block that a step can take. */
static size_t room(const struct shmem_team *team)
{
	const struct coll_nodes *nodes = team->nodes;
	size_t most = (size_t)nodes->most;

	return coll_half_bytes() / 2 / (turns(nodes) * most * most);
}

int coll_alltoall_node_fits(const struct coll_call *call)
{
	return coll_call_bytes(call) <= room(call->team);
}

int coll_alltoalls_node_fits(const struct coll_call *call)
{
	return call->esize <= room(call->team);
}

/* On node `on`, the agent for another. */
static int agent(const struct alltoall *a, int on, int other)
{
	return coll_node_member(a->nodes, on, other);
}

/* Where what an agent on `on` has for `other` begins in its stage. */
static size_t area(const struct alltoall *a, int on, int other, int received)
{
	size_t most = (size_t)a->nodes->most;
	size_t turn = (size_t)(other / coll_node_size(a->nodes, on));
	size_t of_received = received ? coll_half_bytes() / 2 : 0;

	return coll_half(a->team) + of_received +
	       turn * most * most * a->n * a->size;
}

/* The piece for a place on their node, of a place on ours. */
static size_t piece(const struct alltoall *a, int senders, int to, int from)
{
	return (size_t)(to * senders + from) * a->n * a->size;
}

static void pack(const struct alltoall *a, int node)
{
	const struct coll_nodes *nodes = a->nodes;
	char *out = coll_stage_at(a->team, COLL_STAGE_SMALL,
				  agent(a, nodes->mine, node),
				  area(a, nodes->mine, node, 0));

	for (int i = 0; i < coll_node_size(nodes, node); i++) {
		size_t to = (size_t)coll_node_member(nodes, node, i);
		size_t first = to * a->per_member + a->at;

		shmemi_move_strided(
			out + piece(a, coll_n_near(nodes), i, nodes->place),
			(ptrdiff_t)a->size,
			(const char *)a->call->source +
				(ptrdiff_t)first * a->sst,
			a->sst, a->size, a->n);
	}
}

static void give_near(const struct alltoall *a, int to)
{
	size_t first = (size_t)to * a->per_member + a->at;
	size_t there = (size_t)a->team->me * a->per_member + a->at;

	if (!a->n)
		return;
	shmemi_move_strided(
		coll_direct(a->call->api, a->team, to, a->call->dest) +
			(ptrdiff_t)there * a->dst,
		a->dst,
		(const char *)a->call->source + (ptrdiff_t)first * a->sst,
		a->sst, a->size, a->n);
}

static void send(const struct alltoall *a, int node)
{
	const struct coll_nodes *nodes = a->nodes;
	int mine = nodes->mine;
	size_t bytes =
		piece(a, coll_n_near(nodes), coll_node_size(nodes, node), 0);

	if (agent(a, mine, node) != a->team->me)
		return;
	coll_stage_push(a->team, COLL_STAGE_SMALL, agent(a, node, mine),
			area(a, node, mine, 1),
			coll_stage_at(a->team, COLL_STAGE_SMALL, a->team->me,
				      area(a, mine, node, 0)),
			bytes);
}

static void unpack(const struct alltoall *a, int node)
{
	const struct coll_nodes *nodes = a->nodes;
	int n = coll_node_size(nodes, node);
	int holder = agent(a, nodes->mine, node);
	const char *in = coll_stage_at(a->team, COLL_STAGE_SMALL, holder,
				       area(a, nodes->mine, node, 1));

	coll_receive_at(a->team, holder, agent(a, node, nodes->mine));
	for (int i = 0; i < n; i++) {
		size_t from = (size_t)coll_node_member(nodes, node, i);
		size_t first = from * a->per_member + a->at;

		shmemi_move_strided((char *)a->call->dest +
					    (ptrdiff_t)first * a->dst,
				    a->dst, in + piece(a, n, nodes->place, i),
				    (ptrdiff_t)a->size, a->size, a->n);
	}
}

static void step(const struct alltoall *a)
{
	const struct coll_nodes *nodes = a->nodes;

	coll_room(a->team, 1);
	coll_step_begin(a->team);
	for (int i = 1; i < nodes->n; i++)
		pack(a, coll_node_next(nodes, i));
	for (int i = 1; i <= coll_n_near(nodes); i++)
		give_near(a, coll_near_peer(nodes, i));
	coll_near_send_all(a->team);
	coll_near_receive_all(a->team);
	for (int i = 1; i < nodes->n; i++)
		send(a, coll_node_next(nodes, i));
	for (int i = 1; i < nodes->n; i++)
		unpack(a, coll_node_next(nodes, nodes->n - i));
	coll_half_end(a->team);
	coll_step_end(a->team, 1);
}

void coll_alltoall_node(const struct coll_call *call)
{
	size_t bytes = coll_call_bytes(call);
	const struct alltoall a = {
		.call = call,
		.team = call->team,
		.nodes = call->team->nodes,
		.dst = (ptrdiff_t)bytes,
		.sst = (ptrdiff_t)bytes,
		.size = bytes,
		.per_member = 1,
		.n = bytes ? 1 : 0,
	};

	step(&a);
}

/* As many elements of each block in a step as the stage has room for. */
void coll_alltoalls_node(const struct coll_call *call)
{
	size_t most = room(call->team) / call->esize;
	struct alltoall a = {
		.call = call,
		.team = call->team,
		.nodes = call->team->nodes,
		.dst = call->dst * (ptrdiff_t)call->esize,
		.sst = call->sst * (ptrdiff_t)call->esize,
		.size = call->esize,
		.per_member = call->nelems,
	};

	do {
		size_t left = a.per_member - a.at;

		a.n = left < most ? left : most;
		step(&a);
		a.at += a.n;
	} while (a.at < a.per_member);
}
