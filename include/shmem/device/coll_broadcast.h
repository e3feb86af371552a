/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHMEM_DEVICE_COLL_BROADCAST_H
#define SHMEM_DEVICE_COLL_BROADCAST_H

#include <shmem/device/coll_far.h>

/* The root's words to all others; its own dest on the way. */
SHMEMD_FN void shmemd_broadcast_send(enum shmemd_scope s,
				     const struct shmemd_team *team, char *dest,
				     const char *source, unsigned int bytes,
				     uint32_t seq)
{
	const unsigned int words = (bytes + 7) / 8;
	const unsigned int all = words * (unsigned int)team->n_pes;
	const unsigned int step = shmemd_scope_size(s);
	unsigned int i;

	for (i = shmemd_scope_index(s); i < all; i += step) {
		const unsigned int at = i % words * 8;
		const int to = (int)(i / words);
		const uint64_t data = shmemd_word_get(source + at, bytes - at);

		if (to != team->me)
			shmemd_packet_send(shmemd_packets(team, to, seq),
					   at / 8, data, seq);
		else if (dest != source)
			shmemd_word_set(dest + at, data, bytes - at);
	}
}

SHMEMD_FN void shmemd_broadcast_receive(enum shmemd_scope s,
					const struct shmemd_team *team,
					char *dest, unsigned int bytes,
					uint32_t seq)
{
	const char *packets = shmemd_packets_mine(team, seq);
	const unsigned int words = (bytes + 7) / 8;
	const unsigned int step = shmemd_scope_size(s);
	unsigned int i;

	for (i = shmemd_scope_index(s); i < words; i += step)
		shmemd_word_set(dest + 8 * i,
				shmemd_packet_await(packets, i, seq),
				bytes - 8 * i);
}

/*
 * The root's data are packets 0 to words - 1; a packet from member i without
 * data is number words + i, so that all hear from all.
 */
SHMEMD_FN void shmemd_broadcast_small(enum shmemd_scope s,
				      const struct shmemd_team *team,
				      char *dest, const char *source,
				      unsigned int bytes, int root)
{
	const unsigned int words = (bytes + 7) / 8;
	const uint32_t seq = shmemd_exchange_next(s, team);

	shmemd_exchange_enter(s, team, seq);
	if (team->me == root)
		shmemd_broadcast_send(s, team, dest, source, bytes, seq);
	shmemd_hello_send(s, team, words, seq);
	if (team->me != root)
		shmemd_broadcast_receive(s, team, dest, bytes, seq);
	shmemd_hello_await(s, team, words, seq);
	shmemd_scope_sync(s);
}

/* Each gets it from the root: the copies run side by side. */
SHMEMD_FN void shmemd_broadcast_large(enum shmemd_scope s, const char *api,
				      const struct shmemd_team *team,
				      char *dest, const char *source,
				      size_t bytes, int root)
{
	const struct shmemd_array array =
		shmemd_array_at(api, source, bytes, 1);
	const char *theirs = shmemd_array_of(&array, team, root);
	size_t from, part = shmemd_slice(s, bytes, &from);

	shmemd_meet(s, team, SHMEMD_OWED_STORES);
	if (part && dest != theirs)
		xgmi_dev_get(shmemd_within_wg(s), dest + from, theirs + from,
			     part);
	shmemd_meet(s, team, SHMEMD_OWED_STORES);
}

SHMEMD_CALL int shmemd_broadcast(enum shmemd_scope s, const char *api,
				 shmem_team_t handle, void *dest,
				 const void *source, size_t nelems,
				 size_t esize, int root)
{
	const struct shmemd_team *team = shmemd_team_arg(api, handle);
	const size_t bytes = nelems * esize;

	if (!team)
		return -1;
	if (SHMEMD_UNLIKELY((unsigned int)root >= (unsigned int)team->n_pes))
		shmemd_misuse(api, "PE_root: expected a PE of the team",
			      (uint64_t)(int64_t)root, root);
	shmemd_coll_check(api, dest, nelems, source, nelems, esize, 1);
	if (!bytes)
		return 0;
	if (SHMEMD_UNLIKELY(team->far))
		return shmemd_far_broadcast(s, api, team, dest, source, bytes,
					    root);
	if (team->n_pes > 1 && shmemd_exchange_fits(s, team, bytes))
		shmemd_broadcast_small(s, team, (char *)dest,
				       (const char *)source,
				       (unsigned int)bytes, root);
	else
		shmemd_broadcast_large(s, api, team, (char *)dest,
				       (const char *)source, bytes, root);
	return 0;
}

#endif
