/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/log.h"
#include "host/check.h"
#include "host/coll_table.h"

/* Blocks that fit in a slot: one flight, and a copy at the end of it. */
static void alltoall_inline(struct shmem_team *team, char *dest,
			    const char *source, size_t bytes)
{
	for (int i = 1; i < team->n_pes; i++) {
		int to = coll_peer(team, i);

		coll_send(team, to, source + (size_t)to * bytes, bytes);
	}
	coll_copy(dest + (size_t)team->me * bytes,
		  source + (size_t)team->me * bytes, bytes);
	for (int i = 1; i < team->n_pes; i++) {
		int from = coll_peer(team, i);

		coll_copy(dest + (size_t)from * bytes, coll_receive(team, from),
			  bytes);
	}
}

/* Pushed to each peer's dest, each member starting at another peer. */
static void alltoall_push(const char *api, struct shmem_team *team, char *dest,
			  const char *source, size_t bytes)
{
	for (int i = 1; i < team->n_pes; i++) {
		int to = coll_peer(team, i);

		coll_push(api, team, to, dest, (size_t)team->me * bytes,
			  source + (size_t)to * bytes, bytes);
	}
	shmemi_move(dest + (size_t)team->me * bytes,
		    source + (size_t)team->me * bytes, bytes);
	for (int i = 1; i < team->n_pes; i++)
		coll_receive(team, coll_peer(team, i));
}

static void alltoall(const char *api, struct shmem_team *team, void *dest,
		     const void *source, size_t bytes)
{
	coll_step_begin(team);
	if (bytes <= COLL_INLINE)
		alltoall_inline(team, dest, source, bytes);
	else
		alltoall_push(api, team, dest, source, bytes);
	coll_step_end(team, 1);
}

void coll_alltoall_flat(const struct coll_call *call)
{
	coll_room(call->team, 1);
	alltoall(call->api, call->team, call->dest, call->source,
		 coll_call_bytes(call));
}

static void check(const char *api, struct shmem_team *team, const void *dest,
		  const void *source, size_t nelems, size_t esize)
{
	const struct coll_args args = {
		.dest = dest,
		.source = source,
		.ndest = shmemi_check_product(api, nelems, (size_t)team->n_pes),
		.nsource = nelems * (size_t)team->n_pes,
		.esize = esize,
		.agree = nelems * esize,
		.root = -1,
	};

	coll_check(api, team, &args);
}

void shmemi_alltoall(const char *api, struct shmem_team *team, void *dest,
		     const void *source, size_t nelems, size_t esize)
{
	if (unlikely(shmemi.guard))
		check(api, team, dest, source, nelems, esize);
	if (likely(!team->nodes))
		alltoall(api, team, dest, source, nelems * esize);
	else
		coll_run(COLL_ALLTOALL,
			 &(const struct coll_call){ .api = api,
						    .team = team,
						    .dest = dest,
						    .source = source,
						    .nelems = nelems,
						    .esize = esize });
}

/* Elements from the first to past the last, at stride. */
static size_t extent(const char *api, const char *name, ptrdiff_t stride,
		     size_t n)
{
	if (stride < 1)
		shmemi_fatal("%s: %s is %td, expected at least 1",
			     shmemi_api(api), name, stride);
	return n ? shmemi_check_product(api, n - 1, (size_t)stride) + 1 : 0;
}

static void check_strided(const char *api, struct shmem_team *team,
			  const void *dest, const void *source, ptrdiff_t dst,
			  ptrdiff_t sst, size_t nelems, size_t esize)
{
	size_t n = shmemi_check_product(api, nelems, (size_t)team->n_pes);
	const struct coll_args args = {
		.dest = dest,
		.source = source,
		.ndest = extent(api, "dst", dst, n),
		.nsource = extent(api, "sst", sst, n),
		.esize = esize,
		.agree = nelems * esize,
		.root = -1,
	};

	coll_check(api, team, &args);
}

/* A member's block, to one that is near or this one. */
static void strided_near(const struct coll_call *call, int to)
{
	const ptrdiff_t esize = (ptrdiff_t)call->esize;
	const ptrdiff_t n = (ptrdiff_t)call->nelems;
	const ptrdiff_t dst = call->dst * esize, sst = call->sst * esize;
	const char *from = call->source;

	if (n)
		shmemi_move_strided(
			coll_direct(call->api, call->team, to, call->dest) +
				call->team->me * n * dst,
			dst, from + to * n * sst, sst, call->esize,
			call->nelems);
}

/* Element by element, where a far member has nobody to take them apart. */
static void strided_far(const struct coll_call *call, int to)
{
	const size_t me = (size_t)call->team->me, esize = call->esize;
	const size_t dst = (size_t)call->dst, sst = (size_t)call->sst;
	const char *from = call->source;

	for (size_t i = 0; i < call->nelems; i++)
		shmemi_far_put(
			call->api, &shmemi_own_ctx,
			coll_place(call->api, call->team, to, call->dest,
				   (me * call->nelems + i) * dst * esize),
			from + ((size_t)to * call->nelems + i) * sst * esize,
			esize, CONDUIT_NBI);
}

static int strided_to(const struct coll_call *call, int to)
{
	if (!coll_is_far(call->team, to)) {
		strided_near(call, to);
		return 0;
	}
	strided_far(call, to);
	return 1;
}

void coll_alltoalls_flat(const struct coll_call *call)
{
	struct shmem_team *team = call->team;
	int n_far = 0;

	coll_room(team, 1);
	coll_step_begin(team);
	for (int i = 0; i < team->n_pes; i++)
		n_far += strided_to(call, coll_peer(team, i));
	if (n_far)
		shmemi_far_quiet(call->api, &shmemi_own_ctx, -1);
	for (int i = 1; i < team->n_pes; i++)
		coll_send(team, coll_peer(team, i), NULL, 0);
	for (int i = 1; i < team->n_pes; i++)
		coll_receive(team, coll_peer(team, i));
	coll_step_end(team, 1);
}

static void alltoalls(const struct coll_call *call)
{
	struct shmem_team *team = call->team;

	coll_step_begin(team);
	for (int i = 0; i < team->n_pes; i++) {
		int to = coll_peer(team, i);

		strided_near(call, to);
		if (i)
			coll_send(team, to, NULL, 0);
	}
	for (int i = 1; i < team->n_pes; i++)
		coll_receive(team, coll_peer(team, i));
	coll_step_end(team, 1);
}

void shmemi_alltoalls(const char *api, struct shmem_team *team, void *dest,
		      const void *source, ptrdiff_t dst, ptrdiff_t sst,
		      size_t nelems, size_t esize)
{
	const struct coll_call call = {
		.api = api,
		.team = team,
		.dest = dest,
		.source = source,
		.dst = dst,
		.sst = sst,
		.nelems = nelems,
		.esize = esize,
	};

	if (unlikely(shmemi.guard))
		check_strided(api, team, dest, source, dst, sst, nelems, esize);
	if (likely(!team->nodes))
		alltoalls(&call);
	else
		coll_run(COLL_ALLTOALLS, &call);
}
