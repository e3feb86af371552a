/* SPDX-License-Identifier: BSD-3-Clause */
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { MAX_SIZES = 256 };

static const size_t max_bytes = (size_t)1 << 30;

static const struct argp_option options[] = {
	{ "sizes", 's', "LIST", 0,
	  "Sizes in bytes, such as 8,64K,1M or 1..4M "
	  "(the powers of two)",
	  0 },
	{ "tests", 't', "LIST", 0, "Run these tests only", 0 },
	{ "iters", 'i', "N", 0,
	  "Operations in a repetition; default: as many "
	  "as fill --rep-us",
	  0 },
	{ "reps", 'r', "N", 0, "Repetitions (101)", 0 },
	{ "rep-us", 'u', "US", 0, "Length of a repetition (500)", 0 },
	{ "gpus", 'g', "N", 0,
	  "GPUs that PEs take in turn: counts what crosses links between them",
	  0 },
	{ "bind", 'b', NULL, 0,
	  "Pin PE i to the i'th processor that it may "
	  "use, counted round",
	  0 },
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ 0 },
};

long bench_parse_number(struct argp_state *state, const char *name,
			const char *arg, long max)
{
	char *end;
	long v;

	errno = 0;
	v = strtol(arg, &end, 10);
	if (errno || end == arg || *end || v < 1 || v > max)
		argp_error(state,
			   "%s: expected a number from 1 to %ld, "
			   "got '%s'",
			   name, max, arg);
	return v;
}

/* The size at *at, which moves behind it; 0 when there is none. */
static size_t parse_size(const char **at)
{
	static const char suffixes[] = "KMG";
	const char *suffix;
	size_t v;
	char *end;

	if (!isdigit((unsigned char)**at))
		return 0;
	v = strtoull(*at, &end, 10);
	suffix = *end ? strchr(suffixes, *end) : NULL;
	if (suffix) {
		v = v > max_bytes ? 0 : v << 10 * (suffix - suffixes + 1);
		end++;
	}
	*at = end;
	return v > max_bytes ? 0 : v;
}

static void parse_sizes(struct argp_state *state, const char *list)
{
	struct bench_args *args = state->input;
	const char *at = list;

	args->nsizes = 0;
	for (;;) {
		size_t first = parse_size(&at), last = first;

		if (!strncmp(at, "..", 2)) {
			at += 2;
			last = parse_size(&at);
		}
		if (!first || last < first || (*at && *at != ','))
			argp_error(state,
				   "--sizes: expected sizes from 1 to "
				   "1G such as 8,64K or 1..4M, got '%s'",
				   list);
		for (; first <= last && args->nsizes < MAX_SIZES; first *= 2)
			args->sizes[args->nsizes++] = first;
		if (!*at++)
			break;
	}
}

static void check_tests(struct argp_state *state, const char *list)
{
	const struct bench_args *args = state->input;
	const struct bench_program *p = args->program;

	for (const char *at = list;; at++) {
		const size_t len = strcspn(at, ",");
		int i = 0;

		while (i < p->ntests && (strlen(p->tests[i].name) != len ||
					 strncmp(p->tests[i].name, at, len)))
			i++;
		if (i == p->ntests)
			argp_error(state,
				   "--tests: no test '%.*s'; see "
				   "--help",
				   (int)len, at);
		at += len;
		if (!*at)
			break;
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct bench_args *args = state->input;

	switch (key) {
	case 's':
		parse_sizes(state, arg);
		return 0;
	case 't':
		check_tests(state, arg);
		args->tests = arg;
		return 0;
	case 'i':
		args->iters =
			bench_parse_number(state, "--iters", arg, 1 << 24);
		return 0;
	case 'r':
		args->reps =
			(int)bench_parse_number(state, "--reps", arg, 100000);
		return 0;
	case 'u':
		args->rep_us = (int)bench_parse_number(state, "--rep-us", arg,
						       10000000);
		return 0;
	case 'g':
		args->gpus =
			(int)bench_parse_number(state, "--gpus", arg, 1024);
		return 0;
	case 'b':
		args->bind = true;
		return 0;
	case 'j':
		args->json = true;
		return 0;
	case ARGP_KEY_ARGS:
		if (!args->program->takes_command)
			argp_error(state, "unexpected argument '%s'",
				   state->argv[state->next]);
		args->argv = state->argv + state->next;
		return 0;
	case ARGP_KEY_NO_ARGS:
		if (args->program->takes_command)
			argp_error(state, "a command is missing");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The list of tests at the end of --help; argp frees it. */
static char *help_filter(int key, const char *text, void *input)
{
	const struct bench_args *args = input;
	const struct bench_program *p = args ? args->program : NULL;
	char *out = NULL;
	size_t len;
	FILE *f;

	if (key != ARGP_KEY_HELP_POST_DOC || !p)
		return (char *)text;
	f = open_memstream(&out, &len);
	if (!f)
		return (char *)text;
	fprintf(f, "Tests:\n");
	for (int i = 0; i < p->ntests; i++)
		fprintf(f, "  %-22s %s\n", p->tests[i].name, p->tests[i].what);
	fclose(f);
	return out;
}

void bench_args_parse(struct bench_args *args, int argc, char **argv,
		      const struct bench_program *program)
{
	char doc[256];
	const struct argp argp = {
		.options = options,
		.parser = parse_option,
		.doc = doc,
		.args_doc = program->takes_command ? "COMMAND [ARG...]" : NULL,
		.children = program->options,
		.help_filter = help_filter,
	};
	struct argp_state defaults = { .input = args };

	snprintf(doc, sizeof(doc), "%s\v ", program->what);
	*args = (struct bench_args){
		.reps = 101,
		.rep_us = 500,
		.program = program,
		.sizes = calloc(MAX_SIZES, sizeof(*args->sizes)),
	};
	if (!args->sizes)
		abort();
	parse_sizes(&defaults, program->sizes);
	/* In order, so that a command's own options stay its own. */
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, args);
}

bool bench_args_want(const struct bench_args *args, const char *test)
{
	const size_t len = strlen(test);

	if (!args->tests)
		return true;
	for (const char *at = args->tests; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strcspn(at, ",") == len && !strncmp(at, test, len))
			return true;
	}
	return false;
}
