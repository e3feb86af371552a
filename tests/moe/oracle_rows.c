/* SPDX-License-Identifier: BSD-3-Clause */
/* The oracle's rows: what is in them, and what is computed from them. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../gpu/common.h"
#include "number.h"
#include "oracle.h"

/* Whose numbers they are. */
enum stream { X = 10, RESULT, GRAD_ROW, GRAD_OUT, WEIGHT, BLOCK };

static uint64_t number(const struct oracle *o, enum stream s, int who, size_t i)
{
	return gpu_value(o->salt * 64 + (uint64_t)s, who, i);
}

enum { ZEROES = INT_MIN };

/* Of 128 elements that share a scale: some are 0, some small, some large. */
static int block_exponent(uint64_t r)
{
	switch (r % 8) {
	case 0:
		return ZEROES;
	case 1:
		return -20;
	case 2:
		return 0;
	default:
		return -8;
	}
}

/* Between 2^-8 and 16, x with more of both. */
static void make(const struct oracle *o, enum stream s, int who, size_t row,
		 void *to)
{
	const uint32_t dtype = o->config.dtype;
	int least = -8;

	for (size_t h = 0; h < o->config.hidden; h++) {
		const size_t i = row * o->config.hidden + h;
		const uint64_t r = number(o, s, who, i);

		if (s == X && h % SHMEMX_MOE_SCALE_ELEMS == 0)
			least = block_exponent(number(o, BLOCK, who, i));
		number_store(dtype, to, h,
			     least == ZEROES ?
				     number_encode(dtype, r >> 63 ? -0.0 : 0) :
				     number_random(dtype,
						   least + (int)(r >> 32) % 12,
						   r));
	}
}

void oracle_x(const struct oracle *o, int member, size_t t, void *row)
{
	make(o, X, member, t, row);
}

void oracle_result(const struct oracle *o, const struct oracle_pair *p,
		   void *row)
{
	if (o->echo)
		make(o, X, p->member, p->t, row);
	else
		make(o, RESULT, p->pe, p->row, row);
}

void oracle_grad_row(const struct oracle *o, const struct oracle_pair *p,
		     void *row)
{
	make(o, GRAD_ROW, p->pe, p->row, row);
}

void oracle_grad_out(const struct oracle *o, int member, size_t t, void *row)
{
	make(o, GRAD_OUT, member, t, row);
}

float oracle_weight(const struct oracle *o, int member, size_t i)
{
	const uint64_t r = number(o, WEIGHT, member, i);

	if (o->unweighted)
		return 1;
	return (float)(r % (1u << 24) + 1) /
	       (float)(r >> 63 ? 1 << 24 : -(1 << 25));
}

static size_t row_bytes(const struct oracle *o)
{
	return o->config.hidden * number_bytes(o->config.dtype);
}

/* NULL ends the job: memory of a few rows. */
static void *row_new(const struct oracle *o, size_t n)
{
	void *p = malloc(n * row_bytes(o));

	if (!p)
		abort();
	return p;
}

static float load(const struct oracle *o, const void *row, size_t h)
{
	return (float)number_decode(o->config.dtype,
				    number_load(o->config.dtype, row, h));
}

static void store(const struct oracle *o, void *row, size_t h, float v)
{
	number_store(o->config.dtype, row, h,
		     number_encode(o->config.dtype, (double)v));
}

/*
 * Elements are multiplied by what 448 / the largest magnitude is in float;
 * zeroes keep their sign.
 */
static void quantise(const struct oracle *o, const void *x, uint8_t *row,
		     float *scales)
{
	for (size_t begin = 0; begin < o->config.hidden;
	     begin += SHMEMX_MOE_SCALE_ELEMS) {
		float most = 0, by;

		for (size_t h = 0; h < SHMEMX_MOE_SCALE_ELEMS; h++)
			most = fmaxf(most, fabsf(load(o, x, begin + h)));
		by = most > 0 ? 448 / most : 0;
		for (size_t h = 0; h < SHMEMX_MOE_SCALE_ELEMS; h++)
			row[begin + h] =
				number_encode_e4m3(by * load(o, x, begin + h));
		scales[begin / SHMEMX_MOE_SCALE_ELEMS] = most / 448;
	}
}

void oracle_dispatch_rows(const struct oracle *o, int me, void *rows,
			  float *scales)
{
	const size_t n_scales = o->config.hidden / SHMEMX_MOE_SCALE_ELEMS;
	void *x = row_new(o, 1);

	for (struct oracle_pair p = ORACLE_BEGIN; oracle_next(o, &p);) {
		if (p.pe != me)
			continue;
		oracle_x(o, p.member, p.t, x);
		if (o->config.quant == SHMEMX_MOE_QUANT_FP8)
			quantise(o, x,
				 (uint8_t *)rows + p.row * o->config.hidden,
				 scales + p.row * n_scales);
		else
			memcpy((char *)rows + p.row * row_bytes(o), x,
			       row_bytes(o));
	}
	free(x);
}

void oracle_results(const struct oracle *o, int me, void *rows)
{
	for (struct oracle_pair p = ORACLE_BEGIN; oracle_next(o, &p);)
		if (p.pe == me)
			oracle_result(o, &p,
				      (char *)rows + p.row * row_bytes(o));
}

void oracle_grads(const struct oracle *o, int me, void *rows)
{
	for (struct oracle_pair p = ORACLE_BEGIN; oracle_next(o, &p);)
		if (p.pe == me)
			oracle_grad_row(o, &p,
					(char *)rows + p.row * row_bytes(o));
}

typedef void row_maker(const struct oracle *o, const struct oracle_pair *p,
		       void *row);

static int node_of(const struct oracle *o, const struct oracle_pair *p)
{
	return o->members[p->pe].node;
}

static void add(const struct oracle *o, const struct oracle_pair *p, int weigh,
		row_maker *make_row, float *sum)
{
	const float w = weigh ? oracle_weight(o, p->member, p->i) : 1;
	void *row = row_new(o, 1);

	make_row(o, p, row);
	for (size_t h = 0; h < o->config.hidden; h++)
		sum[h] += w * load(o, row, h);
	free(row);
}

/* What a token has on the node of *p, which is its first one there. */
static void add_node(const struct oracle *o, const struct oracle_pair *p,
		     int weigh, row_maker *make_row, float *sum)
{
	const size_t hidden = o->config.hidden;
	float *partial = calloc(hidden, sizeof(*partial));
	struct oracle_pair q = *p;

	do {
		if (node_of(o, &q) == node_of(o, p))
			add(o, &q, weigh, make_row, partial);
	} while (oracle_next(o, &q) && q.member == p->member && q.t == p->t);
	for (size_t h = 0; h < hidden; h++)
		sum[h] += partial[h];
	free(partial);
}

/*
 * Sums of rows, by a member's tokens, and then by k; those of another node are
 * added up first, and take the place of the first one.
 */
static void sum_up(const struct oracle *o, int me, int weigh,
		   row_maker *make_row, void *out)
{
	const size_t hidden = o->config.hidden;
	const size_t n = o->members[me].n_tokens;
	float *sums = calloc(n * hidden + 1, sizeof(*sums));
	uint64_t seen = 0;
	size_t token = 0;

	for (struct oracle_pair p = ORACLE_BEGIN; oracle_next(o, &p);) {
		const uint64_t bit = 1ull << node_of(o, &p);

		if (p.member != me)
			continue;
		seen = p.t == token ? seen : 0;
		token = p.t;
		if (node_of(o, &p) == o->members[me].node)
			add(o, &p, weigh, make_row, sums + p.t * hidden);
		else if (!(seen & bit))
			add_node(o, &p, weigh, make_row, sums + p.t * hidden);
		seen |= bit;
	}
	for (size_t i = 0; i < n * hidden; i++)
		store(o, out, i, sums[i]);
	free(sums);
}

void oracle_combine(const struct oracle *o, int me, void *out)
{
	sum_up(o, me, 1, oracle_result, out);
}

void oracle_dispatch_backward(const struct oracle *o, int me, void *grad_x)
{
	sum_up(o, me, 0, oracle_grad_row, grad_x);
}

void oracle_combine_backward(const struct oracle *o, int me, void *grad_rows)
{
	void *grad = row_new(o, 1);

	for (struct oracle_pair p = ORACLE_BEGIN; oracle_next(o, &p);) {
		char *row = (char *)grad_rows + p.row * row_bytes(o);
		const float w = oracle_weight(o, p.member, p.i);

		if (p.pe != me)
			continue;
		oracle_grad_out(o, p.member, p.t, grad);
		for (size_t h = 0; h < o->config.hidden; h++)
			store(o, row, h, w * load(o, grad, h));
	}
	free(grad);
}

void oracle_grad_weights(const struct oracle *o, int me, double *value,
			 double *tolerance)
{
	const size_t pairs = (size_t)o->members[me].n_tokens * o->config.top_k;
	char *grad = row_new(o, 2), *result = grad + row_bytes(o);

	for (size_t i = 0; i < pairs; i++)
		value[i] = tolerance[i] = 0;
	for (struct oracle_pair p = ORACLE_BEGIN; oracle_next(o, &p);) {
		if (p.member != me)
			continue;
		oracle_grad_out(o, me, p.t, grad);
		oracle_result(o, &p, result);
		for (size_t h = 0; h < o->config.hidden; h++) {
			double v = (double)load(o, grad, h) *
				   (double)load(o, result, h);

			value[p.i] += v;
			tolerance[p.i] += fabs(v) * 1.2e-7 *
					  (double)(o->config.hidden + 1);
		}
	}
	free(grad);
}
