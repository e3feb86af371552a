/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "base/log.h"
#include "host/check.h"
#include "host/coll_node.h"
#include "host/coll_table.h"

/* What fits behind a length in a slot. */
#define SHORT_BYTES (COLL_INLINE - sizeof(uint64_t))

struct record {
	uint64_t bytes;
	unsigned char data[SHORT_BYTES];
};
_Static_assert(sizeof(struct record) == COLL_INLINE, "a record fills a slot");

int coll_fcollect_node_fits(const struct coll_call *call)
{
	return coll_call_bytes(call) <= coll_board_room(call->team);
}

void coll_fcollect_node(const struct coll_call *call)
{
	struct shmem_team *team = call->team;
	size_t bytes = coll_call_bytes(call);
	char *dest = call->dest;

	coll_board_post(team, call->source, bytes);
	for (int i = 0; i < team->n_pes; i++) {
		const void *block = coll_board_look(team, i, bytes);

		if (bytes)
			shmemi_move(dest + (size_t)i * bytes, block, bytes);
	}
	coll_board_end(team, bytes);
}

/* Where member i's block begins in dest, with one more at the end. */
struct spread {
	const struct coll_call *call;
	struct shmem_team *team;
	const struct coll_nodes *nodes;
	const size_t *at;
};

static size_t length(const struct spread *s, int member)
{
	return s->at[member + 1] - s->at[member];
}

/* A block that this member has, to all dests on the node. */
static void give_near(const struct spread *s, int member, const void *block)
{
	size_t bytes = length(s, member);

	for (int i = 1; bytes && i < coll_n_near(s->nodes); i++) {
		int to = coll_near_peer(s->nodes, i);

		shmemi_move(
			coll_direct(s->call->api, s->team, to, s->call->dest) +
				s->at[member],
			block, bytes);
	}
}

static void give_far(const struct spread *s)
{
	int me = s->team->me;

	for (int i = 1; i < s->nodes->n; i++)
		coll_push(s->call->api, s->team,
			  coll_counterpart(s->nodes, me,
					   coll_node_next(s->nodes, i)),
			  s->call->dest, s->at[me], s->call->source,
			  length(s, me));
}

/* What those of a node send to this member as theirs here. */
static void pass_on(const struct spread *s, int node)
{
	const struct coll_nodes *nodes = s->nodes;

	for (int i = nodes->first[node] + nodes->place;
	     i < nodes->first[node + 1]; i += coll_n_near(nodes)) {
		int from = nodes->member[i];

		coll_receive(s->team, from);
		give_near(s, from, (char *)s->call->dest + s->at[from]);
	}
}

/* One step: each block crosses once to each node, to be passed on there. */
static void spread(const struct coll_call *call, const size_t *at)
{
	struct shmem_team *team = call->team;
	const struct spread s = { call, team, team->nodes, at };

	coll_room(team, 1);
	coll_step_begin(team);
	give_far(&s);
	if (length(&s, team->me))
		shmemi_move((char *)call->dest + at[team->me], call->source,
			    length(&s, team->me));
	give_near(&s, team->me, call->source);
	for (int i = 1; i < s.nodes->n; i++)
		pass_on(&s, (s.nodes->mine + s.nodes->n - i) % s.nodes->n);
	coll_near_send_all(team);
	coll_near_receive_all(team);
	coll_step_end(team, 1);
}

static size_t *places(const struct coll_call *call)
{
	size_t n = (size_t)call->team->n_pes;
	size_t *at = calloc(n + 1, sizeof(*at));

	if (!at)
		shmemi_fatal("%s: out of memory", shmemi_api(call->api));
	return at;
}

void coll_fcollect_direct(const struct coll_call *call)
{
	size_t *at = places(call);

	for (int i = 0; i < call->team->n_pes; i++)
		at[i + 1] = at[i] + coll_call_bytes(call);
	spread(call, at);
	free(at);
}

/* Fills at, and dest too if all blocks are short: then 1. */
static int tell_lengths(const struct coll_call *call, size_t *at)
{
	struct shmem_team *team = call->team;
	struct record mine = { .bytes = coll_call_bytes(call) }, theirs;
	int n_short = 0;

	if (mine.bytes <= SHORT_BYTES && mine.bytes)
		shmemi_move(mine.data, call->source, mine.bytes);
	coll_board_post(team, &mine, sizeof(mine));
	for (int i = 0; i < team->n_pes; i++) {
		memcpy(&theirs, coll_board_look(team, i, sizeof(theirs)),
		       sizeof(theirs));
		at[i + 1] = at[i] + theirs.bytes;
		n_short += theirs.bytes <= SHORT_BYTES;
		if (n_short == i + 1)
			coll_copy((char *)call->dest + at[i], theirs.data,
				  theirs.bytes);
	}
	coll_board_end(team, sizeof(mine));
	return n_short == team->n_pes;
}

void coll_collect_direct(const struct coll_call *call)
{
	size_t *at = places(call);

	if (!tell_lengths(call, at))
		spread(call, at);
	free(at);
}
