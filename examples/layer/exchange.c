/* SPDX-License-Identifier: BSD-3-Clause */
/* The part to read for shmemx_moe: each exchange is put on the stream in two
 * halves, and the host goes on at once. */
#include "moe_layer.h"

/* Rows of a part in an array of tokens. */
static void *of_part(const struct run *r, void *x, const struct part *part)
{
	return (char *)x +
	       (size_t)part->first * (size_t)r->args->hidden * r->elem_bytes;
}

static void check(int status)
{
	if (status)
		shmem_global_exit(1);
}

static int send(struct run *r, struct layer *layer, int p, enum phase phase)
{
	const struct part *part = &layer->part[p];
	const int l = (int)(layer - r->layer);
	const size_t pair = (size_t)part->first * (size_t)r->args->top_k;

	switch (phase) {
	case DISPATCH:
		return shmemx_moe_dispatch_send(
			layer->moe, part->layout, of_part(r, r->x[l], part),
			layer->ids + pair, (size_t)part->count, part->rows,
			part->scales, r->stream);
	case COMBINE:
		return shmemx_moe_combine_send(layer->moe, part->layout,
					       part->y, layer->weights + pair,
					       of_part(r, r->sum, part),
					       r->stream);
	case COMBINE_BACK:
		return shmemx_moe_combine_backward_send(
			layer->moe, part->layout,
			of_part(r, r->grad_x[l + 1], part), part->y,
			layer->weights + pair, r->grad_y[p],
			r->grad_weights + pair, r->stream);
	default:
		return shmemx_moe_dispatch_backward_send(
			layer->moe, part->layout, r->grad_rows[p],
			of_part(r, r->sum, part), r->stream);
	}
}

static int recv(struct run *r, struct layer *layer, enum phase phase)
{
	switch (phase) {
	case DISPATCH:
		return shmemx_moe_dispatch_recv(layer->moe, r->stream);
	case COMBINE:
		return shmemx_moe_combine_recv(layer->moe, r->stream);
	case COMBINE_BACK:
		return shmemx_moe_combine_backward_recv(layer->moe, r->stream);
	default:
		return shmemx_moe_dispatch_backward_recv(layer->moe, r->stream);
	}
}

void exchange_send(struct run *r, struct layer *layer, int part,
		   enum phase phase)
{
	if (layer->baseline)
		baseline_exchange(r, layer, phase);
	else
		check(send(r, layer, part, phase));
	step_mark(r, phase);
}

void exchange_recv(struct run *r, struct layer *layer, enum phase phase)
{
	if (!layer->baseline)
		check(recv(r, layer, phase));
	step_mark(r, phase);
}
