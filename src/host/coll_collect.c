/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/coll.h"

/* A step that pushes this member's block to all, offset bytes into dest. */
static void push_block(const char *api, struct shmem_team *team, void *dest,
		       const void *source, size_t bytes, size_t offset)
{
	coll_step_begin(team);
	for (int i = 0; i < team->n_pes; i++) {
		int to = coll_peer(team, i);

		if (bytes)
			shmemi_move(coll_direct(api, team, to, dest) + offset,
				    source, bytes);
		if (i)
			coll_send(team, to, NULL, 0);
	}
	for (int i = 1; i < team->n_pes; i++)
		coll_receive(team, coll_peer(team, i));
	coll_step_end(team, 1);
}

void shmemi_fcollect(const char *api, struct shmem_team *team, void *dest,
		     const void *source, size_t nelems, size_t esize)
{
	size_t bytes = nelems * esize, all = nelems * (size_t)team->n_pes;

	if (unlikely(shmemi.guard))
		coll_check(api, team,
			   &(const struct coll_args){ .dest = dest,
						      .source = source,
						      .ndest = all,
						      .nsource = nelems,
						      .esize = esize,
						      .agree = bytes,
						      .root = -1,
						      .in_place = 0 });
	if (bytes <= COLL_INLINE)
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

void shmemi_collect(const char *api, struct shmem_team *team, void *dest,
		    const void *source, size_t nelems, size_t esize)
{
	size_t bytes = nelems * esize;

	/* Lengths may differ; dest has room for ours at least. */
	if (unlikely(shmemi.guard))
		coll_check(api, team,
			   &(const struct coll_args){ .dest = dest,
						      .source = source,
						      .ndest = nelems,
						      .nsource = nelems,
						      .esize = esize,
						      .agree = 0,
						      .root = -1,
						      .in_place = 0 });
	push_block(api, team, dest, source, bytes, exclusive_sum(team, bytes));
}
