/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Casts: what broadcasts send from node to node. They are numbered alike on all
 * members, beside the steps. A cast has a slot and, if its data is not put into
 * dest, a place in COLL_STAGE_CAST of one member of each node, the head, where
 * its near members find both. So nobody waits for those who hear: who sends
 * knows from a later step in which all heard from all, that casts were left.
 */
#ifndef SHMEMI_COLL_CAST_H
#define SHMEMI_COLL_CAST_H

#include "host/coll_node.h"

/* Bytes of the casts' data that are under way at most: whole cache lines. */
size_t coll_cast_room(void);

/*
 * The next cast, by all members; makes them meet if all slots, or the room for
 * so many bytes, are taken.
 */
void coll_cast_begin(struct shmem_team *team, size_t bytes);

/* Waits for the cast at a near head; its data if it is in the stage. */
const void *coll_cast_look(struct shmem_team *team, int head, size_t bytes);

/* To the head of another node, or to near members, who find it with me. */
void coll_cast_send(struct shmem_team *team, int to, const void *data,
		    size_t bytes);
void coll_cast_show(struct shmem_team *team, const void *data, size_t bytes);

/* The same, but with data in dest, offset bytes into it. */
void coll_cast_push(const char *api, struct shmem_team *team, int to,
		    const void *dest, size_t offset, const void *src,
		    size_t bytes);

/*
 * Says that I have left the newest cast, and waits until all near peers have.
 */
void coll_cast_leave(struct shmem_team *team);
void coll_cast_wait_near(struct shmem_team *team);

#endif
