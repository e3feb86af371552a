/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/coll_table.h"

/* A step that pushes this member's block to all, offset bytes into dest. */
static void push_block(const char *api, struct shmem_team *team, void *dest,
		       const void *source, size_t bytes, size_t offset)
{
	coll_step_begin(team);
	for (int i = 1; i < team->n_pes; i++)
		coll_push(api, team, coll_peer(team, i), dest, offset, source,
			  bytes);
	if (bytes)
		shmemi_move((char *)dest + offset, source, bytes);
	for (int i = 1; i < team->n_pes; i++)
		coll_receive(team, coll_peer(team, i));
	coll_step_end(team, 1);
}

void coll_fcollect_flat(const struct coll_call *call)
{
	size_t bytes = coll_call_bytes(call);

	coll_room(call->team, 1);
	push_block(call->api, call->team, call->dest, call->source, bytes,
		   bytes * (size_t)call->team->me);
}

static struct coll_call call_of(const char *api, struct shmem_team *team,
				void *dest, const void *source, size_t nelems,
				size_t esize)
{
	return (struct coll_call){
		.api = api,
		.team = team,
		.dest = dest,
		.source = source,
		.nelems = nelems,
		.esize = esize,
	};
}

static void fcollect_far(const struct coll_call call)
{
	coll_run(COLL_FCOLLECT, &call);
}

static void check_fcollect(const char *api, struct shmem_team *team,
			   const void *dest, const void *source, size_t nelems,
			   size_t esize)
{
	const struct coll_args args = {
		.dest = dest,
		.source = source,
		.ndest = nelems * (size_t)team->n_pes,
		.nsource = nelems,
		.esize = esize,
		.agree = nelems * esize,
		.root = -1,
	};

	coll_check(api, team, &args);
}

void shmemi_fcollect(const char *api, struct shmem_team *team, void *dest,
		     const void *source, size_t nelems, size_t esize)
{
	size_t bytes = nelems * esize;

	if (unlikely(shmemi.guard))
		check_fcollect(api, team, dest, source, nelems, esize);
	if (unlikely(team->nodes != NULL))
		fcollect_far(call_of(api, team, dest, source, nelems, esize));
	else if (bytes <= COLL_INLINE)
		coll_exchange(team, source, bytes, dest);
	else
		push_block(api, team, dest, source, bytes,
			   bytes * (size_t)team->me);
}

/* A step that adds up what the members before this one bring. */
static size_t exclusive_sum(struct shmem_team *team, size_t bytes)
{
	size_t sum = 0;

	coll_step_begin(team);
	for (int i = 1; i < team->n_pes; i++)
		coll_send(team, coll_peer(team, i), &bytes, sizeof(bytes));
	for (int i = 1; i < team->n_pes; i++) {
		int from = coll_peer(team, i);
		size_t theirs;

		memcpy(&theirs, coll_receive(team, from), sizeof(theirs));
		if (from < team->me)
			sum += theirs;
	}
	coll_step_end(team, 1);
	return sum;
}

static void collect(const char *api, struct shmem_team *team, void *dest,
		    const void *source, size_t bytes)
{
	push_block(api, team, dest, source, bytes, exclusive_sum(team, bytes));
}

void coll_collect_flat(const struct coll_call *call)
{
	coll_room(call->team, 2);
	collect(call->api, call->team, call->dest, call->source,
		coll_call_bytes(call));
}

static void collect_far(const struct coll_call call)
{
	coll_run(COLL_COLLECT, &call);
}

/* Lengths may differ; dest has room for ours at least. */
static void check_collect(const char *api, struct shmem_team *team,
			  const void *dest, const void *source, size_t nelems,
			  size_t esize)
{
	const struct coll_args args = {
		.dest = dest,
		.source = source,
		.ndest = nelems,
		.nsource = nelems,
		.esize = esize,
		.root = -1,
	};

	coll_check(api, team, &args);
}

void shmemi_collect(const char *api, struct shmem_team *team, void *dest,
		    const void *source, size_t nelems, size_t esize)
{
	if (unlikely(shmemi.guard))
		check_collect(api, team, dest, source, nelems, esize);
	if (unlikely(team->nodes != NULL))
		collect_far(call_of(api, team, dest, source, nelems, esize));
	else
		collect(api, team, dest, source, nelems * esize);
}
