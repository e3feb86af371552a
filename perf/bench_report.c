/* SPDX-License-Identifier: BSD-3-Clause */
#include <err.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "comm.h"

static json_t *document; /* NULL: a table is wanted */

static int compare_double(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The smallest value that a share of n sorted values does not exceed. */
static double percentile(const double *sorted, int n, double share)
{
	int at = (int)(share * n + 0.999999) - 1;

	return sorted[at < 0 ? 0 : at];
}

void bench_row_from(struct bench_row *row, double *ns, int n)
{
	qsort(ns, (size_t)n, sizeof(*ns), compare_double);
	row->reps = n;
	row->min_ns = ns[0];
	row->median_ns = percentile(ns, n, 0.5);
	row->p99_ns = percentile(ns, n, 0.99);
}

static void cpu_model(char *name, size_t bytes)
{
	FILE *f = fopen("/proc/cpuinfo", "r");
	char line[256], *colon;

	snprintf(name, bytes, "unknown processor");
	while (f && fgets(line, sizeof(line), f)) {
		colon = strchr(line, ':');
		if (!colon || strncmp(line, "model name", 10))
			continue;
		line[strcspn(line, "\n")] = 0;
		snprintf(name, bytes, "%s", colon + 2);
		break;
	}
	if (f)
		fclose(f);
}

static void date_get(char *date, size_t bytes)
{
	const time_t now = time(NULL);
	struct tm tm;

	strftime(date, bytes, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
}

static void open_json(const struct bench_args *args,
		      const struct comm_info *info, const char *cpu,
		      const char *date)
{
	document = json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:b, s:s, s:s, "
			     "s:[], s:[]}",
			     "program", args->program->name, "library",
			     info->name, "spec_major", info->major,
			     "spec_minor", info->minor, "pes", comm_npes(),
			     "cpus", bench_ncpus(), "bound", args->bind, "cpu",
			     cpu, "date", date, "rows", "skipped");
	if (!document)
		errx(1, "cannot make the JSON document");
}

static void open_table(const struct bench_args *args,
		       const struct comm_info *info, const char *cpu,
		       const char *date)
{
	printf("# %s: %s", args->program->name, info->name);
	if (info->major)
		printf(", OpenSHMEM %d.%d", info->major, info->minor);
	printf(", %d PE%s%s, %s, %s\n", comm_npes(),
	       comm_npes() == 1 ? "" : "s", args->bind ? " bound" : "", cpu,
	       date);
	printf("%-22s %10s %12s %12s %12s %9s %9s %9s %9s\n", "test",
	       args->program->size_name ? args->program->size_name : "bytes",
	       "min ns", "median ns", "p99 ns", "GB/s", "wire GB/s",
	       "link GB/s", "Mop/s");
}

void bench_report_open(const struct bench_args *args)
{
	struct comm_info info;
	char cpu[128], date[32];

	comm_info_get(&info);
	cpu_model(cpu, sizeof(cpu));
	date_get(date, sizeof(date));
	if (args->json)
		open_json(args, &info, cpu, date);
	else
		open_table(args, &info, cpu, date);
}

static void print_cell(double value)
{
	if (value > 0)
		printf(" %9.3f", value);
	else
		printf(" %9s", "-");
}

static void add_row(const struct bench_row *row)
{
	json_t *o = json_pack("{s:s, s:I, s:I, s:i, s:f, s:f, s:f}", "test",
			      row->test, "bytes", (json_int_t)row->bytes,
			      "iters", (json_int_t)row->iters, "reps",
			      row->reps, "min_ns", row->min_ns, "median_ns",
			      row->median_ns, "p99_ns", row->p99_ns);

	if (row->gb_per_s > 0)
		json_object_set_new(o, "gb_per_s", json_real(row->gb_per_s));
	if (row->wire_gb_per_s > 0)
		json_object_set_new(o, "wire_gb_per_s",
				    json_real(row->wire_gb_per_s));
	if (row->link_gb_per_s > 0)
		json_object_set_new(o, "link_gb_per_s",
				    json_real(row->link_gb_per_s));
	if (row->mop_per_s > 0)
		json_object_set_new(o, "mop_per_s", json_real(row->mop_per_s));
	if (json_array_append_new(json_object_get(document, "rows"), o))
		errx(1, "cannot add to the JSON document");
}

void bench_report_row(const struct bench_row *row)
{
	if (document) {
		add_row(row);
		return;
	}
	printf("%-22s %10zu %12.1f %12.1f %12.1f", row->test, row->bytes,
	       row->min_ns, row->median_ns, row->p99_ns);
	print_cell(row->gb_per_s);
	print_cell(row->wire_gb_per_s);
	print_cell(row->link_gb_per_s);
	print_cell(row->mop_per_s);
	printf("\n");
	fflush(stdout);
}

void bench_report_skip(const char *test, const char *reason)
{
	if (document)
		json_array_append_new(json_object_get(document, "skipped"),
				      json_pack("{s:s, s:s}", "test", test,
						"reason", reason));
	else
		printf("%-22s left out: %s\n", test, reason);
}

void bench_report_close(long wrong_bytes)
{
	if (wrong_bytes)
		warnx("%ld bytes arrived wrong or not at all", wrong_bytes);
	if (!document)
		goto flush;
	json_object_set_new(document, "wrong_bytes", json_integer(wrong_bytes));
	json_dumpf(document, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
	printf("\n");
	json_decref(document);
	document = NULL;
flush:
	fflush(stdout);
}
