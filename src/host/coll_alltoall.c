/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/log.h"
#include "host/check.h"
#include "host/coll.h"

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

		shmemi_move(coll_direct(api, team, to, dest) +
				    (size_t)team->me * bytes,
			    source + (size_t)to * bytes, bytes);
		coll_send(team, to, NULL, 0);
	}
	shmemi_move(dest + (size_t)team->me * bytes,
		    source + (size_t)team->me * bytes, bytes);
	for (int i = 1; i < team->n_pes; i++)
		coll_receive(team, coll_peer(team, i));
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
	size_t bytes = nelems * esize;

	if (unlikely(shmemi.guard))
		check(api, team, dest, source, nelems, esize);
	coll_step_begin(team);
	if (bytes <= COLL_INLINE)
		alltoall_inline(team, dest, source, bytes);
	else
		alltoall_push(api, team, dest, source, bytes);
	coll_step_end(team, 1);
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

void shmemi_alltoalls(const char *api, struct shmem_team *team, void *dest,
		      const void *source, ptrdiff_t dst, ptrdiff_t sst,
		      size_t nelems, size_t esize)
{
	ptrdiff_t to_stride, from_stride, n = (ptrdiff_t)nelems;
	const char *from = source;

	if (unlikely(shmemi.guard))
		check_strided(api, team, dest, source, dst, sst, nelems, esize);
	to_stride = dst * (ptrdiff_t)esize;
	from_stride = sst * (ptrdiff_t)esize;
	coll_step_begin(team);
	for (int i = 0; i < team->n_pes; i++) {
		int to = coll_peer(team, i);

		if (nelems)
			shmemi_move_strided(coll_direct(api, team, to, dest) +
						    team->me * n * to_stride,
					    to_stride,
					    from + to * n * from_stride,
					    from_stride, esize, nelems);
		if (i)
			coll_send(team, to, NULL, 0);
	}
	for (int i = 1; i < team->n_pes; i++)
		coll_receive(team, coll_peer(team, i));
	coll_step_end(team, 1);
}
