/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins of the members' arrays, of one length or of different ones. */
#ifndef SHMEM_DEVICE_COLL_COLLECT_H
#define SHMEM_DEVICE_COLL_COLLECT_H

#include <shmem/device/coll_alltoall.h>

SHMEMD_CALL int shmemd_fcollect(enum shmemd_scope s, const char *api,
				shmem_team_t handle, void *dest,
				const void *source, size_t nelems, size_t esize)
{
	const struct shmemd_team *team = shmemd_team_arg(api, handle);

	if (!team)
		return -1;
	shmemd_coll_check(api, dest, nelems * (size_t)team->n_pes, source,
			  nelems, esize, 0);
	shmemd_all_to_all(s, api, team, dest, source, 0, nelems * esize);
	return 0;
}

/* What the members before this one bring, as they said in a meeting. */
SHMEMD_FN size_t shmemd_collect_before(enum shmemd_scope s,
				       const struct shmemd_team *team,
				       int which)
{
	size_t sum = 0;
	int i;

	for (i = 0; i < team->me; i++)
		sum += shmemd_load64(
			&shmemd_arrival_of(s, team->sync, i)->value[which]);
	return sum;
}

SHMEMD_FN int shmemd_collect_in(enum shmemd_scope s, const char *api,
				shmem_team_t handle, void *dest,
				const void *source, size_t nelems, size_t esize)
{
	const struct shmemd_team *team = shmemd_team_arg(api, handle);
	const size_t bytes = nelems * esize;
	struct shmemd_array to;
	int which;

	if (!team)
		return -1;
	/* The others' lengths are unknown yet. */
	shmemd_coll_check(api, dest, nelems, source, nelems, esize, 0);
	if (SHMEMD_UNLIKELY(team->far))
		return shmemd_far_collect(s, api, team, dest, source, bytes);
	to = shmemd_array_at(api, dest, bytes, 1);
	which = shmemd_meet_with(s, team, SHMEMD_OWED_STORES, bytes);
	shmemd_push(s, team, &to, shmemd_collect_before(s, team, which),
		    (const char *)source, 0, bytes);
	shmemd_meet(s, team, SHMEMD_OWED_PUTS);
	return 0;
}

SHMEMD_PER_SCOPE(shmemd_collect,
		 (const char *api, shmem_team_t handle, void *dest,
		  const void *source, size_t nelems, size_t esize),
		 api, handle, dest, source, nelems, esize)

SHMEMD_FN int shmemd_collect(enum shmemd_scope s, const char *api,
			     shmem_team_t handle, void *dest,
			     const void *source, size_t nelems, size_t esize)
{
	return SHMEMD_IN_SCOPE(s, shmemd_collect, api, handle, dest, source,
			       nelems, esize);
}

#endif
