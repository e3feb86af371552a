/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/handover.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/env.h"
#include "launch/hosts.h"
#include "launch/job.h"
#include "launch/message.h"
#include "launch/options.h"
#include "launch/path.h"

struct words {
	char **v;
	size_t n;
};

static void out_of_memory(void)
{
	oshrun_say("out of memory");
	exit(OSHRUN_EXIT_RESOURCE);
}

__attribute__((format(printf, 2, 3))) static void add(struct words *w,
						      const char *format, ...)
{
	char **v = realloc(w->v, (w->n + 2) * sizeof(*v));
	va_list ap;

	if (!v)
		out_of_memory();
	w->v = v;
	va_start(ap, format);
	if (vasprintf(&v[w->n++], format, ap) < 0)
		out_of_memory();
	va_end(ap);
	v[w->n] = NULL;
}

/* "a:2,b:2", or the names alone, or each name once a slot. */
enum list_form { WITH_SLOTS, NAMES, REPEATED };

static char *host_text(const struct host_list *list, enum list_form form)
{
	char *text = NULL;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);

	if (!f)
		out_of_memory();
	for (unsigned i = 0; i < list->nhosts; i++) {
		const struct host *h = &list->hosts[i];
		unsigned copies = form == REPEATED ? h->slots : 1;

		for (unsigned k = 0; k < copies; k++)
			fprintf(f, "%s%s", i || k ? "," : "", h->name);
		if (form == WITH_SLOTS)
			fprintf(f, ":%u", h->slots);
	}
	if (fclose(f))
		out_of_memory();
	return text;
}

static unsigned count_npes(const struct oshrun_options *opt,
			   const struct host_list *list, unsigned app)
{
	unsigned n = opt->apps[app].npes;

	return n ? n : hosts_count_slots(list);
}

static void add_program(struct words *w, const struct oshrun_app *app)
{
	char **arg;

	for (arg = app->argv; *arg; arg++)
		add(w, "%s", *arg);
}

/* What prterun calls a package, mpirun has always called a socket. */
static const char *prte_word(const char *name, int is_prterun)
{
	return is_prterun && !strcmp(name, "socket") ? "package" : name;
}

static void add_mpirun_options(struct words *w,
			       const struct oshrun_options *opt, int prterun)
{
	add(w, "--map-by");
	add(w, "%s", prte_word(map_names[opt->map], prterun));
	add(w, "--bind-to");
	add(w, "%s", prte_word(bind_names[opt->bind], prterun));
	if (opt->timeout_s > 0) {
		add(w, "--timeout");
		add(w, "%lld", (long long)(opt->timeout_s + 0.999));
	}
	if (opt->tag_output && prterun)
		add(w, "--output");
	if (opt->tag_output)
		add(w, prterun ? "tag" : "--tag-output");
	if (opt->report_bindings && prterun)
		add(w, "--display");
	if (opt->report_bindings)
		add(w, prterun ? "bind" : "--report-bindings");
}

static void add_mpirun_apps(struct words *w, const struct oshrun_options *opt,
			    const struct host_list *list)
{
	char *hosts = host_text(list, WITH_SLOTS);

	for (unsigned i = 0; i < opt->napps; i++) {
		if (i)
			add(w, ":");
		add(w, "--host");
		add(w, "%s", hosts);
		add(w, "-np");
		add(w, "%u", count_npes(opt, list, i));
		if (opt->wdir) {
			add(w, "--wdir");
			add(w, "%s", opt->wdir);
		}
		for (unsigned k = 0; k < opt->nexports; k++) {
			add(w, "-x");
			add(w, "%s", opt->exports[k]);
		}
		add_program(w, &opt->apps[i]);
	}
	free(hosts);
}

static void use_mpirun(struct words *w, const struct oshrun_options *opt,
		       const struct host_list *list)
{
	add(w, "mpirun");
	add_mpirun_options(w, opt, 0);
	add_mpirun_apps(w, opt, list);
}

static void use_prterun(struct words *w, const struct oshrun_options *opt,
			const struct host_list *list)
{
	add(w, "prterun");
	add_mpirun_options(w, opt, 1);
	add_mpirun_apps(w, opt, list);
}

static int is_uniform(const struct host_list *list)
{
	for (unsigned i = 1; i < list->nhosts; i++)
		if (list->hosts[i].slots != list->hosts[0].slots)
			return 0;
	return 1;
}

static void add_srun_layout(struct words *w, const struct oshrun_options *opt,
			    const struct host_list *list)
{
	const int uniform = is_uniform(list);
	char *hosts = host_text(list, uniform ? NAMES : REPEATED);

	add(w, "--ntasks=%u", count_npes(opt, list, 0));
	add(w, "--nodelist=%s", hosts);
	if (uniform) {
		add(w, "--ntasks-per-node=%u", list->hosts[0].slots);
		if (opt->map == MAP_NUMA || opt->map == MAP_SOCKET)
			add(w, "--distribution=block:cyclic");
	} else {
		add(w, "--distribution=arbitrary");
	}
	free(hosts);
}

static void use_srun(struct words *w, const struct oshrun_options *opt,
		     const struct host_list *list)
{
	static const char *const binds[] = {
		[BIND_NONE] = "none",	   [BIND_HWTHREAD] = "threads",
		[BIND_CORE] = "cores",	   [BIND_NUMA] = "ldoms",
		[BIND_SOCKET] = "sockets",
	};

	if (opt->napps > 1) {
		oshrun_say("several programs over several hosts need "
			   "prterun or mpirun; srun cannot start them");
		exit(OSHRUN_EXIT_USAGE);
	}
	/* srun's own limit counts whole minutes. */
	if (opt->timeout_s > 0) {
		add(w, "timeout");
		add(w, "%g", opt->timeout_s);
	}
	add(w, "srun");
	add(w, "--mpi=pmix");
	add_srun_layout(w, opt, list);
	add(w, "--cpu-bind=%s%s", opt->report_bindings ? "verbose," : "",
	    binds[opt->bind]);
	add(w, "--kill-on-bad-exit=1");
	if (opt->tag_output)
		add(w, "--label");
	if (opt->wdir)
		add(w, "--chdir=%s", opt->wdir);
	/* srun's --export cannot pass commas; it passes our environment. */
	env_export(opt);
	add_program(w, &opt->apps[0]);
}

static const struct launcher {
	const char *name;
	void (*use)(struct words *w, const struct oshrun_options *opt,
		    const struct host_list *list);
} launchers[] = {
	{ "prterun", use_prterun },
	{ "mpirun", use_mpirun },
	{ "srun", use_srun },
};

/* MPICH's mpirun speaks neither our options nor PMIx. */
static int is_usable(const char *path)
{
	char *real = realpath(path, NULL);
	int ok = real && !strstr(real, "hydra") && !strstr(real, "mpich");

	free(real);
	return ok;
}

static const struct launcher *launcher_find(void)
{
	for (size_t i = 0; i < sizeof(launchers) / sizeof(*launchers); i++) {
		char *path = path_find(launchers[i].name);
		int ok = path && is_usable(path);

		free(path);
		if (ok)
			return &launchers[i];
	}
	return NULL;
}

static void show(const struct words *w)
{
	char text[1900] = "handing over to";
	size_t used = strlen(text);

	for (size_t i = 0; i < w->n && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 " %s", w->v[i]);
	oshrun_say("%s", text);
}

int handover(const struct oshrun_options *opt, const struct host_list *list)
{
	const struct launcher *l = launcher_find();
	struct words w = { 0 };

	if (!l) {
		oshrun_say("other hosts need prterun, mpirun (of Open MPI) "
			   "or srun, and none is in PATH");
		return OSHRUN_EXIT_NOTFOUND;
	}
	l->use(&w, opt, list);
	if (opt->verbose)
		show(&w);
	execvp(w.v[0], w.v);
	oshrun_say("%s: %s", w.v[0], strerror(errno));
	return OSHRUN_EXIT_NOEXEC;
}
