/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives of members on several nodes: random ones on random teams, which
 * are strided, interleaved, rows and columns of grids and teams of such teams,
 * of 0 bytes to 256 KiB a member, in the heap and in static data, against what
 * each should give. Nodes have 3 PEs, so that some are smaller; coll_nodes.sh
 * has other sizes and every algorithm.
 * PES: 2 3 4 8
 * ENV: SHMEM_NODE_SIZE=3
 */
#include "check.h"
#include <complex.h>

#define ROUNDS 200
#define BLOCK_BYTES ((size_t)256 << 10)
#define MAX_PES 8
#define BYTES (BLOCK_BYTES * MAX_PES)
#define GUARD 64
#define MAX_TEAMS 12

struct group {
	shmem_team_t team;
	int size, mine;
	int pes[MAX_PES]; /* members as PEs of WORLD */
};

struct call {
	int kind, root, in_place, dst, sst;
	size_t bytes;
	uint64_t salt;
};

static struct group groups[MAX_TEAMS + 2];
static int n_groups, me, n;
static unsigned char static_dest[BYTES + GUARD], static_source[BYTES];
static unsigned char *heap_dest, *heap_source, *dest, *source;

/* Sums and products of these are exact in all types. */
static long value(const struct call *c, int pe, size_t i)
{
	return 1 + (long)((c->salt + (uint64_t)pe * 7 + i * 13 + i / 97) % 5);
}

static unsigned char byte(const struct call *c, int pe, size_t i)
{
	return (unsigned char)(c->salt + (uint64_t)pe * 101 + i * 7 + i / 253);
}

#define TYPE(N, T) \
	static void set_##N(void *p, size_t i, long v) \
	{ \
		((T *)p)[i] = (T)v; \
	} \
	static long get_##N(const void *p, size_t i) \
	{ \
		return (long)((const T *)p)[i]; \
	}
TYPE(uchar, unsigned char)
TYPE(short, short)
TYPE(int, int)
TYPE(uint32, uint32_t)
TYPE(uint64, uint64_t)
TYPE(long, long)
TYPE(float, float)
TYPE(double, double)
TYPE(longdouble, long double)
TYPE(complexd, double complex)
TYPE(complexf, float complex)

#define CALLS(N, T, what) \
	static int what##_##N(shmem_team_t t, void *d, const void *s, \
			      size_t nelems) \
	{ \
		return shmem_##N##_##what(t, (T *)d, (const T *)s, nelems); \
	}
CALLS(uchar, unsigned char, xor_reduce)
CALLS(short, short, min_reduce)
CALLS(int, int, sum_reduce)
CALLS(uint32, uint32_t, and_reduce)
CALLS(uint64, uint64_t, or_reduce)
CALLS(float, float, prod_reduce)
CALLS(double, double, sum_reduce)
CALLS(double, double, max_reduce)
CALLS(longdouble, long double, max_reduce)
CALLS(complexd, double complex, prod_reduce)
CALLS(complexf, float complex, sum_reduce)
CALLS(long, long, sum_inscan)
CALLS(float, float, sum_inscan)
CALLS(int, int, sum_exscan)
CALLS(double, double, sum_exscan)

#define ROW(N, T, what, sign, scans) \
	{ \
		what##_##N, set_##N, get_##N, sizeof(T), sign, scans \
	}
static const struct reduction {
	int (*run)(shmem_team_t t, void *d, const void *s, size_t nelems);
	void (*set)(void *p, size_t i, long v);
	long (*get)(const void *p, size_t i);
	size_t esize;
	char sign;
	int scans; /* 1: itself included, 2: not */
} reductions[] = {
	ROW(uchar, unsigned char, xor_reduce, '^', 0),
	ROW(short, short, min_reduce, '<', 0),
	ROW(int, int, sum_reduce, '+', 0),
	ROW(uint32, uint32_t, and_reduce, '&', 0),
	ROW(uint64, uint64_t, or_reduce, '|', 0),
	ROW(float, float, prod_reduce, '*', 0),
	ROW(double, double, sum_reduce, '+', 0),
	ROW(double, double, max_reduce, '>', 0),
	ROW(longdouble, long double, max_reduce, '>', 0),
	ROW(complexd, double complex, prod_reduce, '*', 0),
	ROW(complexf, float complex, sum_reduce, '+', 0),
	ROW(long, long, sum_inscan, '+', 1),
	ROW(float, float, sum_inscan, '+', 1),
	ROW(int, int, sum_exscan, '+', 2),
	ROW(double, double, sum_exscan, '+', 2),
};
#define N_REDUCTIONS ((int)(sizeof(reductions) / sizeof(*reductions)))

static long combine(char sign, long a, long b)
{
	switch (sign) {
	case '^':
		return a ^ b;
	case '&':
		return a & b;
	case '|':
		return a | b;
	case '*':
		return a * b;
	case '<':
		return a < b ? a : b;
	case '>':
		return a > b ? a : b;
	default:
		return a + b;
	}
}

static long fold(const struct reduction *r, const struct group *g,
		 const struct call *c, size_t i)
{
	int end = r->scans == 0 ? g->size : g->mine + (r->scans == 1);
	long acc = 0;

	for (int k = 0; k < end; k++) {
		long x = value(c, g->pes[k], i);

		acc = k ? combine(r->sign, acc, x) : x;
	}
	return acc;
}

static void reduce(const struct group *g, const struct call *c)
{
	const struct reduction *r = &reductions[c->kind - 5];
	size_t nelems = c->bytes / r->esize;
	unsigned char *from = c->in_place ? dest : source;

	for (size_t i = 0; i < nelems; i++)
		r->set(from, i, value(c, me, i));
	CHECK_EQ(r->run(g->team, dest, from, nelems), 0);
	for (size_t i = 0; i < nelems; i++)
		CHECK_EQ(r->get(dest, i), fold(r, g, c, i));
	CHECK_EQ(dest[nelems * r->esize], c->in_place ? dest[BYTES] : 0xc3);
}

static void alltoall(const struct group *g, const struct call *c)
{
	size_t dst = c->kind ? (size_t)c->dst : 1;
	size_t sst = c->kind ? (size_t)c->sst : 1;
	size_t nelems = c->bytes / 3;

	if (c->kind)
		CHECK_EQ(shmem_short_alltoalls(g->team, (short *)dest,
					       (short *)source, c->dst, c->sst,
					       nelems / 2),
			 0);
	else
		CHECK_EQ(shmem_short_alltoall(g->team, (short *)dest,
					      (short *)source, nelems / 2),
			 0);
	for (size_t k = 0; k < (size_t)g->size; k++)
		for (size_t i = 0; i < nelems / 2; i++) {
			size_t to = (k * (nelems / 2) + i) * dst * 2;
			size_t at =
				((size_t)g->mine * (nelems / 2) + i) * sst * 2;

			CHECK_EQ(dest[to], byte(c, g->pes[k], at));
			CHECK_EQ(dest[to + 1], byte(c, g->pes[k], at + 1));
		}
}

static void broadcast(const struct group *g, const struct call *c)
{
	CHECK_EQ(shmem_broadcastmem(g->team, dest, source, c->bytes, c->root),
		 0);
	for (size_t i = 0; i < c->bytes; i++)
		CHECK_EQ(dest[i], byte(c, g->pes[c->root], i));
	CHECK_EQ(dest[c->bytes], 0xc3);
}

/* Some members bring nothing. */
static size_t brings(const struct call *c, int pe)
{
	return c->kind == 3 ? c->bytes * (size_t)(pe % 3) / 2 : c->bytes;
}

static void collect(const struct group *g, const struct call *c)
{
	size_t at = 0;

	if (c->kind == 3)
		CHECK_EQ(shmem_collectmem(g->team, dest, source, brings(c, me)),
			 0);
	else
		CHECK_EQ(shmem_fcollectmem(g->team, dest, source, c->bytes), 0);
	for (int k = 0; k < g->size; k++)
		for (size_t i = 0; i < brings(c, g->pes[k]); i++, at++)
			CHECK_EQ(dest[at], byte(c, g->pes[k], i));
	CHECK_EQ(dest[at], 0xc3);
}

static void run(const struct group *g, const struct call *c)
{
	if (c->kind <= 1)
		alltoall(g, c);
	else if (c->kind == 2)
		broadcast(g, c);
	else if (c->kind <= 4)
		collect(g, c);
	else
		reduce(g, c);
}

static struct call call_make(const struct group *g, uint64_t *state)
{
	struct call c = { .salt = check_random(state) };
	size_t most = (size_t)1 << check_below(state, 19);

	c.kind = (int)check_below(state, 5 + (size_t)N_REDUCTIONS);
	c.bytes = check_below(state, most + 1);
	c.root = (int)check_below(state, (size_t)g->size);
	c.in_place = (int)check_below(state, 2);
	c.dst = 1 + (int)check_below(state, 3);
	c.sst = 1 + (int)check_below(state, 3);
	return c;
}

static void round_run(const struct group *g, uint64_t *state)
{
	struct call c = call_make(g, state);
	int before = check_failures, in_data = (int)check_below(state, 2);

	dest = in_data ? static_dest : heap_dest;
	source = in_data ? static_source : heap_source;
	memset(dest, 0xc3, BYTES + GUARD);
	for (size_t i = 0; i < BYTES; i++)
		source[i] = byte(&c, me, i);
	shmem_barrier_all();
	if (g->mine >= 0)
		run(g, &c);
	if (check_failures != before)
		fprintf(stderr,
			"kind %d, %zu bytes, team of %d, root %d, in place %d, "
			"static %d\n",
			c.kind, c.bytes, g->size, c.root, c.in_place, in_data);
	shmem_barrier_all();
}

static struct group *group_new(const struct group *parent, int start,
			       int stride, int size)
{
	struct group *g = &groups[n_groups++];

	*g = (struct group){ .size = size, .mine = -1 };
	for (int i = 0; i < size; i++) {
		g->pes[i] = parent->pes[start + i * stride];
		if (g->pes[i] == me)
			g->mine = i;
	}
	return g;
}

static void make_strided(const struct group *parent, uint64_t *state)
{
	int size = 1 + (int)check_below(state, (size_t)parent->size);
	int most = size > 1 ? (parent->size - 1) / (size - 1) : 1;
	int stride = 1 + (int)check_below(state, (size_t)most);
	int span = (size - 1) * stride;
	int start = (int)check_below(state, (size_t)(parent->size - span));
	int back = (int)check_below(state, 2);
	struct group *g;

	if (back)
		start += span;
	g = group_new(parent, start, back ? -stride : stride, size);
	if (parent->mine >= 0)
		CHECK_EQ(shmem_team_split_strided(parent->team, start,
						  back ? -stride : stride, size,
						  NULL, 0, &g->team),
			 0);
}

/* My row and my column; others have others at the same time. */
static void make_grid(const struct group *parent, uint64_t *state)
{
	int width = 1 + (int)check_below(state, (size_t)parent->size);
	int mine = parent->mine < 0 ? 0 : parent->mine;
	int x = mine % width, first = mine - x;
	int row = parent->size - first;
	struct group *gx, *gy;

	row = row < width ? row : width;
	gx = group_new(parent, first, 1, row);
	gy = group_new(parent, x, width,
		       (parent->size - x + width - 1) / width);
	if (parent->mine < 0) {
		gx->mine = gy->mine = -1;
		return;
	}
	CHECK_EQ(shmem_team_split_2d(parent->team, width, NULL, 0, &gx->team,
				     NULL, 0, &gy->team),
		 0);
}

/* The odd ones of WORLD, whom every node has some of. */
static void make_odd(void)
{
	struct group *g;

	if (n < 2)
		return;
	g = group_new(&groups[0], 1, 2, n / 2);
	CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, n / 2, NULL,
					  0, &g->team),
		 0);
}

/* WORLD-wide ones only: rows of a grid differ between PEs. */
static void make_groups(uint64_t *state)
{
	int n_same;

	groups[n_groups++] = (struct group){ SHMEM_TEAM_WORLD, n, me, { 0 } };
	for (int i = 0; i < n; i++)
		groups[0].pes[i] = i;
	make_odd();
	while (n_groups < MAX_TEAMS - 4)
		make_strided(&groups[check_below(state, (size_t)n_groups)],
			     state);
	n_same = n_groups;
	while (n_groups < MAX_TEAMS)
		make_grid(&groups[check_below(state, (size_t)n_same)], state);
}

int main(void)
{
	uint64_t state;

#ifndef HAVE_UCX
	unsetenv("SHMEM_NODE_SIZE");
#endif
	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	state = check_seed();
	heap_dest = shmem_malloc(BYTES + GUARD);
	heap_source = shmem_malloc(BYTES);
	make_groups(&state);
	for (int round = 0; round < ROUNDS; round++) {
		size_t i = check_below(&state, (size_t)n_groups);
		uint64_t own = state;

		round_run(&groups[i], &own);
		check_random(&state);
	}
	for (int i = n_groups - 1; i > 0; i--)
		shmem_team_destroy(groups[i].team);
	return check_end();
}
