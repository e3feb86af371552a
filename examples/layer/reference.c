/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The two layers without communication. It rounds where the layer rounds, so
 * that what is left of a difference is the order of sums.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "moe_layer.h"
#include "number.h"

float round_to(double v, int type)
{
	static const int bits[] = { [TYPE_BF16] = 8,
				    [TYPE_FP16] = 11,
				    [TYPE_FP32] = 24,
				    [TYPE_FP8] = 4 };
	static const int least[] = { [TYPE_BF16] = -125,
				     [TYPE_FP16] = -13,
				     [TYPE_FP32] = -125,
				     [TYPE_FP8] = -5 };
	int e;

	if (type == TYPE_FP32)
		return (float)v;
	frexp(v, &e);
	e = (e < least[type] ? least[type] : e) - bits[type];
	return (float)ldexp(nearbyint(ldexp(v, -e)), e);
}

void quantise(float *out, const float *x, int hidden)
{
	for (int h = 0; h < hidden; h += SCALE_ELEMS) {
		float most = 0;

		for (int i = h; i < h + SCALE_ELEMS; i++)
			most = fmaxf(most, fabsf(x[i]));
		most /= 448;
		for (int i = h; i < h + SCALE_ELEMS; i++)
			out[i] = most > 0 ? round_to(x[i] / most, TYPE_FP8) *
						    most :
					    0;
	}
}

/* y += a x */
static void add_scaled(double *y, const float *x, double a, int n)
{
	for (int i = 0; i < n; i++)
		y[i] += a * (double)x[i];
}

static double product(const double *x, const float *y, int n)
{
	double sum[8] = { 0 }, all = 0;
	int i = 0;

	for (; i + 8 <= n; i += 8)
		for (int j = 0; j < 8; j++)
			sum[j] += x[i + j] * (double)y[i + j];
	for (; i < n; i++)
		all += x[i] * (double)y[i];
	for (int j = 0; j < 8; j++)
		all += sum[j];
	return all;
}

static float *make_weights(const struct args *a, uint64_t first, int experts,
			   int m, int n, float scale)
{
	const size_t each = (size_t)m * (size_t)n;
	float *w = local_alloc((size_t)experts * each * sizeof(*w));

	scale *= sqrtf(3.0f / (float)m);
	for (int e = 0; e < experts; e++)
		for (size_t i = 0; i < each; i++)
			w[(size_t)e * each + i] =
				scale *
				random_float(mix(a->seed, first + (uint64_t)e),
					     i);
	return w;
}

/* The gate's columns in the layer are padded, and so is the numbering. */
static float *make_gate(const struct run *r, int l)
{
	const struct args *a = r->args;
	float *padded = make_weights(a, model_stream(a, l, GATES), 1, a->hidden,
				     r->gate_stride, GATE_SCALE);

	for (int h = 0; h < a->hidden; h++)
		memmove(padded + (size_t)h * (size_t)a->experts,
			padded + (size_t)h * (size_t)r->gate_stride,
			(size_t)a->experts * sizeof(*padded));
	return padded;
}

static void make_layer(struct reference *ref, const struct run *r, int l)
{
	const struct args *a = ref->args;
	struct reference_layer *layer = &ref->layer[l];
	const size_t n = (size_t)ref->tokens, hidden = (size_t)a->hidden;
	const size_t pairs = n * (size_t)a->top_k, ffn = (size_t)a->ffn;
	const size_t all = (size_t)a->experts * hidden * ffn * sizeof(double);

	layer->up = make_weights(a, model_stream(a, l, UP), a->experts,
				 a->hidden, a->ffn, UP_SCALE);
	layer->down = make_weights(a, model_stream(a, l, DOWN), a->experts,
				   a->ffn, a->hidden, DOWN_SCALE);
	layer->gate = make_gate(r, l);
	layer->grad_up = local_alloc(all);
	layer->grad_down = local_alloc(all);
	layer->grad_gate =
		local_alloc(hidden * (size_t)a->experts * sizeof(double));
	layer->x = local_alloc(n * hidden * sizeof(float));
	layer->row = local_alloc(n * hidden * sizeof(float));
	layer->ids = local_alloc(pairs * sizeof(int32_t));
	layer->weights = local_alloc(pairs * sizeof(double));
	layer->grad_weights = local_alloc(pairs * sizeof(double));
	layer->pre = local_alloc(pairs * ffn * sizeof(float));
	layer->hid = local_alloc(pairs * ffn * sizeof(float));
	layer->y = local_alloc(pairs * hidden * sizeof(float));
}

void reference_make(struct reference *ref, const struct run *r)
{
	const size_t n = (size_t)r->n_pes * (size_t)r->args->tokens *
			 (size_t)r->args->hidden * sizeof(float);

	*ref = (struct reference){
		.args = r->args,
		.tokens = (long)r->n_pes * r->args->tokens,
		.rate = r->rate,
		.out = local_alloc(n),
		.grad = local_alloc(n),
		.target = local_alloc(n),
	};
	for (int l = 0; l < LAYERS; l++)
		make_layer(ref, r, l);
}

void reference_free(struct reference *ref)
{
	for (int l = 0; l < LAYERS; l++) {
		struct reference_layer *layer = &ref->layer[l];
		void *const memory[] = {
			layer->up,	layer->down,	    layer->gate,
			layer->grad_up, layer->grad_down,   layer->grad_gate,
			layer->x,	layer->row,	    layer->ids,
			layer->weights, layer->pre,	    layer->hid,
			layer->y,	layer->grad_weights
		};

		for (size_t i = 0; i < sizeof(memory) / sizeof(*memory); i++)
			free(memory[i]);
	}
	free(ref->out);
	free(ref->grad);
	free(ref->target);
}

/* Looks whether the experts were those with the largest logits. */
static void judge_choice(struct reference *ref, const int32_t *ids,
			 const double *logits)
{
	const struct args *a = ref->args;
	double least = INFINITY, other = -INFINITY, gap;

	for (int e = 0; e < a->experts; e++) {
		int times = 0;

		for (int k = 0; k < a->top_k; k++)
			times += ids[k] == e;
		if (times)
			least = fmin(least, times == 1 ? logits[e] : -INFINITY);
		else
			other = fmax(other, logits[e]);
		ref->choice_largest =
			fmax(ref->choice_largest, fabs(logits[e]));
	}
	gap = other - least;
	ref->choice_gap = fmax(ref->choice_gap, gap);
}

static void softmax(double *w, const int32_t *ids, const double *logits, int n)
{
	double sum = 0;

	for (int k = 0; k < n; k++)
		sum += w[k] = exp(logits[ids[k]] - logits[ids[0]]);
	for (int k = 0; k < n; k++)
		w[k] /= sum;
}

static void gate_forward(struct reference *ref, struct reference_layer *layer)
{
	const struct args *a = ref->args;
	double *logits = local_alloc((size_t)a->experts * sizeof(*logits));

	for (long t = 0; t < ref->tokens; t++) {
		const float *x = layer->x + t * a->hidden;
		const int32_t *ids = layer->ids + t * a->top_k;

		memset(logits, 0, (size_t)a->experts * sizeof(*logits));
		for (int h = 0; h < a->hidden; h++)
			add_scaled(logits, layer->gate + h * a->experts,
				   (double)x[h], a->experts);
		judge_choice(ref, ids, logits);
		softmax(layer->weights + t * a->top_k, ids, logits, a->top_k);
	}
	free(logits);
}

/* sum is room for the longer of hidden and ffn. */
static void pair_forward(const struct args *a, struct reference_layer *layer,
			 long pair, double *sum)
{
	const size_t each =
		(size_t)layer->ids[pair] * (size_t)a->hidden * (size_t)a->ffn;
	const float *row = layer->row + pair / a->top_k * a->hidden;
	float *pre = layer->pre + pair * a->ffn;
	float *hid = layer->hid + pair * a->ffn;
	float *y = layer->y + pair * a->hidden;

	memset(sum, 0, (size_t)a->ffn * sizeof(*sum));
	for (int h = 0; h < a->hidden; h++)
		add_scaled(sum, layer->up + each + h * a->ffn, (double)row[h],
			   a->ffn);
	for (int f = 0; f < a->ffn; f++) {
		pre[f] = round_to(sum[f], a->dtype);
		hid[f] = round_to((double)pre[f] / (1 + exp(-(double)pre[f])),
				  a->dtype);
	}
	memset(sum, 0, (size_t)a->hidden * sizeof(*sum));
	for (int f = 0; f < a->ffn; f++)
		add_scaled(sum, layer->down + each + f * a->hidden,
			   (double)hid[f], a->hidden);
	for (int h = 0; h < a->hidden; h++)
		y[h] = round_to(sum[h], a->dtype);
}

static double *make_sum(const struct args *a)
{
	return local_alloc((size_t)(a->hidden > a->ffn ? a->hidden : a->ffn) *
			   sizeof(double));
}

static void layer_forward(struct reference *ref, struct reference_layer *layer,
			  float *out)
{
	const struct args *a = ref->args;
	const long pairs = ref->tokens * a->top_k;
	double *sum = make_sum(a);

	gate_forward(ref, layer);
	for (long t = 0; t < ref->tokens; t++)
		if (a->fp8)
			quantise(layer->row + t * a->hidden,
				 layer->x + t * a->hidden, a->hidden);
		else
			memcpy(layer->row + t * a->hidden,
			       layer->x + t * a->hidden,
			       (size_t)a->hidden * sizeof(float));
	/* By expert, so that its weights stay in a cache. */
	for (int e = 0; e < a->experts; e++)
		for (long pair = 0; pair < pairs; pair++)
			if (layer->ids[pair] == e)
				pair_forward(a, layer, pair, sum);
	for (long t = 0; t < ref->tokens; t++) {
		memset(sum, 0, (size_t)a->hidden * sizeof(*sum));
		for (long p = t * a->top_k; p < (t + 1) * a->top_k; p++)
			add_scaled(sum, layer->y + p * a->hidden,
				   layer->weights[p], a->hidden);
		for (int h = 0; h < a->hidden; h++)
			out[t * a->hidden + h] = round_to(
				(double)layer->x[t * a->hidden + h] +
					(double)round_to(sum[h], a->dtype),
				a->dtype);
	}
	free(sum);
}

void reference_forward(struct reference *ref)
{
	const struct args *a = ref->args;

	for (int l = 0; l < LAYERS; l++)
		layer_forward(ref, &ref->layer[l],
			      l + 1 < LAYERS ? ref->layer[l + 1].x : ref->out);
	ref->loss = 0;
	for (long i = 0; i < ref->tokens * a->hidden; i++) {
		ref->grad[i] = round_to(
			(double)ref->out[i] - (double)ref->target[i], a->dtype);
		ref->loss += 0.5 * (double)ref->grad[i] * (double)ref->grad[i];
	}
}

/* What a pair gives to the gradients of its expert; dr: of its row. */
static void pair_backward(const struct args *a, struct reference_layer *layer,
			  long pair, const float *grad, double *dr)
{
	const size_t each =
		(size_t)layer->ids[pair] * (size_t)a->hidden * (size_t)a->ffn;
	const float *row = layer->row + pair / a->top_k * a->hidden;
	float *dy = local_alloc((size_t)a->hidden * sizeof(*dy));
	float *dpre = local_alloc((size_t)a->ffn * sizeof(*dpre));
	double *dy2 = local_alloc((size_t)a->hidden * sizeof(*dy2));
	double *dpre2 = local_alloc((size_t)a->ffn * sizeof(*dpre2));

	for (int h = 0; h < a->hidden; h++)
		dy2[h] = (double)(dy[h] = round_to(layer->weights[pair] *
							   (double)grad[h],
						   a->dtype));
	for (int f = 0; f < a->ffn; f++) {
		const double pre = (double)layer->pre[pair * a->ffn + f];
		const double s = 1 / (1 + exp(-pre));
		const double slope = s * (1 + pre * (1 - s));
		const size_t at = each + (size_t)f * (size_t)a->hidden;

		add_scaled(layer->grad_down + at, dy,
			   (double)layer->hid[pair * a->ffn + f], a->hidden);
		dpre[f] = round_to(
			slope * product(dy2, layer->down + at, a->hidden),
			a->dtype);
		dpre2[f] = (double)dpre[f];
	}
	for (int h = 0; h < a->hidden; h++) {
		const size_t at = each + (size_t)h * (size_t)a->ffn;

		add_scaled(layer->grad_up + at, dpre, (double)row[h], a->ffn);
		dr[h] += (double)round_to(
			product(dpre2, layer->up + at, a->ffn), a->dtype);
	}
	free(dpre2);
	free(dy2);
	free(dpre);
	free(dy);
}

/* Through the gate: adds to the token's gradient, and to the gate's. */
static void gate_backward(const struct args *a, struct reference_layer *layer,
			  long t, double *dx)
{
	const double *w = layer->weights + t * a->top_k;
	const double *dw = layer->grad_weights + t * a->top_k;
	const float *x = layer->x + t * a->hidden;
	double mean = 0;

	for (int k = 0; k < a->top_k; k++)
		mean += w[k] * dw[k];
	for (int k = 0; k < a->top_k; k++) {
		const int e = layer->ids[t * a->top_k + k];
		const double grad = w[k] * (dw[k] - mean);

		for (int h = 0; h < a->hidden; h++) {
			const int at = h * a->experts + e;

			dx[h] += grad * (double)layer->gate[at];
			layer->grad_gate[at] += grad * (double)x[h];
		}
	}
}

static void layer_backward(struct reference *ref, struct reference_layer *layer)
{
	const struct args *a = ref->args;
	const size_t hidden = (size_t)a->hidden;
	const size_t all = (size_t)a->experts * hidden * (size_t)a->ffn;
	double *sums =
		local_alloc((size_t)ref->tokens * hidden * sizeof(*sums));

	memset(layer->grad_up, 0, all * sizeof(double));
	memset(layer->grad_down, 0, all * sizeof(double));
	memset(layer->grad_gate, 0,
	       hidden * (size_t)a->experts * sizeof(double));
	for (int e = 0; e < a->experts; e++)
		for (long p = 0; p < ref->tokens * a->top_k; p++)
			if (layer->ids[p] == e)
				pair_backward(a, layer, p,
					      ref->grad +
						      p / a->top_k * a->hidden,
					      sums + p / a->top_k * a->hidden);
	for (long t = 0; t < ref->tokens; t++) {
		float *grad = ref->grad + t * a->hidden;
		double *dx = sums + t * a->hidden;

		for (int h = 0; h < a->hidden; h++)
			dx[h] = (double)round_to(dx[h], a->dtype) +
				(double)grad[h];
		for (long p = t * a->top_k; p < (t + 1) * a->top_k; p++) {
			layer->grad_weights[p] = 0;
			for (int h = 0; h < a->hidden; h++)
				layer->grad_weights[p] +=
					(double)grad[h] *
					(double)layer->y[p * a->hidden + h];
		}
		gate_backward(a, layer, t, dx);
		for (int h = 0; h < a->hidden; h++)
			grad[h] = round_to(dx[h], a->dtype);
	}
	free(sums);
}

void reference_backward(struct reference *ref)
{
	for (int l = LAYERS - 1; l >= 0; l--)
		layer_backward(ref, &ref->layer[l]);
}

static void descend(float *w, const double *grad, float rate, size_t n)
{
	for (size_t i = 0; i < n; i++)
		w[i] -= clamp(rate * (float)grad[i], MOVE_MAX);
}

void reference_update(struct reference *ref)
{
	const struct args *a = ref->args;
	const size_t all =
		(size_t)a->experts * (size_t)a->hidden * (size_t)a->ffn;

	for (int l = 0; l < LAYERS; l++) {
		struct reference_layer *layer = &ref->layer[l];

		descend(layer->up, layer->grad_up, ref->rate, all);
		descend(layer->down, layer->grad_down, ref->rate, all);
		descend(layer->gate, layer->grad_gate, ref->rate,
			(size_t)a->hidden * (size_t)a->experts);
	}
}
