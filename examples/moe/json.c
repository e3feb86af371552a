/* SPDX-License-Identifier: BSD-3-Clause */
#include <jansson.h>
#include <stdio.h>

#include "moe.h"

static json_t *load(const struct report *r)
{
	json_t *list = json_array();

	for (int e = 0; e < r->args->experts; e++)
		json_array_append_new(list, json_integer(r->load[e]));
	return list;
}

static json_t *times(const struct report *r)
{
	return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "gate",
			 r->ms[GATE], "counts", r->ms[COUNTS], "dispatch",
			 r->ms[DISPATCH], "experts", r->ms[EXPERTS], "combine",
			 r->ms[COMBINE], "step", report_step_ms(r), "check",
			 r->check_ms);
}

static json_t *verdict(const struct report *r)
{
	char sum[17];

	snprintf(sum, sizeof(sum), "%016llx", r->verdict.checksum);
	return json_pack("{s:b, s:I, s:f, s:s}", "done", r->args->check,
			 "wrong_tokens", (json_int_t)r->verdict.nwrong,
			 "max_difference", r->verdict.max_difference,
			 "checksum", sum);
}

bool report_print_json(const struct report *r)
{
	json_t *root = json_pack(
		"{s:s, s:I, s:I, s:I, s:i, s:i, s:i, s:i, s:i, s:I, s:o, s:f, "
		"s:f, s:f, s:f, s:o, s:o}",
		"text", r->args->path, "bytes", (json_int_t)r->text->bytes,
		"tokens", (json_int_t)r->text->ntokens, "distinct_tokens",
		(json_int_t)text_distinct(r->text), "pes", r->npes, "experts",
		r->args->experts, "top_k", r->args->top_k, "hidden",
		r->args->hidden, "repeat", r->args->repeat, "seed",
		(json_int_t)r->args->seed, "rows_per_expert", load(r),
		"imbalance_experts", report_imbalance(r), "imbalance_pes",
		report_imbalance_pes(r), "bytes_sent_all_pes", r->bytes_total,
		"bytes_sent_busiest_pe", r->bytes_max, "ms", times(r), "check",
		verdict(r));

	if (!root) {
		fprintf(stderr,
			"moe_exchange: cannot write %s as JSON, which "
			"must be UTF-8\n",
			r->args->path);
		return false;
	}
	json_dumpf(root, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(root);
	return true;
}
