/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcast over a binomial tree of nodes, of each of which one member is part:
 * the root of its own, the first of another. Nodes are counted from the root's.
 */
#include "host/coll_cast.h"
#include "host/coll_table.h"

/* Enough to fill a long tree; fewer bytes are not worth a message. */
#define CHUNKS 16
#define CHUNK_BYTES ((size_t)32 << 10)

struct tree {
	struct shmem_team *team;
	const struct coll_nodes *nodes;
	int root;
	int here; /* my node's number in the tree */
	int head; /* who is part of it on my node */
};

static int head_of(const struct tree *t, int number)
{
	const struct coll_nodes *nodes = t->nodes;
	int node = (nodes->node[t->root] + number) % nodes->n;

	return number ? coll_node_member(nodes, node, 0) : t->root;
}

static struct tree tree_make(const struct coll_call *call)
{
	const struct coll_nodes *nodes = call->team->nodes;
	struct tree t = { call->team, nodes, call->root, 0, 0 };
	int first = nodes->node[call->root];

	t.here = (nodes->mine - first + nodes->n) % nodes->n;
	t.head = head_of(&t, t.here);
	return t;
}

/* The i-th child's head, those with the largest trees first; -1: no more. */
static int child(const struct tree *t, int i)
{
	int n = t->nodes->n, bit = 1;

	while (bit < n && !(t->here & bit))
		bit *= 2;
	for (bit /= 2; bit; bit /= 2)
		if (t->here + bit < n && !i--)
			return head_of(t, t->here + bit);
	return -1;
}

static void update_root(const struct coll_call *call)
{
	if (call->update_root && call->dest != call->source)
		shmemi_move(call->dest, call->source, coll_call_bytes(call));
}

int coll_broadcast_node_fits(const struct coll_call *call)
{
	return coll_call_bytes(call) <= coll_cast_room() / 2;
}

/* Where near members need not answer, as the stage holds it for them. */
void coll_broadcast_node(const struct coll_call *call)
{
	struct shmem_team *team = call->team;
	struct tree t = tree_make(call);
	size_t bytes = coll_call_bytes(call);
	const void *data = call->source;
	int to;

	coll_cast_begin(team, bytes);
	if (team->me != call->root)
		data = coll_cast_look(team, t.head, bytes);
	for (int i = 0; team->me == t.head && (to = child(&t, i)) >= 0; i++)
		coll_cast_send(team, to, data, bytes);
	if (team->me == call->root) {
		if (coll_n_near(t.nodes) > 1)
			coll_cast_show(team, data, bytes);
		update_root(call);
	} else if (bytes) {
		shmemi_move(call->dest, data, bytes);
	}
}

static void push_on(const struct coll_call *call, const struct tree *t,
		    const void *data, size_t at, size_t bytes)
{
	int to;

	for (int i = 0; (to = child(t, i)) >= 0; i++)
		coll_cast_push(call->api, t->team, to, call->dest, at,
			       (const char *)data + at, bytes);
}

/* What others of the node copy from the head's memory. */
static void pull(const struct coll_call *call, const struct tree *t, size_t at,
		 size_t bytes)
{
	const void *data = t->head == t->root ? call->source : call->dest;

	shmemi_move((char *)call->dest + at,
		    coll_direct(call->api, t->team, t->head, data) + at, bytes);
}

static void chunk(const struct coll_call *call, const struct tree *t, size_t at,
		  size_t bytes)
{
	struct shmem_team *team = t->team;

	if (team->me == t->root)
		coll_cast_show(team, NULL, 0);
	else
		coll_cast_look(team, t->head, 0);
	if (team->me != t->head)
		pull(call, t, at, bytes);
	else
		push_on(call, t, t->head == t->root ? call->source : call->dest,
			at, bytes);
}

int coll_broadcast_direct_fits(const struct coll_call *call)
{
	return coll_call_bytes(call) != 0;
}

/*
 * From dest to dest, in casts without data of their own. A head must not leave
 * before those of its node have copied.
 */
void coll_broadcast_direct(const struct coll_call *call)
{
	struct shmem_team *team = call->team;
	struct tree t = tree_make(call);
	size_t bytes = coll_call_bytes(call);
	size_t size = (bytes + CHUNKS - 1) / CHUNKS;

	size = size > CHUNK_BYTES ? size : CHUNK_BYTES;
	for (size_t at = 0; at < bytes; at += size) {
		coll_cast_begin(team, 0);
		chunk(call, &t, at, bytes - at < size ? bytes - at : size);
	}
	if (team->me == t.head)
		coll_cast_wait_near(team);
	else
		coll_cast_leave(team);
	if (team->me == call->root)
		update_root(call);
}
