/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What crosses to other nodes: each token once for each node where it has
 * rows, with scales and what relays are told; sums and products once on the
 * way back, and no more bytes than that. Results are compared as in the other
 * tests here. nodes.sh runs it on several.
 * PES: all
 */
#include "number.h"
#include "unit.h"

/* All that this PE has sent, but for signals and what plans tell each other. */
static uint64_t sent_bytes;

/* What this PE has sent, by the routing alone. */
struct crossings {
	uint64_t out;  /* tokens of mine, once a node */
	uint64_t back; /* those of others that come to me, by relays' rule */
};

static int place_of(const struct oracle *o, int member)
{
	int place = 0;

	for (int i = 0; i < member; i++)
		place += o->members[i].node == o->members[member].node;
	return place;
}

static int node_size(const struct oracle *o, int node)
{
	int n = 0;

	for (int i = 0; i < o->n; i++)
		n += o->members[i].node == node;
	return n;
}

/* Whether I take what the member sends to my node. */
static int is_relay(const struct oracle *o, int me, int member)
{
	const int node = o->members[me].node;

	return o->members[member].node != node &&
	       place_of(o, member) % node_size(o, node) == place_of(o, me);
}

static struct crossings crossings(const struct unit *u, const struct oracle *o)
{
	const int node = o->members[u->me].node;
	struct crossings c = { 0, 0 };
	uint64_t seen = 0;
	size_t token = 0;
	int member = 0;

	for (struct oracle_pair p = ORACLE_BEGIN; oracle_next(o, &p);) {
		const int to = o->members[p.pe].node;

		if (p.member != member || p.t != token)
			seen = 0;
		member = p.member;
		token = p.t;
		if (seen & 1ull << to || to == o->members[member].node)
			continue;
		seen |= 1ull << to;
		c.out += member == u->me;
		c.back += to == node && is_relay(o, u->me, member);
	}
	return c;
}

static uint64_t round16(uint64_t bytes)
{
	return (bytes + 15) / 16 * 16;
}

/* Counters before and after; what has become of them. */
static void expect(struct unit *u, uint64_t *before, uint64_t tokens,
		   uint64_t bytes, const char *what)
{
	uint64_t now[SHMEMX_MOE_STATS + 512];

	unit_stats(u, now);
	before[SHMEMX_MOE_STAT_NET_TOKENS] += tokens;
	before[SHMEMX_MOE_STAT_NET_BYTES] += bytes;
	sent_bytes += bytes;
	for (int i = SHMEMX_MOE_STAT_NET_TOKENS; i < SHMEMX_MOE_STATS; i++)
		if (now[i] != before[i])
			gpu_fail("%s: counter %d is %llu, expected %llu: %s",
				 what, i, (unsigned long long)now[i],
				 (unsigned long long)before[i], u->name);
	memcpy(before, now, SHMEMX_MOE_STATS * sizeof(*now));
}

static void forward(struct unit *u, struct layer *l, uint64_t *stats,
		    int cached)
{
	const struct shmemx_moe_config *c = &u->config;
	const uint64_t row = c->hidden * number_bytes(c->dtype);
	const uint64_t quantised =
		c->hidden +
		round16(c->hidden / SHMEMX_MOE_SCALE_ELEMS * sizeof(float));
	const uint64_t weights = l->oracle.unweighted ? 0 : 4 * c->top_k;
	const struct crossings x = crossings(u, &l->oracle);

	unit_dispatch(u, l, cached);
	expect(u, stats, x.out,
	       x.out * (round16(8 * c->top_k) + (c->quant ? quantised : row)),
	       "dispatch");
	unit_combine(u, l);
	expect(u, stats, x.back, x.out * weights + x.back * 4 * c->hidden,
	       "combine");
}

static void backward(struct unit *u, struct layer *l, uint64_t *stats, int with)
{
	const struct shmemx_moe_config *c = &u->config;
	const uint64_t row = c->hidden * number_bytes(c->dtype);
	const struct crossings x = crossings(u, &l->oracle);

	combine_backward_before(u, l);
	combine_backward_put(u, l, with);
	combine_backward_after(u, l, with);
	expect(u, stats, x.out,
	       x.out * (round16(4 * c->top_k) + row) +
		       (with ? x.back * 4 * c->top_k : 0),
	       "combine_backward");
	dispatch_backward_before(u, l);
	dispatch_backward_put(u, l);
	dispatch_backward_after(u, l);
	expect(u, stats, x.back, x.back * 4 * c->hidden, "dispatch_backward");
}

static void try_routes(struct unit *u, struct layer *l)
{
	uint64_t stats[SHMEMX_MOE_STATS] = { 0 };

	for (unsigned int i = 0; i < 2 * ROUTES; i++) {
		const struct oracle_case c = {
			.salt = gpu_seed + i,
			.route = i % ROUTES,
			.tokens = i < ROUTES ? TOKENS_ANY : i % TOKENS,
			.masked = i % 3 ? 0 : 30,
		};

		l->oracle.unweighted = i % 4 == 3;
		layer_make(u, l, &c);
		forward(u, l, stats, 0);
		backward(u, l, stats, i % 3 != 2);
		layer_remake(u, l, gpu_seed + 100 + i);
		forward(u, l, stats, 1);
	}
}

static void try_config(const struct shmemx_moe_config *c)
{
	struct unit u;
	struct layer l;

	unit_open(&u, c, NULL);
	layer_open(&u, &l);
	try_routes(&u, &l);
	layer_close(&l);
	unit_close(&u);
}

/* Boxes of several puts, the last of which is not full. */
static void test_pieces(void)
{
	struct shmemx_moe_config c = unit_config(SHMEMX_MOE_COMPACT);
	uint64_t stats[SHMEMX_MOE_STATS] = { 0 };
	const struct oracle_case full = { .salt = gpu_seed,
					  .tokens = TOKENS_FULL };
	struct unit u;
	struct layer l;

	c.hidden = 4096;
	c.max_tokens = 45;
	c.top_k = 3;
	c.n_wgs = 3;
	unit_open(&u, &c, NULL);
	layer_open(&u, &l);
	layer_make(&u, &l, &full);
	forward(&u, &l, stats, 0);
	backward(&u, &l, stats, 1);
	layer_close(&l);
	unit_close(&u);
}

int main(void)
{
	struct shmemx_moe_config c;

	gpu_begin();
	c = unit_config(SHMEMX_MOE_COMPACT);
	c.top_k = 3;
	try_config(&c);
	c.quant = SHMEMX_MOE_QUANT_FP8;
	c.n_wgs = 1;
	c.capacity = 20;
	try_config(&c);
	c = unit_config(SHMEMX_MOE_SLOTS);
	c.team = gpu_reversed;
	c.dtype = SHMEMX_MOE_FP32;
	c.top_k = 11;
	c.n_experts *= 2;
	try_config(&c);
	test_pieces();
	printf("PE %d sent %llu bytes\n", gpu_me,
	       (unsigned long long)sent_bytes);
	return gpu_end();
}
