/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A mixture-of-experts layer over the words of a text, spread over PEs.
 *
 *	oshrun -n 4 moe_exchange [OPTION...] [FILE]
 *
 * Each PE holds a share of the tokens and a share of the experts. A gate
 * chooses top_k experts for each token, and one step is:
 *
 *	gate		which experts, and with what weights
 *	counts		how many rows go where (shmem_alltoall), and where they
 *			will lie
 *	dispatch	the rows go to the experts (put with signal)
 *	experts		each expert transforms its rows
 *	combine		the rows come back (put with signal) and are added up
 *			with their weights, in the order of the choices
 *
 * At the end each PE computes its own tokens again, alone. Not one bit may
 * differ. exchange.c is the part to read for OpenSHMEM.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include <shmem.h>

#include "moe.h"

static void apply_experts(struct exchange *x, const struct model *m,
			  const struct expert *experts)
{
	for (int slot = 0; slot < (int)x->experts[x->me].count; slot++) {
		const struct share rows = exchange_rows(x, slot);

		for (long i = 0; i < rows.count; i++)
			expert_apply(&experts[slot], m,
				     x->received +
					     (rows.first + i) * m->hidden);
	}
}

/* Adds the time of each phase to s. */
static void step(struct exchange *x, const struct model *m, struct batch *b,
		 const struct expert *experts, double *s)
{
	double t[NPHASES + 1];

	t[0] = seconds();
	batch_gate(b, m);
	t[1] = seconds();
	exchange_counts(x, m, b);
	t[2] = seconds();
	exchange_dispatch(x, m, b);
	t[3] = seconds();
	apply_experts(x, m, experts);
	t[4] = seconds();
	exchange_return(x, m);
	batch_combine(b, m, x->returned, x->position);
	t[5] = seconds();
	for (int i = 0; i < NPHASES; i++)
		s[i] += t[i + 1] - t[i];
}

static struct expert *make_experts(const struct model *m, struct share share)
{
	struct expert *e = local_alloc((size_t)share.count * sizeof(*e));

	for (long i = 0; i < share.count; i++)
		expert_make(&e[i], m, (int)(share.first + i));
	return e;
}

static void free_experts(struct expert *experts, long n)
{
	for (long i = 0; i < n; i++)
		expert_free(&experts[i]);
	free(experts);
}

/* The steps and what they cost; the first one is not timed. */
static void run_steps(struct report *r, const struct model *m, struct batch *b)
{
	const int npes = shmem_n_pes();
	const struct share share = share_of(m->experts, npes, shmem_my_pe());
	struct expert *experts = make_experts(m, share);
	double phase_seconds[NPHASES] = { 0 };
	struct exchange x;

	exchange_make(&x, m, b->ntokens, (r->text->ntokens + npes - 1) / npes);
	for (int i = 0; i <= r->args->repeat; i++) {
		if (i == 1)
			memset(phase_seconds, 0, sizeof(phase_seconds));
		step(&x, m, b, experts, phase_seconds);
	}
	report_collect(r, &x, phase_seconds);
	exchange_free(&x);
	free_experts(experts, share.count);
}

static bool print(const struct report *r)
{
	if (r->args->json)
		return report_print_json(r);
	report_print(r);
	return true;
}

/* Returns whether the result was right. */
static bool run_layer(const struct args *args, const struct text *text)
{
	const struct share share =
		share_of(text->ntokens, shmem_n_pes(), shmem_my_pe());
	struct report r = { .args = args, .text = text };
	struct model m;
	struct batch b;
	bool printed = true;
	double start;

	model_make(&m, args);
	batch_make(&b, &m, text, share);
	run_steps(&r, &m, &b);
	start = seconds();
	check_run(&r.verdict, args, &m, text, share, &b);
	r.check_ms = 1e3 * (seconds() - start);
	if (shmem_my_pe() == 0)
		printed = print(&r);
	/* A PE that fails ends the job, and what others have not printed. */
	fflush(stdout);
	free(r.load);
	batch_free(&b);
	model_free(&m);
	return printed && !r.verdict.nwrong &&
	       r.verdict.alone == r.verdict.checksum;
}

static int run(const struct args *args)
{
	struct text text;
	bool right;

	if (args->verdict != ARGS_RUN)
		return args->verdict == ARGS_HELP ? 0 : EX_USAGE;
	if (!text_read(&text, args->path))
		return 1;
	right = run_layer(args, &text);
	text_free(&text);
	return right ? 0 : 1;
}

int main(int argc, char **argv)
{
	int status;

	shmem_init();
	status = run(args_parse(argc, argv));
	shmem_finalize();
	return status;
}
