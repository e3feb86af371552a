/* SPDX-License-Identifier: BSD-3-Clause */
/* The collectives that only meet. */
#ifndef SHMEM_DEVICE_COLL_SYNC_H
#define SHMEM_DEVICE_COLL_SYNC_H

#include <shmem/device/sync_far.h>

SHMEMD_FN void shmemd_team_meet(enum shmemd_scope s,
				const struct shmemd_team *team)
{
	if (SHMEMD_UNLIKELY(team->far))
		shmemd_far_sync(s, team);
	else
		shmemd_meet(s, team, SHMEMD_OWED_STORES);
}

SHMEMD_FN int shmemd_team_sync(enum shmemd_scope s, const char *api,
			       shmem_team_t handle)
{
	const struct shmemd_team *team = shmemd_team_arg(api, handle);

	if (!team)
		return -1;
	shmemd_team_meet(s, team);
	return 0;
}

/* The meeting's order is quiet: of stores, and of what went to far PEs. */
SHMEMD_FN void shmemd_barrier_all(enum shmemd_scope s)
{
	shmemd_team_meet(s, &shmemd_block.world);
}

SHMEMD_FN void shmemd_sync_all(enum shmemd_scope s)
{
	shmemd_team_meet(s, &shmemd_block.world);
}

#endif
