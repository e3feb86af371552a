/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random collectives on random teams, teams of teams and active sets, of 0
 * bytes to some MiB, in types of all widths, against what each should give.
 * PES: all
 */
#include "check.h"

#define ROUNDS 250
#define BYTES ((size_t)4 << 20)
#define MAX_TEAMS 12

/* Members in order, as PEs of WORLD; the handle if this PE is one. */
struct group {
	shmem_team_t team;
	int size, mine;
	int start, log_stride; /* -1: not an active set */
	int pes[64];
};

struct call {
	int kind, width, root, in_place, dst, sst;
	size_t count;
	uint64_t salt;
};

static struct group groups[MAX_TEAMS + 1];
static int n_groups, me, n;
static unsigned char *dest, *source;

/* Byte i of what the PE brings. */
static unsigned char brings(const struct call *c, int pe, size_t i)
{
	return (unsigned char)(c->salt + (uint64_t)pe * 101 + i * 7 + i / 253);
}

static void group_make(const struct group *parent, uint64_t *state)
{
	struct group *g = &groups[n_groups];
	int size = 1 + (int)check_below(state, (size_t)parent->size);
	int most = size > 1 ? (parent->size - 1) / (size - 1) : 3;
	int stride = 1 + (int)check_below(state, (size_t)most);
	int span = (size - 1) * stride;
	int start = (int)check_below(state, (size_t)(parent->size - span));

	if (check_random(state) % 2) {
		start += span;
		stride = -stride;
	}
	*g = (struct group){ .size = size, .mine = -1, .log_stride = -1 };
	for (int i = 0; i < size; i++) {
		g->pes[i] = parent->pes[start + i * stride];
		if (g->pes[i] == me)
			g->mine = i;
	}
	if (parent->mine >= 0)
		CHECK_EQ(shmem_team_split_strided(parent->team, start, stride,
						  size, NULL, 0, &g->team),
			 0);
	CHECK_EQ(g->mine, shmem_team_my_pe(g->team));
	n_groups++;
}

static struct group active_set(uint64_t *state)
{
	struct group g = { .mine = -1 };
	int log_stride = (int)check_below(state, 3), stride;

	g.start = (int)check_below(state, (size_t)n);
	g.log_stride = log_stride;
	stride = 1 << log_stride;
	g.size = 1 + (int)check_below(state,
				      (size_t)((n - 1 - g.start) / stride + 1));
	for (int i = 0; i < g.size; i++) {
		g.pes[i] = g.start + i * stride;
		if (g.pes[i] == me)
			g.mine = i;
	}
	return g;
}

static struct call call_make(const struct group *g, uint64_t *state)
{
	static const int widths[] = { 1, 2, 4, 8 };
	struct call c = { .salt = check_random(state) };
	size_t limit = BYTES / 8 / (size_t)g->size / 4;

	c.kind = (int)check_below(state, 9);
	c.width = widths[check_below(state, 4)];
	c.root = (int)check_below(state, (size_t)g->size);
	c.in_place = (int)check_below(state, 2);
	c.dst = 1 + (int)check_below(state, 3);
	c.sst = 1 + (int)check_below(state, 3);
	switch (check_below(state, 8)) {
	case 0:
		c.count = check_below(state, limit);
		break;
	case 1:
	case 2:
		c.count = check_below(state, 3000);
		break;
	default:
		c.count = check_below(state, 20);
	}
	if (g->log_stride >= 0)
		c.width = c.width == 8 ? 8 : 4;
	return c;
}

/* Sum, minimum ... in one loop of the width; unsigned, so all are exact. */
static uint64_t element(const unsigned char *p, int width)
{
	uint64_t value = 0;

	memcpy(&value, p, (size_t)width);
	return value;
}

static uint64_t brings_element(const struct call *c, int pe, size_t i)
{
	unsigned char bytes[8];

	for (int b = 0; b < c->width; b++)
		bytes[b] = brings(c, pe, i * (size_t)c->width + (size_t)b);
	return element(bytes, c->width);
}

static uint64_t fold(const struct group *g, const struct call *c, size_t i)
{
	uint64_t acc = c->kind == 6 ? UINT64_MAX : 0;
	int last = g->size;

	if (c->kind >= 7)
		last = g->mine + (c->kind == 7);
	for (int k = 0; k < last; k++) {
		uint64_t x = brings_element(c, g->pes[k], i);

		if (c->kind == 6)
			acc = x < acc ? x : acc;
		else
			acc += x;
	}
	return c->width == 8 ? acc : acc & ((1ull << c->width * 8) - 1);
}

static int reduce_uint8(shmem_team_t t, const struct call *c, uint8_t *d,
			const uint8_t *s)
{
	switch (c->kind) {
	case 5:
		return shmem_uint8_sum_reduce(t, d, s, c->count);
	case 6:
		return shmem_uint8_min_reduce(t, d, s, c->count);
	case 7:
		return shmem_uint8_sum_inscan(t, d, s, c->count);
	default:
		return shmem_uint8_sum_exscan(t, d, s, c->count);
	}
}

static int reduce_uint16(shmem_team_t t, const struct call *c, uint16_t *d,
			 const uint16_t *s)
{
	switch (c->kind) {
	case 5:
		return shmem_uint16_sum_reduce(t, d, s, c->count);
	case 6:
		return shmem_uint16_min_reduce(t, d, s, c->count);
	case 7:
		return shmem_uint16_sum_inscan(t, d, s, c->count);
	default:
		return shmem_uint16_sum_exscan(t, d, s, c->count);
	}
}

static int reduce_uint32(shmem_team_t t, const struct call *c, uint32_t *d,
			 const uint32_t *s)
{
	switch (c->kind) {
	case 5:
		return shmem_uint32_sum_reduce(t, d, s, c->count);
	case 6:
		return shmem_uint32_min_reduce(t, d, s, c->count);
	case 7:
		return shmem_uint32_sum_inscan(t, d, s, c->count);
	default:
		return shmem_uint32_sum_exscan(t, d, s, c->count);
	}
}

static int reduce_uint64(shmem_team_t t, const struct call *c, uint64_t *d,
			 const uint64_t *s)
{
	switch (c->kind) {
	case 5:
		return shmem_uint64_sum_reduce(t, d, s, c->count);
	case 6:
		return shmem_uint64_min_reduce(t, d, s, c->count);
	case 7:
		return shmem_uint64_sum_inscan(t, d, s, c->count);
	default:
		return shmem_uint64_sum_exscan(t, d, s, c->count);
	}
}

static int reduce(shmem_team_t t, const struct call *c)
{
	void *d = dest, *s = c->in_place ? dest : source;

	switch (c->width) {
	case 1:
		return reduce_uint8(t, c, d, s);
	case 2:
		return reduce_uint16(t, c, d, s);
	case 4:
		return reduce_uint32(t, c, d, s);
	default:
		return reduce_uint64(t, c, d, s);
	}
}

static size_t collect_count(const struct call *c, int pe)
{
	return (c->count * (size_t)(pe % 4)) / 2;
}

static int on_team(const struct group *g, const struct call *c)
{
	size_t bytes = c->count * (size_t)c->width;
	shmem_team_t t = g->team;

	switch (c->kind) {
	case 0:
		return shmem_alltoallmem(t, dest, source, bytes);
	case 1:
		return shmem_alltoallsmem(t, dest, source, c->dst, c->sst,
					  bytes);
	case 2:
		return shmem_broadcastmem(t, dest, source, bytes, c->root);
	case 3:
		return shmem_collectmem(t, dest, source,
					collect_count(c, me) *
						(size_t)c->width);
	case 4:
		return shmem_fcollectmem(t, dest, source, bytes);
	default:
		return reduce(t, c);
	}
}

static void on_set32(const struct group *g, const struct call *c, long *sync)
{
	const int start = g->start, log_stride = g->log_stride, size = g->size;

	switch (c->kind) {
	case 0:
		shmem_alltoall32(dest, source, c->count, start, log_stride,
				 size, sync);
		break;
	case 1:
		shmem_alltoalls32(dest, source, c->dst, c->sst, c->count, start,
				  log_stride, size, sync);
		break;
	case 2:
		shmem_broadcast32(dest, source, c->count, c->root, start,
				  log_stride, size, sync);
		break;
	case 3:
		shmem_collect32(dest, source, collect_count(c, me), start,
				log_stride, size, sync);
		break;
	default:
		shmem_fcollect32(dest, source, c->count, start, log_stride,
				 size, sync);
	}
}

static void on_set64(const struct group *g, const struct call *c, long *sync)
{
	const int start = g->start, log_stride = g->log_stride, size = g->size;

	switch (c->kind) {
	case 0:
		shmem_alltoall64(dest, source, c->count, start, log_stride,
				 size, sync);
		break;
	case 1:
		shmem_alltoalls64(dest, source, c->dst, c->sst, c->count, start,
				  log_stride, size, sync);
		break;
	case 2:
		shmem_broadcast64(dest, source, c->count, c->root, start,
				  log_stride, size, sync);
		break;
	case 3:
		shmem_collect64(dest, source, collect_count(c, me), start,
				log_stride, size, sync);
		break;
	default:
		shmem_fcollect64(dest, source, c->count, start, log_stride,
				 size, sync);
	}
}

static void on_set(const struct group *g, const struct call *c, long *sync)
{
	if (c->width == 4)
		on_set32(g, c, sync);
	else
		on_set64(g, c, sync);
}

/* How far apart elements are, and in how many bytes they come. */
static size_t alltoalls_unit(const struct group *g, const struct call *c)
{
	return g->log_stride >= 0 ? (size_t)c->width : 1;
}

static size_t verify_alltoall(const struct group *g, const struct call *c)
{
	int strided = c->kind == 1;
	size_t unit = strided ? alltoalls_unit(g, c) : (size_t)c->width;
	size_t count = c->count * (size_t)c->width / unit, last = 0;
	size_t dst = strided ? (size_t)c->dst : 1;
	size_t sst = strided ? (size_t)c->sst : 1;

	for (int k = 0; k < g->size; k++)
		for (size_t i = 0; i < count; i++)
			for (size_t b = 0; b < unit; b++) {
				size_t block = (size_t)k * count + i;
				size_t from = (size_t)g->mine * count + i;

				last = block * dst * unit + b;
				CHECK_EQ(dest[last],
					 brings(c, g->pes[k],
						from * sst * unit + b));
				last++;
			}
	return last;
}

static size_t verify_concatenation(const struct group *g, const struct call *c)
{
	size_t at = 0;

	for (int k = 0; k < g->size; k++) {
		size_t count =
			c->kind == 3 ? collect_count(c, g->pes[k]) : c->count;

		for (size_t i = 0; i < count * (size_t)c->width; i++, at++)
			CHECK_EQ(dest[at], brings(c, g->pes[k], i));
	}
	return at;
}

static size_t verify(const struct group *g, const struct call *c)
{
	size_t bytes = c->count * (size_t)c->width;

	if (c->kind <= 1)
		return verify_alltoall(g, c);
	if (c->kind == 3 || c->kind == 4)
		return verify_concatenation(g, c);
	if (c->kind == 2) {
		if (g->log_stride >= 0 && g->mine == c->root)
			return 0;
		for (size_t i = 0; i < bytes; i++)
			CHECK_EQ(dest[i], brings(c, g->pes[c->root], i));
		return bytes;
	}
	for (size_t i = 0; i < c->count; i++)
		CHECK(element(dest + i * (size_t)c->width, c->width) ==
		      fold(g, c, i));
	return bytes;
}

static void round_run(const struct group *g, const struct call *c, int round)
{
	static long sync[2][SHMEM_ALLTOALLS_SYNC_SIZE];
	size_t need = c->count * 8 * (size_t)g->size * 3 + 64, end;
	unsigned char *from = c->in_place && c->kind >= 5 ? dest : source;
	int before = check_failures;

	if (need > BYTES)
		need = BYTES;
	memset(dest, 0xc3, need);
	for (size_t i = 0; i < need; i++)
		from[i] = brings(c, me, i);
	/* In place, the rest of dest is not the pattern. */
	shmem_barrier_all();
	if (g->mine >= 0) {
		if (g->log_stride >= 0)
			on_set(g, c, sync[round % 2]);
		else
			CHECK_EQ(on_team(g, c), 0);
		end = verify(g, c);
		if (from == source)
			CHECK_EQ(dest[end], 0xc3);
	}
	if (check_failures != before)
		fprintf(stderr,
			"round %d: kind %d, width %d, count %zu, "
			"team of %d, set %d, root %d, in place %d\n",
			round, c->kind, c->width, c->count, g->size,
			g->log_stride, c->root, c->in_place);
	shmem_barrier_all();
}

int main(void)
{
	uint64_t state;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	state = check_seed();
	dest = shmem_malloc(BYTES + 64);
	source = shmem_malloc(BYTES + 64);
	groups[n_groups++] =
		(struct group){ SHMEM_TEAM_WORLD, n, me, 0, -1, { 0 } };
	for (int i = 0; i < n; i++)
		groups[0].pes[i] = i;
	while (n_groups <= MAX_TEAMS)
		group_make(&groups[check_below(&state, (size_t)n_groups)],
			   &state);
	for (int round = 0; round < ROUNDS; round++) {
		struct group g = groups[check_below(&state, MAX_TEAMS + 1)];
		struct call c;

		if (check_random(&state) % 4 == 0)
			g = active_set(&state);
		c = call_make(&g, &state);
		if (g.log_stride >= 0)
			c.kind %= 5;
		round_run(&g, &c, round);
	}
	for (int i = n_groups - 1; i > 0; i--)
		shmem_team_destroy(groups[i].team);
	return check_end();
}
