/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "moe_layer.h"

enum { BAR_CHARS = 30 };

const char *const phase_names[] = {
	[GATE] = "gate",
	[DISPATCH] = "dispatch",
	[EXPERTS] = "experts",
	[COMBINE] = "combine",
	[LOSS] = "rows",
	[COMBINE_BACK] = "combine back",
	[EXPERTS_BACK] = "experts back",
	[DISPATCH_BACK] = "dispatch back",
	[GATE_BACK] = "gate back",
	[UPDATE] = "update",
};

static bool is_exchange(int phase)
{
	return phase == DISPATCH || phase == COMBINE || phase == COMBINE_BACK ||
	       phase == DISPATCH_BACK;
}

/* What the layer's handle counted. */
static void collect_stats(struct report *rep, int l)
{
	const struct run *r = rep->run;
	const struct layer *layer = &r->layer[l];
	const int n = SHMEMX_MOE_STATS + r->n_local;
	uint64_t *stats = local_alloc((size_t)n * sizeof(*stats));
	const uint64_t *rows = stats + SHMEMX_MOE_STATS;

	shmemx_memcpy(stats, shmemx_moe_stats(layer->moe),
		      (size_t)n * sizeof(*stats));
	for (int i = 0; i < SHMEMX_MOE_STATS; i++)
		rep->stats[i] += (double)stats[i];
	for (int e = 0; e < r->n_local; e++)
		rep->rows[l][r->me * r->n_local + e] = (double)rows[e];
	free(stats);
}

static void collect_layer(struct report *rep, int l)
{
	const struct run *r = rep->run;
	const struct baseline *b = r->layer[l].baseline;

	rep->rows[l] =
		local_alloc((size_t)r->args->experts * sizeof(**rep->rows));
	if (!b)
		collect_stats(rep, l);
	for (int e = 0; b && e < r->n_local; e++)
		rep->rows[l][r->me * r->n_local + e] = baseline_rows(b)[e];
	sum_over_pes(rep->rows[l], r->args->experts);
}

void report_collect(struct report *rep)
{
	const struct run *r = rep->run;
	const size_t tokens = (size_t)r->args->tokens;
	float *loss = local_alloc(tokens * sizeof(*loss));

	for (int l = 0; l < LAYERS; l++)
		collect_layer(rep, l);
	sum_over_pes(rep->stats, SHMEMX_MOE_STATS);
	rep->loss = local_alloc((size_t)r->args->steps * sizeof(*rep->loss));
	for (int step = 0; step < r->args->steps; step++) {
		shmemx_memcpy(loss, r->loss + (size_t)step * tokens,
			      tokens * sizeof(*loss));
		for (size_t t = 0; t < tokens; t++)
			rep->loss[step] += (double)loss[t] /
					   (double)(tokens * (size_t)r->n_pes);
	}
	sum_over_pes(rep->loss, r->args->steps);
	free(loss);
}

void report_collect_times(struct report *rep)
{
	const struct run *r = rep->run;

	for (int i = 0; i < PHASES; i++)
		rep->phase_s[i] = r->phase_s[i] / r->n_pes;
	sum_over_pes(rep->phase_s, PHASES);
	rep->step_s /= r->n_pes;
	sum_over_pes(&rep->step_s, 1);
}

void report_free(struct report *rep)
{
	for (int l = 0; l < LAYERS; l++)
		free(rep->rows[l]);
	free(rep->loss);
}

double report_imbalance(const struct report *rep, int layer, bool of_pes)
{
	const struct run *r = rep->run;
	const int size = of_pes ? r->n_local : 1;
	double most = 0, all = 0;

	for (int e = 0; e < r->args->experts; e += size) {
		double sum = 0;

		for (int i = e; i < e + size; i++)
			sum += rep->rows[layer][i];
		most = fmax(most, sum);
		all += sum;
	}
	return most * r->args->experts / size / all;
}

double report_tokens_per_s(const struct report *rep)
{
	return rep->run->n_pes * rep->run->args->tokens / rep->step_s;
}

static double sum_phases(const struct report *rep, bool exchange)
{
	double sum = 0;

	for (int i = 0; i < PHASES; i++)
		if (is_exchange(i) == exchange)
			sum += rep->phase_s[i];
	return sum;
}

double report_phases_s(const struct report *rep)
{
	return sum_phases(rep, true) + sum_phases(rep, false);
}

double report_exchange_share(const struct report *rep)
{
	return sum_phases(rep, true) / report_phases_s(rep);
}

double report_exposed_share(const struct report *rep)
{
	return fmax(0, 1 - sum_phases(rep, false) / rep->step_s);
}

static void print_losses(const struct report *rep)
{
	const int steps = rep->run->args->steps, every = steps / 10 + 1;

	putchar('\n');
	for (int step = 0; step < steps; step++)
		if (step % every == 0 || step + 1 == steps)
			printf("step %-6d loss %.4f\n", step + 1,
			       rep->loss[step]);
}

static void print_loads(const struct report *rep)
{
	const struct args *a = rep->run->args;

	putchar('\n');
	for (int l = 0; l < LAYERS; l++)
		printf("layer %d     imbalance: experts %.2f, PEs %.2f "
		       "(most rows / mean)\n",
		       l + 1, report_imbalance(rep, l, false),
		       report_imbalance(rep, l, true));
	if (a->baseline)
		return;
	printf("rows        %.0f sent, %.0f dropped\n",
	       rep->stats[SHMEMX_MOE_STAT_ROWS],
	       rep->stats[SHMEMX_MOE_STAT_DROPPED]);
}

static void print_bar(double part)
{
	const int n = (int)(part * BAR_CHARS + 0.5);

	for (int i = 0; i < BAR_CHARS; i++)
		putchar(i < n ? '#' : ' ');
}

static void print_times(const struct report *rep)
{
	const double all = report_phases_s(rep);

	printf("\nthe last step by phases, the host waiting after each\n");
	for (int i = 0; i < PHASES; i++) {
		printf("%-13s %9.3f ms ", phase_names[i],
		       1e3 * rep->phase_s[i]);
		print_bar(rep->phase_s[i] / all);
		printf(" %6.1f %%%s\n", 100 * rep->phase_s[i] / all,
		       is_exchange(i) ? " exchange" : "");
	}
	printf("exchange      %6.1f %% of the phases' time, with waiting\n",
	       100 * report_exchange_share(rep));
	printf("\nstep          %9.3f ms, %.0f tokens/s; %.1f %% are beyond "
	       "computation\n",
	       1e3 * rep->step_s, report_tokens_per_s(rep),
	       100 * report_exposed_share(rep));
}

/* Of a gate that has no choice, all gradients are 0. */
static double relative(const struct tensor *t)
{
	return t->difference > 0 ? t->difference / t->largest : 0;
}

static void print_verdict(const struct report *rep)
{
	const struct verdict *v = &rep->verdict;
	const struct run *r = rep->run;

	printf("\n%-20s %14s   of largest   allowed\n", "against one PE alone",
	       "difference");
	for (int i = 0; i < TENSORS; i++)
		printf("%-20s %14.6g   %10.2e  %8.2e\n", tensor_names[i],
		       v->tensor[i].difference, relative(&v->tensor[i]),
		       v->tensor[i].allowed);
	printf("%s: %d steps of %d tokens\n", v->right ? "checked" : "WRONG",
	       r->args->steps, r->n_pes * r->args->tokens);
}

void report_print(const struct report *rep)
{
	const struct run *r = rep->run;
	const struct args *a = r->args;

	printf("text        %s, %ld tokens\n", a->path, rep->text->ntokens);
	printf("PEs         %d, kernels on %s\n", r->n_pes, shmemx_platform());
	printf("layers      %d of %d experts, top %d, rows of %d %s, %d "
	       "within experts\n",
	       LAYERS, a->experts, a->top_k, a->hidden, dtype_names[a->dtype],
	       a->ffn);
	printf("exchange    %s%s%s\n",
	       a->baseline ? "alltoallv" :
	       a->slots	   ? "slots" :
			     "compact",
	       a->fp8 ? ", FP8" : "", a->overlap ? ", two halves" : "");
	printf("step        %d tokens, %d of each PE\n", r->n_pes * a->tokens,
	       a->tokens);
	print_losses(rep);
	print_loads(rep);
	print_times(rep);
	if (a->check)
		print_verdict(rep);
}
