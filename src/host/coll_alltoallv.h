/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges of blocks of different lengths. */
#ifndef SHMEMI_COLL_ALLTOALLV_H
#define SHMEMI_COLL_ALLTOALLV_H

#include "host/coll.h"

/* As its row has them; the tables are of any memory. */
struct coll_vectors {
	void *dest;
	const size_t *dest_nelems, *dest_offsets;
	const void *source;
	const size_t *source_nelems, *source_offsets;
	size_t esize;
};

/*
 * shmemx_alltoallv's body, by all members of the team. On return dest is
 * complete and source may be reused. Counts that differ end the job.
 */
void shmemi_alltoallv(const char *api, struct shmem_team *team,
		      const struct coll_vectors *v);

/*
 * With checks on: the tables are there and each block in its memory, no block
 * of dest overlaps another or one of source, all call the same routine. The
 * host reads the tables.
 */
void coll_alltoallv_check(const char *api, struct shmem_team *team,
			  const struct coll_vectors *v);

/* A block of this member: where peers find it. */
struct coll_spot {
	int seg; /* -1: not all of it is in one symmetric segment */
	size_t offset;
};

struct coll_spot coll_spot_of(const void *addr, size_t bytes);

/*
 * Where this PE loads and stores what a near member told of. Ends the job if
 * the member's segment is not mapped here.
 */
char *coll_spot_near(const char *api, const struct shmem_team *team, int member,
		     int seg, size_t offset);

#endif
