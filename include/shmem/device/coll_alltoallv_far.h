/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoallv of teams with far members: heads and small blocks by the slots, in
 * one flight; what is large as between near members, the network's part first.
 */
#ifndef SHMEM_DEVICE_COLL_ALLTOALLV_FAR_H
#define SHMEM_DEVICE_COLL_ALLTOALLV_FAR_H

#include <shmem/device/coll_alltoallv_pieces.h>

/* What goes to member i, in my slot of its that the next meeting fills. */
SHMEMD_FN void shmemd_far_vary_pack(enum shmemd_scope s,
				    const struct shmemd_vary *v, int i,
				    char *slot)
{
	const size_t bytes = shmemd_vary_out_bytes(v, i);
	const size_t small = bytes > v->small ? 0 : bytes;

	if (shmemd_scope_index(s) == 0) {
		shmemd_store64(slot, sizeof(struct shmemd_far_head) + small);
		shmemd_store64(slot + 8, shmemd_vary_count(v, i));
		shmemd_store64(slot + 16, v->dest_nelems[i]);
		shmemd_store64(slot + 24, shmemd_vary_dest_spot(v, i));
		shmemd_store64(slot + 32, shmemd_vary_source_spot(v, i));
	}
	if (small)
		xgmi_dev_put(s, slot + sizeof(struct shmemd_far_head),
			     shmemd_vary_source(v, i), small);
}

SHMEMD_FN void shmemd_far_vary_exchange(enum shmemd_scope s,
					struct shmemd_vary *v)
{
	const struct shmemd_team *team = v->team;
	const uint64_t other = shmemd_far_meeting(s, team) + 1;
	int i;

	for (i = 0; i < team->n_pes; i++)
		if (i != team->me)
			shmemd_far_vary_pack(
				s, v, i,
				shmemd_far_slot_of(team, team->me, i, other));
	v->number = shmemd_far_exchange(
		s, team, shmemd_far_slot_of(team, team->me, 0, other),
		shmemd_far_slot_bytes(team), SHMEMD_FAR_TOLD);
}

SHMEMD_FN uint64_t shmemd_far_vary_count(const struct shmemd_vary *v, int i)
{
	if (i == v->team->me)
		return v->source_nelems[i] & SHMEMD_HEAD_COUNT;
	return shmemd_vary_far_head(v, i).count;
}

/*
 * Small blocks; a member whose block is not what is expected, or -1. Who has
 * brought zeros has not come.
 */
SHMEMD_FN int shmemd_far_vary_take(enum shmemd_scope s,
				   const struct shmemd_vary *v)
{
	int bad = -1, i;

	for (i = 0; i < v->team->n_pes; i++) {
		const size_t bytes = shmemd_vary_in_bytes(v, i);

		if (i != v->team->me && !shmemd_load64(shmemd_vary_slot(v, i)))
			continue;
		if (!shmemd_vary_agrees(v, i, shmemd_far_vary_count(v, i)))
			bad = i;
		else if (bytes > v->small || !bytes)
			continue;
		else if (i == v->team->me)
			xgmi_dev_put(s, shmemd_vary_dest(v, i),
				     shmemd_vary_source(v, i), bytes);
		else
			xgmi_dev_get(s, shmemd_vary_dest(v, i),
				     shmemd_vary_slot(v, i) +
					     sizeof(struct shmemd_far_head),
				     bytes);
	}
	return bad;
}

SHMEMD_FN int shmemd_far_vary_group(enum shmemd_scope s, struct shmemd_vary *v)
{
	int bad;

	shmemd_far_vary_exchange(s, v);
	shmemd_vary_push_far(s, v);
	bad = shmemd_far_vary_take(s, v);
	shmemd_scope_sync(s);
	if (shmemd_vary_any_large(v)) {
		shmemd_vary_large(s, v);
		far_dev_quiet(s, SHMEM_CTX_DEFAULT);
	}
	return bad;
}

/* The first work-group sees to the network, all to near members. */
SHMEMD_FN int shmemd_far_vary_grid(struct shmemd_vary *v)
{
	const int first = shmemd_far_begin(SHMEMD_GRID, v->team);
	int bad = -1;

	if (first) {
		shmemd_far_vary_exchange(SHMEMD_WG, v);
		shmemd_vary_push_far(SHMEMD_WG, v);
	}
	shmemd_far_gather(v->team);
	v->number = shmemd_meeting(SHMEMD_THREAD, v->team) - 1;
	shmemd_vary_slices(v);
	if (first)
		bad = shmemd_far_vary_take(SHMEMD_WG, v);
	shmemd_far_gather(v->team);
	if (first)
		shmemd_far_meet(SHMEMD_WG, v->team);
	shmemd_far_end(SHMEMD_GRID, v->team);
	return bad;
}

SHMEMD_SLOW void shmemd_far_alltoallv(enum shmemd_scope s, const char *api,
				      struct shmemd_vary *v)
{
	int bad;

	v->small =
		shmemd_far_slot_bytes(v->team) - sizeof(struct shmemd_far_head);
	bad = s == SHMEMD_GRID ? shmemd_far_vary_grid(v) :
				 shmemd_far_vary_group(s, v);
	if (bad >= 0 && shmemd_scope_index(s) == 0)
		shmemd_vary_misuse(api, v, bad, shmemd_far_vary_count(v, bad));
}

#endif
