/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/coll_bounce.h"

#include "host/heap.h"

/* Enough to copy at the speed of memory; a cache holds it. */
#define HALF_BYTES ((size_t)512 << 10)

/* Up to sizeof(data) bytes lie in it; of more, their offset. */
struct note {
	uint64_t left; /* steps that the sender needs after this one */
	uint64_t bytes;
	unsigned char data[40];
};
_Static_assert(sizeof(struct note) <= COLL_INLINE, "note");

#define NOTE_BYTES sizeof(((struct note *)0)->data)

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

struct coll_bounce coll_bounce_open(const char *api, struct shmem_team *team,
				    size_t most_bytes)
{
	struct coll_bounce b = { .api = api, .team = team };
	size_t n = (size_t)team->n_pes;

	b.piece = smaller((most_bytes + CACHE_LINE_BYTES - 1) /
				  CACHE_LINE_BYTES * CACHE_LINE_BYTES,
			  HALF_BYTES / n / CACHE_LINE_BYTES * CACHE_LINE_BYTES);
	if (b.piece <= NOTE_BYTES ||
	    shmemi_sync_get(2 * n * b.piece, &b.offset))
		b.piece = 0;
	return b;
}

void coll_bounce_close(struct coll_bounce *b)
{
	if (b->piece)
		shmemi_sync_put(b->offset);
	b->piece = 0;
}

static size_t piece_bytes(const struct coll_bounce *b)
{
	return b->piece ? b->piece : NOTE_BYTES;
}

/* Steps that this member's blocks take, this one aside. */
static size_t steps_left(const struct coll_bounce *b,
			 const struct coll_part *part)
{
	size_t most = 0, piece = piece_bytes(b);

	for (int i = 0; i < b->team->n_pes; i++)
		if (i != b->team->me && part[i].out_bytes > most)
			most = part[i].out_bytes;
	return most ? (most - 1) / piece : 0;
}

static void give(const struct coll_bounce *b, int to, struct coll_part *part,
		 size_t left)
{
	struct note note = { .left = left };
	size_t slot = (size_t)(b->half * b->team->n_pes + to);
	uint64_t at = b->offset + slot * b->piece;

	note.bytes = smaller(part->out_bytes, piece_bytes(b));
	if (note.bytes <= sizeof(note.data)) {
		coll_copy(note.data, part->source, note.bytes);
	} else {
		shmemi_move(shmemi.segment[CONDUIT_SYNC].base + at,
			    part->source, note.bytes);
		memcpy(note.data, &at, sizeof(at));
	}
	part->source += note.bytes;
	part->out_bytes -= note.bytes;
	coll_send(b->team, to, &note, sizeof(note));
}

static void fetch(const struct coll_bounce *b, int from, char *dest,
		  uint64_t at, size_t bytes)
{
	int pe = shmemi_team_world_pe(b->team, from);
	const struct shmemi_place place = { pe, CONDUIT_SYNC, at };

	if (coll_is_far(b->team, from))
		shmemi_far_get(b->api, &shmemi_own_ctx, dest, place, bytes,
			       CONDUIT_NBI);
	else
		shmemi_move(dest, shmemi.routes[pe].base[CONDUIT_SYNC] + at,
			    bytes);
}

/* Returns what the sender has left. */
static size_t take(const struct coll_bounce *b, int from,
		   struct coll_part *part)
{
	struct note note;
	uint64_t at;

	memcpy(&note, coll_receive(b->team, from), sizeof(note));
	if (note.bytes <= sizeof(note.data)) {
		coll_copy(part->dest, note.data, note.bytes);
	} else {
		memcpy(&at, note.data, sizeof(at));
		fetch(b, from, part->dest, at, note.bytes);
	}
	part->dest += note.bytes;
	part->in_bytes -= note.bytes;
	return note.left;
}

/* The most steps that any member has left. */
static size_t step(struct coll_bounce *b, struct coll_part *part)
{
	struct shmem_team *team = b->team;
	size_t most = steps_left(b, part), left;

	coll_room(team, 1);
	coll_step_begin(team);
	left = most;
	for (int i = 1; i < team->n_pes; i++)
		give(b, coll_peer(team, i), &part[coll_peer(team, i)], left);
	for (int i = 1; i < team->n_pes; i++) {
		int from = coll_peer(team, team->n_pes - i);

		left = take(b, from, &part[from]);
		most = left > most ? left : most;
	}
	if (team->nodes)
		shmemi_far_quiet(b->api, &shmemi_own_ctx, -1);
	coll_step_end(team, 1);
	b->half = !b->half;
	return most;
}

void coll_bounce_run(struct coll_bounce *b, struct coll_part *part)
{
	while (step(b, part))
		;
}
