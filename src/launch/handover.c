/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/handover.h"

#include <errno.h>
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
#include "launch/words.h"

/* What prterun calls a package, mpirun has always called a socket. */
static const char *prte_word(const char *name, int is_prterun)
{
	return is_prterun && !strcmp(name, "socket") ? "package" : name;
}

static void add_job_options(struct words *w, const struct oshrun_options *opt,
			    int prterun)
{
	words_add(w, "--map-by");
	words_add(w, "%s", prte_word(map_names[opt->map], prterun));
	words_add(w, "--bind-to");
	words_add(w, "%s", prte_word(bind_names[opt->bind], prterun));
	if (opt->tag_output && prterun)
		words_add(w, "--output");
	if (opt->tag_output)
		words_add(w, prterun ? "tag" : "--tag-output");
	if (opt->report_bindings && prterun)
		words_add(w, "--display");
	if (opt->report_bindings)
		words_add(w, prterun ? "bind" : "--report-bindings");
}

/* Other hosts get from these launchers what they are told to pass. */
static void add_exports(struct words *w, const struct oshrun_options *opt)
{
	char **var;

	for (var = environ; *var; var++) {
		const int length = (int)strcspn(*var, "=");

		if (!env_is_setting(*var) || env_is_exported(opt, *var))
			continue;
		words_add(w, "-x");
		words_add(w, "%.*s", length, *var);
	}
	for (unsigned i = 0; i < opt->nexports; i++) {
		if (!env_can_export(opt->exports[i]))
			continue;
		words_add(w, "-x");
		words_add(w, "%s", opt->exports[i]);
	}
}

static void add_app(struct words *w, const struct oshrun_options *opt,
		    const struct oshrun_app *app, const char *hosts)
{
	words_add(w, "--host");
	words_add(w, "%s", hosts);
	words_add(w, "-np");
	words_add(w, "%u", app->npes);
	if (opt->wdir) {
		words_add(w, "--wdir");
		words_add(w, "%s", opt->wdir);
	}
	add_exports(w, opt);
	words_add_all(w, app->argv);
}

static void add_apps(struct words *w, const struct oshrun_options *opt,
		     const struct host_list *list)
{
	char *hosts = words_hosts(list, true);

	for (unsigned i = 0; i < opt->napps; i++) {
		if (i)
			words_add(w, ":");
		add_app(w, opt, &opt->apps[i], hosts);
	}
	free(hosts);
}

static void use_mpirun(struct words *w, const struct oshrun_options *opt,
		       const struct host_list *list)
{
	add_job_options(w, opt, 0);
	add_apps(w, opt, list);
}

static void use_prterun(struct words *w, const struct oshrun_options *opt,
			const struct host_list *list)
{
	add_job_options(w, opt, 1);
	add_apps(w, opt, list);
}

static const struct launcher {
	const char *name;
	void (*use)(struct words *w, const struct oshrun_options *opt,
		    const struct host_list *list);
} launchers[] = {
	{ "prterun", use_prterun },
	{ "mpirun", use_mpirun },
	{ "srun", handover_to_srun },
};

enum { NLAUNCHERS = sizeof(launchers) / sizeof(launchers[0]) };

/* MPICH's mpirun speaks neither our options nor PMIx. */
static int is_usable(const char *path)
{
	char *real = realpath(path, NULL);
	int ok = real && !strstr(real, "hydra") && !strstr(real, "mpich");

	free(real);
	return ok;
}

/* The file to execute; NULL after one line. */
static char *find_named(const char *name, const struct launcher **l)
{
	const char *base = strrchr(name, '/');
	char *path = path_find(name);

	base = base ? base + 1 : name;
	for (int i = 0; path && i < NLAUNCHERS; i++)
		if (!strcmp(launchers[i].name, base)) {
			*l = &launchers[i];
			return path;
		}
	if (path)
		oshrun_say("--launcher %s: expected prterun, mpirun or srun, "
			   "or a path to one",
			   name);
	else
		oshrun_say("--launcher %s: %s", name, strerror(errno));
	free(path);
	return NULL;
}

static char *find_installed(const struct launcher **l)
{
	for (int i = 0; i < NLAUNCHERS; i++) {
		char *path = path_find(launchers[i].name);

		*l = &launchers[i];
		if (path && is_usable(path))
			return path;
		free(path);
	}
	oshrun_say("other hosts need prterun, mpirun (of Open MPI) or srun, "
		   "and none is in PATH");
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

static void set_npes(struct oshrun_options *opt, const struct host_list *list)
{
	if (opt->napps == 1 && !opt->apps[0].npes)
		opt->apps[0].npes = hosts_count_slots(list);
	for (unsigned i = 0; i < opt->napps; i++)
		if (!opt->apps[i].npes) {
			oshrun_say("%s: with several programs each needs -n N",
				   opt->apps[i].argv[0]);
			exit(OSHRUN_EXIT_USAGE);
		}
}

/* Launchers differ in what their own limit counts in and ends with. */
static void add_limit(struct words *w, const struct oshrun_options *opt)
{
	if (!(opt->timeout_s > 0))
		return;
	words_add(w, "timeout");
	words_add(w, "--foreground");
	words_add(w, "--kill-after=10");
	words_add(w, "%g", opt->timeout_s);
}

int handover(struct oshrun_options *opt, const struct host_list *list)
{
	const struct launcher *l = NULL;
	struct words w = { 0 };
	char *path = opt->launcher ? find_named(opt->launcher, &l) :
				     find_installed(&l);

	if (!path)
		return OSHRUN_EXIT_NOTFOUND;
	set_npes(opt, list);
	add_limit(&w, opt);
	words_add(&w, "%s", opt->launcher ? path : l->name);
	l->use(&w, opt, list);
	free(path);
	if (opt->verbose)
		show(&w);
	execvp(w.v[0], w.v);
	oshrun_say("%s: %s", w.v[0], strerror(errno));
	return OSHRUN_EXIT_NOEXEC;
}
