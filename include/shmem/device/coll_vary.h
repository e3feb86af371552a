/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an alltoallv is, and the heads that tell a member of what another one
 * has for it; coll_alltoallv.h says how they are used.
 */
#ifndef SHMEM_DEVICE_COLL_VARY_H
#define SHMEM_DEVICE_COLL_VARY_H

#include <shmem/device/coll_far.h>
#include <shmem/device/coll_spot.h>

/* One call. Blocks of more than small bytes don't come with their heads. */
struct shmemd_vary {
	const struct shmemd_team *team;
	char *dest;
	const char *source;
	const size_t *dest_nelems, *dest_offsets;
	const size_t *source_nelems, *source_offsets;
	size_t esize;
	size_t small;
	uint64_t number; /* of the exchange, or of the far one's meeting */
};

/* A head's first word: elements, whether dest's words follow, and source's. */
#define SHMEMD_HEAD_WANTS ((uint64_t)1 << 63)
#define SHMEMD_HEAD_LARGE ((uint64_t)1 << 62)
#define SHMEMD_HEAD_COUNT (SHMEMD_HEAD_LARGE - 1)
#define SHMEMD_HEAD_WORDS 3 /* before the block or the spot of its source */

/* No memory has so many elements. */
#define SHMEMD_VARY_MANY ((size_t)1 << 58)

struct shmemd_head {
	uint64_t count; /* the first word */
	uint64_t want, dest;
	uint64_t source;
};

/* In slots the head has its words too, behind the length of all of it. */
struct shmemd_far_head {
	uint64_t bytes;
	struct shmemd_head head;
	uint64_t unused;
};

SHMEMD_FN size_t shmemd_vary_bytes(const struct shmemd_vary *v, size_t nelems)
{
	return nelems < SHMEMD_VARY_MANY ? nelems * v->esize : 0;
}

SHMEMD_FN size_t shmemd_vary_in_bytes(const struct shmemd_vary *v, int i)
{
	return shmemd_vary_bytes(v, v->dest_nelems[i]);
}

SHMEMD_FN size_t shmemd_vary_out_bytes(const struct shmemd_vary *v, int i)
{
	return shmemd_vary_bytes(v, v->source_nelems[i]);
}

SHMEMD_FN char *shmemd_vary_dest(const struct shmemd_vary *v, int i)
{
	return v->dest + v->dest_offsets[i] * v->esize;
}

SHMEMD_FN const char *shmemd_vary_source(const struct shmemd_vary *v, int i)
{
	return v->source + v->source_offsets[i] * v->esize;
}

SHMEMD_FN uint64_t shmemd_vary_dest_spot(const struct shmemd_vary *v, int i)
{
	return shmemd_spot_of(shmemd_vary_dest(v, i),
			      shmemd_vary_in_bytes(v, i));
}

SHMEMD_FN uint64_t shmemd_vary_source_spot(const struct shmemd_vary *v, int i)
{
	return shmemd_spot_of(shmemd_vary_source(v, i),
			      shmemd_vary_out_bytes(v, i));
}

/* The first word of the head for member i. */
SHMEMD_FN uint64_t shmemd_vary_count(const struct shmemd_vary *v, int i)
{
	uint64_t count = v->source_nelems[i] & SHMEMD_HEAD_COUNT;

	if (shmemd_vary_in_bytes(v, i) > v->small)
		count |= SHMEMD_HEAD_WANTS;
	if (shmemd_vary_out_bytes(v, i) > v->small)
		count |= SHMEMD_HEAD_LARGE;
	return count;
}

/* Whether member i's count is what is expected, and all are such as can be. */
SHMEMD_FN int shmemd_vary_agrees(const struct shmemd_vary *v, int i,
				 uint64_t count)
{
	return (count & SHMEMD_HEAD_COUNT) == v->dest_nelems[i] &&
	       v->dest_nelems[i] < SHMEMD_VARY_MANY &&
	       v->source_nelems[i] < SHMEMD_VARY_MANY;
}

SHMEMD_SLOW void shmemd_vary_misuse(const char *api,
				    const struct shmemd_vary *v, int i,
				    uint64_t count)
{
	const size_t dest = v->dest_nelems[i], source = v->source_nelems[i];
	const int pe = shmemd_team_pe(v->team, i);

	if (source >= SHMEMD_VARY_MANY)
		shmemd_misuse_inline(
			api, "source_nelems: expected less than memory holds",
			source, pe);
	else if (dest >= SHMEMD_VARY_MANY)
		shmemd_misuse_inline(
			api, "dest_nelems: expected less than memory holds",
			dest, pe);
	else
		shmemd_misuse_counts(api,
				     "dest_nelems: expected the source_nelems",
				     dest, count & SHMEMD_HEAD_COUNT, pe);
}

/* All loads at once: each would be waited for by itself behind a branch. */
SHMEMD_FN int shmemd_vary_any_large(const struct shmemd_vary *v)
{
	int large = 0, i;

	for (i = 0; i < v->team->n_pes; i++)
		large |= (int)(shmemd_vary_in_bytes(v, i) > v->small) |
			 (int)(shmemd_vary_out_bytes(v, i) > v->small);
	return large;
}

/* What comes from member i, and where what goes to it is put. */
SHMEMD_FN const char *shmemd_vary_packets(const struct shmemd_vary *v, int i)
{
	return shmemd_packets_mine(v->team, (uint32_t)v->number) +
	       (size_t)i * 2 * v->team->ll_bytes;
}

SHMEMD_FN char *shmemd_vary_packets_on(const struct shmemd_vary *v, int i)
{
	return shmemd_packets(v->team, i, (uint32_t)v->number) +
	       (size_t)v->team->me * 2 * v->team->ll_bytes;
}

SHMEMD_FN char *shmemd_vary_slot(const struct shmemd_vary *v, int i)
{
	return shmemd_far_slot_of(v->team, v->team->me, i, v->number);
}

SHMEMD_FN struct shmemd_head shmemd_vary_far_head(const struct shmemd_vary *v,
						  int i)
{
	const char *slot = shmemd_vary_slot(v, i);
	struct shmemd_head head;

	head.count = shmemd_load64(slot + 8);
	head.want = shmemd_load64(slot + 16);
	head.dest = shmemd_load64(slot + 24);
	head.source = shmemd_load64(slot + 32);
	return head;
}

/* Whether all of a head is there. */
SHMEMD_FN int shmemd_head_came(const struct shmemd_vec x[4], uint32_t seq)
{
	const uint64_t count = shmemd_packet_data(x[0]);

	if (!shmemd_packet_came(x[0], seq))
		return 0;
	if (count & SHMEMD_HEAD_WANTS &&
	    !(shmemd_packet_came(x[1], seq) & shmemd_packet_came(x[2], seq)))
		return 0;
	return !(count & SHMEMD_HEAD_LARGE) || shmemd_packet_came(x[3], seq);
}

/* Member i's head for this one. */
SHMEMD_FN struct shmemd_head shmemd_vary_head(const struct shmemd_vary *v,
					      int i)
{
	const uint32_t seq = (uint32_t)v->number;
	struct shmemd_wait wait = { { 0 }, 0 };
	struct shmemd_head head;
	struct shmemd_vec x[4];
	const char *packets;

	if (v->team->far)
		return shmemd_vary_far_head(v, i);
	packets = shmemd_vary_packets(v, i);
	shmemd_load128x4(x, packets, SHMEMD_PACKET_BYTES);
	while (!shmemd_head_came(x, seq)) {
		shmemd_wait_turn(&wait);
		shmemd_load128x4(x, packets, SHMEMD_PACKET_BYTES);
	}
	head.count = shmemd_packet_data(x[0]);
	head.want = shmemd_packet_data(x[1]);
	head.dest = shmemd_packet_data(x[2]);
	head.source = shmemd_packet_data(x[3]);
	return head;
}

#endif
