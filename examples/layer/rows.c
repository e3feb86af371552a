/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What happens to each token or element by itself. Work-items take units of 4
 * elements in turns, or whole rows where a row is short.
 */
#include "launch.h"
#include "number.h"

SHMEMX_KERNEL(moe_layer_embed, struct embed, e)
{
	const size_t hidden = (size_t)e.hidden;

	for (size_t unit = grid_item(); unit < (size_t)e.n_tokens * hidden / 4;
	     unit += grid_items()) {
		const uint64_t *token = e.token + unit * 4 / hidden;
		const size_t h = unit * 4 % hidden;
		float x[4], target[4];

		for (int i = 0; i < 4; i++) {
			x[i] = embedding(token, e.seed, h + (size_t)i);
			target[i] = embedding(token + 1, e.seed, h + (size_t)i);
		}
		store4(e.x, e.type, unit * 4, x);
		store4(e.target, e.type, unit * 4, target);
	}
}

void embed_run(const struct embed *e, shmemx_stream_t stream)
{
	launch(SHMEMX_KERNEL_REF(moe_layer_embed), e, sizeof(*e), stream);
}

/* Puts expert id where its logit belongs among the n best so far. */
SHMEMX_FN void choose_insert(int32_t *ids, float *best, int n, int32_t id,
			     float logit)
{
	int at = n - 1;

	if (logit <= best[at])
		return;
	for (; at > 0 && logit > best[at - 1]; at--) {
		best[at] = best[at - 1];
		ids[at] = ids[at - 1];
	}
	best[at] = logit;
	ids[at] = id;
}

SHMEMX_KERNEL(moe_layer_choose, struct choose, c)
{
	for (size_t t = grid_item(); t < (size_t)c.n_tokens;
	     t += grid_items()) {
		const float *logits = c.logits + t * (size_t)c.stride;
		int32_t *ids = c.ids + t * (size_t)c.top_k;
		float *best = c.weights + t * (size_t)c.top_k;
		float most, sum = 0;

		for (int k = 0; k < c.top_k; k++)
			best[k] = -3e38f;
		for (int e = 0; e < c.n_experts; e++)
			choose_insert(ids, best, c.top_k, e, logits[e]);
		most = best[0];
		for (int k = 0; k < c.top_k; k++)
			sum += best[k] = exponential(best[k] - most);
		for (int k = 0; k < c.top_k; k++)
			best[k] /= sum;
	}
}

void choose_run(const struct choose *c, shmemx_stream_t stream)
{
	launch(SHMEMX_KERNEL_REF(moe_layer_choose), c, sizeof(*c), stream);
}

SHMEMX_KERNEL(moe_layer_unchoose, struct unchoose, u)
{
	for (size_t t = grid_item(); t < (size_t)u.n_tokens;
	     t += grid_items()) {
		const int32_t *ids = u.ids + t * (size_t)u.top_k;
		const float *w = u.weights + t * (size_t)u.top_k;
		const float *grad = u.grad_weights + t * (size_t)u.top_k;
		float *out = u.grad_logits + t * (size_t)u.stride;
		float mean = 0;

		for (int e = 0; e < u.stride; e++)
			out[e] = 0;
		for (int k = 0; k < u.top_k; k++)
			mean += w[k] * grad[k];
		for (int k = 0; k < u.top_k; k++)
			out[ids[k]] = w[k] * (grad[k] - mean);
	}
}

void unchoose_run(const struct unchoose *u, shmemx_stream_t stream)
{
	launch(SHMEMX_KERNEL_REF(moe_layer_unchoose), u, sizeof(*u), stream);
}

SHMEMX_KERNEL(moe_layer_add, struct add, a)
{
	const struct matrix mx = { a.x, NULL, a.type };
	const struct matrix my = { a.y, NULL, a.type };

	for (size_t unit = grid_item(); unit < a.n / 4; unit += grid_items()) {
		float x[4], y[4];

		load4(x, &mx, a.type, unit * 4);
		load4(y, &my, a.type, unit * 4);
		for (int i = 0; i < 4; i++)
			x[i] += a.sign * y[i];
		store4(a.out, a.type, unit * 4, x);
	}
}

void add_run(const struct add *a, shmemx_stream_t stream)
{
	launch(SHMEMX_KERNEL_REF(moe_layer_add), a, sizeof(*a), stream);
}

SHMEMX_KERNEL(moe_layer_loss, struct loss, l)
{
	const struct matrix m = { l.x, NULL, l.type };
	const size_t hidden = (size_t)l.hidden;

	for (size_t t = grid_item(); t < (size_t)l.n_tokens;
	     t += grid_items()) {
		float sum = 0;

		for (size_t h = 0; h < hidden; h += 4) {
			float x[4];

			load4(x, &m, l.type, t * hidden + h);
			for (int i = 0; i < 4; i++)
				sum += 0.5f * x[i] * x[i];
		}
		l.loss[t] = sum;
	}
}

void loss_run(const struct loss *l, shmemx_stream_t stream)
{
	launch(SHMEMX_KERNEL_REF(moe_layer_loss), l, sizeof(*l), stream);
}

SHMEMX_FN void weight_set(const struct weights *w, size_t i, float v)
{
	const size_t m = (size_t)w->m, n = (size_t)w->n;
	const size_t of_expert = i % (m * n);

	w->w[i] = v;
	w->wt[i - of_expert + of_expert % n * m + of_expert / n] = v;
}

/* Each expert has a stream of numbers of its own. */
SHMEMX_KERNEL(moe_layer_weights_init, struct weights, w)
{
	const size_t m = (size_t)w.m, n = (size_t)w.n;

	for (size_t i = grid_item(); i < (size_t)w.experts * m * n;
	     i += grid_items()) {
		const uint64_t stream = mix(w.seed, w.first + i / (m * n));

		weight_set(&w, i,
			   i % n < (size_t)w.n_used ?
				   w.scale * random_float(stream, i % (m * n)) :
				   0);
	}
}

void weights_init_run(const struct weights *w, shmemx_stream_t stream)
{
	launch(SHMEMX_KERNEL_REF(moe_layer_weights_init), w, sizeof(*w),
	       stream);
}

SHMEMX_KERNEL(moe_layer_weights_update, struct weights, w)
{
	for (size_t i = grid_item();
	     i < (size_t)w.experts * (size_t)w.m * (size_t)w.n;
	     i += grid_items())
		weight_set(&w, i, w.w[i] - clamp(w.rate * w.grad[i], MOVE_MAX));
}

void weights_update_run(const struct weights *w, shmemx_stream_t stream)
{
	launch(SHMEMX_KERNEL_REF(moe_layer_weights_update), w, sizeof(*w),
	       stream);
}
