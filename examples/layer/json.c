/* SPDX-License-Identifier: BSD-3-Clause */
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "moe_layer.h"

static json_t *numbers(const double *v, int n)
{
	json_t *list = json_array();

	for (int i = 0; i < n; i++)
		json_array_append_new(list, json_real(v[i]));
	return list;
}

static json_t *layers(const struct report *rep)
{
	json_t *list = json_array();

	for (int l = 0; l < LAYERS; l++)
		json_array_append_new(
			list, json_pack("{s:o, s:f, s:f}", "rows_per_expert",
					numbers(rep->rows[l],
						rep->run->args->experts),
					"imbalance_experts",
					report_imbalance(rep, l, false),
					"imbalance_pes",
					report_imbalance(rep, l, true)));
	return list;
}

static json_t *times(const struct report *rep)
{
	json_t *ms = json_object();

	for (int i = 0; i < PHASES; i++)
		json_object_set_new(ms, phase_names[i],
				    json_real(1e3 * rep->phase_s[i]));
	return ms;
}

/* JSON has no infinity. */
static json_t *number(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static json_t *verdict(const struct report *rep)
{
	const struct verdict *v = &rep->verdict;
	json_t *root = json_pack("{s:b, s:b}", "done", rep->run->args->check,
				 "right", v->right);

	for (int i = 0; i < TENSORS; i++)
		json_object_set_new(
			root, tensor_names[i],
			json_pack("{s:o, s:o, s:f}", "difference",
				  number(v->tensor[i].difference), "largest",
				  number(v->tensor[i].largest),
				  "allowed_of_largest", v->tensor[i].allowed));
	return root;
}

static json_t *arguments(const struct args *a)
{
	return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:s, s:b, s:s, s:b, "
			 "s:b, s:I}",
			 "experts", a->experts, "top_k", a->top_k, "hidden",
			 a->hidden, "ffn", a->ffn, "tokens_per_pe", a->tokens,
			 "steps", a->steps, "dtype", dtype_names[a->dtype],
			 "fp8", a->fp8, "layout",
			 a->slots ? "slots" : "compact", "overlap", a->overlap,
			 "baseline", a->baseline, "seed", (json_int_t)a->seed);
}

bool report_print_json(const struct report *rep)
{
	const struct run *r = rep->run;
	json_t *root = json_pack(
		"{s:s, s:I, s:i, s:s, s:o, s:o, s:o, s:f, s:f, s:f, s:f, s:f, "
		"s:o, s:o}",
		"text", r->args->path, "text_tokens",
		(json_int_t)rep->text->ntokens, "pes", r->n_pes, "platform",
		shmemx_platform(), "arguments", arguments(r->args), "loss",
		numbers(rep->loss, r->args->steps), "layers", layers(rep),
		"rows_dropped", rep->stats[SHMEMX_MOE_STAT_DROPPED], "step_ms",
		1e3 * rep->step_s, "tokens_per_s", report_tokens_per_s(rep),
		"exchange_share", report_exchange_share(rep),
		"beyond_computation_share", report_exposed_share(rep),
		"phase_ms", times(rep), "check", verdict(rep));

	if (!root) {
		fprintf(stderr,
			"moe_layer: cannot write %s as JSON, which must be "
			"UTF-8\n",
			r->args->path);
		return false;
	}
	json_dumpf(root, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(root);
	return true;
}
