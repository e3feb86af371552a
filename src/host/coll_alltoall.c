/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/copy.h"
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

		shmemi_copy(coll_direct(api, team, to, dest) +
				    (size_t)team->me * bytes,
			    source + (size_t)to * bytes, bytes);
		coll_send(team, to, NULL, 0);
	}
	shmemi_copy(dest + (size_t)team->me * bytes,
		    source + (size_t)team->me * bytes, bytes);
	for (int i = 1; i < team->n_pes; i++)
		coll_receive(team, coll_peer(team, i));
}

void shmemi_alltoall(const char *api, struct shmem_team *team, void *dest,
		     const void *source, size_t nelems, size_t esize)
{
	size_t bytes = nelems * esize, all = bytes * (size_t)team->n_pes;

	if (unlikely(shmemi.guard))
		coll_check(api, team, dest, all, source, all, -1, 0);
	coll_step_begin(team);
	if (bytes <= COLL_INLINE)
		alltoall_inline(team, dest, source, bytes);
	else
		alltoall_push(api, team, dest, source, bytes);
	coll_step_end(team, 1);
}

void shmemi_alltoalls(const char *api, struct shmem_team *team, void *dest,
		      const void *source, ptrdiff_t dst, ptrdiff_t sst,
		      size_t nelems, size_t esize)
{
	size_t to_stride = (size_t)dst * esize, from_stride = (size_t)sst * esize;
	size_t n = (size_t)team->n_pes * nelems;
	size_t dest_bytes = n ? (n - 1) * to_stride + esize : 0;
	size_t source_bytes = n ? (n - 1) * from_stride + esize : 0;

	if (unlikely(shmemi.guard))
		coll_check(api, team, dest, dest_bytes, source, source_bytes,
			   -1, 0);
	coll_step_begin(team);
	for (int i = 0; i < team->n_pes; i++) {
		int to = coll_peer(team, i);
		size_t block = (size_t)team->me * nelems * to_stride;

		if (nelems)
			shmemi_copy_strided(
				coll_direct(api, team, to, dest) + block,
				(ptrdiff_t)to_stride,
				(const char *)source +
					(size_t)to * nelems * from_stride,
				(ptrdiff_t)from_stride, esize, nelems);
		if (i)
			coll_send(team, to, NULL, 0);
	}
	for (int i = 1; i < team->n_pes; i++)
		coll_receive(team, coll_peer(team, i));
	coll_step_end(team, 1);
}
