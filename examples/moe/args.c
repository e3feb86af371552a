/* SPDX-License-Identifier: BSD-3-Clause */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shmem.h>

#include "moe.h"

static const char default_path[] = "/usr/share/common-licenses/GPL-3";

enum { OPT_NO_CHECK = 256, OPT_USAGE };

static const struct argp_option options[] = {
	{ "experts", 'e', "N", 0, "Experts of the layer (32)", 0 },
	{ "top-k", 'k', "N", 0, "Experts that each token goes to (2)", 0 },
	{ "hidden", 'd', "N", 0, "Floats of a token's vector (64)", 0 },
	{ "repeat", 'r', "N", 0, "Steps to measure (10)", 0 },
	{ "seed", 's', "N", 0, "Seed of all weights (1)", 0 },
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ "no-check", OPT_NO_CHECK, NULL, 0,
	  "Do not compare with the result computed without exchange", 0 },
	{ "help", '?', NULL, 0, "Give this help list", -1 },
	{ "usage", OPT_USAGE, NULL, 0, "Give a short usage message", -1 },
	{ 0 },
};

static struct args args = {
	.experts = 32,
	.top_k = 2,
	.hidden = 64,
	.repeat = 10,
	.seed = 1,
	.check = true,
};

static int number(struct argp_state *state, const char *what, const char *arg,
		  long max)
{
	char *end;
	long v;

	errno = 0;
	v = strtol(arg, &end, 10);
	if (!errno && end != arg && !*end && v >= 1 && v <= max)
		return (int)v;
	argp_error(state, "%s: expected a number from 1 to %ld, got '%s'", what,
		   max, arg);
	args.verdict = ARGS_WRONG;
	return 1;
}

static void seed(struct argp_state *state, const char *arg)
{
	char *end;
	long long v;

	errno = 0;
	v = strtoll(arg, &end, 10);
	args.seed = (uint64_t)v;
	if (!errno && end != arg && !*end && v >= 0)
		return;
	argp_error(state, "--seed: expected a number from 0, got '%s'", arg);
	args.verdict = ARGS_WRONG;
}

static void file(struct argp_state *state, const char *arg)
{
	const int n = snprintf(args.path, sizeof(args.path), "%s", arg);

	if (state->arg_num == 0 && n < (int)sizeof(args.path))
		return;
	argp_error(state, "expected one file, got '%s'", arg);
	args.verdict = ARGS_WRONG;
}

/* argp's own would exit, and the other PEs would wait for this one. */
static void help(struct argp_state *state, unsigned int what)
{
	argp_state_help(state, stdout, what);
	args.verdict = ARGS_HELP;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case 'e':
		args.experts = number(state, "--experts", arg, 4096);
		break;
	case 'k':
		args.top_k = number(state, "--top-k", arg, 64);
		break;
	case 'd':
		args.hidden = number(state, "--hidden", arg, 1024);
		break;
	case 'r':
		args.repeat = number(state, "--repeat", arg, 1000000);
		break;
	case 's':
		seed(state, arg);
		break;
	case 'j':
		args.json = true;
		break;
	case OPT_NO_CHECK:
		args.check = false;
		break;
	case '?':
		help(state, ARGP_HELP_STD_HELP);
		break;
	case OPT_USAGE:
		help(state, ARGP_HELP_USAGE);
		break;
	case ARGP_KEY_ARG:
		file(state, arg);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return args.verdict == ARGS_RUN ? 0 : EINVAL;
}

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "[FILE]",
	.doc = "Sends the words of FILE (the GPL's, of Debian and Ubuntu) "
	       "through a mixture-of-experts layer that is spread over the "
	       "PEs of an OpenSHMEM job.",
};

const struct args *args_parse(int argc, char **argv)
{
	strcpy(args.path, default_path);
	if (shmem_my_pe() == 0 &&
	    argp_parse(&argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP, NULL,
		       NULL) &&
	    args.verdict == ARGS_RUN)
		args.verdict = ARGS_WRONG;
	if (args.verdict == ARGS_RUN && args.top_k > args.experts) {
		fprintf(stderr,
			"moe_exchange: --top-k=%d is more than "
			"--experts=%d\n",
			args.top_k, args.experts);
		args.verdict = ARGS_WRONG;
	}
	from_pe0(&args, sizeof(args));
	return &args;
}
