/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams, as kernels see them. */
#ifndef SHMEM_DEVICE_TEAM_H
#define SHMEM_DEVICE_TEAM_H

#include <shmem/device/reach.h>

/* The team of an argument; NULL for SHMEM_TEAM_INVALID only. */
SHMEMD_FN const struct shmemd_team *shmemd_team_arg(const char *api,
						    shmem_team_t handle)
{
	return handle == SHMEM_TEAM_INVALID ? NULL : shmemd_team(api, handle);
}

SHMEMD_FN int shmemd_team_my_pe(const char *api, shmem_team_t handle)
{
	const struct shmemd_team *team = shmemd_team_arg(api, handle);

	return team ? team->me : -1;
}

SHMEMD_FN int shmemd_team_n_pes(const char *api, shmem_team_t handle)
{
	const struct shmemd_team *team = shmemd_team_arg(api, handle);

	return team ? team->n_pes : -1;
}

/* The member that is world PE pe, -1 if none is. */
SHMEMD_FN int shmemd_team_member(const struct shmemd_team *team, int pe)
{
	const int n = team->n_pes, far = pe - team->start;
	int i;

	if (!team->map) {
		if (!team->stride)
			return far ? -1 : 0;
		i = far / team->stride;
		return i >= 0 && i < n && i * team->stride == far ? i : -1;
	}
	for (i = 0; i < n; i++)
		if (team->map[i] == pe)
			return i;
	return -1;
}

SHMEMD_FN int shmemd_team_translate(const char *api, shmem_team_t src_team,
				    int src_pe, shmem_team_t dest_team)
{
	const struct shmemd_team *src = shmemd_team_arg(api, src_team);
	const struct shmemd_team *dest = shmemd_team_arg(api, dest_team);

	if (!src || !dest || src_pe < 0 || src_pe >= src->n_pes)
		return -1;
	return shmemd_team_member(dest, shmemd_team_pe(src, src_pe));
}

#endif
