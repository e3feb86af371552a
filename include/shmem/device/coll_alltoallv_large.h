/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Large blocks of an alltoallv, between members that have each other's heads.
 *
 * A block goes the way that both ends see in their heads: it is pushed, or
 * pulled, or, with no symmetric memory at either end, goes in pieces by the
 * packets or the slot of the pair. Who pushed says that it came, who may be
 * pulled from that it is ready, by the group's word of the pair's mail; who has
 * pulled says so by the grid's word. They hold the number of the exchange, and
 * that of the piece.
 *
 * s is no constant in functions that are not inlined.
 */
#ifndef SHMEM_DEVICE_COLL_ALLTOALLV_LARGE_H
#define SHMEM_DEVICE_COLL_ALLTOALLV_LARGE_H

#include <shmem/device/coll_share.h>
#include <shmem/device/coll_vary.h>

enum shmemd_vary_way {
	SHMEMD_VARY_NONE, /* small, this PE's own, or a misuse */
	SHMEMD_VARY_PUSH,
	SHMEMD_VARY_PULL,
	SHMEMD_VARY_PIECES
};

/* How my block goes to member i. */
SHMEMD_FN enum shmemd_vary_way shmemd_vary_out(const struct shmemd_vary *v,
					       int i, struct shmemd_head *head)
{
	if (i == v->team->me || shmemd_vary_out_bytes(v, i) <= v->small)
		return SHMEMD_VARY_NONE;
	*head = shmemd_vary_head(v, i);
	if (!(head->count & SHMEMD_HEAD_WANTS) ||
	    head->want != v->source_nelems[i])
		return SHMEMD_VARY_NONE;
	if (head->dest)
		return SHMEMD_VARY_PUSH;
	return shmemd_vary_source_spot(v, i) ? SHMEMD_VARY_PULL :
					       SHMEMD_VARY_PIECES;
}

/* How member i's comes here. */
SHMEMD_FN enum shmemd_vary_way shmemd_vary_in(const struct shmemd_vary *v,
					      int i, struct shmemd_head *head)
{
	if (i == v->team->me || shmemd_vary_in_bytes(v, i) <= v->small)
		return SHMEMD_VARY_NONE;
	*head = shmemd_vary_head(v, i);
	if (!shmemd_vary_agrees(v, i, head->count))
		return SHMEMD_VARY_NONE;
	if (shmemd_vary_dest_spot(v, i))
		return SHMEMD_VARY_PUSH;
	return head->source ? SHMEMD_VARY_PULL : SHMEMD_VARY_PIECES;
}

SHMEMD_FN uint64_t shmemd_vary_stamp(const struct shmemd_vary *v,
				     uint64_t piece)
{
	return v->number << 24 | piece;
}

/* In member i's block, what member from did; and in my own. */
SHMEMD_FN uint64_t *shmemd_vary_came(const struct shmemd_vary *v, int i,
				     int from)
{
	return &shmemd_mail_of(shmemd_far_sync_of(v->team, i), from)
			->group.word;
}

SHMEMD_FN uint64_t *shmemd_vary_taken(const struct shmemd_vary *v, int i,
				      int from)
{
	return &shmemd_mail_of(shmemd_far_sync_of(v->team, i), from)->grid.word;
}

/* By one item, after all that the group wrote before an ordering. */
SHMEMD_FN void shmemd_vary_tell(const struct shmemd_vary *v, int i,
				uint64_t *word, uint64_t stamp)
{
	if (shmemd_is_far(v->team, i))
		far_dev_store64(word, stamp, shmemd_team_pe(v->team, i));
	else
		shmemd_store64(word, stamp);
}

/* By one item: until member i has told the word, as in shmemd_far_await_one. */
SHMEMD_FN void shmemd_vary_look(const struct shmemd_vary *v, int i,
				const uint64_t *word, uint64_t stamp)
{
	const int pe = shmemd_far_pe(v->team, i);
	struct shmemd_wait wait = { { 0 }, 0 };

	while (shmemd_load64(word) != stamp && !far_vain(&wait, pe))
		shmemd_wait_turn(&wait);
}

/*
 * The part of member i's block that this work-group copies. A small block has
 * few parts, other work-groups than the next member's.
 */
SHMEMD_FN size_t shmemd_vary_slice(enum shmemd_scope s,
				   const struct shmemd_vary *v, int i,
				   size_t bytes, size_t *from)
{
	const unsigned int n = shmemd_nwgs();
	const unsigned int first =
		(unsigned int)i * n / (unsigned int)v->team->n_pes;
	const unsigned int mine = shmemd_wg() + first;
	size_t part = ((bytes + n - 1) / n + 127) & ~(size_t)127;

	*from = 0;
	if (s != SHMEMD_GRID)
		return bytes;
	if (part < 4096)
		part = 4096;
	*from = part * (mine < n ? mine : mine - n);
	if (*from >= bytes)
		return 0;
	return part < bytes - *from ? part : bytes - *from;
}

/* Blocks for far members are left to the proxy. */
SHMEMD_FN void shmemd_vary_push_far(enum shmemd_scope s,
				    const struct shmemd_vary *v)
{
	struct shmemd_head head;
	int i;

	for (i = 0; i < v->team->n_pes; i++)
		if (shmemd_is_far(v->team, i) &&
		    shmemd_vary_out(v, i, &head) == SHMEMD_VARY_PUSH)
			far_dev_put(s, SHMEM_CTX_DEFAULT,
				    shmemd_spot_mine(head.dest),
				    shmemd_vary_source(v, i),
				    shmemd_vary_out_bytes(v, i),
				    shmemd_team_pe(v->team, i), 1);
}

/* Bytes of my block for member i that may be pushed by stores, my own too. */
SHMEMD_FN size_t shmemd_vary_push_bytes(const struct shmemd_vary *v, int i)
{
	const size_t n = v->source_nelems[i], own = v->dest_nelems[i];
	const size_t bytes = shmemd_vary_bytes(v, n);

	if (bytes <= v->small || (i == v->team->me && n != own) ||
	    (v->team->far && shmemd_is_far(v->team, i)))
		return 0;
	return bytes;
}

/* Where member i's dest is, NULL if it is not pushed to. */
SHMEMD_FN char *shmemd_vary_push_to(const struct shmemd_vary *v, int i)
{
	struct shmemd_head head;

	if (i == v->team->me)
		return shmemd_vary_dest(v, i);
	if (shmemd_vary_out(v, i, &head) != SHMEMD_VARY_PUSH)
		return NULL;
	return shmemd_spot_on(head.dest, shmemd_team_pe(v->team, i));
}

/* The share's part of my block for member i, at byte `at` of all. */
SHMEMD_FN void shmemd_vary_push_part(const struct shmemd_vary *v,
				     const struct shmemd_share *share, int i,
				     size_t at, size_t bytes)
{
	const size_t from = shmemd_share_cut(share->begin, at, bytes);
	const size_t to = shmemd_share_cut(share->end, at, bytes);
	char *dest;

	if (from >= to)
		return;
	dest = shmemd_vary_push_to(v, i);
	if (dest)
		shmemd_share_put(dest + from, shmemd_vary_source(v, i) + from,
				 to - from);
}

/* The k-th member that a PE pushes to: each PE begins with another one. */
SHMEMD_FN int shmemd_vary_turn(const struct shmemd_vary *v, unsigned int k)
{
	const unsigned int n = (unsigned int)v->team->n_pes;
	const unsigned int i = (unsigned int)v->team->me + 1 + k;

	return (int)(i < n ? i : i - n);
}

/* Blocks of lanes, from number k on; returns bytes to the last one's end. */
SHMEMD_FN size_t shmemd_vary_push_lanes(const struct shmemd_vary *v,
					const struct shmemd_share *share,
					unsigned int k, size_t before)
{
	const unsigned int n = (unsigned int)v->team->n_pes;
	const unsigned int mine = k + shmemd_lane(), size = shmemd_wave_items();
	const size_t bytes =
		mine < n ?
			shmemd_vary_push_bytes(v, shmemd_vary_turn(v, mine)) :
			0;
	const size_t end = before + shmemd_wave_scan(bytes);
	unsigned int lane = shmemd_share_first(share, end);

	for (; lane < size && k + lane < n; lane++) {
		const size_t part = shmemd_wave_get(bytes, lane);
		const size_t at = shmemd_wave_get(end, lane) - part;

		if (at >= share->end)
			break;
		shmemd_vary_push_part(v, share, shmemd_vary_turn(v, k + lane),
				      at, part);
	}
	return shmemd_wave_last(end);
}

/* To near members, by all waves of s. */
SHMEMD_FN void shmemd_vary_push(enum shmemd_scope s,
				const struct shmemd_vary *v)
{
	const unsigned int n = (unsigned int)v->team->n_pes;
	const unsigned int size = shmemd_wave_items();
	struct shmemd_share share;
	size_t all = 0, at = 0;
	unsigned int k;

	for (k = shmemd_lane(); k < n; k += size)
		all += shmemd_vary_push_bytes(v, (int)k);
	share = shmemd_share_of(shmemd_wave_total(all), shmemd_wave_in(s),
				shmemd_waves_of(s));
	for (k = 0; k < n && at < share.end; k += size)
		at = shmemd_vary_push_lanes(v, &share, k, at);
}

/* Whether a near or far member gets a block otherwise than by a push. */
SHMEMD_FN int shmemd_vary_pulled(const struct shmemd_vary *v)
{
	const int n = v->team->n_pes;
	struct shmemd_head head;
	unsigned int pulled = 0;
	int i;

	for (i = (int)shmemd_lane(); i < n; i += (int)shmemd_wave_items())
		pulled |= shmemd_vary_out(v, i, &head) > SHMEMD_VARY_PUSH;
	return shmemd_wave_total(pulled) != 0;
}

/* From member i, by loads, or, from a far one, all of it at once. */
SHMEMD_FN void shmemd_vary_pull_from(enum shmemd_scope s,
				     const struct shmemd_vary *v, int i,
				     uint64_t spot)
{
	const enum shmemd_scope mine = shmemd_within_wg(s);
	const int pe = shmemd_team_pe(v->team, i);
	size_t from, bytes = shmemd_vary_in_bytes(v, i);

	if (shmemd_is_far(v->team, i)) {
		if (s != SHMEMD_GRID || shmemd_wg() == 0)
			far_dev_get(mine, SHMEM_CTX_DEFAULT,
				    shmemd_vary_dest(v, i),
				    shmemd_spot_mine(spot), bytes, pe, 0);
		return;
	}
	bytes = shmemd_vary_slice(s, v, i, bytes, &from);
	if (bytes)
		xgmi_dev_get(mine, shmemd_vary_dest(v, i) + from,
			     shmemd_spot_on(spot, pe) + from, bytes);
}

/* Whether large blocks come to where they can't be pushed. */
SHMEMD_FN int shmemd_vary_pulls(const struct shmemd_vary *v)
{
	int pulls = 0, i;

	for (i = 0; i < v->team->n_pes; i++)
		pulls |= i != v->team->me &&
			 shmemd_vary_in_bytes(v, i) > v->small &&
			 !shmemd_vary_dest_spot(v, i);
	return pulls;
}

/* Their sources are ready. */
SHMEMD_FN void shmemd_vary_pull(enum shmemd_scope s,
				const struct shmemd_vary *v)
{
	const int n = v->team->n_pes;
	struct shmemd_head head;
	int i = v->team->me, k;

	for (k = 0; k < n; k++) {
		if (shmemd_vary_in(v, i, &head) == SHMEMD_VARY_PULL) {
			shmemd_flag_before_payload(shmemd_within_wg(s));
			shmemd_vary_pull_from(s, v, i, head.source);
		}
		i = i ? i - 1 : n - 1;
	}
}

/* Those who may go on hear of it: what I pushed, what is ready. */
SHMEMD_FN void shmemd_vary_announce(enum shmemd_scope s,
				    const struct shmemd_vary *v)
{
	const int size = (int)shmemd_scope_size(s), me = v->team->me;
	struct shmemd_head head;
	int i;

	for (i = (int)shmemd_scope_index(s); i < v->team->n_pes; i += size) {
		const enum shmemd_vary_way way = shmemd_vary_out(v, i, &head);

		if (way == SHMEMD_VARY_PUSH || way == SHMEMD_VARY_PULL)
			shmemd_vary_tell(v, i, shmemd_vary_came(v, i, me),
					 shmemd_vary_stamp(v, 0));
	}
	for (i = (int)shmemd_scope_index(s); i < v->team->n_pes; i += size) {
		const enum shmemd_vary_way way = shmemd_vary_in(v, i, &head);

		if (way == SHMEMD_VARY_PUSH || way == SHMEMD_VARY_PULL)
			shmemd_vary_look(v, i, shmemd_vary_came(v, me, i),
					 shmemd_vary_stamp(v, 0));
	}
	shmemd_flag_before_payload(s);
}

/* Tells those from whom I pulled; waits for those who pull from here. */
SHMEMD_FN void shmemd_vary_acknowledge(enum shmemd_scope s,
				       const struct shmemd_vary *v)
{
	const int size = (int)shmemd_scope_size(s), me = v->team->me;
	struct shmemd_head head;
	int i;

	shmemd_payload_before_flag(s, 1);
	for (i = (int)shmemd_scope_index(s); i < v->team->n_pes; i += size)
		if (shmemd_vary_in(v, i, &head) == SHMEMD_VARY_PULL)
			shmemd_vary_tell(v, i, shmemd_vary_taken(v, i, me),
					 shmemd_vary_stamp(v, 0));
	for (i = (int)shmemd_scope_index(s); i < v->team->n_pes; i += size)
		if (shmemd_vary_out(v, i, &head) == SHMEMD_VARY_PULL)
			shmemd_vary_look(v, i, shmemd_vary_taken(v, me, i),
					 shmemd_vary_stamp(v, 0));
	shmemd_scope_sync(s);
}

#endif
