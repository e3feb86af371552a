/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a PE costs in memory beside its symmetric heap. A page that several
 * processes map counts for each of them by its share (Pss), so that the sum
 * over the PEs is what the machine spends; page tables are added.
 */
#include <argp.h>
#include <err.h>
#include <jansson.h>
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm.h"

enum figure { RSS, PRIVATE, PSS, PAGE_TABLES, BESIDE_HEAP, NFIGURES };

static const char *const names[NFIGURES] = {
	[RSS] = "rss",
	[PRIVATE] = "private",
	[PSS] = "pss",
	[PAGE_TABLES] = "page_tables",
	[BESIDE_HEAP] = "beside_heap",
};

static const char *const meanings[NFIGURES] = {
	[RSS] = "resident",
	[PRIVATE] = "resident, mapped by no other",
	[PSS] = "resident, shared pages by share",
	[PAGE_TABLES] = "page tables",
	[BESIDE_HEAP] = "pss + page tables - heap",
};

struct args {
	bool init_only, json;
};

static const struct argp_option options[] = {
	{ "init-only", 'n', NULL, 0, "Initialise, finalize and print nothing",
	  0 },
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct args *args = state->input;

	(void)arg;
	if (key == 'n')
		args->init_only = true;
	else if (key == 'j')
		args->json = true;
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

/* The value in KiB when the line is "<key>: <value> kB", otherwise 0. */
static double line_kib(const char *line, const char *key)
{
	const size_t len = strlen(key);

	if (strncmp(line, key, len) || line[len] != ':')
		return 0;
	return strtod(line + len + 1, NULL);
}

static FILE *proc_open(const char *path)
{
	FILE *f = fopen(path, "r");

	if (!f)
		err(1, "cannot open %s", path);
	return f;
}

/* The inode and device behind an address, as smaps writes them. */
static void mapping_find(const void *addr, char *file, size_t bytes)
{
	const unsigned long at = (unsigned long)addr;
	FILE *f = proc_open("/proc/self/maps");
	unsigned long first, end;
	char line[512], id[64];

	file[0] = 0;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %*s %*s %63[^ ] ", &first, &end,
			   id) == 3 &&
		    at >= first && at < end)
			snprintf(file, bytes, "%s %s", id,
				 strstr(line, id) + strlen(id) + 1);
	fclose(f);
	file[strcspn(file, "\n")] = 0;
}

/* Adds up the Pss of all mappings of the file that holds the heap. */
static double heap_kib(const void *heap)
{
	char file[512], line[512];
	bool inside = false;
	double kib = 0;
	FILE *f;

	mapping_find(heap, file, sizeof(file));
	f = proc_open("/proc/self/smaps");
	while (fgets(line, sizeof(line), f)) {
		unsigned long first, end;

		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "%lx-%lx ", &first, &end) == 2)
			inside = strstr(line, file) != NULL;
		else if (inside)
			kib += line_kib(line, "Pss");
	}
	fclose(f);
	return kib;
}

static void figures_read(double *kib, const void *heap)
{
	FILE *f = proc_open("/proc/self/smaps_rollup");
	char line[512];

	memset(kib, 0, NFIGURES * sizeof(*kib));
	while (fgets(line, sizeof(line), f)) {
		kib[RSS] += line_kib(line, "Rss");
		kib[PSS] += line_kib(line, "Pss");
		kib[PRIVATE] += line_kib(line, "Private_Clean");
		kib[PRIVATE] += line_kib(line, "Private_Dirty");
	}
	fclose(f);
	f = proc_open("/proc/self/status");
	while (fgets(line, sizeof(line), f))
		kib[PAGE_TABLES] += line_kib(line, "VmPTE");
	fclose(f);
	kib[BESIDE_HEAP] = kib[PSS] + kib[PAGE_TABLES] - heap_kib(heap);
}

static void print_table(const double *kib, const struct comm_info *info)
{
	printf("# memory: %s, OpenSHMEM %d.%d, %d PEs; the largest of all "
	       "PEs\n",
	       info->name, info->major, info->minor, comm_npes());
	for (int i = 0; i < NFIGURES; i++)
		printf("%-14s %9.2f MiB  %s\n", names[i], kib[i] / 1024,
		       meanings[i]);
}

static void print_json(const double *kib, const struct comm_info *info)
{
	json_t *o = json_pack("{s:s, s:s, s:i, s:i, s:i}", "program", "memory",
			      "library", info->name, "spec_major", info->major,
			      "spec_minor", info->minor, "pes", comm_npes());

	for (int i = 0; i < NFIGURES; i++)
		json_object_set_new(o, names[i], json_real(kib[i] * 1024));
	json_dumpf(o, stdout, JSON_INDENT(1));
	printf("\n");
	json_decref(o);
}

static void report(bool json)
{
	double *kib = comm_alloc(NFIGURES * sizeof(*kib));
	struct comm_info info;

	comm_sync();
	figures_read(kib, kib);
	comm_max(kib, NFIGURES);
	comm_info_get(&info);
	if (!comm_me() && json)
		print_json(kib, &info);
	else if (!comm_me())
		print_table(kib, &info);
	fflush(stdout);
	comm_free(kib);
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse_option,
		.doc = "What a PE costs in memory beside its symmetric heap.",
	};
	struct args args = { 0 };

	argp_parse(&argp, argc, argv, 0, NULL, &args);
	if (args.init_only) {
		shmem_init();
		shmem_finalize();
		return 0;
	}
	comm_open();
	report(args.json);
	comm_close();
	return 0;
}
