/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/coll.h"

#include "base/log.h"
#include "host/check.h"

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

void coll_exchange(struct shmem_team *team, const void *mine, size_t bytes,
		   void *all)
{
	char *out = all;

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
struct coll_call {
	uint64_t value;
	int32_t root;
	char api[40];
};
_Static_assert(sizeof(struct coll_call) <= COLL_INLINE, "coll_call");

static void compare(const char *api, const struct shmem_team *team,
		    const struct coll_call *mine,
		    const struct coll_call *theirs, int member)
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

void coll_agree(const char *api, struct shmem_team *team, size_t value,
		int root)
{
	struct coll_call mine = { .value = value, .root = root };

	strncpy(mine.api, shmemi_api(api), sizeof(mine.api) - 1);
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
