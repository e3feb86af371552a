/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/coll_table.h"

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

/* To far members, root pushes. */
void coll_broadcast_flat(const struct coll_call *call)
{
	struct shmem_team *team = call->team;
	size_t bytes = coll_call_bytes(call);

	coll_room(team, 1);
	coll_step_begin(team);
	if (team->me == call->root) {
		for (int i = 1; i < team->n_pes; i++)
			coll_push(call->api, team, coll_peer(team, i),
				  call->dest, 0, call->source, bytes);
		if (call->update_root)
			root_copy(call->dest, call->source, bytes);
	} else {
		coll_receive(team, call->root);
	}
	coll_step_end(team, 0);
}

static void broadcast_near(const char *api, struct shmem_team *team, void *dest,
			   const void *source, size_t bytes, int root,
			   int update_root)
{
	int heard_all = team->me == root && bytes > COLL_INLINE;

	coll_step_begin(team);
	if (bytes <= COLL_INLINE)
		broadcast_inline(team, dest, source, bytes, root, update_root);
	else
		broadcast_pull(api, team, dest, source, bytes, root,
			       update_root);
	coll_step_end(team, heard_all);
}

void shmemi_broadcast(const char *api, struct shmem_team *team, void *dest,
		      const void *source, size_t nelems, size_t esize, int root,
		      int update_root)
{
	if (unlikely(shmemi.guard))
		coll_check_alike(api, team, dest, source, nelems, esize, root);
	if (likely(!team->nodes))
		broadcast_near(api, team, dest, source, nelems * esize, root,
			       update_root);
	else
		coll_run(COLL_BROADCAST, &(const struct coll_call){
						 .api = api,
						 .team = team,
						 .dest = dest,
						 .source = source,
						 .nelems = nelems,
						 .esize = esize,
						 .root = root,
						 .update_root = update_root });
}
