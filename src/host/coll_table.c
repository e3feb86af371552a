/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/coll_table.h"

#include "base/log.h"
#include "host/coll_node.h"

#define ANY SIZE_MAX
#define NONE -1

/*
 * A call takes the first row of its operation that its block's bytes suit, or
 * the first that has the user's word; that can run it; and whose stage there
 * is. The bytes are estimates, from a busy machine, two nodes over TCP.
 */
static const struct row {
	enum coll_op op;
	int word;
	size_t most_bytes;
	int stage;
	int (*fits)(const struct coll_call *call);
	void (*run)(const struct coll_call *call);
} rows[] = {
	{ COLL_ALLTOALL, SHMEMI_COLL_NODE, 2048, COLL_STAGE_SMALL,
	  coll_alltoall_node_fits, coll_alltoall_node },
	{ COLL_ALLTOALL, SHMEMI_COLL_FLAT, ANY, NONE, NULL,
	  coll_alltoall_flat },
	{ COLL_ALLTOALLS, SHMEMI_COLL_NODE, ANY, COLL_STAGE_SMALL,
	  coll_alltoalls_node_fits, coll_alltoalls_node },
	{ COLL_ALLTOALLS, SHMEMI_COLL_FLAT, ANY, NONE, NULL,
	  coll_alltoalls_flat },
	{ COLL_BROADCAST, SHMEMI_COLL_NODE, 16384, COLL_STAGE_CAST,
	  coll_broadcast_node_fits, coll_broadcast_node },
	{ COLL_BROADCAST, SHMEMI_COLL_DIRECT, ANY, COLL_STAGE_CAST,
	  coll_broadcast_direct_fits, coll_broadcast_direct },
	{ COLL_BROADCAST, SHMEMI_COLL_FLAT, ANY, NONE, NULL,
	  coll_broadcast_flat },
	{ COLL_COLLECT, SHMEMI_COLL_DIRECT, ANY, NONE, NULL,
	  coll_collect_direct },
	{ COLL_COLLECT, SHMEMI_COLL_FLAT, ANY, NONE, NULL, coll_collect_flat },
	{ COLL_FCOLLECT, SHMEMI_COLL_NODE, 4096, COLL_STAGE_SMALL,
	  coll_fcollect_node_fits, coll_fcollect_node },
	{ COLL_FCOLLECT, SHMEMI_COLL_DIRECT, ANY, NONE, NULL,
	  coll_fcollect_direct },
	{ COLL_FCOLLECT, SHMEMI_COLL_FLAT, ANY, NONE, NULL,
	  coll_fcollect_flat },
	{ COLL_REDUCE, SHMEMI_COLL_NODE, 16384, COLL_STAGE_SMALL,
	  coll_reduce_node_fits, coll_reduce_node },
	{ COLL_REDUCE, SHMEMI_COLL_DIRECT, ANY, COLL_STAGE_LONG,
	  coll_reduce_lanes_fits, coll_reduce_lanes },
	{ COLL_REDUCE, SHMEMI_COLL_FLAT, ANY, NONE, NULL, coll_reduce_flat },
	{ COLL_SCAN, SHMEMI_COLL_NODE, ANY, COLL_STAGE_SMALL,
	  coll_scan_node_fits, coll_scan_node },
	{ COLL_SCAN, SHMEMI_COLL_FLAT, ANY, NONE, NULL, coll_scan_flat },
};

#define N_ROWS (sizeof(rows) / sizeof(*rows))

static int wanted(enum coll_op op)
{
	switch (op) {
	case COLL_ALLTOALL:
	case COLL_ALLTOALLS:
		return shmemi.env.alltoall_algorithm;
	case COLL_BROADCAST:
		return shmemi.env.broadcast_algorithm;
	case COLL_COLLECT:
	case COLL_FCOLLECT:
		return shmemi.env.collect_algorithm;
	default:
		return shmemi.env.reduce_algorithm;
	}
}

static int suits(const struct row *row, const struct coll_call *call, int word)
{
	if (word == SHMEMI_COLL_AUTO)
		return coll_call_bytes(call) <= row->most_bytes;
	return word == row->word;
}

static int can_run(const struct row *row, const struct coll_call *call)
{
	if (row->fits && !row->fits(call))
		return 0;
	return row->stage == NONE || coll_stage_open(call->team, row->stage);
}

static const struct row *find(enum coll_op op, const struct coll_call *call,
			      int word)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (rows[i].op == op && suits(&rows[i], call, word) &&
		    can_run(&rows[i], call))
			return &rows[i];
	return NULL;
}

void coll_run(enum coll_op op, const struct coll_call *call)
{
	const struct row *row = find(op, call, wanted(op));

	if (!row)
		row = find(op, call, SHMEMI_COLL_AUTO);
	row->run(call);
}
