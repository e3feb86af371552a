/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In a first step each pair of members tell each other their counts and where
 * their blocks are. Both then know how each block goes: in a slot if it is
 * small, pushed to a symmetric dest, pulled from a symmetric source, or else by
 * coll_bounce.h. In a last step a message says that all this is done.
 */
#include "host/coll_alltoallv.h"

#include <stdlib.h>

#include "base/log.h"
#include "host/check.h"
#include "host/coll_bounce.h"

/* Members whose pairs lie on the stack. */
#define FEW 16

struct offer {
	uint64_t out_nelems, in_nelems;
	uint64_t out_offset, in_offset;
	uint32_t esize;
	int8_t out_seg, in_seg; /* -1: not symmetric */
	/* whether a long block of the sender, for anyone, is not symmetric */
	uint8_t out_private, in_private;
};
_Static_assert(sizeof(struct offer) <= COLL_INLINE, "offer");

struct pair {
	struct coll_part part;
	struct coll_spot out, in;
	struct offer theirs;
};

enum way { WAY_NONE, WAY_SLOT, WAY_PUSH, WAY_PULL, WAY_BOUNCE };

struct alltoallv {
	const char *api;
	struct shmem_team *team;
	const struct coll_vectors *v;
	struct pair *pair;
	int out_private, in_private;
};

struct coll_spot coll_spot_of(const void *addr, size_t bytes)
{
	struct coll_spot at;

	at.seg = shmemi_locate(addr, &at.offset);
	if (at.seg >= 0 && bytes > shmemi.segment[at.seg].bytes - at.offset)
		at.seg = -1;
	return at;
}

char *coll_spot_near(const char *api, const struct shmem_team *team, int member,
		     int seg, size_t offset)
{
	int pe = shmemi_team_world_pe(team, member);
	char *base = shmemi.routes[pe].base[seg];

	if (!base && seg == CONDUIT_DEVICE)
		base = shmemi.peers[pe].device;
	if (unlikely(!base))
		shmemi_not_symmetric(api, shmemi.segment[seg].base + offset,
				     pe);
	return base + offset;
}

static enum way way(size_t bytes, int in_seg, int out_seg)
{
	if (bytes <= COLL_INLINE)
		return bytes ? WAY_SLOT : WAY_NONE;
	if (in_seg >= 0)
		return WAY_PUSH;
	return out_seg >= 0 ? WAY_PULL : WAY_BOUNCE;
}

static enum way way_out(const struct pair *p)
{
	return way(p->part.out_bytes, p->theirs.in_seg, p->out.seg);
}

static enum way way_in(const struct pair *p)
{
	return way(p->part.in_bytes, p->in.seg, p->theirs.out_seg);
}

static size_t block_bytes(const char *api, size_t nelems, size_t offset,
			  size_t esize)
{
	size_t end;

	if (nelems && __builtin_add_overflow(nelems, offset, &end))
		shmemi_fatal("%s: %zu elements at offset %zu are more than an "
			     "address space holds",
			     shmemi_api(api), nelems, offset);
	return nelems ? shmemi_check_product(api, end, esize) - offset * esize :
			0;
}

static void pair_fill(struct alltoallv *a, int i)
{
	const struct coll_vectors *v = a->v;
	struct pair *p = &a->pair[i];

	p->part.out_bytes = block_bytes(a->api, v->source_nelems[i],
					v->source_offsets[i], v->esize);
	p->part.in_bytes = block_bytes(a->api, v->dest_nelems[i],
				       v->dest_offsets[i], v->esize);
	p->part.source = (const char *)((uintptr_t)v->source +
					v->source_offsets[i] * v->esize);
	p->part.dest =
		(char *)((uintptr_t)v->dest + v->dest_offsets[i] * v->esize);
	p->out = coll_spot_of(p->part.source, p->part.out_bytes);
	p->in = coll_spot_of(p->part.dest, p->part.in_bytes);
	if (i == a->team->me)
		return;
	a->out_private |= p->part.out_bytes > COLL_INLINE && p->out.seg < 0;
	a->in_private |= p->part.in_bytes > COLL_INLINE && p->in.seg < 0;
}

static struct offer offer_for(const struct alltoallv *a, int i)
{
	const struct pair *p = &a->pair[i];

	return (struct offer){
		.out_nelems = a->v->source_nelems[i],
		.in_nelems = a->v->dest_nelems[i],
		.out_offset = p->out.offset,
		.in_offset = p->in.offset,
		.esize = (uint32_t)a->v->esize,
		.out_seg = (int8_t)p->out.seg,
		.in_seg = (int8_t)p->in.seg,
		.out_private = (uint8_t)a->out_private,
		.in_private = (uint8_t)a->in_private,
	};
}

static void compare(const struct alltoallv *a, int i)
{
	const struct offer *theirs = &a->pair[i].theirs;
	size_t out = a->v->source_nelems[i], in = a->v->dest_nelems[i];
	int pe = shmemi_team_world_pe(a->team, i);

	if (theirs->esize != a->v->esize)
		shmemi_fatal("%s: elements of %zu bytes here, but of %u bytes "
			     "on PE %d",
			     shmemi_api(a->api), a->v->esize, theirs->esize,
			     pe);
	if (theirs->in_nelems != out)
		shmemi_fatal("%s: source_nelems[%d] is %zu here, but "
			     "dest_nelems[%d] is %zu on PE %d",
			     shmemi_api(a->api), i, out, a->team->me,
			     (size_t)theirs->in_nelems, pe);
	if (theirs->out_nelems != in)
		shmemi_fatal("%s: dest_nelems[%d] is %zu here, but "
			     "source_nelems[%d] is %zu on PE %d",
			     shmemi_api(a->api), i, in, a->team->me,
			     (size_t)theirs->out_nelems, pe);
}

/* The first step. */
static void offers_exchange(struct alltoallv *a)
{
	struct shmem_team *team = a->team;

	coll_room(team, 1);
	coll_step_begin(team);
	for (int i = 1; i < team->n_pes; i++) {
		int to = coll_peer(team, i);
		struct offer mine = offer_for(a, to);

		coll_send(team, to, &mine, sizeof(mine));
	}
	a->pair[team->me].theirs = offer_for(a, team->me);
	for (int i = 1; i < team->n_pes; i++) {
		int from = coll_peer(team, i);

		memcpy(&a->pair[from].theirs, coll_receive(team, from),
		       sizeof(struct offer));
	}
	coll_step_end(team, 1);
	for (int i = 0; i < team->n_pes; i++)
		compare(a, i);
}

/* Whether any pair may have a block that is symmetric on neither side. */
static int bounces(const struct alltoallv *a)
{
	int out = a->out_private, in = a->in_private;

	for (int i = 0; i < a->team->n_pes; i++) {
		out |= a->pair[i].theirs.out_private;
		in |= a->pair[i].theirs.in_private;
	}
	return out && in;
}

/* Of each pair's blocks those that go this way; the most bytes to a member. */
static size_t parts_for_bounce(const struct alltoallv *a,
			       struct coll_part *part)
{
	size_t most = 0;

	for (int i = 0; i < a->team->n_pes; i++) {
		const struct pair *p = &a->pair[i];

		part[i] = p->part;
		if (way_out(p) != WAY_BOUNCE)
			part[i].out_bytes = 0;
		if (way_in(p) != WAY_BOUNCE)
			part[i].in_bytes = 0;
		if (i != a->team->me && part[i].out_bytes > most)
			most = part[i].out_bytes;
	}
	return most;
}

static struct coll_bounce bounce(const struct alltoallv *a)
{
	struct coll_part few[FEW], *part = few;
	struct coll_bounce b;

	if (a->team->n_pes > FEW)
		part = malloc((size_t)a->team->n_pes * sizeof(*part));
	if (!part)
		shmemi_fatal("%s: out of memory for %d PEs", shmemi_api(a->api),
			     a->team->n_pes);
	b = coll_bounce_open(a->api, a->team, parts_for_bounce(a, part));
	coll_bounce_run(&b, part);
	if (part != few)
		free(part);
	return b;
}

/* The message of the last step, with a block if it goes in a slot. */
static void tell(const struct alltoallv *a, int to)
{
	const struct pair *p = &a->pair[to];
	size_t bytes = way_out(p) == WAY_SLOT ? p->part.out_bytes : 0;

	coll_send(a->team, to, p->part.source, bytes);
}

static struct shmemi_place place(const struct alltoallv *a, int member, int seg,
				 size_t offset)
{
	return (struct shmemi_place){ shmemi_team_world_pe(a->team, member),
				      seg, offset };
}

/* What crosses the network begins; a pull is told of when it is done. */
static void far_begin(const struct alltoallv *a, int i)
{
	const struct pair *p = &a->pair[i];
	const struct shmemi_place to =
		place(a, i, p->theirs.in_seg, p->theirs.in_offset);
	const struct shmemi_place from =
		place(a, i, p->theirs.out_seg, p->theirs.out_offset);
	int pull = way_in(p) == WAY_PULL, push = way_out(p) == WAY_PUSH;

	if (pull)
		shmemi_far_get(a->api, &shmemi_own_ctx, p->part.dest, from,
			       p->part.in_bytes, CONDUIT_NBI);
	if (pull && push)
		shmemi_far_put(a->api, &shmemi_own_ctx, to, p->part.source,
			       p->part.out_bytes, CONDUIT_NBI);
	else if (push)
		coll_push_nbi(a->api, a->team, i, to, p->part.source,
			      p->part.out_bytes);
	else if (!pull)
		tell(a, i);
}

static void near(const struct alltoallv *a, int i)
{
	const struct pair *p = &a->pair[i];

	if (way_out(p) == WAY_PUSH)
		shmemi_move(coll_spot_near(a->api, a->team, i, p->theirs.in_seg,
					   p->theirs.in_offset),
			    p->part.source, p->part.out_bytes);
	if (way_in(p) == WAY_PULL)
		shmemi_move(p->part.dest,
			    coll_spot_near(a->api, a->team, i,
					   p->theirs.out_seg,
					   p->theirs.out_offset),
			    p->part.in_bytes);
	tell(a, i);
}

static void near_all(const struct alltoallv *a)
{
	const struct coll_part *own = &a->pair[a->team->me].part;

	for (int i = 1; i < a->team->n_pes; i++) {
		int peer = coll_peer(a->team, i);

		if (!coll_is_far(a->team, peer))
			near(a, peer);
	}
	if (own->out_bytes)
		shmemi_move(own->dest, own->source, own->out_bytes);
}

static void far_end(const struct alltoallv *a)
{
	shmemi_far_quiet(a->api, &shmemi_own_ctx, -1);
	for (int i = 1; i < a->team->n_pes; i++) {
		int peer = coll_peer(a->team, i);

		if (coll_is_far(a->team, peer) &&
		    way_in(&a->pair[peer]) == WAY_PULL)
			tell(a, peer);
	}
}

static void receive(const struct alltoallv *a, int from)
{
	const struct pair *p = &a->pair[from];
	const void *data = coll_receive(a->team, from);

	if (way_in(p) == WAY_SLOT)
		coll_copy(p->part.dest, data, p->part.in_bytes);
}

/* The last step. */
static void blocks_exchange(const struct alltoallv *a)
{
	struct shmem_team *team = a->team;

	coll_room(team, 1);
	coll_step_begin(team);
	for (int i = 1; team->nodes && i < team->n_pes; i++)
		if (coll_is_far(team, coll_peer(team, i)))
			far_begin(a, coll_peer(team, i));
	near_all(a);
	if (team->nodes)
		far_end(a);
	for (int i = 1; i < team->n_pes; i++)
		receive(a, coll_peer(team, team->n_pes - i));
	coll_step_end(team, 1);
}

static void run(struct alltoallv *a)
{
	struct coll_bounce b = { .piece = 0 };

	for (int i = 0; i < a->team->n_pes; i++)
		pair_fill(a, i);
	offers_exchange(a);
	if (bounces(a))
		b = bounce(a);
	blocks_exchange(a);
	coll_bounce_close(&b);
}

static void with_pairs(const char *api, struct shmem_team *team,
		       const struct coll_vectors *v)
{
	struct pair few[FEW];
	struct alltoallv a = { .api = api, .team = team, .v = v, .pair = few };

	if (unlikely(shmemi.guard))
		coll_alltoallv_check(api, team, v);
	if (team->n_pes > FEW)
		a.pair = malloc((size_t)team->n_pes * sizeof(*a.pair));
	if (!a.pair)
		shmemi_fatal("%s: out of memory for %d PEs", shmemi_api(api),
			     team->n_pes);
	run(&a);
	if (a.pair != few)
		free(a.pair);
}

static int is_untouchable(const struct coll_vectors *v)
{
	return shmemi_untouchable(v->source_nelems) ||
	       shmemi_untouchable(v->source_offsets) ||
	       shmemi_untouchable(v->dest_nelems) ||
	       shmemi_untouchable(v->dest_offsets);
}

/* With tables in device memory brought to the host. */
static void with_copies(const char *api, struct shmem_team *team,
			struct coll_vectors v)
{
	size_t n = (size_t)team->n_pes, bytes = n * sizeof(size_t);
	size_t *all = malloc(4 * bytes);

	if (!all)
		shmemi_fatal("%s: out of memory for %d PEs", shmemi_api(api),
			     team->n_pes);
	v.source_nelems = shmemi_fetch(v.source_nelems, all, bytes);
	v.source_offsets = shmemi_fetch(v.source_offsets, all + n, bytes);
	v.dest_nelems = shmemi_fetch(v.dest_nelems, all + 2 * n, bytes);
	v.dest_offsets = shmemi_fetch(v.dest_offsets, all + 3 * n, bytes);
	with_pairs(api, team, &v);
	free(all);
}

void shmemi_alltoallv(const char *api, struct shmem_team *team,
		      const struct coll_vectors *v)
{
	if (unlikely(is_untouchable(v)))
		with_copies(api, team, *v);
	else
		with_pairs(api, team, v);
}
