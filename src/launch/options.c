/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/options.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "launch/job.h"
#include "launch/message.h"

const char *const bind_names[] = {
	[BIND_NONE] = "none",	  [BIND_HWTHREAD] = "hwthread",
	[BIND_CORE] = "core",	  [BIND_NUMA] = "numa",
	[BIND_SOCKET] = "socket", NULL,
};

const char *const map_names[] = {
	[MAP_SLOT] = "slot",
	[MAP_CORE] = "core",
	[MAP_NUMA] = "numa",
	[MAP_SOCKET] = "socket",
	NULL,
};

/* The C library looks it up here. */
__attribute__((visibility("default"))) const char *argp_program_version =
	"oshrun (" PACKAGE_NAME ") " PACKAGE_VERSION;

enum {
	KEY_BIND = 256,
	KEY_MAP,
	KEY_TAG,
	KEY_TIMEOUT,
	KEY_HOST,
	KEY_HOSTFILE,
	KEY_WDIR,
	KEY_REPORT,
	KEY_LAUNCHER,
};

static const struct argp_option table[] = {
	{ "np", 'n', "N", 0, "Start N PEs (also -np N); default: one a core",
	  0 },
	{ 0, 'x', "VAR[=VALUE]", 0, "Export a variable to the PEs", 0 },
	{ "bind", KEY_BIND, "WHAT", 0,
	  "Bind each PE: none (default), core, hwthread, numa, socket", 0 },
	{ "map-by", KEY_MAP, "WHAT", 0,
	  "Spread PEs by slot (default), core, numa, socket", 0 },
	{ "report-bindings", KEY_REPORT, 0, 0, "Print where PEs are bound", 0 },
	{ "tag-output", KEY_TAG, 0, 0, "Start each line of output by [PE]", 0 },
	{ "timeout", KEY_TIMEOUT, "SECONDS", 0,
	  "End the job after this time, exit status 124", 0 },
	{ "host", KEY_HOST, "HOST[:N],...", 0, "Run on these hosts", 0 },
	{ "hostfile", KEY_HOSTFILE, "FILE", 0,
	  "Run on the hosts listed in FILE", 0 },
	{ "launcher", KEY_LAUNCHER, "NAME", 0,
	  "For other hosts: prterun, mpirun or srun, or a path to one", 0 },
	{ "wdir", KEY_WDIR, "DIR", 0, "Start the PEs in DIR", 0 },
	{ "verbose", 'v', 0, 0, "Say what is done", 0 },
	{ 0 },
};

struct parse {
	struct oshrun_options *opt;
	struct oshrun_app app;
	char **next; /* what follows ":", NULL at the end */
};

static unsigned parse_count(const char *text, struct argp_state *state)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (*text == '\0' || *end != '\0' || errno || n < 1 ||
	    n > OSHRUN_MAX_NPES)
		argp_failure(state, OSHRUN_EXIT_USAGE, 0,
			     "-n %s: expected a number of PEs from 1 to %d",
			     text, OSHRUN_MAX_NPES);
	return (unsigned)n;
}

static double parse_seconds(const char *text, struct argp_state *state)
{
	char *end;
	double s = strtod(text, &end);

	if (*text == '\0' || *end != '\0' || !(s > 0 && s <= 1e9))
		argp_failure(state, OSHRUN_EXIT_USAGE, 0,
			     "--timeout %s: expected a number of seconds "
			     "above 0",
			     text);
	return s;
}

static int parse_word(const char *option, const char *word,
		      const char *const *names, struct argp_state *state)
{
	char list[128] = "";

	for (int i = 0; names[i]; i++) {
		if (!strcmp(names[i], word))
			return i;
		strcat(strcat(list, i ? ", " : ""), names[i]);
	}
	argp_failure(state, OSHRUN_EXIT_USAGE, 0, "%s %s: expected one of %s",
		     option, word, list);
	return 0;
}

static void add_export(struct oshrun_options *opt, char *arg,
		       struct argp_state *state)
{
	char **list;

	if (*arg == '\0' || *arg == '=') {
		argp_failure(state, OSHRUN_EXIT_USAGE, 0,
			     "-x %s: expected VAR or VAR=VALUE", arg);
		return;
	}
	list = realloc(opt->exports, (opt->nexports + 1) * sizeof(*list));
	if (!list)
		argp_failure(state, OSHRUN_EXIT_RESOURCE, ENOMEM, "-x");
	opt->exports = list;
	opt->exports[opt->nexports++] = arg;
}

/* The program and its arguments: the rest, up to a lone ":". */
static void take_program(struct parse *p, struct argp_state *state)
{
	char **argv = &state->argv[state->next - 1];
	size_t n = 0;

	while (argv[n] && strcmp(argv[n], ":"))
		n++;
	if (!n)
		argp_failure(state, OSHRUN_EXIT_USAGE, 0,
			     "expected a program before \":\"");
	p->next = argv[n] ? &argv[n] : NULL;
	p->app.argv = calloc(n + 1, sizeof(*argv));
	if (!p->app.argv)
		argp_failure(state, OSHRUN_EXIT_RESOURCE, ENOMEM, "%s",
			     argv[0]);
	memcpy(p->app.argv, argv, n * sizeof(*argv));
	state->next = state->argc;
}

/* argp reads "-np 4" as -n with the value "p". */
static const char *count_text(const char *arg, struct argp_state *state)
{
	if (strcmp(state->argv[state->next - 1], "-np"))
		return arg;
	if (state->next >= state->argc)
		argp_failure(state, OSHRUN_EXIT_USAGE, 0,
			     "-np: expected a number of PEs");
	return state->argv[state->next++];
}

static error_t parse_opt(int key, char *arg, struct argp_state *state)
{
	struct parse *p = state->input;
	struct oshrun_options *opt = p->opt;

	switch (key) {
	case 'n':
		p->app.npes = parse_count(count_text(arg, state), state);
		break;
	case 'x':
		add_export(opt, arg, state);
		break;
	case 'v':
		opt->verbose = true;
		break;
	case KEY_BIND:
		opt->bind = parse_word("--bind", arg, bind_names, state);
		opt->bind_given = true;
		break;
	case KEY_MAP:
		opt->map = parse_word("--map-by", arg, map_names, state);
		break;
	case KEY_TAG:
		opt->tag_output = true;
		break;
	case KEY_TIMEOUT:
		opt->timeout_s = parse_seconds(arg, state);
		break;
	case KEY_HOST:
		opt->hosts = arg;
		break;
	case KEY_HOSTFILE:
		opt->hostfile = arg;
		break;
	case KEY_WDIR:
		opt->wdir = arg;
		break;
	case KEY_LAUNCHER:
		opt->launcher = arg;
		break;
	case KEY_REPORT:
		opt->report_bindings = true;
		break;
	case ARGP_KEY_ARG:
		take_program(p, state);
		break;
	case ARGP_KEY_NO_ARGS:
		argp_failure(state, OSHRUN_EXIT_USAGE, 0,
			     "expected a program to start");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {
	.options = table,
	.parser = parse_opt,
	.args_doc = "PROGRAM [ARGS...] [: [-n N] PROGRAM [ARGS...]]...",
	.doc = "Starts the PEs of an OpenSHMEM program.",
};

static void add_app(struct oshrun_options *opt, const struct oshrun_app *app)
{
	opt->apps = realloc(opt->apps, (opt->napps + 1) * sizeof(*opt->apps));
	if (!opt->apps) {
		oshrun_say("out of memory");
		exit(OSHRUN_EXIT_RESOURCE);
	}
	opt->apps[opt->napps++] = *app;
}

void options_parse(struct oshrun_options *opt, int argc, char **argv)
{
	char **end = argv + argc;
	char *name = argv[0];

	argp_err_exit_status = OSHRUN_EXIT_USAGE;
	while (argv) {
		struct parse p = { .opt = opt };

		argv[0] = name;
		argp_parse(&argp, (int)(end - argv), argv, ARGP_IN_ORDER, NULL,
			   &p);
		add_app(opt, &p.app);
		argv = p.next;
	}
}
