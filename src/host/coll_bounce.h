/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks between members of a team where neither end is symmetric: the sender
 * copies a piece of each to its sync segment and says where, in this step's
 * message; the receiver gets it from there. Two halves take turns, so a message
 * of the next step says that the half before is free again. A few bytes travel
 * in the message itself, and all do where the segment is full.
 */
#ifndef SHMEMI_COLL_BOUNCE_H
#define SHMEMI_COLL_BOUNCE_H

#include "host/coll.h"

/* What goes to a member and what comes from it; it moves on with each step. */
struct coll_part {
	const char *source;
	size_t out_bytes;
	char *dest;
	size_t in_bytes;
};

struct coll_bounce {
	const char *api; /* in errors */
	struct shmem_team *team;
	size_t offset; /* of both halves, in my sync segment */
	size_t piece;  /* bytes for a member in a step; 0: there is no memory */
	int half;
};

/* For blocks of up to so many bytes; on this member alone. */
struct coll_bounce coll_bounce_open(const char *api, struct shmem_team *team,
				    size_t most_bytes);

/*
 * As many steps, at least one, as the longest block of any pair takes; by all
 * members. part is by member; this one's own is not looked at. A block has the
 * same length on both sides.
 */
void coll_bounce_run(struct coll_bounce *bounce, struct coll_part *part);

/* After one more step, of any kind, in which this member heard from all. */
void coll_bounce_close(struct coll_bounce *bounce);

#endif
