/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Receivers learn the counts, and tell the senders where their rows go; then
 * all push. Tables are by the other member here: [n][n_local].
 */
#include <stdlib.h>

#include "base/log.h"
#include "host/check.h"
#include "host/coll_alltoallv.h"
#include "host/coll_bounce.h"
#include "host/coll_typed.h"

#pragma GCC visibility push(default)
#include <shmem/exchange.h>
#pragma GCC visibility pop

/* What a member tells all: where dest is, and what must be alike. */
struct offer {
	uint64_t row_bytes, n_local;
	uint64_t offset;
	int64_t seg;
};
_Static_assert(sizeof(struct offer) <= COLL_INLINE, "offer");

struct rows {
	const char *api;
	struct shmem_team *team;
	char *dest;
	const char *source;
	size_t row_bytes, n_local, dest_rows;
	size_t n;	     /* entries of a table */
	size_t *out;	     /* rows to each, ... */
	size_t *from;	     /* ... where they begin in source, ... */
	size_t *to;	     /* ... and in that member's dest */
	size_t *in;	     /* rows from each, ... */
	size_t *at;	     /* ... and where they begin in dest */
	size_t *user;	     /* what comes from the user or goes there */
	struct offer *offer; /* by member */
	struct coll_part *part;
};
#define N_TABLES 6

static int tables_make(struct rows *r)
{
	const size_t n_pes = (size_t)r->team->n_pes;

	r->n = shmemi_check_product(r->api, r->n_local, n_pes);
	shmemi_check_product(r->api, r->n, N_TABLES * sizeof(size_t));
	r->out = calloc(N_TABLES * r->n + 1, sizeof(size_t));
	r->offer = calloc(n_pes, sizeof(*r->offer));
	r->part = calloc(n_pes, sizeof(*r->part));
	if (!r->out || !r->offer || !r->part)
		return -1;
	r->from = r->out + r->n;
	r->to = r->from + r->n;
	r->in = r->to + r->n;
	r->at = r->in + r->n;
	r->user = r->at + r->n;
	return 0;
}

static void tables_free(struct rows *r)
{
	free(r->part);
	free(r->offer);
	free(r->out);
}

/* Entry of expert e and member i, in a table by experts. */
static size_t by_expert(const struct rows *r, size_t e, size_t i)
{
	return e * (size_t)r->team->n_pes + i;
}

static size_t by_member(const struct rows *r, size_t e, size_t i)
{
	return i * r->n_local + e;
}

/* A user's table by experts, from or to one by members. */
static void read_by_expert(const struct rows *r, size_t *table,
			   const size_t *from)
{
	coll_copy(r->user, from, r->n * sizeof(*table));
	for (size_t i = 0; i < (size_t)r->team->n_pes; i++)
		for (size_t e = 0; e < r->n_local; e++)
			table[by_member(r, e, i)] = r->user[by_expert(r, e, i)];
}

static void write_by_expert(const struct rows *r, size_t *to,
			    const size_t *table)
{
	for (size_t i = 0; i < (size_t)r->team->n_pes; i++)
		for (size_t e = 0; e < r->n_local; e++)
			r->user[by_expert(r, e, i)] = table[by_member(r, e, i)];
	coll_copy(to, r->user, r->n * sizeof(*table));
}

static size_t add(const struct rows *r, size_t a, size_t b)
{
	size_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		shmemi_fatal("%s: counts are more than an address space holds",
			     shmemi_api(r->api));
	return sum;
}

/* Where blocks begin that lie one behind the other; returns the end. */
static size_t pack(const struct rows *r, size_t *begin, const size_t *count)
{
	size_t end = 0;

	for (size_t i = 0; i < r->n; i++) {
		begin[i] = end;
		end = add(r, end, count[i]);
	}
	return end;
}

/* The end of an expert's block, which takes align rows if it is empty. */
static size_t aligned(const struct rows *r, size_t begin, size_t end,
		      size_t align)
{
	if (align <= 1)
		return end;
	if (end == begin)
		end++;
	return add(r, end, align - 1) / align * align;
}

/* By experts, each at a multiple of align. */
static size_t pack_experts(const struct rows *r, size_t align)
{
	size_t end = 0;

	for (size_t e = 0; e < r->n_local; e++) {
		size_t begin = end;

		for (size_t i = 0; i < (size_t)r->team->n_pes; i++) {
			size_t k = by_member(r, e, i);

			r->at[k] = end;
			end = add(r, end, r->in[k]);
		}
		end = aligned(r, begin, end, align);
	}
	return end;
}

/* Of padding there may be less room than the whole. */
static void check_room(const struct rows *r)
{
	size_t end = 0;

	for (size_t k = 0; k < r->n; k++)
		if (r->in[k] && add(r, r->at[k], r->in[k]) > end)
			end = r->at[k] + r->in[k];
	if (end > r->dest_rows)
		shmemi_fatal("%s: %zu rows come, but dest_rows is %zu",
			     shmemi_api(r->api), end, r->dest_rows);
}

static void compare(const struct rows *r, int member)
{
	const struct offer *theirs = &r->offer[member];
	int pe = shmemi_team_world_pe(r->team, member);

	if (theirs->row_bytes != r->row_bytes)
		shmemi_fatal("%s: row_bytes is %zu here, but %zu on PE %d",
			     shmemi_api(r->api), r->row_bytes,
			     (size_t)theirs->row_bytes, pe);
	if (theirs->n_local != r->n_local)
		shmemi_fatal("%s: n_local is %zu here, but %zu on PE %d",
			     shmemi_api(r->api), r->n_local,
			     (size_t)theirs->n_local, pe);
}

static void offers_exchange(struct rows *r)
{
	const struct coll_spot spot = coll_spot_of(r->dest, 0);
	const struct offer mine = { r->row_bytes, r->n_local, spot.offset,
				    spot.seg };

	if (spot.seg < 0 && r->dest_rows && r->row_bytes)
		shmemi_not_symmetric(r->api, r->dest, shmemi.me);
	coll_exchange(r->team, &mine, sizeof(mine), r->offer);
	for (int i = 0; i < r->team->n_pes; i++)
		compare(r, i);
}

/* A member's part of `mine`, to each; theirs to `theirs`. */
static void trade(const struct rows *r, struct coll_bounce *bounce,
		  const size_t *mine, size_t *theirs)
{
	const size_t bytes = r->n_local * sizeof(*mine);

	for (int i = 0; i < r->team->n_pes; i++) {
		size_t first = (size_t)i * r->n_local;

		r->part[i] = (struct coll_part){
			.source = (const char *)(mine + first),
			.out_bytes = bytes,
			.dest = (char *)(theirs + first),
			.in_bytes = bytes,
		};
	}
	memcpy(r->part[r->team->me].dest, r->part[r->team->me].source, bytes);
	coll_bounce_run(bounce, r->part);
}

static void push(const struct rows *r, int to, size_t k)
{
	const struct offer *theirs = &r->offer[to];
	const char *source = r->source + r->from[k] * r->row_bytes;
	const size_t bytes = r->out[k] * r->row_bytes;
	const size_t offset = theirs->offset + r->to[k] * r->row_bytes;
	const struct shmemi_place place = { shmemi_team_world_pe(r->team, to),
					    (enum conduit_segment)theirs->seg,
					    offset };

	if (!bytes)
		return;
	if (coll_is_far(r->team, to))
		shmemi_far_put(r->api, &shmemi_own_ctx, place, source, bytes,
			       CONDUIT_NBI);
	else
		shmemi_move(coll_spot_near(r->api, r->team, to,
					   (int)theirs->seg, offset),
			    source, bytes);
}

static void push_to(const struct rows *r, int to)
{
	for (size_t e = 0; e < r->n_local; e++)
		push(r, to, by_member(r, e, (size_t)to));
}

/* What crosses the network begins first, and ends behind the rest. */
static void push_all(const struct rows *r, int far)
{
	for (int i = 0; i < r->team->n_pes; i++) {
		int to = coll_peer(r->team, i);

		if (coll_is_far(r->team, to) == far)
			push_to(r, to);
	}
}

static void tell_all(const struct rows *r, int far)
{
	for (int i = 1; i < r->team->n_pes; i++) {
		int to = coll_peer(r->team, i);

		if (coll_is_far(r->team, to) == far)
			coll_send(r->team, to, NULL, 0);
	}
}

static void rows_exchange(const struct rows *r)
{
	struct shmem_team *team = r->team;

	coll_room(team, 1);
	coll_step_begin(team);
	push_all(r, 1);
	push_all(r, 0);
	tell_all(r, 0);
	if (team->nodes) {
		shmemi_far_quiet(r->api, &shmemi_own_ctx, -1);
		tell_all(r, 1);
	}
	for (int i = 1; i < team->n_pes; i++)
		coll_receive(team, coll_peer(team, team->n_pes - i));
	coll_step_end(team, 1);
}

static void check_overlap(const struct rows *r)
{
	uintptr_t dest = (uintptr_t)r->dest, source = (uintptr_t)r->source;

	for (size_t k = 0; k < r->n; k++) {
		uintptr_t from = source + r->from[k] * r->row_bytes;

		if (!source && r->out[k] && r->row_bytes)
			shmemi_fatal("%s: source is NULL", shmemi_api(r->api));
		if (r->out[k] && from < dest + r->dest_rows * r->row_bytes &&
		    dest < from + r->out[k] * r->row_bytes)
			shmemi_fatal("%s: dest %p and source %p overlap",
				     shmemi_api(r->api), (void *)r->dest,
				     (const void *)r->source);
	}
}

static void check(const struct rows *r)
{
	size_t bytes = shmemi_check_product(r->api, r->dest_rows, r->row_bytes);

	if (likely(!shmemi.guard))
		return;
	shmemi_trace(COLL, "%s: dest %p, source %p, rows of %zu bytes, %d PEs",
		     shmemi_api(r->api), (void *)r->dest,
		     (const void *)r->source, r->row_bytes, r->team->n_pes);
	shmemi_check_sym(r->api, "dest", r->dest, bytes);
	if (!(shmemi.guard & SHMEMI_GUARD_CHECK))
		return;
	check_overlap(r);
	coll_agree(r->api, r->team, r->row_bytes, -1);
}

/* Of filled out and from. align -1: by members, without gaps. */
static void run(struct rows *r, ptrdiff_t align)
{
	struct coll_bounce bounce;

	check(r);
	offers_exchange(r);
	bounce = coll_bounce_open(r->api, r->team, r->n_local * sizeof(size_t));
	trade(r, &bounce, r->out, r->in);
	if (align < 0)
		(void)pack(r, r->at, r->in);
	else
		(void)pack_experts(r, (size_t)align);
	check_room(r);
	trade(r, &bounce, r->at, r->to);
	rows_exchange(r);
	coll_bounce_close(&bounce);
}

static void check_given(const struct rows *r, const char *name, const void *p)
{
	if (shmemi.guard & SHMEMI_GUARD_CHECK && r->n_local && !p)
		shmemi_fatal("%s: %s is NULL", shmemi_api(r->api), name);
}

static int begin(struct rows *r, shmem_team_t team)
{
	r->team = coll_team(r->api, team);
	if (!r->team)
		return -1;
	if (tables_make(r))
		shmemi_fatal("%s: out of memory for %zu experts",
			     shmemi_api(r->api), r->n_local);
	return 0;
}

int shmemx_alltoallv_2d(shmem_team_t team, void *dest, const void *source,
			size_t row_bytes, size_t n_local, size_t align,
			size_t dest_rows, const size_t *in_counts,
			size_t *out_counts, size_t *out_offsets)
{
	struct rows r = {
		.api = __func__,
		.dest = dest,
		.source = source,
		.row_bytes = row_bytes,
		.n_local = n_local,
		.dest_rows = dest_rows,
	};

	if (begin(&r, team))
		return -1;
	check_given(&r, "in_counts", in_counts);
	check_given(&r, "out_counts", out_counts);
	check_given(&r, "out_offsets", out_offsets);
	coll_copy(r.out, in_counts, r.n * sizeof(size_t));
	shmemi_check_product(r.api, pack(&r, r.from, r.out), row_bytes);
	run(&r, align > PTRDIFF_MAX ? PTRDIFF_MAX : (ptrdiff_t)align);
	write_by_expert(&r, out_counts, r.in);
	write_by_expert(&r, out_offsets, r.at);
	tables_free(&r);
	return 0;
}

int shmemx_alltoallv_2d_offset(shmem_team_t team, void *dest,
			       const void *source, size_t row_bytes,
			       size_t n_local, size_t dest_rows,
			       const size_t *in_counts,
			       const size_t *in_offsets, size_t *out_counts,
			       size_t *out_offsets)
{
	struct rows r = {
		.api = __func__,
		.dest = dest,
		.source = source,
		.row_bytes = row_bytes,
		.n_local = n_local,
		.dest_rows = dest_rows,
	};

	if (begin(&r, team))
		return -1;
	check_given(&r, "in_counts", in_counts);
	check_given(&r, "in_offsets", in_offsets);
	check_given(&r, "out_counts", out_counts);
	check_given(&r, "out_offsets", out_offsets);
	read_by_expert(&r, r.out, in_counts);
	read_by_expert(&r, r.from, in_offsets);
	for (size_t k = 0; k < r.n; k++)
		shmemi_check_product(r.api, add(&r, r.from[k], r.out[k]),
				     row_bytes);
	run(&r, -1);
	coll_copy(out_counts, r.in, r.n * sizeof(size_t));
	coll_copy(out_offsets, r.at, r.n * sizeof(size_t));
	tables_free(&r);
	return 0;
}
