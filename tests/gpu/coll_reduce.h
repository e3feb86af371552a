/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What reductions and scans leave. Integers take all their bits; floats are
 * small whole numbers, so that every order of summing gives the same.
 */
#ifndef GPU_COLL_REDUCE_H
#define GPU_COLL_REDUCE_H

#define COLL_KIND(T) GPU_KIND(T)

static int is(const struct coll *t, const char *part)
{
	return !!strstr(t->row->body, part);
}

static size_t coll_bytes(const struct coll *t)
{
	return t->nelems * t->row->esize;
}

/* An element as a 64-bit integer, or a double's value if it is a float. */
union number {
	uint64_t u;
	int64_t s;
	double f;
};

static union number brought(const struct coll *t, int call, int member,
			    size_t i)
{
	const uint64_t v = gpu_value(t->salt + (uint64_t)call,
				     coll_pe(t, member), i);
	union number x;

	if (t->row->kind == 'f')
		x.f = is(t, "prod") ? (double)(1 + v % 2) :
				      (double)(v % 4096) - 2048;
	else
		x.u = v;
	return x;
}

static void store(const struct coll *t, unsigned char *p, union number x)
{
	float single;

	if (t->row->kind == 'f' && t->row->esize == sizeof(float)) {
		single = (float)x.f;
		memcpy(p, &single, sizeof(single));
	} else {
		memcpy(p, &x, t->row->esize);
	}
}

/* The number that its type's width leaves of it. */
static union number narrowed(const struct coll *t, union number x)
{
	const unsigned int spare = 64 - (unsigned int)t->row->esize * 8;

	if (t->row->kind == 'f')
		return x;
	x.u <<= spare;
	if (t->row->kind == 's')
		x.s >>= spare;
	else
		x.u >>= spare;
	return x;
}

static union number combined(const struct coll *t, union number a,
			     union number b)
{
	const int kind = t->row->kind;

	if (is(t, "xor"))
		a.u ^= b.u;
	else if (is(t, "or_"))
		a.u |= b.u;
	else if (is(t, "and"))
		a.u &= b.u;
	else if (is(t, "prod") && kind == 'f')
		a.f *= b.f;
	else if (is(t, "prod"))
		a.u *= b.u;
	else if (is(t, "sum") && kind == 'f')
		a.f += b.f;
	else if (is(t, "sum"))
		a.u += b.u;
	else if ((kind == 'f' ? a.f < b.f :
		  kind == 's' ? a.s < b.s : a.u < b.u) == is(t, "max"))
		a = b;
	return narrowed(t, a);
}

static void coll_source(const struct coll *t, int call, int member,
			unsigned char *source)
{
	for (size_t i = 0; i < t->nelems; i++)
		store(t, source + i * t->row->esize,
		      brought(t, call, member, i));
}

static void coll_want(const struct coll *t, int call, unsigned char *want)
{
	int last = t->team->size;

	if (is(t, "scan"))
		last = t->team->rank + is(t, "inscan");
	for (size_t i = 0; i < t->nelems; i++) {
		union number x;

		memset(&x, 0, sizeof(x));
		if (last)
			x = narrowed(t, brought(t, call, 0, i));
		for (int j = 1; j < last; j++)
			x = combined(t, x,
				     narrowed(t, brought(t, call, j, i)));
		store(t, want + i * t->row->esize, x);
	}
}

#endif
