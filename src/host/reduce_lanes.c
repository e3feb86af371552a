/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Long reductions. Each of the first members of a node has a lane: a part of
 * the elements, of which it combines the near sources, chunk by chunk, and
 * exchanges that with the members of the same lane on other nodes. It then
 * writes what all come to into the near dests. Nobody else touches the part, so
 * in place needs no copy.
 *
 * Chunks lie in a ring of COLL_STAGE_LONG, with a place for each node in each
 * of its RING entries; my own node's is where I combine. A lane sends a chunk
 * when it has done all but the last one before, so who has that one from a peer
 * knows that the peer is at most three behind.
 */
#include "base/line.h"
#include "host/coll_node.h"
#include "host/coll_table.h"
#include "host/reduce.h"

#define RING 4
#define BLOCK_BYTES 4096

/* Fewer bytes than this are not worth a lane. */
#define LANE_BYTES ((size_t)16 << 10)

struct lanes {
	const struct coll_call *call;
	struct shmem_team *team;
	const struct coll_nodes *nodes;
	int n;
	size_t at, end; /* elements of my lane, as of all that follow */
	size_t chunk;
	size_t n_chunks; /* in the longest lane */
	uint64_t first;	 /* the step of the first chunk */
};

/* Of one node's chunk. */
static size_t room(const struct shmem_team *team)
{
	size_t places = (size_t)team->nodes->n * RING;

	return coll_stage_bytes(COLL_STAGE_LONG) / places / CACHE_LINE_BYTES *
	       CACHE_LINE_BYTES;
}

int coll_reduce_lanes_fits(const struct coll_call *call)
{
	return call->nelems && room(call->team) >= BLOCK_BYTES;
}

static size_t round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

static struct lanes lanes_make(const struct coll_call *call)
{
	struct shmem_team *team = call->team;
	struct lanes l = { .call = call, .team = team, .nodes = team->nodes };
	size_t bytes = coll_call_bytes(call), part;
	size_t line = call->esize < CACHE_LINE_BYTES ?
			      CACHE_LINE_BYTES / call->esize :
			      1;
	size_t most = bytes / LANE_BYTES + 1, end;

	l.n = most < (size_t)l.nodes->least ? (int)most : l.nodes->least;
	part = round_up((call->nelems + (size_t)l.n - 1) / (size_t)l.n, line);
	l.chunk = room(team) / call->esize;
	l.n_chunks = (part + l.chunk - 1) / l.chunk;
	l.at = part * (size_t)l.nodes->place;
	end = l.at + part;
	l.end = end < call->nelems ? end : call->nelems;
	l.at = l.at < l.end ? l.at : l.end;
	return l;
}

static int is_lane(const struct lanes *l)
{
	return l->nodes->place < l->n;
}

static int lane_member(const struct lanes *l, int lane)
{
	return coll_node_member(l->nodes, l->nodes->mine, lane);
}

static size_t chunk_begin(const struct lanes *l, size_t i)
{
	size_t at = l->at + i * l->chunk;

	return at < l->end ? at : l->end;
}

static size_t place(const struct lanes *l, size_t i, int node)
{
	size_t uses = l->nodes->stage[COLL_STAGE_LONG].uses + i;

	return (uses % RING * (size_t)l->nodes->n + (size_t)node) *
	       room(l->team);
}

static char *here(const struct lanes *l, size_t i, int node)
{
	return coll_stage_at(l->team, COLL_STAGE_LONG, l->team->me,
			     place(l, i, node));
}

static size_t min_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The near sources of n elements, in order of members. */
static void combine_near(const struct lanes *l, size_t at, size_t n, char *out)
{
	_Alignas(CACHE_LINE_BYTES) char bounce[BLOCK_BYTES];
	const struct coll_call *call = l->call;
	size_t offset = at * call->esize, bytes = n * call->esize;

	for (int i = 0; i < coll_n_near(l->nodes); i++) {
		const char *source = coll_direct(
			call->api, l->team, lane_member(l, i), call->source);

		if (i)
			call->reduce(
				out, out,
				shmemi_fetch(source + offset, bounce, bytes),
				n);
		else
			shmemi_move(out, source + offset, bytes);
	}
}

static void send(const struct lanes *l, size_t i)
{
	const struct coll_nodes *nodes = l->nodes;
	size_t bytes =
		(chunk_begin(l, i + 1) - chunk_begin(l, i)) * l->call->esize;

	for (int b = 1; b < nodes->n; b++)
		coll_stage_push(l->team, COLL_STAGE_LONG,
				coll_counterpart(nodes, l->team->me,
						 coll_node_next(nodes, b)),
				place(l, i, nodes->mine),
				here(l, i, nodes->mine), bytes);
}

static void produce(const struct lanes *l, size_t i)
{
	const size_t block = BLOCK_BYTES / l->call->esize;
	size_t begin = chunk_begin(l, i), end = chunk_begin(l, i + 1);
	char *out = here(l, i, l->nodes->mine);

	for (size_t at = begin; at < end; at += block)
		combine_near(l, at, min_of(end - at, block),
			     out + (at - begin) * l->call->esize);
	send(l, i);
}

static void receive(const struct lanes *l, size_t i)
{
	const struct coll_nodes *nodes = l->nodes;

	for (int b = 1; b < nodes->n; b++) {
		int from = coll_counterpart(nodes, l->team->me,
					    coll_node_next(nodes, b));
		size_t slot =
			(size_t)from * COLL_DEPTH + (l->first + i) % COLL_DEPTH;

		coll_wait(&l->team->block[l->team->me]->slot[slot].seq,
			  l->first + i);
	}
}

/* n elements, offset bytes into a chunk, of all nodes, to all near dests. */
static void combine_nodes(const struct lanes *l, size_t i, size_t offset,
			  size_t n)
{
	_Alignas(CACHE_LINE_BYTES) char acc[BLOCK_BYTES];
	const struct coll_call *call = l->call;
	const char *sum = here(l, i, 0) + offset;

	for (int b = 1; b < l->nodes->n; b++, sum = acc)
		call->reduce(acc, sum, here(l, i, b) + offset, n);
	for (int m = 0; m < coll_n_near(l->nodes); m++)
		shmemi_move(coll_direct(call->api, l->team, lane_member(l, m),
					call->dest) +
				    chunk_begin(l, i) * call->esize + offset,
			    sum, n * call->esize);
}

static void consume(const struct lanes *l, size_t i)
{
	const size_t block = BLOCK_BYTES / l->call->esize;
	size_t n = chunk_begin(l, i + 1) - chunk_begin(l, i);

	receive(l, i);
	for (size_t at = 0; at < n; at += block)
		combine_nodes(l, i, at * l->call->esize, min_of(n - at, block));
}

/* All sources are ready when they have said so to the lanes. */
static void begin(struct lanes *l)
{
	coll_step_begin(l->team);
	l->first = l->team->seq;
	for (int i = 0; i < l->n; i++)
		if (i != l->nodes->place)
			coll_send(l->team, lane_member(l, i), NULL, 0);
	if (is_lane(l))
		coll_near_receive_all(l->team);
}

/*
 * The lanes have written all dests. Peers of theirs may not have done the last
 * two chunks.
 */
static void end(struct lanes *l)
{
	uint64_t left = l->first - 1;

	coll_step_begin(l->team);
	if (is_lane(l))
		coll_near_send_all(l->team);
	for (int i = 0; i < l->n; i++)
		if (i != l->nodes->place)
			coll_receive(l->team, lane_member(l, i));
	coll_step_end(l->team, 0);
	if (l->team->seq > left + 3)
		left = l->team->seq - 3;
	l->team->floor = left;
	l->team->nodes->stage[COLL_STAGE_LONG].uses += l->n_chunks;
}

void coll_reduce_lanes(const struct coll_call *call)
{
	struct lanes l = lanes_make(call);

	coll_room(l.team, 2);
	begin(&l);
	for (size_t i = 0; i < l.n_chunks; i++) {
		if (i)
			coll_step_begin(l.team);
		if (is_lane(&l))
			produce(&l, i);
		if (is_lane(&l) && i)
			consume(&l, i - 1);
	}
	if (is_lane(&l))
		consume(&l, l.n_chunks - 1);
	end(&l);
}
