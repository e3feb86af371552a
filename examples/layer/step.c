/* SPDX-License-Identifier: BSD-3-Clause */
/* A step, put on the stream piece by piece: nothing here waits for the device,
 * but when phases are measured. */
#include "moe_layer.h"

void step_mark(struct run *r, enum phase phase)
{
	double now;

	if (!r->by_phases)
		return;
	shmemx_stream_synchronize(r->stream);
	now = seconds();
	r->phase_s[phase] += now - r->mark_s;
	r->mark_s = now;
}

static struct segments all_tokens(const struct run *r)
{
	return (struct segments){ NULL, NULL, 1, 1, r->args->tokens };
}

static void gate_forward(struct run *r, int l)
{
	const struct args *a = r->args;
	const struct layer *layer = &r->layer[l];
	const struct gemm logits = {
		.rows = all_tokens(r),
		.a = { r->x[l], NULL, a->dtype },
		.b = layer->gate.w,
		.k = a->hidden,
		.n = r->gate_stride,
		.out_type = TYPE_FP32,
		.out = r->logits,
	};
	const struct choose choose = {
		.logits = r->logits,
		.n_tokens = a->tokens,
		.n_experts = a->experts,
		.stride = r->gate_stride,
		.top_k = a->top_k,
		.ids = layer->ids,
		.weights = layer->weights,
	};

	gemm_run(&logits, r->stream);
	choose_run(&choose, r->stream);
	step_mark(r, GATE);
}

/* What experts get, as dispatch brought it. */
static struct matrix expert_input(const struct run *r, const struct part *part)
{
	return (struct matrix){ part->rows, part->scales,
				r->args->fp8 ? TYPE_FP8 : r->args->dtype };
}

static void experts_forward(struct run *r, struct layer *layer, int p)
{
	const struct args *a = r->args;
	const struct part *part = &layer->part[p];
	const struct gemm up = {
		.rows = part->where,
		.a = expert_input(r, part),
		.b = layer->up.w,
		.k = a->hidden,
		.n = a->ffn,
		.after = AFTER_SILU,
		.out_type = a->dtype,
		.out = part->hid,
		.other = { part->pre },
	};
	const struct gemm down = {
		.rows = part->where,
		.a = { part->hid, NULL, a->dtype },
		.b = layer->down.w,
		.k = a->ffn,
		.n = a->hidden,
		.out_type = a->dtype,
		.out = part->y,
	};

	gemm_run(&up, r->stream);
	gemm_run(&down, r->stream);
	step_mark(r, EXPERTS);
}

/* Gradients of rows. */
static void experts_backward_rows(struct run *r, const struct layer *layer,
				  int p)
{
	const struct args *a = r->args;
	const struct part *part = &layer->part[p];
	const struct gemm down = {
		.rows = part->where,
		.a = { r->grad_y[p], NULL, a->dtype },
		.b = layer->down.wt,
		.k = a->hidden,
		.n = a->ffn,
		.after = AFTER_SILU_SLOPE,
		.out_type = a->dtype,
		.out = r->grad_pre[p],
		.other = { part->pre },
	};
	const struct gemm up = {
		.rows = part->where,
		.a = { r->grad_pre[p], NULL, a->dtype },
		.b = layer->up.wt,
		.k = a->ffn,
		.n = a->hidden,
		.out_type = a->dtype,
		.out = r->grad_rows[p],
	};

	gemm_run(&down, r->stream);
	gemm_run(&up, r->stream);
}

/* Before the way back of dispatch: it tells other PEs that part->rows have been
 * read for the last time. */
static void experts_backward_weights(struct run *r, const struct layer *layer,
				     int p)
{
	const struct args *a = r->args;
	const struct part *part = &layer->part[p];
	const struct outer down = {
		.rows = part->where,
		.a = { part->hid, NULL, a->dtype },
		.b = { r->grad_y[p], NULL, a->dtype },
		.experts = r->n_local,
		.m = a->ffn,
		.n = a->hidden,
		.adds = p > 0,
		.out = layer->down.grad,
	};
	const struct outer up = {
		.rows = part->where,
		.a = expert_input(r, part),
		.b = { r->grad_pre[p], NULL, a->dtype },
		.experts = r->n_local,
		.m = a->hidden,
		.n = a->ffn,
		.adds = p > 0,
		.out = layer->up.grad,
	};

	outer_run(&down, r->stream);
	outer_run(&up, r->stream);
}

static void experts_backward(struct run *r, struct layer *layer, int p)
{
	experts_backward_rows(r, layer, p);
	experts_backward_weights(r, layer, p);
	step_mark(r, EXPERTS_BACK);
}

/*
 * Rows to experts, experts, rows back. Of two parts, one is on its way while
 * experts compute with the other: the second on its way there while they have
 * the first, the first on its way back while they have the second.
 */
static void through_experts(struct run *r, struct layer *layer,
			    enum phase there, enum phase back,
			    void (*experts)(struct run *, struct layer *, int))
{
	const int last = r->n_parts - 1;

	exchange_send(r, layer, 0, there);
	exchange_recv(r, layer, there);
	for (int p = 0; p <= last; p++) {
		const int other = p < last ? p + 1 : p - 1;
		const enum phase flies = p < last ? there : back;

		if (last)
			exchange_send(r, layer, other, flies);
		experts(r, layer, p);
		if (last)
			exchange_recv(r, layer, flies);
	}
	exchange_send(r, layer, last, back);
	exchange_recv(r, layer, back);
}

static void layer_forward(struct run *r, int l)
{
	const struct args *a = r->args;
	const struct add residual = {
		.x = r->x[l],
		.y = r->sum,
		.n = (size_t)a->tokens * (size_t)a->hidden,
		.type = a->dtype,
		.sign = 1,
		.out = r->x[l + 1],
	};

	gate_forward(r, l);
	through_experts(r, &r->layer[l], DISPATCH, COMBINE, experts_forward);
	add_run(&residual, r->stream);
	step_mark(r, LOSS);
}

static void gate_backward(struct run *r, int l)
{
	const struct args *a = r->args;
	const struct layer *layer = &r->layer[l];
	const struct unchoose unchoose = {
		.ids = layer->ids,
		.weights = layer->weights,
		.grad_weights = r->grad_weights,
		.n_tokens = a->tokens,
		.stride = r->gate_stride,
		.top_k = a->top_k,
		.grad_logits = r->logits,
	};
	const struct outer weights = {
		.rows = all_tokens(r),
		.a = { r->x[l], NULL, a->dtype },
		.b = { r->logits, NULL, TYPE_FP32 },
		.experts = 1,
		.m = a->hidden,
		.n = r->gate_stride,
		.out = r->gate_grad[0] +
		       (size_t)l * (size_t)a->hidden * (size_t)r->gate_stride,
	};
	/* All three ways that x goes: the gate, experts, and by them. */
	const struct gemm x = {
		.rows = all_tokens(r),
		.a = { r->logits, NULL, TYPE_FP32 },
		.b = layer->gate.wt,
		.k = r->gate_stride,
		.n = a->hidden,
		.after = AFTER_ADD,
		.out_type = a->dtype,
		.out = r->grad_x[l],
		.other = { r->grad_x[l + 1], r->sum },
	};

	unchoose_run(&unchoose, r->stream);
	outer_run(&weights, r->stream);
	gemm_run(&x, r->stream);
	step_mark(r, GATE_BACK);
}

static void layer_backward(struct run *r, int l)
{
	through_experts(r, &r->layer[l], COMBINE_BACK, DISPATCH_BACK,
			experts_backward);
	gate_backward(r, l);
}

/* The loss is half the squared distance, so the difference is its gradient. */
static void loss(struct run *r, int step)
{
	const struct args *a = r->args;
	const struct add difference = {
		.x = r->x[LAYERS],
		.y = r->target,
		.n = (size_t)a->tokens * (size_t)a->hidden,
		.type = a->dtype,
		.sign = -1,
		.out = r->grad_x[LAYERS],
	};
	const struct loss loss = {
		.x = r->grad_x[LAYERS],
		.n_tokens = a->tokens,
		.hidden = a->hidden,
		.type = a->dtype,
		.loss = r->loss + (size_t)step * (size_t)a->tokens,
	};

	add_run(&difference, r->stream);
	loss_run(&loss, r->stream);
	step_mark(r, LOSS);
}

/* Each PE has the gate as a whole, and sees some of the tokens. */
static void update(struct run *r)
{
	const size_t n =
		LAYERS * (size_t)r->args->hidden * (size_t)r->gate_stride;

	shmemx_float_sum_reduce_on_stream(SHMEM_TEAM_WORLD, r->gate_grad[1],
					  r->gate_grad[0], n, r->stream);
	step_mark(r, GATE_BACK);
	for (int l = 0; l < LAYERS; l++) {
		struct weights *w[] = { &r->layer[l].up, &r->layer[l].down,
					&r->layer[l].gate };

		for (int i = 0; i < 3; i++) {
			w[i]->rate = r->rate;
			weights_update_run(w[i], r->stream);
		}
	}
	step_mark(r, UPDATE);
}

static void begin(struct run *r, int step)
{
	const struct args *a = r->args;
	const size_t pairs = (size_t)a->tokens * (size_t)a->top_k;
	const struct embed embed = {
		.token = r->tokens + (size_t)step * (size_t)(a->tokens + 2) + 1,
		.seed = a->seed,
		.n_tokens = a->tokens,
		.hidden = a->hidden,
		.type = a->dtype,
		.x = r->x[0],
		.target = r->target,
	};

	for (int l = 0; l < LAYERS; l++)
		r->layer[l].ids = r->ids + (size_t)(step * LAYERS + l) * pairs;
	if (r->by_phases) {
		shmemx_stream_synchronize(r->stream);
		r->mark_s = seconds();
	}
	embed_run(&embed, r->stream);
	step_mark(r, LOSS);
}

void step_run(struct run *r, int step)
{
	begin(r, step);
	for (int l = 0; l < LAYERS; l++)
		layer_forward(r, l);
	loss(r, step);
	for (int l = LAYERS - 1; l >= 0; l--)
		layer_backward(r, l);
	update(r);
}
