/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PE 0 fetches what all PEs computed and compares. It takes over which experts
 * were chosen, after it has seen that these were the best: where two are equal
 * but for rounding, either is right, and all that follows depends on it.
 *
 * What may differ. Both sides round at the same points, so they differ in the
 * order of float sums and, where a sum is close to the middle between two
 * numbers of the type, by one unit in its last place, 2^-7 of a number in BF16.
 * Such a difference goes through further products and, by the weights, into
 * later steps; there it is one of many terms. So the largest difference,
 * compared to the largest number of the same tensor, stays at a few units: 4
 * are allowed. With FP8, a unit of 2^-3, the same happens to rows, of which all
 * but one tensor have sums; the gradient of an expert with one row is that row
 * times a number.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "moe_layer.h"
#include "number.h"

const char *const tensor_names[] = {
	[LOSSES] = "losses of steps",
	[CHOICES] = "choices of experts",
	[OUTPUT] = "output",
	[GRAD_X] = "gradient of input",
	[GRAD_UP] = "gradient of up",
	[GRAD_DOWN] = "gradient of down",
	[GRAD_GATE] = "gradient of gate",
};

static double allowed(const struct args *a, int tensor)
{
	if (a->fp8)
		return tensor == GRAD_UP ? 0x1p-3 : 4 * 0x1p-7;
	return 4 * (a->dtype == TYPE_BF16 ? 0x1p-7 :
		    a->dtype == TYPE_FP16 ? 0x1p-10 :
					    0x1p-16);
}

static void see(struct tensor *t, double v, double reference)
{
	/* A NaN is a difference as well. */
	const double d = fabs(v - reference);

	t->difference = isnan(d) ? INFINITY : fmax(t->difference, d);
	t->largest = fmax(t->largest, fabs(reference));
}

/* n elements of type of all PEs in turn, with v as the right ones. */
static void compare_tokens(struct tensor *t, const struct run *r,
			   const void *source, const float *v)
{
	const size_t n = (size_t)r->args->tokens * (size_t)r->args->hidden;
	void *copy = local_alloc(n * r->elem_bytes);
	const struct matrix m = { copy, NULL, r->args->dtype };
	float x[4];

	for (int pe = 0; pe < r->n_pes; pe++) {
		shmem_getmem(copy, source, n * r->elem_bytes, pe);
		for (size_t i = 0; i < n; i++) {
			if (i % 4 == 0)
				load4(x, &m, m.type, i);
			see(t, (double)x[i % 4], (double)*v++);
		}
	}
	free(copy);
}

static void compare_experts(struct tensor *t, const struct run *r,
			    const float *source, const double *v)
{
	const size_t n = (size_t)r->n_local * (size_t)r->args->hidden *
			 (size_t)r->args->ffn;
	float *copy = local_alloc(n * sizeof(*copy));

	for (int pe = 0; pe < r->n_pes; pe++) {
		shmem_getmem(copy, source, n * sizeof(*copy), pe);
		for (size_t i = 0; i < n; i++)
			see(t, (double)copy[i], *v++);
	}
	free(copy);
}

static void compare_gate(struct tensor *t, const struct run *r, int l,
			 const double *v)
{
	const size_t hidden = (size_t)r->args->hidden;
	const size_t stride = (size_t)r->gate_stride;
	const size_t n = hidden * stride;
	float *copy = local_alloc(n * sizeof(*copy));

	shmem_getmem(copy, r->gate_grad[1] + (size_t)l * n, n * sizeof(*copy),
		     0);
	for (size_t h = 0; h < hidden; h++)
		for (int e = 0; e < r->args->experts; e++)
			see(t, (double)copy[h * stride + (size_t)e], *v++);
	free(copy);
}

static void compare_last(struct verdict *v, const struct run *r,
			 const struct reference *ref)
{
	compare_tokens(&v->tensor[OUTPUT], r, r->x[LAYERS], ref->out);
	compare_tokens(&v->tensor[GRAD_X], r, r->grad_x[0], ref->grad);
	for (int l = 0; l < LAYERS; l++) {
		const struct reference_layer *layer = &ref->layer[l];

		compare_experts(&v->tensor[GRAD_UP], r, r->layer[l].up.grad,
				layer->grad_up);
		compare_experts(&v->tensor[GRAD_DOWN], r, r->layer[l].down.grad,
				layer->grad_down);
		compare_gate(&v->tensor[GRAD_GATE], r, l, layer->grad_gate);
	}
}

/* The PEs' choices in a step, and the text's part. */
static void begin(struct reference *ref, const struct run *r,
		  const struct text *text, int step)
{
	const struct args *a = r->args;
	const size_t pairs = (size_t)a->tokens * (size_t)a->top_k;
	float *x = ref->layer[0].x, *target = ref->target;

	for (int pe = 0; pe < r->n_pes; pe++)
		for (int l = 0; l < LAYERS; l++)
			shmem_getmem(ref->layer[l].ids + (size_t)pe * pairs,
				     r->ids + (size_t)(step * LAYERS + l) *
						      pairs,
				     pairs * sizeof(int32_t), pe);
	for (long t = 0; t < ref->tokens; t++) {
		const long at = batch_first(r, step, 0) + t;
		const uint64_t token[] = { text_token(text, at - 1),
					   text_token(text, at),
					   text_token(text, at + 1) };

		for (uint64_t h = 0; h < (uint64_t)a->hidden; h++) {
			*x++ = round_to(
				(double)embedding(token + 1, a->seed, h),
				a->dtype);
			*target++ = round_to(
				(double)embedding(token + 2, a->seed, h),
				a->dtype);
		}
	}
}

/* Choices beyond the experts would be looked up. */
static bool choices_are_experts(const struct reference *ref)
{
	for (int l = 0; l < LAYERS; l++)
		for (long p = 0; p < ref->tokens * ref->args->top_k; p++)
			if ((uint32_t)ref->layer[l].ids[p] >=
			    (uint32_t)ref->args->experts)
				return false;
	return true;
}

static void compare_steps(struct verdict *v, const struct run *r,
			  const struct text *text, struct reference *ref)
{
	const size_t tokens = (size_t)r->args->tokens;
	float *loss = local_alloc(tokens * sizeof(*loss));

	for (int step = 0; step < r->args->steps; step++) {
		double sum = 0;

		begin(ref, r, text, step);
		if (!choices_are_experts(ref)) {
			v->tensor[CHOICES].difference = INFINITY;
			break;
		}
		reference_forward(ref);
		for (int pe = 0; pe < r->n_pes; pe++) {
			shmem_getmem(loss, r->loss + (size_t)step * tokens,
				     tokens * sizeof(*loss), pe);
			for (size_t t = 0; t < tokens; t++)
				sum += (double)loss[t];
		}
		see(&v->tensor[LOSSES], sum, ref->loss);
		reference_backward(ref);
		if (step + 1 == r->args->steps)
			compare_last(v, r, ref);
		reference_update(ref);
	}
	free(loss);
}

static void judge(struct verdict *v)
{
	for (int i = 0; i < TENSORS; i++)
		if (!(v->tensor[i].difference <=
		      v->tensor[i].allowed * v->tensor[i].largest))
			v->right = false;
}

void check_run(struct verdict *v, const struct run *r, const struct text *text)
{
	*v = (struct verdict){ .right = true };
	for (int i = 0; i < TENSORS; i++)
		v->tensor[i].allowed = allowed(r->args, i);
	if (!r->args->check)
		return;
	shmem_barrier_all();
	if (r->me == 0) {
		struct reference ref;

		reference_make(&ref, r);
		compare_steps(v, r, text, &ref);
		v->tensor[CHOICES].difference =
			fmax(v->tensor[CHOICES].difference, ref.choice_gap);
		v->tensor[CHOICES].largest = ref.choice_largest;
		reference_free(&ref);
		judge(v);
	}
	from_pe0(v, sizeof(*v));
}
