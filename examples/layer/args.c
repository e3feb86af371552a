/* SPDX-License-Identifier: BSD-3-Clause */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "moe_layer.h"

/* A build tree names a text of its own. */
#ifndef MOE_LAYER_TEXT
#define MOE_LAYER_TEXT "/usr/share/common-licenses/GPL-3"
#endif

const char *const dtype_names[] = {
	[TYPE_BF16] = "bf16",
	[TYPE_FP16] = "fp16",
	[TYPE_FP32] = "fp32",
	NULL,
};

static const char *const layout_names[] = { "compact", "slots", NULL };

enum {
	OPT_FP8 = 256,
	OPT_LAYOUT,
	OPT_OVERLAP,
	OPT_BASELINE,
	OPT_NO_CHECK,
	OPT_USAGE
};

static const struct argp_option options[] = {
	{ "experts", 'e', "N", 0, "Experts of a layer (16)", 0 },
	{ "top-k", 'k', "N", 0, "Experts that each token goes to (2)", 0 },
	{ "hidden", 'h', "N", 0, "Elements of a token's row (128)", 0 },
	{ "ffn", 'f', "N", 0, "Elements between an expert's matrices (128)",
	  0 },
	{ "tokens", 't', "N", 0, "Tokens of each PE in a step (128)", 0 },
	{ "steps", 'n', "N", 0, "Steps (6)", 0 },
	{ "seed", 's', "N", 0, "Seed of all numbers (1)", 0 },
	{ "dtype", 'd', "TYPE", 0, "bf16 (the default), fp16 or fp32", 1 },
	{ "fp8", OPT_FP8, NULL, 0, "Dispatch rows as FP8 with scales", 1 },
	{ "layout", OPT_LAYOUT, "WORD", 0,
	  "compact (the default), or slots for few tokens", 1 },
	{ "overlap", OPT_OVERLAP, NULL, 0,
	  "In two halves: one computes while the other is exchanged", 1 },
	{ "baseline", OPT_BASELINE, NULL, 0,
	  "Exchange by sorting and alltoallv, as is usual", 1 },
	{ "no-check", OPT_NO_CHECK, NULL, 0,
	  "Do not compare with what one PE computes alone", 2 },
	{ "json", 'j', NULL, 0, "Print JSON", 2 },
	{ "help", '?', NULL, 0, "Give this help list", -1 },
	{ "usage", OPT_USAGE, NULL, 0, "Give a short usage message", -1 },
	{ 0 },
};

static struct args args = {
	.experts = 16,
	.top_k = 2,
	.hidden = 128,
	.ffn = 128,
	.tokens = 128,
	.steps = 6,
	.seed = 1,
	.check = true,
	.path = MOE_LAYER_TEXT,
};

static int number(struct argp_state *state, const char *what, const char *arg,
		  int multiple, long max)
{
	char *end;
	long v;

	errno = 0;
	v = strtol(arg, &end, 10);
	if (!errno && end != arg && !*end && v >= 1 && v <= max &&
	    v % multiple == 0)
		return (int)v;
	if (multiple > 1)
		argp_error(state,
			   "%s: expected a multiple of %d up to %ld, got '%s'",
			   what, multiple, max, arg);
	else
		argp_error(state,
			   "%s: expected a number from 1 to %ld, got '%s'",
			   what, max, arg);
	args.verdict = ARGS_WRONG;
	return multiple;
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

static int word(struct argp_state *state, const char *what, const char *arg,
		const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(arg, words[i]))
			return i;
	argp_error(state, "%s: not known: '%s'", what, arg);
	args.verdict = ARGS_WRONG;
	return 0;
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

static bool parse_size(int key, const char *arg, struct argp_state *state)
{
	switch (key) {
	case 'e':
		args.experts = number(state, "--experts", arg, 1, 4096);
		return true;
	case 'k':
		args.top_k =
			number(state, "--top-k", arg, 1, SHMEMX_MOE_TOP_K_MAX);
		return true;
	case 'h':
		args.hidden = number(state, "--hidden", arg, 8, 16384);
		return true;
	case 'f':
		args.ffn = number(state, "--ffn", arg, 8, 65536);
		return true;
	case 't':
		args.tokens = number(state, "--tokens", arg, 1, 65536);
		return true;
	case 'n':
		args.steps = number(state, "--steps", arg, 1, 100000);
		return true;
	case 's':
		seed(state, arg);
		return true;
	default:
		return false;
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	if (parse_size(key, arg, state))
		return args.verdict == ARGS_RUN ? 0 : EINVAL;
	switch (key) {
	case 'd':
		args.dtype = word(state, "--dtype", arg, dtype_names);
		break;
	case OPT_FP8:
		args.fp8 = true;
		break;
	case OPT_LAYOUT:
		args.slots = word(state, "--layout", arg, layout_names);
		break;
	case OPT_OVERLAP:
		args.overlap = true;
		break;
	case OPT_BASELINE:
		args.baseline = true;
		break;
	case OPT_NO_CHECK:
		args.check = false;
		break;
	case 'j':
		args.json = true;
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
	.doc = "Trains two mixture-of-experts layers, spread over the PEs of "
	       "an OpenSHMEM job, to tell the next word of FILE "
	       "(" MOE_LAYER_TEXT ").",
};

static void refuse(const char *why)
{
	fprintf(stderr, "moe_layer: %s\n", why);
	args.verdict = ARGS_WRONG;
}

/* What goes together. */
static void look(void)
{
	if (args.top_k > args.experts)
		refuse("--top-k is more than --experts");
	else if (args.experts % shmem_n_pes())
		refuse("--experts is no multiple of the number of PEs");
	else if (args.fp8 && args.hidden % SHMEMX_MOE_SCALE_ELEMS)
		refuse("--fp8 takes a --hidden that is a multiple of 128");
	else if (args.baseline && (args.fp8 || args.slots || args.overlap))
		refuse("--baseline is without --fp8, --layout and --overlap");
	else if (args.overlap && args.tokens < 2)
		refuse("--overlap takes two --tokens");
}

const struct args *args_parse(int argc, char **argv)
{
	if (shmem_my_pe() == 0 &&
	    argp_parse(&argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP, NULL,
		       NULL) &&
	    args.verdict == ARGS_RUN)
		args.verdict = ARGS_WRONG;
	if (shmem_my_pe() == 0 && args.verdict == ARGS_RUN)
		look();
	from_pe0(&args, sizeof(args));
	return &args;
}
