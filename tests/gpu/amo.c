/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every atomic on every type: its meaning, each work-item on a word of another
 * PE; and that nothing is lost when all work-items of all PEs share one word.
 * PES: all
 */
#include "call.h"

#define ROWS <shmem/amo.def>
#define ROW_G(stem, WITH, N, T, esize, body) GPU_KERNELS_1(stem, G, WITH, T)
#define ROW_P(stem, WITH, N, T, esize, body) GPU_KERNELS_1(stem, P, WITH, T)
#define ROW_INC(stem, WITH, N, T, esize, body) \
	GPU_KERNELS_1(stem, INC, WITH, T)
#define ROW_CSWAP(stem, WITH, N, T, esize, body) \
	GPU_KERNELS_1(stem, CSWAP, WITH, T)
#define ROW_FETCH_INC(stem, WITH, N, T, esize, body) \
	GPU_KERNELS_1(stem, FETCH_INC, WITH, T)
#define ROW_FETCH_OP(stem, WITH, N, T, esize, body) \
	GPU_KERNELS_1(stem, FETCH_OP, WITH, T)
#define ROW_FETCH_NBI(stem, WITH, N, T, esize, body) \
	GPU_KERNELS_1(stem, FETCH_NBI, WITH, T)
#define ROW_CSWAP_NBI(stem, WITH, N, T, esize, body) \
	GPU_KERNELS_1(stem, CSWAP_NBI, WITH, T)
#define ROW_FETCH_INC_NBI(stem, WITH, N, T, esize, body) \
	GPU_KERNELS_1(stem, FETCH_INC_NBI, WITH, T)
#define ROW_FETCH_OP_NBI(stem, WITH, N, T, esize, body) \
	GPU_KERNELS_1(stem, FETCH_OP_NBI, WITH, T)
#include "rows.h"

#undef ROW_G
#undef ROW_P
#undef ROW_INC
#undef ROW_CSWAP
#undef ROW_FETCH_INC
#undef ROW_FETCH_OP
#undef ROW_FETCH_NBI
#undef ROW_CSWAP_NBI
#undef ROW_FETCH_INC_NBI
#undef ROW_FETCH_OP_NBI
#define ROW_G(stem, WITH, N, T, esize, body) \
	GPU_ENTRIES_1(stem, WITH, esize, GPU_KIND(T), body)
#define ROW_P ROW_G
#define ROW_INC ROW_G
#define ROW_CSWAP ROW_G
#define ROW_FETCH_INC ROW_G
#define ROW_FETCH_OP ROW_G
#define ROW_FETCH_NBI ROW_G
#define ROW_CSWAP_NBI ROW_G
#define ROW_FETCH_INC_NBI ROW_G
#define ROW_FETCH_OP_NBI ROW_G
static const struct gpu_row rows[] = {
#include "rows.h"
};

enum op { FETCH, SET, SWAP, COMPARE_SWAP, INC, ADD, AND, OR, XOR };

static struct gpu_mem words, results, values, conds;

static enum op op_of(const struct gpu_row *r)
{
	static const struct {
		const char *part;
		enum op op;
	} ops[] = {
		{ "compare_swap", COMPARE_SWAP }, { "swap", SWAP },
		{ "inc", INC }, { "add", ADD }, { "and", AND },
		{ "xor", XOR }, { "or", OR }, { "set", SET },
	};

	for (size_t i = 0; i < GPU_COUNT(ops); i++)
		if (strstr(r->body, ops[i].part))
			return ops[i].op;
	return FETCH;
}

static int fetches(const struct gpu_row *r)
{
	return strstr(r->body, "fetch") || strstr(r->body, "swap");
}

static uint64_t wrap(const struct gpu_row *r, uint64_t v)
{
	return r->esize == 8 ? v : v & 0xffffffff;
}

static uint64_t model(enum op op, uint64_t old, uint64_t value, uint64_t cond)
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
		return old + 1;
	case ADD:
		return old + value;
	case AND:
		return old & value;
	case OR:
		return old | value;
	default:
		return old ^ value;
	}
}

/* What a group of a PE works with. Small numbers: no NaN in a float. */
struct operands {
	uint64_t old, value, cond;
};

static struct operands operands(const struct gpu_row *r, uint64_t salt,
				int from, size_t g)
{
	const uint64_t mask = r->kind == 'f' ? 0x3ff1ffff3f1fffff : UINT64_MAX;
	struct operands o;

	o.old = wrap(r, gpu_value(salt, from, g * 2) & mask);
	o.value = wrap(r, gpu_value(salt, from, g * 2 + 1) & mask);
	o.cond = g % 2 ? o.old : o.old ^ 1;
	return o;
}

static uint64_t word_get(const struct gpu_row *r, const unsigned char *p)
{
	uint32_t narrow;
	uint64_t wide;

	memcpy(&narrow, p, sizeof(narrow));
	memcpy(&wide, p, sizeof(wide));
	return r->esize == 8 ? wide : narrow;
}

static void word_set(const struct gpu_row *r, unsigned char *p, uint64_t v)
{
	const uint32_t narrow = (uint32_t)v;

	if (r->esize == 8)
		memcpy(p, &v, sizeof(v));
	else
		memcpy(p, &narrow, sizeof(narrow));
}

static struct gpu_call arguments(const struct gpu_row *r, int pe)
{
	struct gpu_call c = gpu_call_new(r, pe);

	c.dest = c.source = words.dev;
	c.result = results.dev;
	c.value = values.dev;
	c.cond = conds.dev;
	c.small_slot = 8;
	return c;
}

static void prepare(const struct gpu_row *r, size_t groups, uint64_t salt)
{
	for (int from = 0; from < gpu_n; from++)
		for (size_t g = 0; g < groups; g++) {
			struct operands o = operands(r, salt, from, g);
			size_t at = ((size_t)from * groups + g) * 8;

			word_set(r, words.host + at, o.old);
			if (from != gpu_me)
				continue;
			word_set(r, values.host + g * 8, o.value);
			word_set(r, conds.host + g * 8, o.cond);
		}
	gpu_mem_push(&words, (size_t)gpu_n * groups * 8);
	gpu_mem_push(&values, groups * 8);
	gpu_mem_push(&conds, groups * 8);
	shmem_barrier_all();
}

static void check_words(const struct gpu_row *r, size_t groups, uint64_t salt,
			int shift)
{
	for (int from = 0; from < gpu_n; from++)
		for (size_t g = 0; g < groups; g++) {
			struct operands o = operands(r, salt, from, g);
			size_t to = ((size_t)(from + shift) + g) %
				    (size_t)gpu_n;
			uint64_t want = o.old, got;

			if ((int)to == gpu_me)
				want = wrap(r, model(op_of(r), o.old, o.value,
						     o.cond));
			got = word_get(r, words.host +
						  ((size_t)from * groups + g) *
							  8);
			if (got != want)
				gpu_fail("%s: word of PE %d, item %zu: %llx, "
					 "expected %llx", r->name, from, g,
					 (unsigned long long)got,
					 (unsigned long long)want);
		}
}

static void check_results(const struct gpu_row *r, size_t groups, uint64_t salt)
{
	for (size_t g = 0; g < groups && fetches(r); g++)
		if (word_get(r, results.host + g * 8) !=
		    operands(r, salt, gpu_me, g).old)
			gpu_fail("%s: item %zu fetched a wrong value", r->name,
				 g);
}

static void test_meaning(const struct gpu_row *r, struct gpu_geometry geometry,
			 int shift, uint64_t salt)
{
	const size_t groups = gpu_groups(r->scope, geometry);
	struct gpu_call c = arguments(r, (gpu_me + shift) % gpu_n);

	c.dest = c.source = words.dev + (size_t)gpu_me * groups * 8;
	c.slot = 8;
	prepare(r, groups, salt);
	gpu_row_launch(r, geometry, &c);
	gpu_sync();
	shmem_barrier_all();
	gpu_mem_pull(&words, (size_t)gpu_n * groups * 8);
	gpu_mem_pull(&results, groups * 8);
	check_words(r, groups, salt, shift);
	check_results(r, groups, salt);
	shmem_barrier_all();
}

/* One operand of the shared word; distinct but for bits. */
static uint64_t shared_value(enum op op, int pe, size_t g)
{
	const uint64_t bit = (uint64_t)1 << ((size_t)pe * 5 + g) % 31;

	if (op == AND)
		return ~bit;
	if (op == OR || op == XOR)
		return bit;
	return ((uint64_t)pe << 9) + g + 1;
}

/* What all operands leave; 0 where the order decides. */
static uint64_t shared_want(const struct gpu_row *r, size_t groups)
{
	uint64_t word = op_of(r) == AND ? ~(uint64_t)0 : 0;

	for (int pe = 0; pe < gpu_n; pe++)
		for (size_t g = 0; g < groups; g++)
			word = model(op_of(r), word,
				     shared_value(op_of(r), pe, g), 0);
	return wrap(r, word);
}

static uint64_t sum_of(const struct gpu_row *r, const struct gpu_mem *m,
		       size_t groups)
{
	uint64_t sum = 0;

	for (size_t g = 0; g < groups; g++)
		sum += word_get(r, m->host + g * 8);
	return sum;
}

/* Swaps hand values on: what was fetched and what is left is what was put. */
static void check_swaps(const struct gpu_row *r, size_t groups, uint64_t word)
{
	uint64_t *sums = (uint64_t *)shmemx_malloc_host(2 * sizeof(*sums));

	gpu_mem_pull(&results, groups * 8);
	sums[0] = sum_of(r, &values, groups) - sum_of(r, &results, groups);
	shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, sums + 1, sums, 1);
	GPU_CHECK_EQ(wrap(r, sums[1]), word);
	shmem_barrier_all();
	shmem_free(sums);
}

static void test_shared(const struct gpu_row *r, struct gpu_geometry geometry)
{
	const enum op op = op_of(r);
	const size_t groups = gpu_groups(r->scope, geometry);
	struct gpu_call c = arguments(r, gpu_n - 1);
	uint64_t word;

	if (op == FETCH || op == SET || op == COMPARE_SWAP || r->kind == 'f')
		return;
	c.same_pe = 1;
	word_set(r, words.host, op == AND ? ~(uint64_t)0 : 0);
	gpu_mem_push(&words, 8);
	for (size_t g = 0; g < groups; g++)
		word_set(r, values.host + g * 8, shared_value(op, gpu_me, g));
	gpu_mem_push(&values, groups * 8);
	shmem_barrier_all();
	gpu_row_launch(r, geometry, &c);
	gpu_sync();
	shmem_barrier_all();
	shmem_getmem(words.host, words.dev, 8, gpu_n - 1);
	word = word_get(r, words.host);
	if (op == SWAP)
		check_swaps(r, groups, word);
	else
		GPU_CHECK_EQ(word, shared_want(r, groups));
	shmem_barrier_all();
}

int main(void)
{
	gpu_begin();
	words = gpu_mem_new((size_t)gpu_n * 256 * 8);
	results = gpu_mem_new(256 * 8);
	values = gpu_mem_new(256 * 8);
	conds = gpu_mem_new(256 * 8);
	for (size_t i = 0; i < GPU_COUNT(rows); i++) {
		for (int round = 0; round < 2; round++)
			test_meaning(&rows[i], gpu_geometry(i + (size_t)round),
				     round, gpu_seed + i);
		test_shared(&rows[i], gpu_geometry(i + 3));
	}
	gpu_mem_free(&words);
	gpu_mem_free(&results);
	gpu_mem_free(&values);
	gpu_mem_free(&conds);
	return gpu_end();
}
