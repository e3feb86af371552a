/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/check.h"
#include "host/coll_node.h"

static struct shmemi_place in_sync(const struct shmem_team *team, int member,
				   size_t offset)
{
	return (struct shmemi_place){ shmemi_team_world_pe(team, member),
				      CONDUIT_SYNC, offset };
}

static struct shmemi_place slot_place(const struct shmem_team *team, int to,
				      size_t at)
{
	size_t slot = (size_t)team->me * COLL_DEPTH + team->seq % COLL_DEPTH;

	return in_sync(team, to,
		       team->offset[to] + offsetof(struct coll_block, slot) +
			       slot * sizeof(struct coll_slot) + at);
}

void coll_put(const char *api, struct shmemi_place to, const void *src,
	      size_t bytes, struct shmemi_place signal, uint64_t value)
{
	shmemi_far_put_signal(api, &shmemi_own_ctx, to, src, bytes, signal,
			      value, CONDUIT_SET, 0);
}

/* What this step has for a member. */
static void push_far(const char *api, struct shmem_team *team, int to,
		     struct shmemi_place place, const void *src, size_t bytes)
{
	coll_put(api, place, src, bytes,
		 slot_place(team, to, offsetof(struct coll_slot, seq)),
		 team->seq);
}

void coll_send_far(struct shmem_team *team, int to, const void *data,
		   size_t bytes)
{
	push_far("a collective", team, to, slot_place(team, to, 0), data,
		 bytes);
}

struct shmemi_place coll_stage_place(const struct shmem_team *team, int stage,
				     int member, size_t offset)
{
	return in_sync(team, member,
		       team->nodes->stage[stage].offset[member] + offset);
}

void coll_stage_push(struct shmem_team *team, int stage, int to, size_t offset,
		     const void *src, size_t bytes)
{
	push_far("a collective", team, to,
		 coll_stage_place(team, stage, to, offset), src, bytes);
}

struct shmemi_place coll_place(const char *api, const struct shmem_team *team,
			       int member, const void *addr, size_t offset)
{
	int pe = shmemi_team_world_pe(team, member);
	size_t at;
	int seg = shmemi_locate(addr, &at);

	if (unlikely(seg < 0))
		shmemi_not_symmetric(api, addr, pe);
	return (struct shmemi_place){ pe, seg, at + offset };
}

void coll_push(const char *api, struct shmem_team *team, int to,
	       const void *dest, size_t offset, const void *src, size_t bytes)
{
	if (coll_is_far(team, to) && bytes) {
		push_far(api, team, to, coll_place(api, team, to, dest, offset),
			 src, bytes);
		return;
	}
	if (bytes)
		shmemi_move(coll_direct(api, team, to, dest) + offset, src,
			    bytes);
	coll_send(team, to, NULL, 0);
}

void coll_push_nbi(const char *api, struct shmem_team *team, int to,
		   struct shmemi_place place, const void *src, size_t bytes)
{
	shmemi_far_put_signal(api, &shmemi_own_ctx, place, src, bytes,
			      slot_place(team, to,
					 offsetof(struct coll_slot, seq)),
			      team->seq, CONDUIT_SET, CONDUIT_NBI);
}

/* One is left for the meeting itself. */
void coll_room(struct shmem_team *team, unsigned int steps)
{
	if (team->seq + steps >= team->floor + COLL_DEPTH)
		coll_sync(team);
}
