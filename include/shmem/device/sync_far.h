/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the members of a team meet of which some are far (far.h): as in sync.h,
 * but for far members' counts, which are put there, and for grids. Of a grid,
 * all work-groups meet by themselves, then the first one goes to the members,
 * then all meet again.
 *
 * A member may bring data: in the block of each member it has a slot for it,
 * in the place of packets, which such teams don't use. Meeting number k has
 * half k & 1 of the slots. So who brings to meeting k + 2 knows that all have
 * left meeting k, and read what it brought. When SHMEM_CTX_DEFAULT has failed,
 * nobody waits any more, and who has not come has brought zeros.
 *
 * s is no constant here: this is code for all scopes.
 */
#ifndef SHMEM_DEVICE_SYNC_FAR_H
#define SHMEM_DEVICE_SYNC_FAR_H

#include <shmem/device/far.h>
#include <shmem/device/sync.h>
#include <shmem/device/xgmi.h>

SHMEMD_FN int shmemd_is_far(const struct shmemd_team *team, int i)
{
	return !shmemd_pe_near(shmemd_team_pe(team, i));
}

/* The world PE of a far member, -1 for a near one. */
SHMEMD_FN int shmemd_far_pe(const struct shmemd_team *team, int i)
{
	return shmemd_is_far(team, i) ? shmemd_team_pe(team, i) : -1;
}

/* Member i's block: a far one's by the address that it would have here. */
SHMEMD_FN struct shmemd_sync *shmemd_far_sync_of(const struct shmemd_team *team,
						 int i)
{
	if (team->syncs)
		return team->syncs[i];
	return shmemd_is_far(team, i) ? team->sync : shmemd_sync_of(team, i);
}

/* What member i knows of member from's group calls. */
SHMEMD_FN uint64_t *shmemd_far_count_of(const struct shmemd_team *team, int i,
					int from)
{
	return &shmemd_mail_of(shmemd_far_sync_of(team, i), from)->group.count;
}

/* Data that a member can bring to another, a multiple of 64. */
SHMEMD_FN size_t shmemd_far_slot_bytes(const struct shmemd_team *team)
{
	return 2 * (size_t)team->ll_bytes;
}

/* Where member i finds what member from brings to meeting number. */
SHMEMD_FN char *shmemd_far_slot_of(const struct shmemd_team *team, int i,
				   int from, uint64_t number)
{
	const int place = (number & 1 ? team->n_pes : 0) + from;

	return (char *)shmemd_mail_of(shmemd_far_sync_of(team, i),
				      team->n_pes) +
	       (size_t)place * shmemd_far_slot_bytes(team);
}

/* As shmemd_payload_before_flag, for whoever looks: CPUs and NICs too. */
SHMEMD_FN void shmemd_far_payload_before_flag(enum shmemd_scope s)
{
	if (SHMEMD_RELEASE_BEFORE_BARRIER)
		shmemd_release(0);
	shmemd_scope_sync(s);
	if (!SHMEMD_RELEASE_BEFORE_BARRIER)
		shmemd_release(0);
}

/* Number of the meeting that comes, when all of s are there. */
SHMEMD_FN uint64_t shmemd_far_meeting(enum shmemd_scope s,
				      const struct shmemd_team *team)
{
	shmemd_scope_sync(s);
	return shmemd_meeting(SHMEMD_THREAD, team);
}

/*
 * Its begin: what was sent to far PEs is done. So the count that a far member
 * gets does not overtake the one before, which may be in another ring or queue.
 */
SHMEMD_FN uint64_t shmemd_far_arrive(enum shmemd_scope s,
				     const struct shmemd_team *team)
{
	uint64_t number;

	far_dev_quiet(s, SHMEM_CTX_DEFAULT);
	if (shmemd_scope_index(s) == 0)
		shmemd_store64(&team->sync->over, (uint64_t)far_failed());
	number = shmemd_far_meeting(s, team);
	shmemd_far_payload_before_flag(s);
	return number;
}

/*
 * After it, to all of s the same: members don't meet any more, as
 * SHMEM_CTX_DEFAULT has failed. Who knows writes nothing to others, which may
 * yet read what it brought before; they will be told as well.
 */
SHMEMD_FN int shmemd_far_over(const struct shmemd_team *team)
{
	return shmemd_load64(&team->sync->over) != 0;
}

/* What member i would have brought is zeros. */
SHMEMD_SLOW void shmemd_far_slot_clear(const struct shmemd_team *team, int i,
				       uint64_t number)
{
	char *slot = shmemd_far_slot_of(team, team->me, i, number);
	size_t at;

	for (at = 0; at < shmemd_far_slot_bytes(team); at += 8)
		shmemd_store64(slot + at, 0);
}

/* By one item: until member i has come, or SHMEM_CTX_DEFAULT has failed. */
SHMEMD_FN void shmemd_far_await_one(const struct shmemd_team *team, int i,
				    uint64_t number, int brings)
{
	const uint64_t *count =
		&shmemd_arrival_of(SHMEMD_THREAD, team->sync, i)->count;
	const int pe = shmemd_far_pe(team, i);
	struct shmemd_wait wait = { { 0 }, 0 };

	while (i != team->me && shmemd_load64(count) < number) {
		if (far_vain(&wait, pe)) {
			if (brings)
				shmemd_far_slot_clear(team, i, number);
			return;
		}
		shmemd_wait_turn(&wait);
	}
}

SHMEMD_FN void shmemd_far_await(enum shmemd_scope s,
				const struct shmemd_team *team, uint64_t number,
				int brings, int over)
{
	const int size = (int)shmemd_scope_size(s);
	int i = (int)shmemd_scope_index(s);

	if (i == 0)
		shmemd_local_store64(
			shmemd_far_count_of(team, team->me, team->me), number);
	for (; i < team->n_pes; i += size) {
		if (!over)
			shmemd_far_await_one(team, i, number, brings);
		else if (brings)
			shmemd_far_slot_clear(team, i, number);
	}
	shmemd_flag_before_payload(s);
}

/* Returns when all members have called; what they owed can be read then. */
SHMEMD_SLOW void shmemd_far_meet(enum shmemd_scope s,
				 const struct shmemd_team *team)
{
	const uint64_t number = shmemd_far_arrive(s, team);
	const int size = (int)shmemd_scope_size(s);
	const int over = shmemd_far_over(team);
	int i = over ? team->n_pes : (int)shmemd_scope_index(s);

	for (; i < team->n_pes; i += size) {
		uint64_t *count = shmemd_far_count_of(team, i, team->me);

		if (shmemd_is_far(team, i))
			far_dev_store64(count, number, shmemd_team_pe(team, i));
		else if (i != team->me)
			shmemd_store64(count, number);
	}
	shmemd_far_await(s, team, number, 0, over);
}

/* As bytes: what is brought differs, its first word tells how many it is. */
#define SHMEMD_FAR_TOLD SIZE_MAX

/* Where the network failed, members may write over what others have told. */
SHMEMD_FN size_t shmemd_far_bytes(const struct shmemd_team *team,
				  const char *source, size_t bytes)
{
	const size_t most = shmemd_far_slot_bytes(team);
	const size_t told =
		bytes == SHMEMD_FAR_TOLD ? shmemd_load64(source) : bytes;

	return told < most ? told : most;
}

/* Far members' part of a meeting with data; bytes 0: a count alone. */
SHMEMD_FN void shmemd_far_bring_far(enum shmemd_scope s,
				    const struct shmemd_team *team,
				    uint64_t number, const char *source,
				    size_t step, size_t bytes)
{
	const int first = shmemd_scope_index(s) == 0;
	int i;

	for (i = 0; i < team->n_pes; i++) {
		uint64_t *count = shmemd_far_count_of(team, i, team->me);
		const int pe = shmemd_team_pe(team, i);
		const char *from = source + (size_t)i * step;

		if (!shmemd_is_far(team, i))
			continue;
		if (bytes)
			far_dev_put_signal(
				s, SHMEM_CTX_DEFAULT,
				shmemd_far_slot_of(team, i, team->me, number),
				from, shmemd_far_bytes(team, from, bytes),
				count, number, SHMEM_SIGNAL_SET, pe, 1);
		else if (first)
			far_dev_store64(count, number, pe);
	}
}

/* Near members' part. */
SHMEMD_FN void shmemd_far_bring_near(enum shmemd_scope s,
				     const struct shmemd_team *team,
				     uint64_t number, const char *source,
				     size_t step, size_t bytes)
{
	const int size = (int)shmemd_scope_size(s);
	int i;

	for (i = 0; i < team->n_pes; i++) {
		const char *from = source + (size_t)i * step;

		if (i != team->me && !shmemd_is_far(team, i))
			xgmi_dev_put(
				s,
				shmemd_far_slot_of(team, i, team->me, number),
				from, shmemd_far_bytes(team, from, bytes));
	}
	shmemd_put_before_flag(s, 1, 0);
	for (i = (int)shmemd_scope_index(s); i < team->n_pes; i += size)
		if (i != team->me && !shmemd_is_far(team, i))
			shmemd_store64(shmemd_far_count_of(team, i, team->me),
				       number);
}

/*
 * A meeting to which this member brings bytes, at most a slot's, at source +
 * i * step for member i; or SHMEMD_FAR_TOLD. Returns its number. The slots may
 * be read until the next call; source may be written.
 */
SHMEMD_SLOW uint64_t shmemd_far_exchange(enum shmemd_scope s,
					 const struct shmemd_team *team,
					 const char *source, size_t step,
					 size_t bytes)
{
	const uint64_t number = shmemd_far_arrive(s, team);
	const int over = shmemd_far_over(team);

	if (!over) {
		shmemd_far_bring_far(s, team, number, source, step, bytes);
		shmemd_far_bring_near(s, team, number, source, step, bytes);
	}
	shmemd_far_await(s, team, number, 1, over);
	/* What was not copied into the ring may still have to be fetched. */
	if (!far_copies((uintptr_t)source | step, bytes))
		far_dev_quiet(s, SHMEM_CTX_DEFAULT);
	return number;
}

/* The work-groups of this PE's grid meet. */
SHMEMD_FN void shmemd_far_gather(const struct shmemd_team *team)
{
	uint64_t *count = &shmemd_mail_of(team->sync, team->me)->grid.count;
	const int first = shmemd_item() == 0;
	struct shmemd_wait wait = { { 0 }, 0 };
	uint64_t number = 0;

	shmemd_scope_sync(SHMEMD_WG);
	if (first)
		number = shmemd_meeting(SHMEMD_GRID, team);
	shmemd_far_payload_before_flag(SHMEMD_WG);
	if (first) {
		shmemd_red64(SHMEMD_ADD, count, shmemd_arrival_share(), 0);
		/* Numbers are not alike any more where others gave up. */
		while (shmemd_load64(count) < number && !far_vain(&wait, -1))
			shmemd_wait_turn(&wait);
	}
	shmemd_flag_seen_before_payload(SHMEMD_WG, first);
}

/*
 * Begin of a call: returns 1 to those of s who go on, as the scope of
 * shmemd_within_wg. All call end after.
 */
SHMEMD_SLOW int shmemd_far_begin(enum shmemd_scope s,
				 const struct shmemd_team *team)
{
	if (s != SHMEMD_GRID)
		return 1;
	far_dev_quiet(SHMEMD_WG, SHMEM_CTX_DEFAULT);
	shmemd_far_gather(team);
	return shmemd_wg() == 0;
}

SHMEMD_SLOW void shmemd_far_end(enum shmemd_scope s,
				const struct shmemd_team *team)
{
	if (s == SHMEMD_GRID)
		shmemd_far_gather(team);
	else
		shmemd_scope_sync(s);
}

SHMEMD_SLOW void shmemd_far_sync(enum shmemd_scope s,
				 const struct shmemd_team *team)
{
	if (shmemd_far_begin(s, team))
		shmemd_far_meet(shmemd_within_wg(s), team);
	shmemd_far_end(s, team);
}

#endif
