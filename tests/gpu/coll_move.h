/* SPDX-License-Identifier: BSD-3-Clause */
/* What collectives that only move data leave, in bytes. */
#ifndef GPU_COLL_MOVE_H
#define GPU_COLL_MOVE_H

#define COLL_KIND(T) 0

static int is(const struct coll *t, const char *body)
{
	return !strcmp(t->row->body, body);
}

static size_t coll_bytes(const struct coll *t)
{
	size_t elems = t->nelems * (size_t)t->team->size;

	if (is(t, "alltoalls"))
		elems *= 3;
	return elems * t->row->esize;
}

/* The world PE tells whose bytes they are; calls follow each other. */
static void bring(const struct coll *t, int call, int member, size_t at,
		  size_t bytes, unsigned char *p)
{
	gpu_bytes(p, bytes, t->salt + (uint64_t)call, coll_pe(t, member), at);
}

static void coll_source(const struct coll *t, int call, int member,
			unsigned char *source)
{
	bring(t, call, member, 0, coll_bytes(t), source);
}

static void want_alltoalls(const struct coll *t, int call, unsigned char *want)
{
	const size_t esize = t->row->esize, me = (size_t)t->team->rank;

	for (size_t j = 0; j < (size_t)t->team->size; j++)
		for (size_t k = 0; k < t->nelems; k++)
			bring(t, call, (int)j,
			      (me * t->nelems + k) * (size_t)t->sst * esize,
			      esize,
			      want + (j * t->nelems + k) * (size_t)t->dst *
					     esize);
}

static void coll_want(const struct coll *t, int call, unsigned char *want)
{
	const size_t block = t->nelems * t->row->esize;

	if (is(t, "alltoalls")) {
		want_alltoalls(t, call, want);
	} else if (is(t, "broadcast")) {
		bring(t, call, t->root, 0, block, want);
	} else {
		for (int j = 0; j < t->team->size; j++) {
			const size_t bytes = coll_count(t, j) * t->row->esize;
			const size_t at = is(t, "alltoall") ?
						  (size_t)t->team->rank * block :
						  0;

			bring(t, call, j, at, bytes, want);
			want += bytes;
		}
	}
}

#endif
