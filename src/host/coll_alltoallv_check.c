/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "base/log.h"
#include "host/check.h"
#include "host/coll_alltoallv.h"

/* A block that is not empty. */
struct range {
	uintptr_t begin, end;
	int is_dest, member;
};

static int by_begin(const void *a, const void *b)
{
	const struct range *p = a, *q = b;

	return (p->begin > q->begin) - (p->begin < q->begin);
}

static void check_table(const char *api, const char *name, const size_t *table)
{
	if (!table)
		shmemi_fatal("%s: %s is NULL", shmemi_api(api), name);
}

/* One that is not symmetric has bounds that nobody knows. */
static struct range range_of(const char *api, const char *name,
			     const void *base, size_t nelems, size_t offset,
			     size_t esize)
{
	size_t end = nelems, at;
	struct range r = { 0 };

	if (!nelems)
		return r;
	if (__builtin_add_overflow(offset, nelems, &end))
		end = SIZE_MAX;
	end = shmemi_check_product(api, end, esize);
	if (!base)
		shmemi_fatal("%s: %s is NULL, expected %zu bytes",
			     shmemi_api(api), name, end);
	r.begin = (uintptr_t)base + offset * esize;
	r.end = (uintptr_t)base + end;
	if (shmemi_locate((const void *)r.begin, &at) >= 0 ||
	    shmemi_locate(base, &at) >= 0)
		shmemi_check_sym(api, name, (const void *)r.begin,
				 r.end - r.begin);
	return r;
}

static size_t ranges_fill(const char *api, int n, const struct coll_vectors *v,
			  struct range *range)
{
	size_t used = 0;

	for (int i = 0; i < n; i++) {
		struct range dest =
			range_of(api, "dest", v->dest, v->dest_nelems[i],
				 v->dest_offsets[i], v->esize);
		struct range source =
			range_of(api, "source", v->source, v->source_nelems[i],
				 v->source_offsets[i], v->esize);

		dest.is_dest = 1;
		dest.member = source.member = i;
		if (dest.end)
			range[used++] = dest;
		if (source.end)
			range[used++] = source;
	}
	return used;
}

static void check_pair(const char *api, const struct range *a,
		       const struct range *b)
{
	if (!a || a->end <= b->begin || !(a->is_dest || b->is_dest))
		return;
	shmemi_fatal("%s: block %d of %s and block %d of %s overlap",
		     shmemi_api(api), a->member, a->is_dest ? "dest" : "source",
		     b->member, b->is_dest ? "dest" : "source");
}

/* Each with those before that reach farthest. */
static void check_overlap(const char *api, struct range *range, size_t n)
{
	const struct range *farthest[2] = { NULL, NULL };

	qsort(range, n, sizeof(*range), by_begin);
	for (size_t i = 0; i < n; i++) {
		const struct range **mine = &farthest[range[i].is_dest];

		check_pair(api, farthest[0], &range[i]);
		check_pair(api, farthest[1], &range[i]);
		if (!*mine || (*mine)->end < range[i].end)
			*mine = &range[i];
	}
}

static void check(const char *api, struct shmem_team *team,
		  const struct coll_vectors *v)
{
	struct range *range = malloc(2 * (size_t)team->n_pes * sizeof(*range));

	if (!range)
		shmemi_fatal("%s: out of memory for %d PEs", shmemi_api(api),
			     team->n_pes);
	check_overlap(api, range, ranges_fill(api, team->n_pes, v, range));
	free(range);
	coll_agree(api, team, v->esize, -1);
}

void coll_alltoallv_check(const char *api, struct shmem_team *team,
			  const struct coll_vectors *v)
{
	shmemi_check_up(api);
	shmemi_trace(COLL, "%s: dest %p, source %p, %d PEs", shmemi_api(api),
		     v->dest, v->source, team->n_pes);
	if (!(shmemi.guard & SHMEMI_GUARD_CHECK))
		return;
	check_table(api, "dest_nelems", v->dest_nelems);
	check_table(api, "dest_offsets", v->dest_offsets);
	check_table(api, "source_nelems", v->source_nelems);
	check_table(api, "source_offsets", v->source_offsets);
	check(api, team, v);
}
