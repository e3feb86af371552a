/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every atomic on every type, the deprecated names too: its meaning, on words
 * of all PEs, and that nothing is lost when all PEs share one word.
 * PES: all
 */
#include "api.h"

enum op { FETCH, SET, SWAP, COMPARE_SWAP, INC, ADD, AND, OR, XOR };

struct amo {
	const char *body;
	enum op op;
	bool fetches, nbi;
};

static const struct amo amos[] = {
	{ "fetch", FETCH, true, false },
	{ "set", SET, false, false },
	{ "compare_swap", COMPARE_SWAP, true, false },
	{ "swap", SWAP, true, false },
	{ "fetch_inc", INC, true, false },
	{ "inc", INC, false, false },
	{ "fetch_add", ADD, true, false },
	{ "add", ADD, false, false },
	{ "fetch_and", AND, true, false },
	{ "and", AND, false, false },
	{ "fetch_or", OR, true, false },
	{ "or", OR, false, false },
	{ "fetch_xor", XOR, true, false },
	{ "xor", XOR, false, false },
	{ "fetch_nbi", FETCH, true, true },
	{ "compare_swap_nbi", COMPARE_SWAP, true, true },
	{ "swap_nbi", SWAP, true, true },
	{ "fetch_inc_nbi", INC, true, true },
	{ "fetch_add_nbi", ADD, true, true },
	{ "fetch_and_nbi", AND, true, true },
	{ "fetch_or_nbi", OR, true, true },
	{ "fetch_xor_nbi", XOR, true, true },
};

enum { TRIALS = 4, SHARED_OPS = 21 };

/* One atomic: its operands, and room for the result until quiet. */
struct operation {
	int64_t value, cond;
	long double result[1];
};

/* The word after the operation; numbers wrap as the type does when set. */
static int64_t model(enum op op, int64_t old, int64_t value, int64_t cond)
{
	switch (op) {
	case FETCH:
		return old;
	case SET:
	case SWAP:
		return value;
	case COMPARE_SWAP:
		return old == cond ? value : old;
	case INC:
		return (int64_t)((uint64_t)old + 1);
	case ADD:
		return (int64_t)((uint64_t)old + (uint64_t)value);
	case AND:
		return old & value;
	case OR:
		return old | value;
	case XOR:
		return old ^ value;
	}
	return -1;
}

static int64_t as_type(const struct api_type *t, int64_t value)
{
	long double element[1];

	t->set(element, value);
	return t->get(element);
}

static void call(const struct api_routine *r, void *word, int pe,
		 struct operation *o)
{
	long double value[1], cond[1];
	struct api_args a = api_args(r, pe);

	r->type->set(value, o->value);
	r->type->set(cond, o->cond);
	a.source = a.dest = word;
	a.value = value;
	a.cond = cond;
	a.result = o->result;
	r->call(&a);
}

static int64_t initial(const struct api_routine *r, int from, int to)
{
	return as_type(r->type, api_value(from, to, 0));
}

static void check_result(const struct api_routine *r, const struct amo *amo,
			 const struct operation *o, int pe)
{
	if (amo->fetches && r->type->get(o->result) != initial(r, api_me, pe))
		api_fail(r->name, "wrong result from PE %d", pe);
}

static struct operation operands(const struct api_routine *r, int trial,
				 int from, int to)
{
	struct operation o = { .value = api_value(from, to, 1 + (size_t)trial),
			       .cond = initial(r, from, to) };

	if (trial % 2)
		o.cond = as_type(r->type, o.cond ^ 1);
	return o;
}

/* Words of one array per PE: word i is for PE i alone. */
static void test_meaning(const struct api_routine *r, const struct amo *amo,
			 int trial, void *words)
{
	static struct operation o[MAX_PES];

	for (int from = 0; from < api_n; from++)
		r->type->set(api_at(r->type, words, (size_t)from),
			     initial(r, from, api_me));
	shmem_barrier_all();
	for (int pe = 0; pe < api_n; pe++) {
		o[pe] = operands(r, trial, api_me, pe);
		call(r, api_at(r->type, words, (size_t)api_me), pe, &o[pe]);
		if (!amo->nbi)
			check_result(r, amo, &o[pe], pe);
	}
	api_quiet(r);
	for (int pe = 0; pe < api_n; pe++)
		check_result(r, amo, &o[pe], pe);
	shmem_barrier_all();
	for (int from = 0; from < api_n; from++) {
		const struct operation sent = operands(r, trial, from, api_me);

		if (!api_is(r->type, words, (size_t)from,
			    model(amo->op, initial(r, from, api_me),
				  as_type(r->type, sent.value), sent.cond)))
			api_fail(r->name, "trial %d: wrong word after PE %d",
				 trial, from);
	}
	shmem_barrier_all();
}

static int64_t shared_operand(enum op op, int pe, int k)
{
	const int64_t bit = (int64_t)1 << pe;

	switch (op) {
	case AND:
		return ~bit;
	case OR:
	case XOR:
		return bit;
	case ADD:
		return pe + 1;
	default:
		return pe * SHARED_OPS + k + 1;
	}
}

/* The word that all share, at the last PE; sums of olds come to it too. */
struct shared {
	int64_t olds[MAX_PES];
	long double word[1];
};

static int64_t one_shared(const struct api_routine *r, const struct amo *amo,
			  void *word, int k)
{
	struct operation o = { .value = shared_operand(amo->op, api_me, k) };

	call(r, word, api_n - 1, &o);
	if (amo->nbi)
		api_quiet(r);
	return amo->fetches ? r->type->get(o.result) : 0;
}

/* Operands folded in any order; what SET leaves is known within bounds. */
static void check_shared(const struct api_routine *r, const struct amo *amo,
			 const struct shared *s)
{
	const int64_t word = r->type->get(s->word);
	int64_t all = amo->op == AND ? -1 : 0, values = 0, olds = word;
	const int64_t calls = (int64_t)api_n * SHARED_OPS;

	for (int pe = 0; pe < api_n; pe++) {
		olds += s->olds[pe];
		for (int k = 0; k < SHARED_OPS; k++) {
			int64_t value = shared_operand(amo->op, pe, k);

			all = model(amo->op, all, value, 0);
			values += value;
		}
	}
	if (amo->op == SWAP)
		CHECK(r->name, olds == values);
	else if (amo->op == SET)
		CHECK(r->name, word > 0 && word <= calls);
	else
		CHECK(r->name, word == as_type(r->type, all));
	if (amo->op == INC && amo->fetches)
		CHECK(r->name, olds == calls * (calls + 1) / 2);
}

static void test_shared(const struct api_routine *r, const struct amo *amo)
{
	struct shared *s = shmem_malloc(sizeof(*s));
	int64_t olds = 0;

	r->type->set(s->word, amo->op == AND ? -1 : 0);
	shmem_barrier_all();
	for (int k = 0; k < SHARED_OPS; k++)
		olds += one_shared(r, amo, s->word, k);
	api_quiet(r);
	shmem_int64_p(&s->olds[api_me], olds, api_n - 1);
	shmem_barrier_all();
	if (api_me == api_n - 1)
		check_shared(r, amo, s);
	shmem_free(s);
}

/* Nobody else's compare-and-swap is lost: the word counts the successes. */
static void test_count(const struct api_routine *r, const struct amo *amo)
{
	long double *word = shmem_malloc(sizeof(*word));

	r->type->set(word, 0);
	shmem_barrier_all();
	for (int k = 0; k < SHARED_OPS; k++) {
		struct operation o = { .cond = -1 };
		int64_t old = 0;

		while (old != o.cond) {
			o.cond = old;
			o.value = old + 1;
			call(r, word, api_n - 1, &o);
			if (amo->nbi)
				api_quiet(r);
			old = r->type->get(o.result);
		}
	}
	shmem_barrier_all();
	if (api_me == api_n - 1)
		CHECK(r->name, r->type->get(word) == api_n * SHARED_OPS);
	shmem_free(word);
}

static void test(const struct api_routine *r, const void *arg)
{
	const struct amo *amo = arg;

	for (int trial = 0; trial < TRIALS; trial++) {
		void *words = api_memory(trial / 2, MAX_PES * r->type->size);

		test_meaning(r, amo, trial, words);
		api_memory_free(words);
	}
	if (amo->op == COMPARE_SWAP)
		test_count(r, amo);
	else
		test_shared(r, amo);
}

int main(void)
{
	api_begin();
	for (size_t i = 0; i < COUNT(amos); i++)
		api_each(amos[i].body, test, &amos[i]);
	return api_end();
}
