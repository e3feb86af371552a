/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>

#include <shmem.h>

#include "moe.h"

enum { BAR_CHARS = 40 };

static const char *const phase_names[] = {
	[GATE] = "gate",       [COUNTS] = "counts",   [DISPATCH] = "dispatch",
	[EXPERTS] = "experts", [COMBINE] = "combine",
};

/* Symmetric, [0] of this PE, [1] of all. */
static double phase_s[2][NPHASES], nbytes[2], nbytes_max;

static void collect_load(struct report *r, const struct exchange *x)
{
	const size_t bytes = (size_t)r->args->experts * sizeof(long);
	long *mine = symmetric_alloc(bytes), *all = symmetric_alloc(bytes);

	for (int e = 0; e < r->args->experts; e++)
		mine[e] = 0;
	for (long slot = 0; slot < x->experts[x->me].count; slot++)
		mine[x->experts[x->me].first + slot] =
			exchange_rows(x, (int)slot).count;
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, all, mine,
			      (size_t)r->args->experts);
	r->load = local_alloc(bytes);
	for (int e = 0; e < r->args->experts; e++)
		r->load[e] = all[e];
	shmem_free(all);
	shmem_free(mine);
}

void report_collect(struct report *r, const struct exchange *x,
		    const double *phase_seconds)
{
	r->npes = x->npes;
	collect_load(r, x);
	for (int i = 0; i < NPHASES; i++)
		phase_s[0][i] = phase_seconds[i];
	shmem_double_sum_reduce(SHMEM_TEAM_WORLD, phase_s[1], phase_s[0],
				NPHASES);
	for (int i = 0; i < NPHASES; i++)
		r->ms[i] = 1e3 * phase_s[1][i] / x->npes / r->args->repeat;

	/* The first step, which is not timed, sends its bytes too. */
	nbytes[0] = (double)x->bytes_to_others / (r->args->repeat + 1);
	shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &nbytes[1], &nbytes[0], 1);
	shmem_double_max_reduce(SHMEM_TEAM_WORLD, &nbytes_max, &nbytes[0], 1);
	r->bytes_total = nbytes[1];
	r->bytes_max = nbytes_max;
}

double report_step_ms(const struct report *r)
{
	double sum = 0;

	for (int i = 0; i < NPHASES; i++)
		sum += r->ms[i];
	return sum;
}

static long largest_load(const struct report *r)
{
	long most = 0;

	for (int e = 0; e < r->args->experts; e++)
		most = r->load[e] > most ? r->load[e] : most;
	return most;
}

double report_imbalance(const struct report *r)
{
	return (double)largest_load(r) * r->args->experts /
	       (double)(r->text->ntokens * r->args->top_k);
}

double report_imbalance_pes(const struct report *r)
{
	long most = 0;

	for (int pe = 0; pe < r->npes; pe++) {
		const struct share experts =
			share_of(r->args->experts, r->npes, pe);
		long load = 0;

		for (long i = 0; i < experts.count; i++)
			load += r->load[experts.first + i];
		most = load > most ? load : most;
	}
	return (double)most * r->npes /
	       (double)(r->text->ntokens * r->args->top_k);
}

static void print_bar(double part)
{
	const int n = (int)(part * BAR_CHARS + 0.5);

	for (int i = 0; i < BAR_CHARS; i++)
		putchar(i < n ? '#' : ' ');
}

static void print_load(const struct report *r)
{
	const double rows = (double)(r->text->ntokens * r->args->top_k);
	const double most = (double)largest_load(r);

	printf("\nload        %-*s %9s   share\n", BAR_CHARS + 6, "", "rows");
	for (int e = 0; e < r->args->experts; e++) {
		printf("expert %-4d PE %-3d ", e,
		       share_owner(r->args->experts, r->npes, e));
		print_bar((double)r->load[e] / most);
		printf("%9ld  %5.1f %%\n", r->load[e],
		       100 * (double)r->load[e] / rows);
	}
	printf("imbalance   experts %.2f, PEs %.2f (largest load / mean)\n",
	       report_imbalance(r), report_imbalance_pes(r));
}

static void print_bytes(const char *what, double bytes)
{
	printf("%-11s %10.1f KiB\n", what, bytes / 1024);
}

static void print_times(const struct report *r)
{
	const double step = report_step_ms(r);
	const double tokens_per_s = 1e3 * (double)r->text->ntokens / step;

	printf("\none step, the mean of %d steps and %d PEs\n", r->args->repeat,
	       r->npes);
	for (int i = 0; i < NPHASES; i++) {
		printf("%-10s %9.3f ms ", phase_names[i], r->ms[i]);
		print_bar(r->ms[i] / step);
		printf(" %6.1f %%\n", 100 * r->ms[i] / step);
	}
	printf("%-10s %9.3f ms, %.0f tokens/s\n", "step", step, tokens_per_s);
	printf("exchange   %9.1f %% of the time (counts, dispatch, combine; "
	       "with "
	       "waiting)\n",
	       100 * (r->ms[COUNTS] + r->ms[DISPATCH] + r->ms[COMBINE]) / step);
	if (r->args->check)
		printf("%-10s %9.3f ms, once\n", "check", r->check_ms);
}

static void print_verdict(const struct report *r)
{
	const struct verdict *v = &r->verdict;

	printf("\nchecksum   %016llx\n", v->checksum);
	if (v->nwrong || v->alone != v->checksum)
		printf("WRONG: %ld tokens of %ld, max difference %g, checksum "
		       "not %016llx\n",
		       v->nwrong, r->text->ntokens, v->max_difference,
		       v->alone);
	else if (r->args->check)
		printf("checked: %ld tokens, max difference %g\n",
		       r->text->ntokens, v->max_difference);
}

void report_print(const struct report *r)
{
	printf("text        %s, %ld bytes\n", r->args->path, r->text->bytes);
	printf("tokens      %ld, %ld distinct\n", r->text->ntokens,
	       text_distinct(r->text));
	printf("PEs         %d\n", r->npes);
	printf("layer       %d experts, each token to %d, vectors of %d "
	       "floats\n",
	       r->args->experts, r->args->top_k, r->args->hidden);
	print_load(r);
	printf("\nsent to other PEs in one step\n");
	print_bytes("all PEs", r->bytes_total);
	print_bytes("mean PE", r->bytes_total / r->npes);
	print_bytes("busiest PE", r->bytes_max);
	print_times(r);
	print_verdict(r);
}
