/* SPDX-License-Identifier: BSD-3-Clause */
/* Algorithms of collectives on teams with far members, and who takes which. */
#ifndef SHMEMI_COLL_TABLE_H
#define SHMEMI_COLL_TABLE_H

#include "host/coll.h"

enum coll_op {
	COLL_ALLTOALL,
	COLL_ALLTOALLS,
	COLL_BROADCAST,
	COLL_COLLECT,
	COLL_FCOLLECT,
	COLL_REDUCE,
	COLL_SCAN,
};

/* The arguments of one call; those that its operation has not are 0. */
struct coll_call {
	const char *api;
	struct shmem_team *team;
	void *dest;
	const void *source;
	size_t nelems, esize;
	ptrdiff_t dst, sst;
	int root, update_root;
	void (*reduce)(void *out, const void *a, const void *b, size_t n);
	int inclusive;
};

static inline size_t coll_call_bytes(const struct coll_call *call)
{
	return call->nelems * call->esize;
}

/* Runs the call by the algorithm that the table, or the user, names. */
void coll_run(enum coll_op op, const struct coll_call *call);

/*
 * What the rows of the table name, for teams with far members. _fits: whether
 * the algorithm can run the call at all.
 */
void coll_alltoall_flat(const struct coll_call *call);
void coll_alltoall_node(const struct coll_call *call);
int coll_alltoall_node_fits(const struct coll_call *call);
void coll_alltoalls_flat(const struct coll_call *call);
void coll_alltoalls_node(const struct coll_call *call);
int coll_alltoalls_node_fits(const struct coll_call *call);
void coll_broadcast_flat(const struct coll_call *call);
void coll_broadcast_node(const struct coll_call *call);
int coll_broadcast_node_fits(const struct coll_call *call);
void coll_broadcast_direct(const struct coll_call *call);
int coll_broadcast_direct_fits(const struct coll_call *call);
void coll_collect_flat(const struct coll_call *call);
void coll_collect_direct(const struct coll_call *call);
void coll_fcollect_flat(const struct coll_call *call);
void coll_fcollect_node(const struct coll_call *call);
int coll_fcollect_node_fits(const struct coll_call *call);
void coll_fcollect_direct(const struct coll_call *call);
void coll_reduce_flat(const struct coll_call *call);
void coll_reduce_node(const struct coll_call *call);
int coll_reduce_node_fits(const struct coll_call *call);
void coll_reduce_lanes(const struct coll_call *call);
int coll_reduce_lanes_fits(const struct coll_call *call);
void coll_scan_flat(const struct coll_call *call);
void coll_scan_node(const struct coll_call *call);
int coll_scan_node_fits(const struct coll_call *call);

#endif
