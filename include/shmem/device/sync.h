/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the members of a team meet: one flight of atomics, whatever the scope.
 *
 * Each member adds SHMEMD_ARRIVAL to a count in every member's block, its own
 * included, and waits until all counts of its own block have reached the next
 * multiple. All know which one from the count of their own arrivals, read
 * before they arrive, so that nothing is reset or kept beside it. A grid's
 * work-groups share the amount: only the last one's arrival makes a multiple.
 * Scopes and grids of members need not be alike.
 *
 * Nobody loads its own count too late: an item loads it before the barrier of
 * its work-group that precedes that work-group's arrival, without which the
 * count stays below the multiple. Nobody is too early either: to arrive again
 * it must have left, so all of its peers have arrived once, and a count that
 * is past what a slow peer waits for is enough.
 */
#ifndef SHMEM_DEVICE_SYNC_H
#define SHMEM_DEVICE_SYNC_H

#include <shmem/device/sync_block.h>
#include <shmem/device/team.h>

/* What the caller wrote that peers may look at after the meeting. */
enum shmemd_owed {
	SHMEMD_OWED_PUTS,   /* bypassing stores to memory of kernels */
	SHMEMD_OWED_STORES, /* any stores to memory of kernels */
	SHMEMD_OWED_ALL	    /* whatever shmem_quiet completes */
};

/* Who of a scope is in one work-group. */
SHMEMD_FN enum shmemd_scope shmemd_within_wg(enum shmemd_scope s)
{
	return s == SHMEMD_GRID ? SHMEMD_WG : s;
}

/* From my copy of what is in the heap of kernels, or beside it, to PE pe's. */
SHMEMD_FN ptrdiff_t shmemd_distance(int pe)
{
	return SHMEMD_LIKELY(pe < SHMEMD_NEAR) ? shmemd_block.delta[pe] :
						 shmemd_block.deltas[pe];
}

/* Member i's block, as this PE reaches it. */
SHMEMD_FN struct shmemd_sync *shmemd_sync_of(const struct shmemd_team *team,
					     int i)
{
	if (team->syncs)
		return team->syncs[i];
	return (struct shmemd_sync *)((char *)team->sync +
				      shmemd_distance(shmemd_team_pe(team, i)));
}

SHMEMD_FN struct shmemd_mail *shmemd_mail_of(struct shmemd_sync *sync, int from)
{
	return (struct shmemd_mail *)(sync + 1) + from;
}

/* My arrivals so far, a part of one included: SHMEMD_ARRIVAL for each. */
SHMEMD_FN uint64_t shmemd_arrivals(const struct shmemd_team *team)
{
	return shmemd_load64(&shmemd_mail_of(team->sync, team->me)->count);
}

SHMEMD_FN uint64_t shmemd_arrival_share(enum shmemd_scope s)
{
	if (s != SHMEMD_GRID)
		return SHMEMD_ARRIVAL;
	return shmemd_wg() ? 1 : SHMEMD_ARRIVAL - (shmemd_nwgs() - 1);
}

/* What was written, then flags: as shmemd_payload_before_flag. */
SHMEMD_FN void shmemd_owed_before_flag(enum shmemd_scope s, int stores_flag,
				       enum shmemd_owed owed)
{
	if (owed == SHMEMD_OWED_PUTS) {
		shmemd_put_before_flag(s, stores_flag,
				       shmemd_block.same_device != 0);
		return;
	}
	if (owed == SHMEMD_OWED_STORES) {
		shmemd_payload_before_flag(s, stores_flag);
		return;
	}
	if (SHMEMD_RELEASE_BEFORE_BARRIER)
		shmemd_release(0);
	shmemd_scope_sync(s);
	if (!SHMEMD_RELEASE_BEFORE_BARRIER && stores_flag)
		shmemd_release(0);
}

/* Returns when all members have called; what they owed can be read then. */
SHMEMD_FN void shmemd_meet(enum shmemd_scope s, const struct shmemd_team *team,
			   enum shmemd_owed owed)
{
	const enum shmemd_scope mine = shmemd_within_wg(s);
	const unsigned int n = (unsigned int)team->n_pes;
	const unsigned int size = shmemd_scope_size(mine);
	const unsigned int first = shmemd_scope_index(mine);
	const uint64_t share = shmemd_arrival_share(s);
	struct shmemd_wait wait = { { 0 }, 0 };
	uint64_t enough = 0;
	unsigned int i;

	if (first < n)
		enough = (shmemd_arrivals(team) | (SHMEMD_ARRIVAL - 1)) + 1;
	shmemd_owed_before_flag(mine, first < n, owed);
	for (i = first; i < n; i += size)
		shmemd_red64(
			SHMEMD_ADD,
			&shmemd_mail_of(shmemd_sync_of(team, (int)i), team->me)
				 ->count,
			share, 0);
	for (i = first; i < n; i += size)
		while (shmemd_load64(
			       &shmemd_mail_of(team->sync, (int)i)->count) <
		       enough)
			shmemd_wait_turn(&wait);
	shmemd_flag_seen_before_payload(mine, first < n);
}

/*
 * shmemd_meet that brings a value to all. Returns which of a mail's values is
 * this meeting's; it stays until this PE has left its next meeting.
 */
SHMEMD_FN int shmemd_meet_with(enum shmemd_scope s,
			       const struct shmemd_team *team,
			       enum shmemd_owed owed, uint64_t value)
{
	const enum shmemd_scope mine = shmemd_within_wg(s);
	const unsigned int size = shmemd_scope_size(mine);
	const int which = shmemd_arrivals(team) / SHMEMD_ARRIVAL & 1;
	unsigned int i = shmemd_scope_index(mine);

	if (s == SHMEMD_GRID && shmemd_wg())
		i = (unsigned int)team->n_pes;
	for (; i < (unsigned int)team->n_pes; i += size)
		shmemd_store64(
			&shmemd_mail_of(shmemd_sync_of(team, (int)i), team->me)
				 ->value[which],
			value);
	shmemd_meet(s, team, owed);
	return which;
}

SHMEMD_FN int shmemd_team_sync(enum shmemd_scope s, const char *api,
			       shmem_team_t handle)
{
	const struct shmemd_team *team = shmemd_team_arg(api, handle);

	if (!team)
		return -1;
	shmemd_meet(s, team, SHMEMD_OWED_STORES);
	return 0;
}

/* Loads and stores reach all of the world, so the meeting's order is quiet. */
SHMEMD_FN void shmemd_barrier_all(enum shmemd_scope s)
{
	shmemd_meet(s, &shmemd_block.world, SHMEMD_OWED_ALL);
}

SHMEMD_FN void shmemd_sync_all(enum shmemd_scope s)
{
	shmemd_meet(s, &shmemd_block.world, SHMEMD_OWED_STORES);
}

#endif
