/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Puts and gets of every type and size, contiguous, strided and in blocks,
 * blocking or not, between all pairs of PEs, to heap and static data.
 * PES: all
 */
#include <stdio.h>
#include "api.h"

/* What of `struct part` a routine takes. */
enum form { ONE, ARRAY, STRIDED, BLOCKS };

struct rma {
	const char *body;
	enum form form;
	bool nbi;
};

struct part {
	size_t nelems, bsize;
	ptrdiff_t dst, sst;
};

enum { SLOT = 30, GUARD = -3 };

static const struct part parts[] = {
	{ 1, 1, 1, 1 }, { 7, 1, 1, 3 },	   { 9, 1, 2, 1 },
	{ 4, 5, 6, 7 }, { 2, 13, 13, 17 },
};

static struct part part_of(const struct part *part, enum form form)
{
	struct part p = *part;

	if (form < BLOCKS) {
		p.bsize = 1;
		p.dst = p.dst < 3 ? p.dst : 3;
		p.sst = p.sst < 3 ? p.sst : 3;
	}
	if (form < STRIDED)
		p.dst = p.sst = 1;
	if (form == ONE)
		p.nelems = 1;
	return p;
}

static void set_part(struct api_args *a, const struct part *p)
{
	a->nelems = p->nelems;
	a->bsize = p->bsize;
	a->dst = p->dst;
	a->sst = p->sst;
}

/* The element of the source that element i of dest must hold, -1 if none. */
static long source_of(const struct part *p, size_t i)
{
	size_t block = i / (size_t)p->dst, within = i % (size_t)p->dst;

	if (block >= p->nelems || within >= p->bsize)
		return -1;
	return (long)(block * (size_t)p->sst + within);
}

/* A slot of dest holds what `from` sent `to`, and the guard elsewhere. */
static void check_slot(const struct api_routine *r, const struct part *p,
		       const void *slot, int from, int to)
{
	for (size_t i = 0; i < SLOT; i++) {
		long source = source_of(p, i);

		if (api_is(r->type, slot, i,
			   source < 0 ? GUARD
				      : api_value(from, to, (size_t)source)))
			continue;
		api_fail(r->name, "from %d to %d: element %zu is wrong", from,
			 to, i);
		return;
	}
}

static void fill_source(const struct api_routine *r, void *source, int from,
			int to)
{
	for (size_t i = 0; i < SLOT; i++)
		r->type->set(api_at(r->type, source, i),
			     api_value(from, to, i));
}

/* Sources of blocking puts may be overwritten at once. */
static void put_to(const struct api_routine *r, const struct rma *rma,
		   const struct part *p, void *dest, void *source, int pe)
{
	struct api_args a = api_args(r, pe);

	set_part(&a, p);
	a.dest = api_at(r->type, dest, (size_t)api_me * SLOT);
	a.source = a.value = source;
	r->call(&a);
	if (!rma->nbi)
		api_fill(r->type, source, SLOT, GUARD);
}

static void test_put(const struct api_routine *r, const struct rma *rma,
		     const struct part *p, void *dest)
{
	static long double sources[MAX_PES][SLOT];

	api_fill(r->type, dest, (size_t)api_n * SLOT, GUARD);
	shmem_barrier_all();
	for (int pe = 0; pe < api_n; pe++) {
		fill_source(r, sources[pe], api_me, pe);
		put_to(r, rma, p, dest, sources[pe], pe);
	}
	api_quiet(r);
	shmem_barrier_all();
	for (int from = 0; from < api_n; from++)
		check_slot(r, p, api_at(r->type, dest, (size_t)from * SLOT),
			   from, api_me);
	shmem_barrier_all();
}

static void test_get(const struct api_routine *r, const struct rma *rma,
		     const struct part *p, void *source)
{
	static long double dests[MAX_PES][SLOT];

	for (int to = 0; to < api_n; to++)
		fill_source(r, api_at(r->type, source, (size_t)to * SLOT),
			    api_me, to);
	shmem_barrier_all();
	for (int pe = 0; pe < api_n; pe++) {
		struct api_args a = api_args(r, pe);

		set_part(&a, p);
		api_fill(r->type, dests[pe], SLOT, GUARD);
		a.dest = a.result = dests[pe];
		a.source = api_at(r->type, source, (size_t)api_me * SLOT);
		r->call(&a);
		if (!rma->nbi)
			check_slot(r, p, dests[pe], pe, api_me);
	}
	api_quiet(r);
	for (int pe = 0; pe < api_n; pe++)
		check_slot(r, p, dests[pe], pe, api_me);
	shmem_barrier_all();
}

static void test_nothing(const struct api_routine *r)
{
	struct api_args a = api_args(r, 0);

	a.nelems = 0;
	r->call(&a);
}

static void test(const struct api_routine *r, const struct rma *rma, bool puts)
{
	for (size_t i = 0; i < 2 * COUNT(parts); i++) {
		const struct part p = part_of(&parts[i / 2], rma->form);
		void *memory =
			api_memory(i % 2, (size_t)api_n * SLOT * r->type->size);

		if (puts)
			test_put(r, rma, &p, memory);
		else
			test_get(r, rma, &p, memory);
		api_memory_free(memory);
		if (rma->form == ONE && i % 2)
			return;
	}
	test_nothing(r);
}

static void put(const struct api_routine *r, const void *rma)
{
	test(r, rma, true);
}

static void get(const struct api_routine *r, const void *rma)
{
	test(r, rma, false);
}

static const struct rma puts_[] = {
	{ "put", ARRAY, false },    { "put_nbi", ARRAY, true },
	{ "p", ONE, false },	    { "iput", STRIDED, false },
	{ "ibput", BLOCKS, false },
};

static const struct rma gets_[] = {
	{ "get", ARRAY, false },    { "get_nbi", ARRAY, true },
	{ "g", ONE, false },	    { "iget", STRIDED, false },
	{ "ibget", BLOCKS, false },
};

int main(void)
{
	api_begin();
	for (size_t i = 0; i < COUNT(puts_); i++)
		api_each(puts_[i].body, put, &puts_[i]);
	for (size_t i = 0; i < COUNT(gets_); i++)
		api_each(gets_[i].body, get, &gets_[i]);
	return api_end();
}
