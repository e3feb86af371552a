/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * As many teams of half the PEs as kernels are said to know: each meets on a
 * stream.
 * PES: 4 8
 */
#include <shmem/stream.h>

#include "common.h"

enum { TEAMS = 240 };

static shmem_team_t teams[TEAMS];

int main(void)
{
	gpu_begin();
	for (int i = 0; i < TEAMS; i++) {
		const int half = gpu_me < gpu_n / 2 ? 0 : gpu_n / 2;
		shmem_team_t low, high;

		GPU_CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1,
						      gpu_n / 2, NULL, 0, &low),
			     0);
		GPU_CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD,
						      gpu_n / 2, 1, gpu_n / 2,
						      NULL, 0, &high),
			     0);
		teams[i] = half ? high : low;
		GPU_CHECK_EQ(shmemx_team_sync_on_stream(teams[i], NULL), 0);
	}
	GPU_CHECK_EQ(shmemx_stream_synchronize(NULL), 0);
	for (int i = 0; i < TEAMS; i++)
		shmem_team_destroy(teams[i]);
	return gpu_end();
}
