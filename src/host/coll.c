/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/coll.h"

#include "base/log.h"
#include "host/check.h"
#include "host/coll_node.h"

char *coll_direct(const char *api, const struct shmem_team *team, int member,
		  const void *addr)
{
	int pe = shmemi_team_world_pe(team, member);
	char *p = shmemi_direct(addr, pe);

	if (unlikely(!p))
		p = shmemi_mapped(addr, pe);
	if (unlikely(!p))
		shmemi_not_symmetric(api, addr, pe);
	return p;
}

static void exchange_by_board(struct shmem_team *team, const void *mine,
			      size_t bytes, char *all)
{
	coll_board_post(team, mine, bytes);
	for (int i = 0; i < team->n_pes; i++)
		coll_copy(all + (size_t)i * bytes,
			  coll_board_look(team, i, bytes), bytes);
	coll_board_end(team, bytes);
}

void coll_exchange(struct shmem_team *team, const void *mine, size_t bytes,
		   void *all)
{
	char *out = all;

	if (unlikely(team->nodes != NULL)) {
		exchange_by_board(team, mine, bytes, all);
		return;
	}
	coll_step_begin(team);
	for (int i = 1; i < team->n_pes; i++)
		coll_send(team, coll_peer(team, i), mine, bytes);
	coll_copy(out + (size_t)team->me * bytes, mine, bytes);
	for (int i = 1; i < team->n_pes; i++) {
		int from = coll_peer(team, i);

		coll_copy(out + (size_t)from * bytes, coll_receive(team, from),
			  bytes);
	}
	coll_step_end(team, 1);
}

/* What a member says of its call, so that others can compare. */
struct coll_claim {
	uint64_t value;
	int32_t root;
	char api[40];
};
_Static_assert(sizeof(struct coll_claim) <= COLL_INLINE, "coll_claim");

static void compare(const char *api, const struct shmem_team *team,
		    const struct coll_claim *mine,
		    const struct coll_claim *theirs, int member)
{
	int pe = shmemi_team_world_pe(team, member);

	if (strncmp(mine->api, theirs->api, sizeof(mine->api)))
		shmemi_fatal("%s: PE %d calls %.40s at the same time",
			     shmemi_api(api), pe, theirs->api);
	if (mine->value != theirs->value)
		shmemi_fatal("%s: %zu bytes here, but %zu bytes on PE %d",
			     shmemi_api(api), (size_t)mine->value,
			     (size_t)theirs->value, pe);
	if (mine->root != theirs->root)
		shmemi_fatal("%s: PE_root is %d here, but %d on PE %d",
			     shmemi_api(api), mine->root, theirs->root, pe);
}

static void agree_by_board(const char *api, struct shmem_team *team,
			   const struct coll_claim *mine)
{
	coll_board_post(team, mine, sizeof(*mine));
	for (int i = 0; i < team->n_pes; i++)
		compare(api, team, mine,
			coll_board_look(team, i, sizeof(*mine)), i);
	coll_board_end(team, sizeof(*mine));
}

void coll_agree(const char *api, struct shmem_team *team, size_t value,
		int root)
{
	struct coll_claim mine = { .value = value, .root = root };

	strncpy(mine.api, shmemi_api(api), sizeof(mine.api) - 1);
	if (team->nodes) {
		agree_by_board(api, team, &mine);
		return;
	}
	coll_step_begin(team);
	for (int i = 1; i < team->n_pes; i++)
		coll_send(team, coll_peer(team, i), &mine, sizeof(mine));
	for (int i = 1; i < team->n_pes; i++) {
		int from = coll_peer(team, i);

		compare(api, team, &mine, coll_receive(team, from), from);
	}
	coll_step_end(team, 1);
}

void coll_check(const char *api, struct shmem_team *team,
		const struct coll_args *args)
{
	size_t dest_bytes = shmemi_check_product(api, args->ndest, args->esize);
	size_t source_bytes =
		shmemi_check_product(api, args->nsource, args->esize);

	if (args->root >= 0)
		shmemi_check_pe(api, "PE_root", args->root, team->n_pes);
	shmemi_check_coll(api, team, args->dest, dest_bytes, args->source,
			  source_bytes, args->in_place);
	if (shmemi.guard & SHMEMI_GUARD_CHECK)
		coll_agree(api, team, args->agree, args->root);
}

void coll_check_alike(const char *api, struct shmem_team *team,
		      const void *dest, const void *source, size_t nelems,
		      size_t esize, int root)
{
	const struct coll_args args = {
		.dest = dest,
		.source = source,
		.ndest = nelems,
		.nsource = nelems,
		.esize = esize,
		.agree = nelems * esize,
		.root = root,
		.in_place = 1,
	};

	coll_check(api, team, &args);
}
