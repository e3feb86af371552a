/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/log.h"
#include "host/check.h"
#include "host/coll_node.h"

static int use_central, use_flat;

void coll_sync_choose(int algorithm, int oversubscribed)
{
	use_flat = algorithm == SHMEMI_BARRIER_DISSEMINATION;
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
	if (flag_arrive(&hub->arrivals.value) == round * n)
		flag_store(&hub->release.value, round);
	else
		coll_wait(&hub->release.value, round);
	coll_step_end(team, 1);
}

/* As sync_flat, of nodes: member i of them is the first of node i. */
static void sync_leaders(struct shmem_team *team)
{
	const struct coll_nodes *nodes = team->nodes;
	int n = nodes->n;

	for (int ahead = 1; ahead < n; ahead *= 2) {
		int to = coll_node_next(nodes, ahead);
		int from = coll_node_next(nodes, n - ahead);

		coll_send(team, coll_node_member(nodes, to, 0), NULL, 0);
		coll_receive(team, coll_node_member(nodes, from, 0));
	}
}

/* One crossing of the network for two nodes, and one message each way. */
static void sync_node(struct shmem_team *team)
{
	const struct coll_nodes *nodes = team->nodes;
	int leader = coll_node_member(nodes, nodes->mine, 0);

	coll_step_begin(team);
	if (team->me == leader) {
		coll_near_receive_all(team);
		sync_leaders(team);
		coll_near_send_all(team);
	} else {
		coll_send(team, leader, NULL, 0);
		coll_receive(team, leader);
	}
	coll_step_end(team, 1);
}

void coll_sync(struct shmem_team *team)
{
	if (unlikely(team->nodes && !use_flat))
		sync_node(team);
	else if (team->n_pes > 2 && use_central)
		sync_central(team);
	else
		coll_sync_flat(team);
}

/* Every routine that makes members meet. */
static void meet(const char *api, struct shmem_team *team)
{
	shmemi_trace(SYNC, "%s of %d PEs", shmemi_api(api), team->n_pes);
	if (unlikely(shmemi.guard & SHMEMI_GUARD_CHECK))
		coll_agree(api, team, 0, -1);
	coll_sync(team);
}

void pshmem_sync_all(void)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	meet(__func__, &shmemi_team_world);
}
weak_alias(pshmem_sync_all, shmem_sync_all);

void pshmem_barrier_all(void)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	pshmem_quiet();
	meet(__func__, &shmemi_team_world);
}
weak_alias(pshmem_barrier_all, shmem_barrier_all);

int pshmem_team_sync(shmem_team_t handle)
{
	struct shmem_team *team = shmemi_team(handle);

	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	if (!team)
		return -1;
	meet(__func__, team);
	return 0;
}
weak_alias(pshmem_team_sync, shmem_team_sync);

void pshmem_sync(int PE_start, int logPE_stride, int PE_size, long *pSync)
{
	(void)pSync;
	meet(__func__,
	     shmemi_active_set(__func__, PE_start, logPE_stride, PE_size));
}
weak_alias(pshmem_sync, shmem_sync);

void pshmem_barrier(int PE_start, int logPE_stride, int PE_size, long *pSync)
{
	(void)pSync;
	pshmem_quiet();
	meet(__func__,
	     shmemi_active_set(__func__, PE_start, logPE_stride, PE_size));
}
weak_alias(pshmem_barrier, shmem_barrier);
