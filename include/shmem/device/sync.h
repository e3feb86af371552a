/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the members of a team meet: one flight of stores or atomics.
 *
 * Each member has a count in every member's block. It raises it in all and
 * waits until those in its own block, one a member, are as high. The number of
 * the meeting is in its own count of itself, so that nothing is reset.
 *
 * Of groups (thread, wave, work-group) one item stores the number to each peer.
 * The own count is this PE's alone; it is raised at once: all of the group
 * loaded it before the barrier that precedes their stores.
 *
 * Grids have counts of their own, to which work-groups add: they share
 * SHMEMD_ARRIVAL, so that only the last one's makes a multiple. A work-group
 * waits for all counts, its PE's too. An item loads the number before the
 * barrier that precedes its work-group's adding, without which the count stays
 * below the multiple. Shapes of the members' grids need not be alike.
 *
 * Nobody is too early: to arrive again it must have left, so all of its peers
 * have arrived once, and a count that is past what a slow peer waits for is
 * enough.
 */
#ifndef SHMEM_DEVICE_SYNC_H
#define SHMEM_DEVICE_SYNC_H

#include <shmem/device/sync_block.h>
#include <shmem/device/team.h>

/* What the caller wrote that peers may look at after the meeting. */
enum shmemd_owed {
	SHMEMD_OWED_PUTS,  /* bypassing stores to memory of kernels */
	SHMEMD_OWED_STORES /* any stores */
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

SHMEMD_FN struct shmemd_arrival *
shmemd_arrival_of(enum shmemd_scope s, struct shmemd_sync *sync, int from)
{
	struct shmemd_mail *mail = shmemd_mail_of(sync, from);

	return s == SHMEMD_GRID ? &mail->grid : &mail->group;
}

/* The number of the meeting that comes, as counts will show it. */
SHMEMD_FN uint64_t shmemd_meeting(enum shmemd_scope s,
				  const struct shmemd_team *team)
{
	uint64_t *count = &shmemd_arrival_of(s, team->sync, team->me)->count;

	if (s == SHMEMD_GRID)
		return (shmemd_load64(count) | (SHMEMD_ARRIVAL - 1)) + 1;
	return shmemd_local_load64(count) + 1;
}

/* This work-group's part of the grid's arrival. */
SHMEMD_FN uint64_t shmemd_arrival_share(void)
{
	return shmemd_wg() ? 1 : SHMEMD_ARRIVAL - (shmemd_nwgs() - 1);
}

/*
 * A grid gathers: its work-groups, of this PE alone. All of them arrive, and
 * who awaits the number that it arrived with knows that all have, and sees what
 * they wrote before; so do peers whom it tells then. One item of a work-group
 * has the number.
 */
SHMEMD_FN uint64_t *shmemd_gathered(const struct shmemd_team *team)
{
	return &shmemd_mail_of(team->sync, team->me)->grid.word;
}

SHMEMD_FN uint64_t shmemd_gather_arrive(const struct shmemd_team *team)
{
	const int first = shmemd_item() == 0;
	uint64_t *count = shmemd_gathered(team), number = 0;

	shmemd_scope_sync(SHMEMD_WG);
	if (first)
		number = (shmemd_load64(count) | (SHMEMD_ARRIVAL - 1)) + 1;
	shmemd_payload_before_flag(SHMEMD_WG, first);
	if (first)
		shmemd_red64(SHMEMD_ADD, count, shmemd_arrival_share(), 0);
	return number;
}

SHMEMD_FN void shmemd_gather_await(const struct shmemd_team *team,
				   uint64_t number)
{
	const int first = shmemd_item() == 0;
	struct shmemd_wait wait = { { 0 }, 0 };

	while (first && shmemd_load64(shmemd_gathered(team)) < number)
		shmemd_wait_turn(&wait);
	shmemd_flag_seen_before_payload(SHMEMD_WG, first);
}

SHMEMD_FN void shmemd_gather(const struct shmemd_team *team)
{
	shmemd_gather_await(team, shmemd_gather_arrive(team));
}

/* What was written, then flags: as shmemd_payload_before_flag. */
SHMEMD_FN void shmemd_owed_before_flag(enum shmemd_scope s, int stores_flag,
				       enum shmemd_owed owed)
{
	if (owed == SHMEMD_OWED_PUTS)
		shmemd_put_before_flag(s, stores_flag, shmemd_block.near != 0);
	else
		shmemd_payload_before_flag(s, stores_flag);
}

/* Tells member i of meeting number `number`. */
SHMEMD_FN void shmemd_arrive(enum shmemd_scope s,
			     const struct shmemd_team *team, int i,
			     uint64_t number)
{
	struct shmemd_arrival *at =
		shmemd_arrival_of(s, shmemd_sync_of(team, i), team->me);

	if (s == SHMEMD_GRID)
		shmemd_red64(SHMEMD_ADD, &at->count, shmemd_arrival_share(), 0);
	else if (i != team->me)
		shmemd_store64(&at->count, number);
}

/* Waits for member i; a group does not wait for itself. */
SHMEMD_FN void shmemd_arrival_await(enum shmemd_scope s,
				    const struct shmemd_team *team, int i,
				    uint64_t number)
{
	const uint64_t *count = &shmemd_arrival_of(s, team->sync, i)->count;
	struct shmemd_wait wait = { { 0 }, 0 };

	if (s != SHMEMD_GRID && i == team->me)
		return;
	while (shmemd_load64(count) < number)
		shmemd_wait_turn(&wait);
}

/* Returns when all members have called; what they owed can be read then. */
SHMEMD_FN void shmemd_meet(enum shmemd_scope s, const struct shmemd_team *team,
			   enum shmemd_owed owed)
{
	const enum shmemd_scope mine = shmemd_within_wg(s);
	const unsigned int n = (unsigned int)team->n_pes;
	const unsigned int size = shmemd_scope_size(mine);
	const unsigned int first = shmemd_scope_index(mine);
	uint64_t number = 0;
	unsigned int i;

	/* Some of the group may come from a call of a narrower scope. */
	shmemd_scope_sync(mine);
	if (first < n)
		number = shmemd_meeting(s, team);
	shmemd_owed_before_flag(mine, first < n, owed);
	for (i = first; i < n; i += size)
		shmemd_arrive(s, team, (int)i, number);
	if (s != SHMEMD_GRID && first == 0)
		shmemd_local_store64(
			&shmemd_arrival_of(s, team->sync, team->me)->count,
			number);
	for (i = first; i < n; i += size)
		shmemd_arrival_await(s, team, (int)i, number);
	shmemd_flag_seen_before_payload(mine, first < n);
}

/*
 * shmemd_meet that brings a value to all. Returns which of the values of the
 * scope's arrivals is this meeting's; it stays until this PE has left its next
 * meeting of the kind.
 */
SHMEMD_FN int shmemd_meet_with(enum shmemd_scope s,
			       const struct shmemd_team *team,
			       enum shmemd_owed owed, uint64_t value)
{
	const enum shmemd_scope mine = shmemd_within_wg(s);
	const unsigned int size = shmemd_scope_size(mine);
	unsigned int i = shmemd_scope_index(mine);
	uint64_t number;
	int which;

	shmemd_scope_sync(mine);
	number = shmemd_meeting(s, team);
	which = (s == SHMEMD_GRID ? number / SHMEMD_ARRIVAL : number) & 1;
	if (s == SHMEMD_GRID && shmemd_wg())
		i = (unsigned int)team->n_pes;
	for (; i < (unsigned int)team->n_pes; i += size)
		shmemd_store64(&shmemd_arrival_of(s,
						  shmemd_sync_of(team, (int)i),
						  team->me)
					->value[which],
			       value);
	shmemd_meet(s, team, owed);
	return which;
}

#endif
