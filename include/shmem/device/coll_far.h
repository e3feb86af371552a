/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives of teams with far members (far.h): sync_far.h tells how these
 * meet. Small data goes by the slots, in one flight; large data by copies
 * between two meetings, by puts where the dest is far. Functions for all
 * scopes, s is no constant.
 */
#ifndef SHMEM_DEVICE_COLL_FAR_H
#define SHMEM_DEVICE_COLL_FAR_H

#include <shmem/device/coll.h>
#include <shmem/device/coll_spot.h>
#include <shmem/device/sync_far.h>

/* bytes at source + i * step to byte `at` of dest on each far member i. */
SHMEMD_FN void shmemd_far_push_far(enum shmemd_scope s,
				   const struct shmemd_team *team, char *dest,
				   size_t at, const char *source, size_t step,
				   size_t bytes)
{
	int i;

	for (i = 0; i < team->n_pes && bytes; i++)
		if (shmemd_is_far(team, i))
			far_dev_put(s, SHMEM_CTX_DEFAULT, dest + at,
				    source + (size_t)i * step, bytes,
				    shmemd_team_pe(team, i), 1);
}

/* The same on each near member; of a grid, each work-group copies a slice. */
SHMEMD_FN void shmemd_far_push_near(enum shmemd_scope s, const char *api,
				    const struct shmemd_team *team, char *dest,
				    size_t at, const char *source, size_t step,
				    size_t bytes)
{
	const struct shmemd_array to = shmemd_array_at(api, dest, bytes, 1);
	const enum shmemd_scope mine = shmemd_within_wg(s);
	const int turn = s == SHMEMD_GRID ? (int)shmemd_wg() : 0;
	int i = (team->me + turn) % team->n_pes, k;
	size_t from, part = shmemd_slice(s, bytes, &from);

	for (k = 0; part && k < team->n_pes; k++) {
		if (!shmemd_is_far(team, i))
			xgmi_dev_put(mine,
				     shmemd_array_of(&to, team, i) + at + from,
				     source + (size_t)i * step + from, part);
		i = i + 1 < team->n_pes ? i + 1 : 0;
	}
}

/* To all; the network first, so that near copies fill the wait for it. */
SHMEMD_SLOW void shmemd_far_push(enum shmemd_scope s, const char *api,
				 const struct shmemd_team *team, char *dest,
				 size_t at, const char *source, size_t step,
				 size_t bytes)
{
	shmemd_far_push_far(s, team, dest, at, source, step, bytes);
	shmemd_far_push_near(s, api, team, dest, at, source, step, bytes);
}

/* What member i brought to meeting number: bytes from my slots to dest. */
SHMEMD_FN void shmemd_far_take(enum shmemd_scope s,
			       const struct shmemd_team *team, int i,
			       uint64_t number, char *dest, size_t bytes)
{
	xgmi_dev_get(s, dest, shmemd_far_slot_of(team, team->me, i, number),
		     bytes);
}

SHMEMD_FN void shmemd_far_all_small(enum shmemd_scope s,
				    const struct shmemd_team *team, char *dest,
				    const char *source, size_t step,
				    size_t bytes)
{
	const uint64_t number =
		shmemd_far_exchange(s, team, source, step, bytes);
	int i;

	for (i = 0; i < team->n_pes; i++)
		if (i != team->me)
			shmemd_far_take(s, team, i, number,
					dest + (size_t)i * bytes, bytes);
	xgmi_dev_put(s, dest + (size_t)team->me * bytes,
		     source + (size_t)team->me * step, bytes);
}

/*
 * Large blocks of grids: the first work-group sets the network to work, then
 * all copy to near members, then the first one sees to the end.
 */
SHMEMD_SLOW void shmemd_far_all_grid(const char *api,
				     const struct shmemd_team *team, char *dest,
				     const char *source, size_t step,
				     size_t bytes)
{
	const size_t at = (size_t)team->me * bytes;

	if (shmemd_far_begin(SHMEMD_GRID, team)) {
		shmemd_far_meet(SHMEMD_WG, team);
		shmemd_far_push_far(SHMEMD_WG, team, dest, at, source, step,
				    bytes);
	}
	shmemd_far_gather(team);
	shmemd_far_push_near(SHMEMD_GRID, api, team, dest, at, source, step,
			     bytes);
	shmemd_far_gather(team);
	if (shmemd_wg() == 0)
		shmemd_far_meet(SHMEMD_WG, team);
	shmemd_far_end(SHMEMD_GRID, team);
}

/* As shmemd_all_to_all. */
SHMEMD_SLOW void shmemd_far_all_to_all(enum shmemd_scope s, const char *api,
				       const struct shmemd_team *team,
				       void *dest, const void *source,
				       size_t step, size_t bytes)
{
	const enum shmemd_scope mine = shmemd_within_wg(s);
	const int small = bytes <= shmemd_far_slot_bytes(team);

	if (!bytes)
		return;
	if (s == SHMEMD_GRID && !small) {
		shmemd_far_all_grid(api, team, (char *)dest,
				    (const char *)source, step, bytes);
		return;
	}
	if (!shmemd_far_begin(s, team)) {
		/* The first work-group does it. */
	} else if (small) {
		shmemd_far_all_small(mine, team, (char *)dest,
				     (const char *)source, step, bytes);
	} else {
		shmemd_far_meet(mine, team);
		shmemd_far_push(mine, api, team, (char *)dest,
				(size_t)team->me * bytes, (const char *)source,
				step, bytes);
		shmemd_far_meet(mine, team);
	}
	shmemd_far_end(s, team);
}

/* The root brings its data, the others nothing. */
SHMEMD_FN void shmemd_far_broadcast_small(enum shmemd_scope s,
					  const struct shmemd_team *team,
					  char *dest, const char *source,
					  size_t bytes, int root)
{
	const uint64_t number = shmemd_far_exchange(
		s, team, source, 0, team->me == root ? bytes : 0);

	if (team->me != root)
		shmemd_far_take(s, team, root, number, dest, bytes);
	else if (dest != source)
		xgmi_dev_put(s, dest, source, bytes);
}

/* Each gets it from the root. */
SHMEMD_FN void shmemd_far_broadcast_large(enum shmemd_scope s, const char *api,
					  const struct shmemd_team *team,
					  char *dest, const char *source,
					  size_t bytes, int root)
{
	const struct shmemd_array from = shmemd_array_at(api, source, bytes, 1);

	shmemd_far_meet(s, team);
	if (shmemd_is_far(team, root))
		far_dev_get(s, SHMEM_CTX_DEFAULT, dest, source, bytes,
			    shmemd_team_pe(team, root), 1);
	else if (team->me != root || dest != source)
		xgmi_dev_get(s, dest, shmemd_array_of(&from, team, root),
			     bytes);
	shmemd_far_meet(s, team);
}

SHMEMD_SLOW int shmemd_far_broadcast(enum shmemd_scope s, const char *api,
				     const struct shmemd_team *team, void *dest,
				     const void *source, size_t bytes, int root)
{
	const enum shmemd_scope mine = shmemd_within_wg(s);

	if (!bytes)
		return 0;
	if (!shmemd_far_begin(s, team)) {
		/* The first work-group does it. */
	} else if (bytes <= shmemd_far_slot_bytes(team)) {
		shmemd_far_broadcast_small(mine, team, (char *)dest,
					   (const char *)source, bytes, root);
	} else {
		shmemd_far_broadcast_large(mine, api, team, (char *)dest,
					   (const char *)source, bytes, root);
	}
	shmemd_far_end(s, team);
	return 0;
}

/* All tell their lengths: what the members before this one bring. */
SHMEMD_FN size_t shmemd_far_collect_before(enum shmemd_scope s,
					   const struct shmemd_team *team,
					   size_t bytes)
{
	uint64_t number = shmemd_far_meeting(s, team);
	char *mine = shmemd_far_slot_of(team, team->me, team->me, number);
	size_t sum = 0;
	int i;

	/* Nobody brings to my own slot: it is where the others' comes from. */
	if (shmemd_scope_index(s) == 0)
		shmemd_store64(mine, bytes);
	number = shmemd_far_exchange(s, team, mine, 0, sizeof(uint64_t));
	for (i = 0; i < team->me; i++)
		sum += shmemd_load64(
			shmemd_far_slot_of(team, team->me, i, number));
	return sum;
}

SHMEMD_SLOW int shmemd_far_collect(enum shmemd_scope s, const char *api,
				   const struct shmemd_team *team, void *dest,
				   const void *source, size_t bytes)
{
	const enum shmemd_scope mine = shmemd_within_wg(s);

	if (shmemd_far_begin(s, team)) {
		size_t at = shmemd_far_collect_before(mine, team, bytes);

		/* Lengths are nonsense where the network failed. */
		if (at > SIZE_MAX - bytes || !shmemd_spot_of(dest, at + bytes))
			at = 0;
		shmemd_far_push(mine, api, team, (char *)dest, at,
				(const char *)source, 0, bytes);
		shmemd_far_meet(mine, team);
	}
	shmemd_far_end(s, team);
	return 0;
}

/* Elements at a stride in dest and source; see shmem_alltoalls. */
struct shmemd_far_strided {
	char *dest;
	const char *source;
	size_t to, from; /* strides in bytes */
	size_t nelems, esize;
};

/*
 * Elements first to first + n - 1 for all members to the slots of the other
 * half: member i brings to its own there when it has what goes to it from here.
 */
SHMEMD_FN char *shmemd_far_pack(enum shmemd_scope s,
				const struct shmemd_team *team,
				const struct shmemd_far_strided *a,
				size_t first, size_t n)
{
	const uint64_t other = shmemd_far_meeting(s, team) + 1;
	const size_t step = shmemd_scope_size(s);
	size_t k;
	int i;

	for (i = 0; i < team->n_pes; i++) {
		char *to = shmemd_far_slot_of(team, team->me, i, other);
		const char *from =
			a->source + ((size_t)i * a->nelems + first) * a->from;

		for (k = shmemd_scope_index(s); k < n; k += step)
			shmemd_copy_one(SHMEMD_TO_PEER, to + k * a->esize,
					from + k * a->from,
					(unsigned int)a->esize);
	}
	return shmemd_far_slot_of(team, team->me, 0, other);
}

/* What member i brought, or member me would have. */
SHMEMD_FN void shmemd_far_unpack(enum shmemd_scope s,
				 const struct shmemd_team *team,
				 const struct shmemd_far_strided *a,
				 size_t first, size_t n, uint64_t number)
{
	const size_t step = shmemd_scope_size(s);
	size_t k;
	int i;

	for (i = 0; i < team->n_pes; i++) {
		const char *from = shmemd_far_slot_of(team, team->me, i,
						      number + (i == team->me));
		char *to = a->dest + ((size_t)i * a->nelems + first) * a->to;

		for (k = shmemd_scope_index(s); k < n; k += step)
			shmemd_copy_one(SHMEMD_FROM_PEER, to + k * a->to,
					from + k * a->esize,
					(unsigned int)a->esize);
	}
}

SHMEMD_FN void shmemd_far_strided_all(enum shmemd_scope s,
				      const struct shmemd_team *team,
				      const struct shmemd_far_strided *a)
{
	const size_t slot = shmemd_far_slot_bytes(team);
	const size_t most = slot / a->esize;
	size_t first, n;

	for (first = 0; first < a->nelems; first += n) {
		const char *packed;
		uint64_t number;

		n = a->nelems - first < most ? a->nelems - first : most;
		packed = shmemd_far_pack(s, team, a, first, n);
		number = shmemd_far_exchange(s, team, packed, slot,
					     n * a->esize);
		shmemd_far_unpack(s, team, a, first, n, number);
	}
}

/* nelems of esize bytes for each member; to, from: strides in bytes. */
SHMEMD_SLOW int shmemd_far_alltoalls(enum shmemd_scope s,
				     const struct shmemd_team *team, void *dest,
				     const void *source, size_t to, size_t from,
				     size_t nelems, size_t esize)
{
	struct shmemd_far_strided a;

	a.dest = (char *)dest;
	a.source = (const char *)source;
	a.to = to;
	a.from = from;
	a.nelems = nelems;
	a.esize = esize;
	if (shmemd_far_begin(s, team))
		shmemd_far_strided_all(shmemd_within_wg(s), team, &a);
	shmemd_far_end(s, team);
	return 0;
}

#endif
