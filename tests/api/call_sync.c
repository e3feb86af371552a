/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every wait and test of every type against a model, over all comparisons,
 * masks and sets of satisfied elements; then on words that another PE sets.
 * PES: all
 */
#include <limits.h>
#include "api.h"

enum { ONE, ALL, ANY, SOME };
enum { N = 5, MASKS = 1 << N };

struct sync {
	const char *body;
	int kind;
	bool waits, vector;
};

static const struct sync syncs[] = {
	{ "wait_until", ONE, true, false },
	{ "test", ONE, false, false },
	{ "wait_until_all", ALL, true, false },
	{ "test_all", ALL, false, false },
	{ "wait_until_any", ANY, true, false },
	{ "test_any", ANY, false, false },
	{ "wait_until_some", SOME, true, false },
	{ "test_some", SOME, false, false },
	{ "wait_until_all_vector", ALL, true, true },
	{ "test_all_vector", ALL, false, true },
	{ "wait_until_any_vector", ANY, true, true },
	{ "test_any_vector", ANY, false, true },
	{ "wait_until_some_vector", SOME, true, true },
	{ "test_some_vector", SOME, false, true },
};

static const int cmps[] = { SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT,
			    SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE };

static bool holds(const struct api_type *t, const void *a, int cmp,
		  const void *b)
{
	const long double x = t->real(a), y = t->real(b);

	switch (cmp) {
	case SHMEM_CMP_EQ:
		return x == y;
	case SHMEM_CMP_NE:
		return x != y;
	case SHMEM_CMP_GT:
		return x > y;
	case SHMEM_CMP_GE:
		return x >= y;
	case SHMEM_CMP_LT:
		return x < y;
	default:
		return x <= y;
	}
}

/* The elements that count and satisfy, as a mask. */
static unsigned int satisfied_of(const struct api_routine *r,
				 const struct sync *s, const struct api_args *a)
{
	unsigned int mask = 0;

	for (size_t i = 0; i < a->nelems; i++) {
		const void *rhs = s->vector ? api_at(r->type, a->cmp_values, i)
					    : a->value;

		if (!(a->status && a->status[i]) &&
		    holds(r->type, api_at(r->type, a->dest, i), a->cmp, rhs))
			mask |= 1U << i;
	}
	return mask;
}

static unsigned int included_of(const struct api_args *a)
{
	unsigned int mask = 0;

	for (size_t i = 0; i < a->nelems; i++)
		if (!(a->status && a->status[i]))
			mask |= 1U << i;
	return mask;
}

static unsigned int indices_mask(const struct api_args *a)
{
	unsigned int mask = 0;

	for (size_t i = 0; i < a->count; i++)
		mask |= 1U << a->indices[i];
	return mask;
}

static void check_any(const struct api_routine *r, const struct api_args *a,
		      unsigned int satisfied)
{
	if (!satisfied)
		CHECK(r->name, a->count == SIZE_MAX);
	else
		CHECK(r->name, a->count < N && satisfied >> a->count & 1);
}

static void check_some(const struct api_routine *r, const struct api_args *a,
		       unsigned int satisfied)
{
	CHECK(r->name, a->count == (size_t)__builtin_popcount(satisfied));
	if (a->count <= N)
		CHECK(r->name, indices_mask(a) == satisfied);
}

/* One call on words that nobody changes; waits only where that ends. */
static void try(const struct api_routine *r, const struct sync *s,
		struct api_args *a)
{
	const unsigned int satisfied = satisfied_of(r, s, a);
	const unsigned int included = included_of(a);
	const bool all = satisfied == included;

	if (s->waits && !all && (s->kind <= ALL || !satisfied))
		return;
	r->call(a);
	if (s->kind == ANY)
		check_any(r, a, satisfied);
	else if (s->kind == SOME)
		check_some(r, a, satisfied);
	else if (!s->waits)
		CHECK(r->name, a->count == all);
}

static void test_compare(const struct api_routine *r, const struct sync *s)
{
	static const int64_t samples[] = { 0,	      1,	-1,
					   SHRT_MIN,  INT_MAX,	INT_MIN,
					   INT64_MAX, INT64_MIN };
	long double ivar[1], value[1];
	size_t index[1];
	struct api_args a = { .dest = ivar,
			      .value = value,
			      .cmp_values = value,
			      .indices = index,
			      .nelems = 1 };

	for (size_t i = 0; i < COUNT(samples) * COUNT(samples); i++)
		for (size_t c = 0; c < COUNT(cmps); c++) {
			r->type->set(ivar, samples[i / COUNT(samples)]);
			r->type->set(value, samples[i % COUNT(samples)]);
			a.cmp = cmps[c];
			try(r, s, &a);
		}
}

/* All subsets satisfied times all subsets excluded, and no set at all. */
static void test_masks(const struct api_routine *r, const struct sync *s)
{
	long double ivars[N], values[N];
	size_t indices[N];
	int status[N];
	struct api_args a = { .dest = ivars,
			      .value = values,
			      .cmp_values = values,
			      .indices = indices,
			      .nelems = N,
			      .cmp = SHMEM_CMP_EQ };

	api_fill(r->type, values, N, 11);
	for (int i = 0; i < MASKS * MASKS; i++) {
		for (int k = 0; k < N; k++) {
			r->type->set(api_at(r->type, ivars, (size_t)k),
				     i >> k & 1 ? 11 : 12);
			status[k] = i >> (N + k) & 1;
		}
		a.status = i % 3 ? status : NULL;
		try(r, s, &a);
	}
	a = (struct api_args){ .cmp = SHMEM_CMP_EQ, .value = values };
	try(r, s, &a);
}

/* Words of 2, 4 or 8 bytes on another PE, set one by one. */
static void store(const struct api_type *t, void *word, int64_t value, int pe)
{
	if (t->size == 2)
		shmem_uint16_p(word, (uint16_t)value, pe);
	else if (t->size == 4)
		shmem_uint32_atomic_set(word, (uint32_t)value, pe);
	else
		shmem_uint64_atomic_set(word, (uint64_t)value, pe);
}

static void mark(struct api_args *a, const struct sync *s, int *status)
{
	if (s->kind == ANY && a->count < N)
		status[a->count] = 1;
	for (size_t i = 0; s->kind == SOME && i < a->count; i++)
		status[a->indices[i]] = 1;
	if (s->kind == ALL && (s->waits || a->count == 1))
		for (size_t i = 0; i < N; i++)
			status[i] = 1;
}

static void collect(const struct api_routine *r, const struct sync *s,
		    const void *ivars, const void *values)
{
	size_t indices[N];
	int status[N] = { 0 };
	struct api_args a = { .dest = (void *)ivars,
			      .value = values,
			      .cmp_values = values,
			      .indices = indices,
			      .nelems = N,
			      .status = status,
			      .cmp = SHMEM_CMP_EQ };

	do {
		if (s->kind == ONE) {
			r->call(&a);
			status[0] = s->waits || a.count;
			continue;
		}
		r->call(&a);
		mark(&a, s, status);
		for (size_t i = 0; i < N; i++)
			if (status[i] && !api_is(r->type, ivars, i, 5))
				api_fail(r->name, "%zu is not set yet", i);
	} while (s->kind == ONE ? !status[0] : included_of(&a) != 0);
}

static void test_remote(const struct api_routine *r, const struct sync *s)
{
	const int right = (api_me + 1) % api_n;
	long double values[N];
	void *ivars = shmem_malloc(N * r->type->size);

	api_fill(r->type, ivars, N, 0);
	api_fill(r->type, values, N, 5);
	shmem_barrier_all();
	for (size_t i = N; i-- > 0;)
		store(r->type, api_at(r->type, ivars, i), 5, right);
	collect(r, s, ivars, values);
	shmem_free(ivars);
}

static void test(const struct api_routine *r, const void *sync)
{
	test_compare(r, sync);
	if (((const struct sync *)sync)->kind != ONE)
		test_masks(r, sync);
	test_remote(r, sync);
}

/* The first form: waits while the word is equal to the value. */
static void test_wait(const struct api_routine *r, const void *arg)
{
	static long double value[1];
	void *ivar = shmem_malloc(r->type->size);
	struct api_args a = { .dest = ivar, .value = value };

	(void)arg;
	r->type->set(ivar, 0);
	r->type->set(value, -3);
	shmem_barrier_all();
	r->call(&a);
	store(r->type, ivar, 5, (api_me + 1) % api_n);
	r->type->set(value, 0);
	r->call(&a);
	CHECK(r->name, api_is(r->type, ivar, 0, 5));
	shmem_free(ivar);
}

static void test_long(void)
{
	static long word;

	shmem_wait(&word, 5);
	CHECK("shmem_wait", word == 0);
	shmem_barrier_all();
	shmem_long_p(&word, -2, (api_me + 1) % api_n);
	shmem_wait(&word, 0);
	shmem_wait_until(&word, SHMEM_CMP_LT, -1);
	CHECK("shmem_wait_until", word == -2);
}

int main(void)
{
	api_begin();
	for (size_t i = 0; i < COUNT(syncs); i++)
		api_each(syncs[i].body, test, &syncs[i]);
	api_each("wait", test_wait, NULL);
	test_long();
	return api_end();
}
