/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What collectives are made of. Every member has a block that its peers write
 * to. A collective is one or more steps; each step has a sequence number, the
 * same on all members, and in it a member may send one message of up to
 * COLL_INLINE bytes to each other: data and number share a cache line, so that
 * one flight carries both. Numbers only rise, so nothing is ever reset.
 *
 * A slot is written again COLL_DEPTH steps later. The writer must know that
 * the reader has left the earlier step: from a step in which it heard from
 * everybody (team->floor), or else from the reader's `done`.
 *
 * Members on other nodes are far: a message to one is a put with a signal.
 * Their `done` is out of sight. So in a team with far members the floor rises
 * with the same steps on all members, and coll_room() makes all meet when too
 * few steps are left. What members on one node share is in coll_node.h, which
 * algorithm a call takes in coll_table.c.
 */
#ifndef SHMEMI_COLL_H
#define SHMEMI_COLL_H

#include <string.h>

#include "base/line.h"
#include "base/order.h"
#include "base/wait.h"
#include "host/far.h"
#include "host/move.h"
#include "host/team.h"
#include "host/turn.h"

#define COLL_DEPTH 8
#define COLL_INLINE 56

struct coll_slot {
	unsigned char data[COLL_INLINE]; /* first: aligned for every type */
	uint64_t seq;
} __attribute__((aligned(CACHE_LINE_BYTES)));

struct coll_line {
	uint64_t value;
} __attribute__((aligned(CACHE_LINE_BYTES)));

struct coll_block {
	struct coll_line done;	   /* the last step that this member left */
	struct coll_line arrivals; /* central barrier, in member 0's block */
	struct coll_line release;
	struct coll_slot slot[]; /* [sender][COLL_DEPTH] */
};

static inline size_t coll_block_bytes(int n_pes)
{
	return sizeof(struct coll_block) +
	       (size_t)n_pes * COLL_DEPTH * sizeof(struct coll_slot);
}

/* Nothing may be at NULL. */
static inline void coll_copy(void *dst, const void *src, size_t bytes)
{
	if (bytes)
		shmemi_give(dst, src, bytes);
}

static inline void coll_wait(const uint64_t *word, uint64_t at_least)
{
	struct shmemi_wait wait = { 0 };

	while (flag_load(word) < at_least)
		shmemi_turn(&wait);
}

static inline int coll_is_far(const struct shmem_team *team, int member)
{
	return !team->block[member];
}

/* Of a near receiver. */
static inline struct coll_slot *coll_slot(const struct shmem_team *team,
					  int receiver, int sender)
{
	struct coll_slot *ring =
		&team->block[receiver]->slot[sender * COLL_DEPTH];

	return &ring[team->seq % COLL_DEPTH];
}

static inline void coll_step_begin(struct shmem_team *team)
{
	team->seq++;
}

/* heard_all: this member knows that every other has begun this step. */
static inline void coll_step_end(struct shmem_team *team, int heard_all)
{
	flag_store(&team->block[team->me]->done.value, team->seq);
	if (heard_all)
		team->floor = team->seq - 1;
}

/* Returns when data may be reused. */
void coll_send_far(struct shmem_team *team, int to, const void *data,
		   size_t bytes);

static inline void coll_send(struct shmem_team *team, int to, const void *data,
			     size_t bytes)
{
	struct coll_slot *slot;

	if (unlikely(coll_is_far(team, to))) {
		coll_send_far(team, to, data, bytes);
		return;
	}
	slot = coll_slot(team, to, team->me);
	if (unlikely(team->seq > team->floor + COLL_DEPTH))
		coll_wait(&team->block[to]->done.value, team->seq - COLL_DEPTH);
	coll_copy(slot->data, data, bytes);
	flag_store(&slot->seq, team->seq);
}

/* The data lies there until coll_step_end(). */
static inline const void *coll_receive(struct shmem_team *team, int from)
{
	const struct coll_slot *slot = coll_slot(team, team->me, from);

	coll_wait(&slot->seq, team->seq);
	return slot->data;
}

/* The member that is i places behind this one: peers in a rotated order. */
static inline int coll_peer(const struct shmem_team *team, int i)
{
	int peer = team->me + i;

	return peer < team->n_pes ? peer : peer - team->n_pes;
}

/*
 * Where shmemi_move() finds a near member's copy, by loads and stores or as
 * device memory that is mapped; ends the job if that is nowhere.
 */
char *coll_direct(const char *api, const struct shmem_team *team, int member,
		  const void *addr);

/* A member's copy of a symmetric object, offset bytes into it, for far.h. */
struct shmemi_place coll_place(const char *api, const struct shmem_team *team,
			       int member, const void *addr, size_t offset);

/*
 * This step's message to a member, near or far: bytes of src, put offset bytes
 * into its copy of dest. Returns when src may be reused.
 */
void coll_push(const char *api, struct shmem_team *team, int to,
	       const void *dest, size_t offset, const void *src, size_t bytes);

/*
 * The same to a place that a far member told of; src is free after
 * shmemi_far_quiet() of shmemi_own_ctx.
 */
void coll_push_nbi(const char *api, struct shmem_team *team, int to,
		   struct shmemi_place place, const void *src, size_t bytes);

/*
 * Before an operation of so many steps, at most COLL_STEPS, on a team with far
 * members, by all: makes sure that all have left the steps whose slots these
 * take.
 */
#define COLL_STEPS (COLL_DEPTH - 2)
void coll_room(struct shmem_team *team, unsigned int steps);

/* One step in which each member gives `bytes` <= COLL_INLINE bytes to all. */
void coll_exchange(struct shmem_team *team, const void *mine, size_t bytes,
		   void *all);

/*
 * One step in which all meet. After sync_flat no member touches the block of
 * one that has left.
 */
void coll_sync(struct shmem_team *team);
void coll_sync_flat(struct shmem_team *team);

/* How coll_sync works from now on; the same on all PEs. */
void coll_sync_choose(int algorithm, int oversubscribed);

/*
 * The collectives, of nelems elements of esize bytes a block; api names the
 * caller in errors.
 * dest, source and their overlap are checked when checks are on, and so is
 * that all members call the same routine with the same counts and root.
 */
void shmemi_alltoall(const char *api, struct shmem_team *team, void *dest,
		     const void *source, size_t nelems, size_t esize);
void shmemi_alltoalls(const char *api, struct shmem_team *team, void *dest,
		      const void *source, ptrdiff_t dst, ptrdiff_t sst,
		      size_t nelems, size_t esize);
/* update_root: root's own dest receives the data as well. */
void shmemi_broadcast(const char *api, struct shmem_team *team, void *dest,
		      const void *source, size_t nelems, size_t esize, int root,
		      int update_root);
void shmemi_collect(const char *api, struct shmem_team *team, void *dest,
		    const void *source, size_t nelems, size_t esize);
void shmemi_fcollect(const char *api, struct shmem_team *team, void *dest,
		     const void *source, size_t nelems, size_t esize);

/*
 * What one call of a collective is, for the checks: dest and source of so many
 * elements; agree must be the same on all members, and root, which is -1 where
 * there is none.
 */
struct coll_args {
	const void *dest, *source;
	size_t ndest, nsource, esize;
	size_t agree;
	int root;
	int in_place;
};

/* See check.h. _alike: dest and source of nelems each, which may be one. */
void coll_check(const char *api, struct shmem_team *team,
		const struct coll_args *args);
void coll_check_alike(const char *api, struct shmem_team *team,
		      const void *dest, const void *source, size_t nelems,
		      size_t esize, int root);

/* Ends the job if members call different routines or with other values. */
void coll_agree(const char *api, struct shmem_team *team, size_t value,
		int root);

#endif
