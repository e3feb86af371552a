/* SPDX-License-Identifier: BSD-3-Clause */
/* All memory is symmetric, for the sake of few kinds; what only kernels of this
 * PE use could as well be of shmemx_device_alloc. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "moe_layer.h"

/* Streams of random numbers, so that PEs can make any part of the model. */
static struct weights make_weights(struct run *r, uint64_t first, int experts,
				   int m, int n, int n_used, float scale)
{
	const size_t bytes =
		(size_t)experts * (size_t)m * (size_t)n * sizeof(float);
	const struct weights w = {
		.w = symmetric_alloc(bytes),
		.wt = symmetric_alloc(bytes),
		.experts = experts,
		.m = m,
		.n = n,
		.n_used = n_used,
		.seed = r->args->seed,
		.first = first,
		.scale = scale * sqrtf(3.0f / (float)m),
		.rate = r->rate,
	};

	weights_init_run(&w, r->stream);
	return w;
}

uint64_t model_stream(const struct args *args, int layer, enum kind kind)
{
	return (uint64_t)(layer * 3 + (int)kind) * (uint64_t)args->experts;
}

static void make_model(struct run *r, int l)
{
	const struct args *a = r->args;
	struct layer *layer = &r->layer[l];
	const uint64_t mine = (uint64_t)(r->me * r->n_local);
	const size_t n = (size_t)r->n_local * (size_t)a->hidden *
			 (size_t)a->ffn * sizeof(float);

	layer->up = make_weights(r, model_stream(a, l, UP) + mine, r->n_local,
				 a->hidden, a->ffn, a->ffn, UP_SCALE);
	layer->down =
		make_weights(r, model_stream(a, l, DOWN) + mine, r->n_local,
			     a->ffn, a->hidden, a->hidden, DOWN_SCALE);
	layer->gate = make_weights(r, model_stream(a, l, GATES), 1, a->hidden,
				   r->gate_stride, a->experts, GATE_SCALE);
	layer->up.grad = symmetric_alloc(n);
	layer->down.grad = symmetric_alloc(n);
	layer->gate.grad = r->gate_grad[1] + (size_t)l * (size_t)a->hidden *
						     (size_t)r->gate_stride;
}

/* Returns 0, or nonzero after a line of the library. */
static int make_part(struct run *r, struct layer *layer, int p,
		     const struct shmemx_moe_sizes *sizes)
{
	const struct args *a = r->args;
	struct part *part = &layer->part[p];
	struct shmemx_moe_view view;

	if (shmemx_moe_layout_create(layer->moe, &part->layout) ||
	    shmemx_moe_layout_view(part->layout, &view))
		return -1;
	part->where = (struct segments){ view.offsets, view.counts, r->n_local,
					 1, 0 };
	if (a->slots)
		part->where = (struct segments){ NULL, view.counts_by_pe,
						 r->n_local * r->n_pes,
						 r->n_pes, part_tokens(r) };
	part->rows = symmetric_alloc(sizes->dispatch_bytes);
	if (sizes->scales_bytes)
		part->scales = symmetric_alloc(sizes->scales_bytes);
	part->y = symmetric_alloc(sizes->combine_bytes);
	return 0;
}

int part_tokens(const struct run *r)
{
	return (r->args->tokens + r->n_parts - 1) / r->n_parts;
}

static int make_exchange(struct run *r, struct layer *layer)
{
	const struct args *a = r->args;
	const struct shmemx_moe_config config = {
		.version = SHMEMX_MOE_VERSION,
		.n_experts = (uint32_t)a->experts,
		.team = SHMEM_TEAM_WORLD,
		.top_k = (uint32_t)a->top_k,
		.hidden = (uint32_t)a->hidden,
		.dtype = (uint32_t)a->dtype,
		.quant = a->fp8 ? SHMEMX_MOE_QUANT_FP8 : SHMEMX_MOE_QUANT_NONE,
		.layout = a->slots ? SHMEMX_MOE_SLOTS : SHMEMX_MOE_COMPACT,
		.max_tokens = (uint32_t)part_tokens(r),
		.id_bytes = sizeof(int32_t),
	};
	struct shmemx_moe_sizes sizes;
	int status = 0;

	if (a->baseline) {
		baseline_make(r, layer);
		return 0;
	}
	if (shmemx_moe_sizes(&config, &sizes) ||
	    shmemx_moe_create(&config, &layer->moe))
		return -1;
	r->rows_max = sizes.rows;
	for (int p = 0; p < r->n_parts && !status; p++)
		status = make_part(r, layer, p, &sizes);
	return status;
}

static int make_layer(struct run *r, int l)
{
	const struct args *a = r->args;
	struct layer *layer = &r->layer[l];
	const int size = part_tokens(r);

	make_model(r, l);
	layer->weights = symmetric_alloc((size_t)a->tokens * (size_t)a->top_k *
					 sizeof(float));
	if (make_exchange(r, layer))
		return -1;
	for (int p = 0; p < r->n_parts; p++) {
		struct part *part = &layer->part[p];
		const size_t bytes =
			r->rows_max * (size_t)a->ffn * r->elem_bytes;

		part->first = p * size;
		part->count = p ? a->tokens - size : size;
		part->pre = symmetric_alloc(bytes);
		part->hid = symmetric_alloc(bytes);
	}
	return 0;
}

/* The tokens of each step, with their neighbours. */
static uint64_t *make_tokens(const struct run *r, const struct text *text)
{
	const long tokens = r->args->tokens;
	const size_t n = (size_t)r->args->steps * (size_t)(tokens + 2);
	uint64_t *host = local_alloc(n * sizeof(*host)), *to = host;
	uint64_t *device = symmetric_alloc(n * sizeof(*host));

	for (int step = 0; step < r->args->steps; step++)
		for (long t = -1; t <= tokens; t++)
			*to++ = text_token(text,
					   batch_first(r, step, r->me) + t);
	shmemx_memcpy(device, host, n * sizeof(*host));
	free(host);
	return device;
}

long batch_first(const struct run *r, int step, int pe)
{
	return ((long)step * r->n_pes + pe) * r->args->tokens;
}

static void make_batch(struct run *r)
{
	const struct args *a = r->args;
	const size_t tokens = (size_t)a->tokens, top_k = (size_t)a->top_k;
	const size_t x_bytes = tokens * (size_t)a->hidden * r->elem_bytes;
	const size_t steps = (size_t)a->steps;

	for (int l = 0; l <= LAYERS; l++) {
		r->x[l] = symmetric_alloc(x_bytes);
		r->grad_x[l] = symmetric_alloc(x_bytes);
	}
	r->target = symmetric_alloc(x_bytes);
	r->sum = symmetric_alloc(x_bytes);
	r->logits = symmetric_alloc(tokens * (size_t)r->gate_stride *
				    sizeof(float));
	r->grad_weights = symmetric_alloc(tokens * top_k * sizeof(float));
	r->loss = symmetric_alloc(steps * tokens * sizeof(float));
	r->ids = symmetric_alloc(steps * LAYERS * tokens * top_k *
				 sizeof(int32_t));
	for (int p = 0; p < r->n_parts; p++) {
		const size_t y_bytes =
			r->rows_max * (size_t)a->hidden * r->elem_bytes;

		r->grad_pre[p] = symmetric_alloc(r->rows_max * (size_t)a->ffn *
						 r->elem_bytes);
		r->grad_y[p] = symmetric_alloc(y_bytes);
		r->grad_rows[p] = symmetric_alloc(y_bytes);
	}
}

bool run_make(struct run *r, const struct args *args, const struct text *text)
{
	*r = (struct run){
		.args = args,
		.me = shmem_my_pe(),
		.n_pes = shmem_n_pes(),
		.n_local = args->experts / shmem_n_pes(),
		.n_parts = args->overlap ? 2 : 1,
		.gate_stride = (args->experts + 3) / 4 * 4,
		.elem_bytes = args->dtype == TYPE_FP32 ? 4 : 2,
	};
	const size_t gate_bytes = LAYERS * (size_t)args->hidden *
				  (size_t)r->gate_stride * sizeof(float);

	r->rate = RATE / (float)(args->tokens * r->n_pes);
	if (shmemx_stream_create(&r->stream))
		return false;
	for (int i = 0; i < 2; i++)
		r->gate_grad[i] = symmetric_alloc(gate_bytes);
	for (int l = 0; l < LAYERS; l++)
		if (make_layer(r, l))
			return false;
	r->tokens = make_tokens(r, text);
	make_batch(r);
	return !shmemx_stream_synchronize(r->stream);
}

/* Memory goes with shmem_finalize. */
void run_free(struct run *r)
{
	for (int l = 0; l < LAYERS; l++) {
		for (int p = 0; p < r->n_parts; p++)
			shmemx_moe_layout_destroy(r->layer[l].part[p].layout);
		shmemx_moe_destroy(r->layer[l].moe);
		baseline_free(r->layer[l].baseline);
	}
	shmemx_stream_destroy(r->stream);
}
