/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two mixture-of-experts layers learn to tell the next word of a text.
 *
 *	oshrun -n 4 moe_layer [OPTION...] [FILE]
 *
 * Each PE has a part of the text, and of each layer a part of the experts. In a
 * step, a layer does this with the tokens of all PEs:
 *
 *	gate		each token gets its top_k experts, and their weights
 *	dispatch	its row goes to the PEs of these experts
 *	experts		each multiplies its rows by a matrix, applies silu, and
 *			multiplies by another one
 *	combine		the results come back, are added up with the weights,
 *			and to the token's row
 *
 * The loss is half the squared distance from the row of the next word. All goes
 * backward then, with the exchanges' own backward, and experts and gates move
 * against their gradients. All of it is put on a stream: within a step the host
 * waits for nothing.
 *
 * In the end PE 0 computes all steps alone and compares. exchange.c is the part
 * to read for shmemx_moe, baseline.c does the same without, step.c is the order
 * of things, and gemm.c, rows.c and sort.c are kernels for CPUs and GPUs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "moe_layer.h"

enum { PHASE_STEPS = 3 };

/* The first step, in which all is cold, is timed only if there is no other. */
static double train(struct run *r)
{
	double start = seconds();

	for (int step = 0; step < r->args->steps; step++) {
		step_run(r, step);
		if (step == 0 && r->args->steps > 1) {
			shmemx_stream_synchronize(r->stream);
			start = seconds();
		}
	}
	shmemx_stream_synchronize(r->stream);
	return (seconds() - start) /
	       (r->args->steps > 1 ? r->args->steps - 1 : 1);
}

/* The last step again, but that nothing is learnt. */
static void measure_phases(struct run *r)
{
	r->by_phases = true;
	r->rate = 0;
	for (int i = 0; i < PHASE_STEPS; i++) {
		shmem_barrier_all();
		step_run(r, r->args->steps - 1);
	}
	for (int i = 0; i < PHASES; i++)
		r->phase_s[i] /= PHASE_STEPS;
}

static bool print(const struct report *report)
{
	if (report->run->args->json)
		return report_print_json(report);
	report_print(report);
	return true;
}

/* Returns whether all was right. */
static bool run_layers(const struct args *args, const struct text *text)
{
	struct run r;
	struct report report = { .run = &r, .text = text };
	bool printed = true;

	if (!run_make(&r, args, text))
		shmem_global_exit(1);
	shmem_barrier_all();
	report.step_s = train(&r);
	report_collect(&report);
	check_run(&report.verdict, &r, text);
	measure_phases(&r);
	report_collect_times(&report);
	if (r.me == 0)
		printed = print(&report);
	/* A PE that fails ends the job, and what others have not printed. */
	fflush(stdout);
	report_free(&report);
	run_free(&r);
	return printed && report.verdict.right;
}

static int run(const struct args *args)
{
	struct text text;
	bool right;

	if (args->verdict != ARGS_RUN)
		return args->verdict == ARGS_HELP ? 0 : EX_USAGE;
	if (!text_read(&text, args->path))
		return 1;
	right = run_layers(args, &text);
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
