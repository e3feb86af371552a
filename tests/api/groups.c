/* SPDX-License-Identifier: BSD-3-Clause */
#include "api.h"

static long psync[SHMEM_SYNC_SIZE];

static int rank_in(const struct api_group *g)
{
	for (int i = 0; i < g->size; i++)
		if (g->start + i * g->stride == api_me)
			return i;
	return -1;
}

/* All PEs; the even ones; in reverse, or all but the first. */
size_t api_groups(bool active_sets, struct api_group *groups)
{
	size_t n = 0;

	groups[n++] = (struct api_group){ .stride = 1, .size = api_n };
	groups[n++] =
		(struct api_group){ .stride = 2, .size = (api_n + 1) / 2 };
	if (!active_sets)
		groups[n++] = (struct api_group){ .start = api_n - 1,
						  .stride = -1,
						  .size = api_n };
	else if (api_n > 1)
		groups[n++] = (struct api_group){ .start = 1,
						  .stride = 1,
						  .size = api_n - 1 };
	for (size_t i = 0; i < n; i++) {
		groups[i].rank = rank_in(&groups[i]);
		groups[i].team = SHMEM_TEAM_WORLD;
		if (!active_sets && i)
			shmem_team_split_strided(
				SHMEM_TEAM_WORLD, groups[i].start,
				groups[i].stride, groups[i].size, NULL, 0,
				&groups[i].team);
	}
	return n;
}

struct api_args api_group_args(const struct api_group *g, void *pwrk)
{
	return (struct api_args){
		.team = g->team,
		.dst = 1,
		.sst = 1,
		.start = g->start,
		.log_stride = g->stride == 2,
		.set_size = g->size,
		.psync = psync,
		.pwrk = pwrk,
	};
}

void api_psync_check(const struct api_routine *r)
{
	for (size_t i = 0; i < COUNT(psync); i++)
		if (psync[i] != SHMEM_SYNC_VALUE)
			api_fail(r->name, "pSync[%zu] is not restored", i);
}
