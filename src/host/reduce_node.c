/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions and scans in one crossing. Members of a node show theirs to each
 * other, and each combines them; one sends the result to another node, where
 * all read it. So all members combine the same values in the same order.
 *
 * A half of the small stage is what a member shows, then a place for each node.
 */
#include "base/line.h"
#include "host/coll_node.h"
#include "host/coll_table.h"
#include "host/reduce.h"

#define BLOCK_BYTES 4096

struct shown {
	const struct coll_call *call;
	struct shmem_team *team;
	const struct coll_nodes *nodes;
	size_t bytes;
	const void *ours; /* what this node's members come to */
};

static size_t room(const struct shmem_team *team)
{
	size_t places = (size_t)team->nodes->n + 1;

	return coll_half_bytes() / places / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
}

int coll_reduce_node_fits(const struct coll_call *call)
{
	return coll_call_bytes(call) <= room(call->team);
}

static int in_slots(const struct shown *s)
{
	return s->bytes <= COLL_INLINE;
}

static size_t place(const struct shown *s, int i)
{
	return coll_half(s->team) + (size_t)i * room(s->team);
}

static void show(const struct shown *s)
{
	const void *source = s->call->source;
	int n = coll_n_near(s->nodes);

	if (!in_slots(s))
		shmemi_move(coll_stage_at(s->team, COLL_STAGE_SMALL,
					  s->team->me, place(s, 0)),
			    source, s->bytes);
	for (int i = 0; i < n; i++)
		coll_send(s->team, coll_near_peer(s->nodes, i), source,
			  in_slots(s) ? s->bytes : 0);
}

static const void *look(const struct shown *s, int member)
{
	const void *data = coll_receive(s->team, member);

	return in_slots(s) ? data :
			     coll_stage_at(s->team, COLL_STAGE_SMALL, member,
					   place(s, 0));
}

/* Members of this node, by place. */
static void combine_near(struct shown *s, void *acc)
{
	const int *members = &s->nodes->member[s->nodes->first[s->nodes->mine]];

	s->ours = look(s, members[0]);
	for (int i = 1; i < coll_n_near(s->nodes); i++, s->ours = acc)
		s->call->reduce(acc, s->ours, look(s, members[i]),
				s->call->nelems);
}

static void tell_node(const struct shown *s, int node)
{
	int mine = s->nodes->mine;
	int to = coll_node_member(s->nodes, node, mine);

	if (coll_node_member(s->nodes, mine, node) != s->team->me)
		return;
	if (in_slots(s))
		coll_send(s->team, to, s->ours, s->bytes);
	else
		coll_stage_push(s->team, COLL_STAGE_SMALL, to,
				place(s, 1 + mine), s->ours, s->bytes);
}

static const void *look_node(const struct shown *s, int node)
{
	int mine = s->nodes->mine;
	int holder = coll_node_member(s->nodes, mine, node);
	const void *data;

	if (node == mine)
		return s->ours;
	data = coll_receive_at(s->team, holder,
			       coll_node_member(s->nodes, node, mine));
	return in_slots(s) ? data :
			     coll_stage_at(s->team, COLL_STAGE_SMALL, holder,
					   place(s, 1 + node));
}

static void combine_nodes(const struct shown *s)
{
	_Alignas(CACHE_LINE_BYTES) char acc[BLOCK_BYTES];
	const size_t esize = s->call->esize, block = BLOCK_BYTES / esize;
	size_t n;

	for (size_t at = 0; at < s->call->nelems; at += n) {
		size_t left = s->call->nelems - at, offset = at * esize;
		const void *sum = (const char *)look_node(s, 0) + offset;

		n = left < block ? left : block;
		for (int b = 1; b < s->nodes->n; b++, sum = acc)
			s->call->reduce(acc, sum,
					(const char *)look_node(s, b) + offset,
					n);
		shmemi_move((char *)s->call->dest + offset, sum, n * esize);
	}
}

void coll_reduce_node(const struct coll_call *call)
{
	struct shmem_team *team = call->team;
	_Alignas(CACHE_LINE_BYTES) char acc[COLL_INLINE];
	struct shown s = { call, team, team->nodes, coll_call_bytes(call),
			   NULL };

	coll_room(team, 1);
	coll_step_begin(team);
	show(&s);
	combine_near(&s, in_slots(&s) ?
				 acc :
				 coll_stage_at(team, COLL_STAGE_SMALL, team->me,
					       place(&s, 1 + s.nodes->mine)));
	for (int i = 1; i < s.nodes->n; i++)
		tell_node(&s, coll_node_next(s.nodes, i));
	for (int b = 0; b < s.nodes->n; b++)
		look_node(&s, b);
	combine_nodes(&s);
	if (!in_slots(&s))
		coll_half_end(team);
	coll_step_end(team, 1);
}

/* Members before this one, or up to it, of n elements from `at` on a board. */
static void scan_block(const struct coll_call *call, size_t posted_bytes,
		       size_t done, size_t at, size_t n)
{
	_Alignas(CACHE_LINE_BYTES) char acc[BLOCK_BYTES] = { 0 };
	struct shmem_team *team = call->team;
	int end = team->me + !!call->inclusive;

	for (int i = 0; i < end; i++)
		call->reduce(
			acc, acc,
			(const char *)coll_board_look(team, i, posted_bytes) +
				at * call->esize,
			n);
	shmemi_move((char *)call->dest + (done + at) * call->esize, acc,
		    n * call->esize);
}

int coll_scan_node_fits(const struct coll_call *call)
{
	return call->esize <= coll_board_room(call->team);
}

/* As many elements at once as a board has room for. */
static void scan_part(const struct coll_call *call, size_t done, size_t n)
{
	struct shmem_team *team = call->team;
	size_t bytes = n * call->esize, block = BLOCK_BYTES / call->esize;

	coll_board_post(team, (const char *)call->source + done * call->esize,
			bytes);
	for (int i = 0; i < team->n_pes; i++)
		coll_board_look(team, i, bytes);
	for (size_t at = 0; at < n; at += block)
		scan_block(call, bytes, done, at,
			   n - at < block ? n - at : block);
	coll_board_end(team, bytes);
}

void coll_scan_node(const struct coll_call *call)
{
	size_t most = coll_board_room(call->team) / call->esize, n;

	for (size_t done = 0; done < call->nelems; done += n) {
		n = call->nelems - done;
		n = n < most ? n : most;
		scan_part(call, done, n);
	}
}
