/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Alltoall, alltoalls, broadcast, collect and fcollect of every type and
 * size, over teams and, in the deprecated forms, over active sets.
 * PES: all
 */
#include <string.h>
#include "api.h"

enum kind { ALLTOALL, ALLTOALLS, BROADCAST, COLLECT, FCOLLECT };

struct coll {
	const char *body;
	enum kind kind;
	bool old;
};

static const struct coll colls[] = {
	{ "alltoall", ALLTOALL, false },
	{ "alltoalls", ALLTOALLS, false },
	{ "broadcast", BROADCAST, false },
	{ "collect", COLLECT, false },
	{ "fcollect", FCOLLECT, false },
	{ "old_alltoall", ALLTOALL, true },
	{ "old_alltoalls", ALLTOALLS, true },
	{ "old_broadcast", BROADCAST, true },
	{ "old_collect", COLLECT, true },
	{ "old_fcollect", FCOLLECT, true },
};

static const size_t lengths[] = { 0, 1, 5, 37 };
enum { LONGEST = 37, DST = 2, SST = 3, GUARD = -3 };

/* The length of a rank's part: collect takes another from each. */
static size_t length_of(enum kind kind, size_t nelems, int rank)
{
	return kind == COLLECT ? nelems * (size_t)((rank + 1) % 3) : nelems;
}

/* Element i of what `from` sends `to`, where it stands in the source. */
static void fill_source(const struct api_routine *r, enum kind kind,
			const struct api_group *g, size_t nelems, void *source)
{
	const ptrdiff_t sst = kind == ALLTOALLS ? SST : 1;
	const int blocks = kind <= ALLTOALLS ? g->size : 1;
	const size_t n = length_of(kind, nelems, g->rank);

	for (int to = 0; to < blocks; to++)
		for (size_t i = 0; i < n; i++)
			r->type->set(api_at(r->type, source,
					    ((size_t)to * n + i) * (size_t)sst),
				     api_value(g->rank, to, i));
}

/* What a dest of `total` elements holds at the end. */
static void fill_expected(const struct api_routine *r, const struct coll *c,
			  const struct api_group *g, size_t nelems, int root,
			  void *expected)
{
	const size_t dst = c->kind == ALLTOALLS ? DST : 1;
	const int to = c->kind <= ALLTOALLS ? g->rank : 0;
	size_t at = 0;

	for (int from = 0; from < g->size; from++) {
		if (c->kind == BROADCAST && from != root)
			continue;
		if (c->kind == BROADCAST && c->old && g->rank == root)
			continue;
		for (size_t i = 0; i < length_of(c->kind, nelems, from); i++)
			r->type->set(api_at(r->type, expected, dst * at++),
				     api_value(from, to, i));
	}
}

static void check(const struct api_routine *r, const void *dest,
		  const void *expected, size_t total)
{
	for (size_t i = 0; i < total; i++)
		if (!r->type->equal(api_at(r->type, dest, i),
				    api_at(r->type, expected, i))) {
			api_fail(r->name, "element %zu is wrong", i);
			return;
		}
}

struct buffers {
	size_t total; /* elements of each */
	void *dest, *source, *expected;
};

static void run(const struct api_routine *r, const struct coll *c,
		const struct api_group *g, size_t nelems,
		const struct buffers *b)
{
	struct api_args a = api_group_args(g, NULL);

	a.root = nelems % 2 ? g->size - 1 : 0;
	a.nelems = length_of(c->kind, nelems, g->rank);
	a.dest = a.nelems || c->kind == COLLECT ? b->dest : NULL;
	a.source = a.nelems ? b->source : NULL;
	if (c->kind == ALLTOALLS) {
		a.dst = DST;
		a.sst = SST;
	}
	fill_source(r, c->kind, g, nelems, b->source);
	fill_expected(r, c, g, nelems, a.root, b->expected);
	r->call(&a);
	CHECK(r->name, a.count == 0);
	check(r, b->dest, b->expected, b->total);
}

/* A collective completes on its members alone, so all meet between two. */
static void test_length(const struct api_routine *r, const struct coll *c,
			size_t nelems, const struct buffers *b)
{
	struct api_group groups[API_MAX_GROUPS];
	const size_t n = api_groups(c->old, groups);

	for (size_t i = 0; i < n; i++) {
		api_fill(r->type, b->dest, b->total, GUARD);
		api_fill(r->type, b->expected, b->total, GUARD);
		shmem_barrier_all();
		if (groups[i].rank >= 0)
			run(r, c, &groups[i], nelems, b);
		shmem_barrier_all();
		if (c->old)
			api_psync_check(r);
		else if (i)
			shmem_team_destroy(groups[i].team);
	}
}

static void test(const struct api_routine *r, const void *arg)
{
	struct buffers b = { .total = SST * LONGEST * (size_t)api_n };

	b.dest = shmem_malloc(b.total * r->type->size);
	b.source = shmem_malloc(b.total * r->type->size);
	b.expected = shmem_malloc(b.total * r->type->size);
	for (size_t i = 0; i < COUNT(lengths); i++)
		test_length(r, arg, lengths[i], &b);
	shmem_free(b.expected);
	shmem_free(b.source);
	shmem_free(b.dest);
}

int main(void)
{
	api_begin();
	for (size_t i = 0; i < COUNT(colls); i++)
		api_each(colls[i].body, test, &colls[i]);
	return api_end();
}
