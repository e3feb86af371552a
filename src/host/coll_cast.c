/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/coll_cast.h"

/* A stage: slots, a line that says what its member has left, then data. */
#define LEFT_OFFSET (COLL_CASTS * sizeof(struct coll_slot))
#define DATA_OFFSET (LEFT_OFFSET + sizeof(struct coll_line))

static const char what[] = "a broadcast";

size_t coll_cast_room(void)
{
	size_t bytes = coll_stage_bytes(COLL_STAGE_CAST) - DATA_OFFSET;

	return bytes / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
}

static size_t lines(size_t bytes)
{
	return (bytes + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES *
	       CACHE_LINE_BYTES;
}

static size_t in_stage(size_t bytes)
{
	return bytes <= COLL_INLINE ? 0 : lines(bytes);
}

/* Data does not go round the end of the room. */
static size_t next_begin(const struct coll_casts *casts, size_t bytes)
{
	size_t room = coll_cast_room();
	size_t left = room - casts->end % room;

	return casts->end + (in_stage(bytes) > left ? left : 0);
}

static size_t data_offset(const struct coll_casts *casts)
{
	size_t room = coll_cast_room();

	return DATA_OFFSET + casts->begin[casts->newest % COLL_CASTS] % room;
}

/* A step after a cast in which all heard from all: they have left it. */
static void find_oldest(struct shmem_team *team)
{
	struct coll_casts *casts = &team->nodes->casts;

	while (casts->oldest <= casts->newest &&
	       casts->seq[casts->oldest % COLL_CASTS] <= team->floor)
		casts->oldest++;
}

static int fits(const struct coll_casts *casts, size_t bytes)
{
	size_t room = coll_cast_room();
	size_t end = next_begin(casts, bytes) + in_stage(bytes);

	if (casts->oldest > casts->newest)
		return 1;
	return casts->newest - casts->oldest + 1 < COLL_CASTS &&
	       end - casts->begin[casts->oldest % COLL_CASTS] <= room;
}

void coll_cast_begin(struct shmem_team *team, size_t bytes)
{
	struct coll_casts *casts = &team->nodes->casts;
	size_t begin, i;

	find_oldest(team);
	if (!fits(casts, bytes)) {
		coll_sync(team);
		find_oldest(team);
	}
	begin = next_begin(casts, bytes);
	i = ++casts->newest % COLL_CASTS;
	casts->seq[i] = team->seq;
	casts->begin[i] = begin;
	casts->end = begin + in_stage(bytes);
}

static size_t slot_offset(const struct shmem_team *team)
{
	return team->nodes->casts.newest % COLL_CASTS *
	       sizeof(struct coll_slot);
}

static struct coll_slot *slot_at(const struct shmem_team *team, int head)
{
	return (struct coll_slot *)coll_stage_at(team, COLL_STAGE_CAST, head,
						 slot_offset(team));
}

const void *coll_cast_look(struct shmem_team *team, int head, size_t bytes)
{
	const struct coll_slot *slot = slot_at(team, head);

	coll_wait(&slot->seq, team->nodes->casts.newest);
	if (!in_stage(bytes))
		return slot->data;
	return coll_stage_at(team, COLL_STAGE_CAST, head,
			     data_offset(&team->nodes->casts));
}

static struct shmemi_place signal_place(const struct shmem_team *team, int to)
{
	return coll_stage_place(team, COLL_STAGE_CAST, to,
				slot_offset(team) +
					offsetof(struct coll_slot, seq));
}

void coll_cast_send(struct shmem_team *team, int to, const void *data,
		    size_t bytes)
{
	size_t at = in_stage(bytes) ? data_offset(&team->nodes->casts) :
				      slot_offset(team);

	coll_put(what, coll_stage_place(team, COLL_STAGE_CAST, to, at), data,
		 bytes, signal_place(team, to), team->nodes->casts.newest);
}

void coll_cast_show(struct shmem_team *team, const void *data, size_t bytes)
{
	struct coll_slot *slot = slot_at(team, team->me);
	char *stage = coll_stage_at(team, COLL_STAGE_CAST, team->me,
				    data_offset(&team->nodes->casts));

	if (in_stage(bytes))
		shmemi_move(stage, data, bytes);
	else
		coll_copy(slot->data, data, bytes);
	flag_store(&slot->seq, team->nodes->casts.newest);
}

void coll_cast_push(const char *api, struct shmem_team *team, int to,
		    const void *dest, size_t offset, const void *src,
		    size_t bytes)
{
	coll_put(api, coll_place(api, team, to, dest, offset), src, bytes,
		 signal_place(team, to), team->nodes->casts.newest);
}

static uint64_t *left_at(const struct shmem_team *team, int member)
{
	return (uint64_t *)coll_stage_at(team, COLL_STAGE_CAST, member,
					 LEFT_OFFSET);
}

void coll_cast_leave(struct shmem_team *team)
{
	flag_store(left_at(team, team->me), team->nodes->casts.newest);
}

void coll_cast_wait_near(struct shmem_team *team)
{
	const struct coll_nodes *nodes = team->nodes;

	for (int i = 1; i < coll_n_near(nodes); i++)
		coll_wait(left_at(team, coll_near_peer(nodes, i)),
			  nodes->casts.newest);
}
