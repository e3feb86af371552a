/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A team's members by the nodes that they are on, and memory that a node's
 * members share.
 *
 * What comes from another node comes to one member of this one, but its near
 * members can read it where it lies: in a slot of that member's block, or in
 * its stage. So a message crosses the network once for a node, and its arrival
 * wakes all.
 *
 * A stage is a piece of each member's sync segment that near and far members
 * write to, made when a team first needs it. COLL_STAGE_SMALL has two halves,
 * which operations take in turn. Each of these hears from all members, so who
 * begins one knows that all have left the last but one, and its half.
 */
#ifndef SHMEMI_COLL_NODE_H
#define SHMEMI_COLL_NODE_H

#include "host/coll.h"

#define COLL_STAGE_SMALL 0
#define COLL_STAGE_LONG 1
#define COLL_STAGE_CAST 2
#define COLL_NSTAGES 3

/* Casts under way; see coll_cast.h. Numbers begin at 1. */
#define COLL_CASTS 128

struct coll_casts {
	uint64_t newest;
	uint64_t oldest;	  /* that some member may be in still */
	size_t end;		  /* of the data of the newest, ever rising */
	uint64_t seq[COLL_CASTS]; /* the newest step at that time */
	size_t begin[COLL_CASTS]; /* of its data */
};

struct coll_stage {
	size_t *offset; /* by member, in its sync segment; NULL: none */
	size_t mine;
	int asked;     /* whether the members have asked for it */
	uint64_t uses; /* the same on all members */
};

struct coll_nodes {
	int n;		 /* nodes, in the order of their first members */
	int mine;	 /* my node */
	int place;	 /* mine among its members */
	int least, most; /* members of the smallest and the largest node */
	int *node;	 /* by member */
	int *place_of;	 /* by member */
	int *first;	 /* n + 1 of them: where a node's members begin ... */
	int *member;	 /* ... here */
	struct coll_stage stage[COLL_NSTAGES];
	struct coll_casts casts;
};

/*
 * Fills team->nodes, or leaves it NULL if all members are near, when all
 * blocks are known. 0 or -ENOMEM.
 */
int coll_nodes_make(struct shmem_team *team);
void coll_nodes_free(struct shmem_team *team);

static inline int coll_node_size(const struct coll_nodes *nodes, int node)
{
	return nodes->first[node + 1] - nodes->first[node];
}

/* The member of a node at a place, which is taken modulo the node's size. */
static inline int coll_node_member(const struct coll_nodes *nodes, int node,
				   int place)
{
	return nodes->member[nodes->first[node] +
			     place % coll_node_size(nodes, node)];
}

/* Who takes on `node` what a member sends there. */
static inline int coll_counterpart(const struct coll_nodes *nodes, int member,
				   int node)
{
	return coll_node_member(nodes, node, nodes->place_of[member]);
}

/* Node or near member that is i behind mine, i >= 1 in a rotated order. */
static inline int coll_node_next(const struct coll_nodes *nodes, int i)
{
	return (nodes->mine + i) % nodes->n;
}

static inline int coll_near_peer(const struct coll_nodes *nodes, int i)
{
	return coll_node_member(nodes, nodes->mine, nodes->place + i);
}

static inline int coll_n_near(const struct coll_nodes *nodes)
{
	return coll_node_size(nodes, nodes->mine);
}

/* Waits for this step's message of `from` in the block of a near member. */
const void *coll_receive_at(struct shmem_team *team, int receiver, int from);

/* A word to all near peers, and one from each of them. */
void coll_near_send_all(struct shmem_team *team);
void coll_near_receive_all(struct shmem_team *team);

/*
 * Makes a stage if there is none, by all members. 0 if there is no room on one
 * of them, then and ever after.
 */
int coll_stage_open(struct shmem_team *team, int stage);
size_t coll_stage_bytes(int stage);

/* Where a near member has a stage, offset bytes into it. */
char *coll_stage_at(const struct shmem_team *team, int stage, int member,
		    size_t offset);

/* Bytes of src to a far member; whoever sees the value sees them. */
void coll_put(const char *api, struct shmemi_place to, const void *src,
	      size_t bytes, struct shmemi_place signal, uint64_t value);

/* A member's stage, from offset, for that. */
struct shmemi_place coll_stage_place(const struct shmem_team *team, int stage,
				     int member, size_t offset);

/* This step's message: bytes of src into a far member's stage. */
void coll_stage_push(struct shmem_team *team, int stage, int to, size_t offset,
		     const void *src, size_t bytes);

/* The half of the small stage of this operation, and of the next one. */
static inline size_t coll_half_bytes(void)
{
	return coll_stage_bytes(COLL_STAGE_SMALL) / 2;
}

static inline size_t coll_half(const struct shmem_team *team)
{
	return team->nodes->stage[COLL_STAGE_SMALL].uses % 2 *
	       coll_half_bytes();
}

static inline void coll_half_end(struct shmem_team *team)
{
	team->nodes->stage[COLL_STAGE_SMALL].uses++;
}

/*
 * The board: a step in which each member posts bytes, at most
 * coll_board_room(), for all to look at, itself included. Up to COLL_INLINE
 * bytes lie in slots, more need COLL_STAGE_SMALL. look waits; what it returns
 * stays until the end. All must look at all before that.
 */
size_t coll_board_room(const struct shmem_team *team);
void coll_board_post(struct shmem_team *team, const void *data, size_t bytes);
const void *coll_board_look(struct shmem_team *team, int member, size_t bytes);
void coll_board_end(struct shmem_team *team, size_t bytes);

#endif
