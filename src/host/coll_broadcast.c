/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/coll.h"

static void root_copy(void *dest, const void *source, size_t bytes)
{
	if (dest != source)
		shmemi_move(dest, source, bytes);
}

/* Root sends the data itself and leaves; the ring of slots holds it. */
static void broadcast_inline(struct shmem_team *team, void *dest,
			     const void *source, size_t bytes, int root,
			     int update_root)
{
	if (team->me != root) {
		coll_copy(dest, coll_receive(team, root), bytes);
		return;
	}
	for (int i = 1; i < team->n_pes; i++)
		coll_send(team, coll_peer(team, i), source, bytes);
	if (update_root)
		root_copy(dest, source, bytes);
}

/* All pull at once; root may reuse its source when all have said so. */
static void broadcast_pull(const char *api, struct shmem_team *team, void *dest,
			   const void *source, size_t bytes, int root,
			   int update_root)
{
	if (team->me != root) {
		coll_receive(team, root);
		shmemi_move(dest, coll_direct(api, team, root, source), bytes);
		coll_send(team, root, NULL, 0);
		return;
	}
	for (int i = 1; i < team->n_pes; i++)
		coll_send(team, coll_peer(team, i), NULL, 0);
	if (update_root)
		root_copy(dest, source, bytes);
	for (int i = 1; i < team->n_pes; i++)
		coll_receive(team, coll_peer(team, i));
}

void shmemi_broadcast(const char *api, struct shmem_team *team, void *dest,
		      const void *source, size_t nelems, size_t esize, int root,
		      int update_root)
{
	size_t bytes = nelems * esize;
	int heard_all = team->me == root && bytes > COLL_INLINE;

	if (unlikely(shmemi.guard))
		coll_check_alike(api, team, dest, source, nelems, esize, root);
	coll_step_begin(team);
	if (bytes <= COLL_INLINE)
		broadcast_inline(team, dest, source, bytes, root, update_root);
	else
		broadcast_pull(api, team, dest, source, bytes, root,
			       update_root);
	coll_step_end(team, heard_all);
}
