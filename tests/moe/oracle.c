/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include "../gpu/common.h"
#include "oracle.h"

void oracle_new(struct oracle *o, const struct shmemx_moe_config *config, int n)
{
	const size_t pairs = (size_t)config->max_tokens * config->top_k;
	const size_t n_local = config->n_experts / (size_t)n;

	memset(o, 0, sizeof(*o));
	o->config = *config;
	o->n = n;
	o->n_local = (int)n_local;
	o->members = calloc((size_t)n, sizeof(*o->members));
	for (int i = 0; i < n; i++) {
		struct oracle_member *m = &o->members[i];

		m->ids = malloc(pairs * sizeof(*m->ids));
		m->experts = malloc(pairs * sizeof(*m->experts));
		m->rows = malloc(pairs * sizeof(*m->rows));
		m->counts = malloc(n_local * sizeof(*m->counts));
		m->offsets = malloc((n_local + 1) * sizeof(*m->offsets));
		m->by_pe = malloc(n_local * (size_t)n * sizeof(*m->by_pe));
	}
}

void oracle_free(struct oracle *o)
{
	for (int i = 0; i < o->n; i++) {
		struct oracle_member *m = &o->members[i];

		free(m->by_pe);
		free(m->offsets);
		free(m->counts);
		free(m->rows);
		free(m->experts);
		free(m->ids);
	}
	free(o->members);
	memset(o, 0, sizeof(*o));
}

static uint32_t tokens_of(const struct oracle *o, const struct oracle_case *c,
			  int member)
{
	const uint32_t max = o->config.max_tokens;

	switch (c->tokens) {
	case TOKENS_ANY:
		return (uint32_t)(gpu_value(c->salt, member, 0) % (max + 1));
	case TOKENS_FULL:
		return max;
	case TOKENS_ODD:
		return member % 2 ? max : 0;
	case TOKENS_ONE:
		return 1;
	default:
		return 0;
	}
}

static int64_t invalid_id(const struct oracle *o, uint64_t r)
{
	const int64_t n = o->config.n_experts;
	const int64_t ids[] = { n, -2, INT32_MAX, INT32_MIN,
				/* an expert or a mask if cut to 32 bits */
				(int64_t)1 << 32, UINT32_MAX, INT64_MIN };

	return ids[r % (o->config.id_bytes == 4 ? 4 : GPU_COUNT(ids))];
}

static int64_t expert_id(const struct oracle *o, const struct oracle_case *c,
			 int member, size_t i, uint64_t r)
{
	const size_t n = o->config.n_experts, k = i % o->config.top_k;
	const double u = (double)(r >> 11) / 9007199254740992.0;

	switch (c->route) {
	case ROUTE_ANY:
		return (int64_t)(r % n);
	case ROUTE_TURN:
		return (int64_t)((i + (size_t)member) % n);
	case ROUTE_SKEW:
		return (int64_t)((double)n * u * u * u);
	case ROUTE_SOME:
		return (int64_t)(r % n / 3 * 3);
	case ROUTE_MEMBER:
		return (int64_t)(c->salt % (size_t)o->n * (size_t)o->n_local +
				 r % (size_t)o->n_local);
	case ROUTE_ONE:
		return (int64_t)(c->salt % n);
	case ROUTE_TWICE:
		return (int64_t)(gpu_value(c->salt, member, i - k % 2) % n);
	default:
		return -1;
	}
}

static void make_ids(struct oracle *o, const struct oracle_case *c, int member)
{
	struct oracle_member *m = &o->members[member];
	const size_t pairs = (size_t)m->n_tokens * o->config.top_k;

	for (size_t i = 0; i < pairs; i++) {
		const uint64_t r = gpu_value(c->salt + 1, member, i);
		const uint64_t lot = gpu_value(c->salt + 2, member, i) % 100;

		if (lot < c->masked)
			m->ids[i] = -1;
		else if (lot < c->masked + c->invalid)
			m->ids[i] = invalid_id(o, r);
		else
			m->ids[i] = expert_id(o, c, member, i, r);
	}
}

static void read_ids(const struct oracle *o, struct oracle_member *m)
{
	const size_t pairs = (size_t)m->n_tokens * o->config.top_k;

	for (size_t i = 0; i < pairs; i++) {
		const int64_t id = m->ids[i];

		m->rows[i] = -1;
		m->experts[i] = -1;
		if (id >= 0 && id < (int64_t)o->config.n_experts)
			m->experts[i] = (int32_t)id;
		else if (id == -1)
			m->stats[SHMEMX_MOE_STAT_MASKED]++;
		else
			m->stats[SHMEMX_MOE_STAT_INVALID]++;
	}
}

/*
 * Gives rows to one member's pairs of an expert, from row first on, while they
 * are below end. How many pairs there are.
 */
static size_t place_member(struct oracle *o, int member, int expert,
			   size_t first, size_t end)
{
	struct oracle_member *m = &o->members[member];
	struct oracle_member *to = &o->members[expert / o->n_local];
	const int local = expert % o->n_local;
	const size_t pairs = (size_t)m->n_tokens * o->config.top_k;
	size_t n = 0;

	for (size_t i = 0; i < pairs; i++) {
		if (m->experts[i] != expert)
			continue;
		if (first + n < end) {
			m->rows[i] = (int32_t)(first + n);
			m->stats[SHMEMX_MOE_STAT_ROWS]++;
			to->by_pe[local * o->n + member]++;
			to->counts[local]++;
		} else {
			m->stats[SHMEMX_MOE_STAT_DROPPED]++;
			to->stats[SHMEMX_MOE_STAT_OVERFLOW]++;
		}
		n++;
	}
	return n;
}

/* All members' rows of an expert; the end of its block. */
static size_t place_compact(struct oracle *o, int expert, size_t begin)
{
	const size_t align = o->config.alignment ? o->config.alignment : 1;
	const size_t capacity =
		o->config.capacity ? o->config.capacity : SIZE_MAX;
	size_t at = begin;

	for (int i = 0; i < o->n; i++)
		at += place_member(o, i, expert, at, capacity);
	if (at == begin && align > 1)
		return begin + align;
	return (at + align - 1) / align * align;
}

static size_t place_slots(struct oracle *o, int expert, size_t begin)
{
	const size_t max = o->config.max_tokens;

	for (int i = 0; i < o->n; i++)
		place_member(o, i, expert, begin + (size_t)i * max,
			     begin + (size_t)(i + 1) * max);
	return begin + (size_t)o->n * max;
}

/* Blocks that find no room are at the end of what there is. */
static int32_t offset(const struct oracle *o, size_t at)
{
	const size_t capacity = o->config.capacity;

	return (int32_t)(capacity && at > capacity ? capacity : at);
}

static void place(struct oracle *o, int member)
{
	struct oracle_member *m = &o->members[member];
	const size_t n_local = (size_t)o->n_local;
	size_t at = 0;

	memset(m->counts, 0, n_local * sizeof(*m->counts));
	memset(m->by_pe, 0, n_local * (size_t)o->n * sizeof(*m->by_pe));
	for (int e = 0; e < o->n_local; e++) {
		const int expert = member * o->n_local + e;

		m->offsets[e] = offset(o, at);
		if (o->config.layout == SHMEMX_MOE_SLOTS)
			at = place_slots(o, expert, at);
		else
			at = place_compact(o, expert, at);
	}
	m->offsets[o->n_local] = offset(o, at);
}

void oracle_dispatch(struct oracle *o, const struct oracle_case *c)
{
	o->salt = c->salt;
	for (int i = 0; i < o->n; i++) {
		struct oracle_member *m = &o->members[i];

		m->n_tokens = tokens_of(o, c, i);
		memset(m->stats, 0, sizeof(m->stats));
		m->stats[SHMEMX_MOE_STAT_DISPATCHES] = 1;
		m->stats[SHMEMX_MOE_STAT_TOKENS] = m->n_tokens;
		make_ids(o, c, i);
		read_ids(o, m);
	}
	for (int i = 0; i < o->n; i++)
		place(o, i);
}

int oracle_next(const struct oracle *o, struct oracle_pair *p)
{
	p->k++;
	for (; p->member < o->n; p->member++, p->t = 0, p->k = 0) {
		const struct oracle_member *m = &o->members[p->member];

		for (; p->t < m->n_tokens; p->t++, p->k = 0) {
			for (; p->k < o->config.top_k; p->k++) {
				p->i = (size_t)p->t * o->config.top_k + p->k;
				if (m->rows[p->i] < 0)
					continue;
				p->pe = m->experts[p->i] / o->n_local;
				p->row = (size_t)m->rows[p->i];
				return 1;
			}
		}
	}
	return 0;
}
