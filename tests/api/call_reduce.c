/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every reduction and scan of every type against a sequential model, over
 * teams and, in the deprecated forms, over active sets; also in place.
 * PES: all
 */
#include <string.h>
#include "api.h"

typedef void combine_fn(const struct api_type *t, void *acc, const void *x);

static void and_(const struct api_type *t, void *acc, const void *x)
{
	t->set(acc, t->get(acc) & t->get(x));
}

static void or_(const struct api_type *t, void *acc, const void *x)
{
	t->set(acc, t->get(acc) | t->get(x));
}

static void xor_(const struct api_type *t, void *acc, const void *x)
{
	t->set(acc, t->get(acc) ^ t->get(x));
}

static void max_(const struct api_type *t, void *acc, const void *x)
{
	if (t->real(x) > t->real(acc))
		memcpy(acc, x, t->size);
}

static void min_(const struct api_type *t, void *acc, const void *x)
{
	if (t->real(x) < t->real(acc))
		memcpy(acc, x, t->size);
}

static void sum_(const struct api_type *t, void *acc, const void *x)
{
	t->add(acc, x);
}

static void prod_(const struct api_type *t, void *acc, const void *x)
{
	t->multiply(acc, x);
}

enum kind { REDUCE, INSCAN, EXSCAN };

/* `small` bounds the operands, so that no signed type overflows. */
struct reduction {
	const char *body;
	combine_fn *combine;
	enum kind kind;
	bool small, old;
};

static const struct reduction reductions[] = {
	{ "and_reduce", and_, REDUCE, false, false },
	{ "or_reduce", or_, REDUCE, false, false },
	{ "xor_reduce", xor_, REDUCE, false, false },
	{ "max_reduce", max_, REDUCE, false, false },
	{ "min_reduce", min_, REDUCE, false, false },
	{ "sum_reduce", sum_, REDUCE, true, false },
	{ "prod_reduce", prod_, REDUCE, true, false },
	{ "sum_inscan", sum_, INSCAN, true, false },
	{ "sum_exscan", sum_, EXSCAN, true, false },
	{ "and_to_all", and_, REDUCE, false, true },
	{ "or_to_all", or_, REDUCE, false, true },
	{ "xor_to_all", xor_, REDUCE, false, true },
	{ "max_to_all", max_, REDUCE, false, true },
	{ "min_to_all", min_, REDUCE, false, true },
	{ "sum_to_all", sum_, REDUCE, true, true },
	{ "prod_to_all", prod_, REDUCE, true, true },
};

static const size_t lengths[] = { 0, 1, 6, 133 };
enum { LONGEST = 133, GUARD = -3 };

static int64_t operand(const struct reduction *d, int rank, size_t i)
{
	const int64_t value = api_value(rank, 0, i);

	return d->small ? value % 3 : value;
}

/* Element i of the result: of ranks 0 to size - 1, or to rank in scans. */
static void model(const struct api_type *t, const struct reduction *d,
		  const struct api_group *g, size_t i, void *acc)
{
	const int end = d->kind == REDUCE   ? g->size
			: d->kind == INSCAN ? g->rank + 1
					    : g->rank;
	long double x[2];

	t->set(acc, end ? operand(d, 0, i) : 0);
	for (int rank = 1; rank < end; rank++) {
		t->set(x, operand(d, rank, i));
		d->combine(t, acc, x);
	}
}

static void check(const struct api_routine *r, const struct reduction *d,
		  const struct api_group *g, size_t nelems, const void *dest)
{
	for (size_t i = 0; i < nelems; i++) {
		long double acc[2];

		model(r->type, d, g, i, acc);
		if (r->type->equal(api_at(r->type, dest, i), acc))
			continue;
		api_fail(r->name, "%d ranks: element %zu of %zu is wrong",
			 g->size, i, nelems);
		return;
	}
	CHECK(r->name, api_is(r->type, dest, nelems, GUARD));
}

struct buffers {
	void *dest, *source, *pwrk;
};

static void run(const struct api_routine *r, const struct reduction *d,
		const struct api_group *g, size_t nelems, bool in_place,
		const struct buffers *b)
{
	struct api_args a = api_group_args(g, b->pwrk);

	a.nelems = nelems;
	a.dest = nelems ? b->dest : NULL;
	a.source = in_place ? a.dest : nelems ? b->source : NULL;
	for (size_t i = 0; i < nelems; i++)
		r->type->set(api_at(r->type, in_place ? b->dest : b->source, i),
			     operand(d, g->rank, i));
	r->call(&a);
	CHECK(r->name, a.count == 0);
	check(r, d, g, nelems, b->dest);
}

static void test_length(const struct api_routine *r, const struct reduction *d,
			size_t nelems, bool in_place, const struct buffers *b)
{
	struct api_group groups[API_MAX_GROUPS];
	const size_t n = api_groups(d->old, groups);

	for (size_t i = 0; i < n; i++) {
		api_fill(r->type, b->dest, LONGEST + 1, GUARD);
		shmem_barrier_all();
		if (groups[i].rank >= 0)
			run(r, d, &groups[i], nelems, in_place, b);
		shmem_barrier_all();
		if (d->old)
			api_psync_check(r);
		else if (i)
			shmem_team_destroy(groups[i].team);
	}
}

static void test(const struct api_routine *r, const void *arg)
{
	const size_t work = LONGEST / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE;
	struct buffers b = {
		.dest = shmem_malloc((LONGEST + 1) * r->type->size),
		.source = shmem_malloc(LONGEST * r->type->size),
		.pwrk = shmem_malloc(work * r->type->size),
	};

	for (size_t i = 0; i < 2 * COUNT(lengths); i++)
		test_length(r, arg, lengths[i / 2], i % 2, &b);
	shmem_free(b.pwrk);
	shmem_free(b.source);
	shmem_free(b.dest);
}

int main(void)
{
	api_begin();
	for (size_t i = 0; i < COUNT(reductions); i++)
		api_each(reductions[i].body, test, &reductions[i]);
	return api_end();
}
