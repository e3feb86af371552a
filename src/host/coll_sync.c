/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/check.h"
#include "host/coll.h"
#include "base/log.h"

static int use_central;

void coll_sync_choose(int algorithm, int oversubscribed)
{
	use_central = algorithm == SHMEMI_BARRIER_CENTRAL ||
		      (algorithm == SHMEMI_BARRIER_AUTO && oversubscribed);
}

/* In round r each member tells the one 2^r ahead and hears from behind. */
void coll_sync_flat(struct shmem_team *team)
{
	int n = team->n_pes;

	coll_step_begin(team);
	for (int ahead = 1; ahead < n; ahead *= 2) {
		coll_send(team, coll_peer(team, ahead), NULL, 0);
		coll_receive(team, coll_peer(team, n - ahead));
	}
	coll_step_end(team, 1);
}

/* One wake-up a member, where more members than cores take turns. */
static void sync_central(struct shmem_team *team)
{
	struct coll_block *hub = team->block[0];
	uint64_t round = ++team->central_rounds;
	uint64_t n = (uint64_t)team->n_pes;

	coll_step_begin(team);
	if (__atomic_add_fetch(&hub->arrivals.value, 1, __ATOMIC_ACQ_REL) ==
	    round * n)
		flag_store(&hub->release.value, round);
	else
		coll_wait(&hub->release.value, round);
	coll_step_end(team, 1);
}

void coll_sync(struct shmem_team *team)
{
	if (team->n_pes > 2 && use_central)
		sync_central(team);
	else
		coll_sync_flat(team);
}

void pshmem_sync_all(void)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	coll_sync(&shmemi_team_world);
}
weak_alias(pshmem_sync_all, shmem_sync_all);

void pshmem_barrier_all(void)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	pshmem_quiet();
	coll_sync(&shmemi_team_world);
}
weak_alias(pshmem_barrier_all, shmem_barrier_all);

int pshmem_team_sync(shmem_team_t handle)
{
	struct shmem_team *team = shmemi_team(handle);

	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	if (!team)
		return -1;
	coll_sync(team);
	return 0;
}
weak_alias(pshmem_team_sync, shmem_team_sync);

void pshmem_sync(int PE_start, int logPE_stride, int PE_size, long *pSync)
{
	(void)pSync;
	coll_sync(shmemi_active_set(__func__, PE_start, logPE_stride,
				    PE_size));
}
weak_alias(pshmem_sync, shmem_sync);

void pshmem_barrier(int PE_start, int logPE_stride, int PE_size, long *pSync)
{
	(void)pSync;
	pshmem_quiet();
	coll_sync(shmemi_active_set(__func__, PE_start, logPE_stride,
				    PE_size));
}
weak_alias(pshmem_barrier, shmem_barrier);
