/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exchange must not change one bit of the result. That holds because a
 * row is always transformed by itself, by this code, and because the top_k
 * rows of a token are always added in the order of its choices.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "moe.h"

/* SplitMix64: the i'th number of a stream, for any i. */
static uint64_t mix(uint64_t stream, uint64_t i)
{
	uint64_t z = stream + (i + 1) * 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* From -1 to 1. */
static float random_float(uint64_t stream, uint64_t i)
{
	return (float)(int32_t)(mix(stream, i) >> 32) * 0x1p-31f;
}

/* nin x nout weights, so that a sum of nin products stays about 1. */
static float *make_weights(uint64_t stream, int nin, int nout)
{
	const size_t n = (size_t)nin * (size_t)nout;
	const float scale = sqrtf(3.0f / (float)nin);
	float *w = local_alloc(n * sizeof(*w));

	for (size_t i = 0; i < n; i++)
		w[i] = scale * random_float(stream, i);
	return w;
}

/* y = x W */
static void multiply(float *restrict y, const float *x, const float *w, int nin,
		     int nout)
{
	memset(y, 0, (size_t)nout * sizeof(*y));
	for (int i = 0; i < nin; i++)
		for (int j = 0; j < nout; j++)
			y[j] += x[i] * w[(size_t)i * (size_t)nout + (size_t)j];
}

void model_make(struct model *m, const struct args *args)
{
	*m = (struct model){
		.experts = args->experts,
		.top_k = args->top_k,
		.hidden = args->hidden,
		.inner = 2 * args->hidden,
		.seed = args->seed,
	};
	m->gate = make_weights(mix(m->seed, 0), m->hidden, m->experts);
}

void model_free(struct model *m)
{
	free(m->gate);
}

void expert_make(struct expert *e, const struct model *m, int index)
{
	const uint64_t stream = (uint64_t)index * 2 + 1;

	e->up = make_weights(mix(m->seed, stream), m->hidden, m->inner);
	e->down = make_weights(mix(m->seed, stream + 1), m->inner, m->hidden);
	e->middle = local_alloc((size_t)m->inner * sizeof(float));
}

void expert_free(struct expert *e)
{
	free(e->up);
	free(e->down);
	free(e->middle);
}

void expert_apply(const struct expert *e, const struct model *m, float *row)
{
	multiply(e->middle, row, e->up, m->hidden, m->inner);
	for (int i = 0; i < m->inner; i++)
		e->middle[i] = fmaxf(e->middle[i], 0);
	multiply(row, e->middle, e->down, m->inner, m->hidden);
}

/* A token's vector depends on the token and a little on the one before. */
static void embed(float *x, const struct model *m, const struct text *text,
		  long token)
{
	const uint64_t now = text->tokens[token];
	const uint64_t before = token ? text->tokens[token - 1] : 0;

	for (int i = 0; i < m->hidden; i++)
		x[i] = random_float(now, (uint64_t)i) +
		       0.5f * random_float(before, (uint64_t)i);
}

void batch_make(struct batch *b, const struct model *m, const struct text *text,
		struct share share)
{
	const size_t n = (size_t)share.count, k = (size_t)m->top_k;
	const size_t hidden = (size_t)m->hidden;

	b->ntokens = share.count;
	b->x = local_alloc(n * hidden * sizeof(*b->x));
	b->out = local_alloc(n * hidden * sizeof(*b->out));
	b->chosen = local_alloc(n * k * sizeof(*b->chosen));
	b->weight = local_alloc(n * k * sizeof(*b->weight));
	for (long t = 0; t < b->ntokens; t++)
		embed(b->x + t * m->hidden, m, text, share.first + t);
}

void batch_free(struct batch *b)
{
	free(b->x);
	free(b->out);
	free(b->chosen);
	free(b->weight);
}

static void softmax(float *p, int n)
{
	float most = p[0], sum = 0;

	for (int i = 1; i < n; i++)
		most = fmaxf(most, p[i]);
	for (int i = 0; i < n; i++)
		sum += p[i] = expf(p[i] - most);
	for (int i = 0; i < n; i++)
		p[i] /= sum;
}

/* The k largest, largest first; of equals the first. Spoils p. */
static void choose(int *chosen, float *weight, int k, float *p, int n)
{
	float sum = 0;

	for (int j = 0; j < k; j++) {
		int best = 0;

		for (int i = 1; i < n; i++)
			if (p[i] > p[best])
				best = i;
		chosen[j] = best;
		sum += weight[j] = p[best];
		p[best] = -1;
	}
	for (int j = 0; j < k; j++)
		weight[j] /= sum;
}

void batch_gate(struct batch *b, const struct model *m)
{
	float *p = local_alloc((size_t)m->experts * sizeof(*p));

	for (long t = 0; t < b->ntokens; t++) {
		multiply(p, b->x + t * m->hidden, m->gate, m->hidden,
			 m->experts);
		softmax(p, m->experts);
		choose(b->chosen + t * m->top_k, b->weight + t * m->top_k,
		       m->top_k, p, m->experts);
	}
	free(p);
}

void batch_combine(struct batch *b, const struct model *m, const float *rows,
		   const long *where)
{
	memset(b->out, 0,
	       (size_t)b->ntokens * (size_t)m->hidden * sizeof(*b->out));
	for (long pair = 0; pair < b->ntokens * m->top_k; pair++) {
		const float *row =
			rows + (where ? where[pair] : pair) * m->hidden;
		float *out = b->out + pair / m->top_k * m->hidden;

		for (int i = 0; i < m->hidden; i++)
			out[i] += b->weight[pair] * row[i];
	}
}
