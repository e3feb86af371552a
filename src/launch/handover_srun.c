/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "launch/env.h"
#include "launch/handover.h"
#include "launch/hosts.h"
#include "launch/job.h"
#include "launch/message.h"
#include "launch/options.h"
#include "launch/words.h"

static int is_uniform(const struct host_list *list)
{
	for (unsigned i = 1; i < list->nhosts; i++)
		if (list->hosts[i].slots != list->hosts[0].slots)
			return 0;
	return 1;
}

static unsigned count_all(const struct oshrun_options *opt)
{
	unsigned n = 0;

	for (unsigned i = 0; i < opt->napps; i++)
		n += opt->apps[i].npes;
	return n;
}

/* Writes the host of each of n PEs to f: hosts in order, each to its slots. */
static void write_places(FILE *f, const struct host_list *list, unsigned n)
{
	unsigned pe = 0;

	for (unsigned i = 0; i < list->nhosts; i++)
		for (unsigned k = 0; k < list->hosts[i].slots && pe < n; k++)
			fprintf(f, "%s%s", pe++ ? "," : "",
				list->hosts[i].name);
}

/* srun takes as many names as PEs, and no other number. */
static void add_places(struct words *w, const struct host_list *list,
		       unsigned n)
{
	char *text = NULL;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);

	if (f)
		write_places(f, list, n);
	if (!f || fclose(f)) {
		oshrun_say("out of memory");
		exit(OSHRUN_EXIT_RESOURCE);
	}
	words_add(w, "--nodelist=%s", text);
	words_add(w, "--distribution=arbitrary");
	free(text);
}

static void add_layout(struct words *w, const struct oshrun_options *opt,
		       const struct host_list *list)
{
	const unsigned n = count_all(opt);
	char *hosts;

	words_add(w, "--ntasks=%u", n);
	if (!is_uniform(list) || n != hosts_count_slots(list)) {
		add_places(w, list, n);
		return;
	}
	hosts = words_hosts(list, false);
	words_add(w, "--nodelist=%s", hosts);
	words_add(w, "--ntasks-per-node=%u", list->hosts[0].slots);
	if (opt->map == MAP_NUMA || opt->map == MAP_SOCKET)
		words_add(w, "--distribution=block:cyclic");
	free(hosts);
}

/* Without --bind, srun binds as the allocation and its plugins have it. */
static void add_binding(struct words *w, const struct oshrun_options *opt)
{
	static const char *const binds[] = {
		[BIND_NONE] = "none",	   [BIND_HWTHREAD] = "threads",
		[BIND_CORE] = "cores",	   [BIND_NUMA] = "ldoms",
		[BIND_SOCKET] = "sockets",
	};

	if (opt->bind_given)
		words_add(w, "--cpu-bind=%s%s",
			  opt->report_bindings ? "verbose," : "",
			  binds[opt->bind]);
	else if (opt->report_bindings)
		words_add(w, "--cpu-bind=verbose");
}

/* A backslash keeps srun from reading anything into the next character. */
static void write_word(FILE *f, const char *word)
{
	if (strchr(word, '\n')) {
		oshrun_say("srun cannot pass an argument with a newline to "
			   "one of several programs");
		exit(OSHRUN_EXIT_USAGE);
	}
	fputs(*word ? " " : " ''", f);
	for (; *word; word++) {
		if (!isalnum((unsigned char)*word) &&
		    !strchr("_./=+:,@-", *word))
			fputc('\\', f);
		fputc(*word, f);
	}
}

static void write_programs(FILE *f, const struct oshrun_options *opt)
{
	unsigned pe = 0;

	for (unsigned i = 0; i < opt->napps; i++) {
		const struct oshrun_app *app = &opt->apps[i];

		fprintf(f, "%u-%u", pe, pe + app->npes - 1);
		for (char **arg = app->argv; *arg; arg++)
			write_word(f, *arg);
		fputc('\n', f);
		pe += app->npes;
	}
}

/* srun wants a file; one in memory leaves nothing to remove. */
static void add_programs(struct words *w, const struct oshrun_options *opt)
{
	const int fd = memfd_create("programs", 0);
	const int copy = fd < 0 ? -1 : dup(fd);
	FILE *f = copy < 0 ? NULL : fdopen(copy, "w");

	if (f)
		write_programs(f, opt);
	if (!f || fclose(f)) {
		oshrun_say("list of programs: %s", strerror(errno));
		exit(OSHRUN_EXIT_RESOURCE);
	}
	words_add(w, "--multi-prog");
	words_add(w, "/proc/self/fd/%d", fd);
}

void handover_to_srun(struct words *w, const struct oshrun_options *opt,
		      const struct host_list *list)
{
	words_add(w, "--mpi=pmix");
	add_layout(w, opt, list);
	add_binding(w, opt);
	words_add(w, "--kill-on-bad-exit=1");
	if (opt->tag_output)
		words_add(w, "--label");
	if (opt->wdir)
		words_add(w, "--chdir=%s", opt->wdir);
	/* srun's --export cannot pass commas; it passes our environment. */
	env_export(opt);
	if (opt->napps > 1)
		add_programs(w, opt);
	else
		words_add_all(w, opt->apps[0].argv);
}
