/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of moe.c. */
#include "moe_bench.h"

#include <string.h>

enum { DTYPE = 256, QUANT, LAYOUT, GEMMS };

static const struct argp_option options[] = {
	{ "skew", 'k', "NAME", 0, "uniform, zipf or hot (uniform)", 1 },
	{ "hidden", 'H', "N", 0, "Elements of a token (7168)", 1 },
	{ "experts", 'E', "N", 0, "Of all PEs (256)", 1 },
	{ "top-k", 'K', "N", 0, "Experts of a token (8)", 1 },
	{ "dtype", DTYPE, "NAME", 0, "bf16, fp16 or fp32 (bf16)", 1 },
	{ "quant", QUANT, "NAME", 0, "none or fp8 (fp8)", 1 },
	{ "layout", LAYOUT, "NAME", 0, "compact or slots (compact)", 1 },
	{ "wgs", 'w', "N", 0, "Most work-groups of a kernel", 1 },
	{ "gemms", GEMMS, "N", 0, "Products of matrices an operation (1)", 1 },
	{ 0 },
};

/* The place of a word among n; ends the program through argp otherwise. */
static uint32_t choice(struct argp_state *state, const char *name,
		       const char *arg, const char *const *words, uint32_t n)
{
	uint32_t i = 0;

	while (i < n && strcmp(arg, words[i]))
		i++;
	if (i == n)
		argp_error(state,
			   "%s: got '%s', expected one of those in "
			   "--help",
			   name, arg);
	return i;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const char *const dtypes[] = { "bf16", "fp16", "fp32" };
	static const char *const quants[] = { "none", "fp8" };
	static const char *const layouts[] = { "compact", "slots" };

	switch (key) {
	case 'k':
		moe.skew = skew_parse(state, arg);
		return 0;
	case 'H':
		moe.hidden = (uint32_t)bench_parse_number(state, "--hidden",
							  arg, 1 << 20);
		return 0;
	case 'E':
		moe.n_experts = (uint32_t)bench_parse_number(state, "--experts",
							     arg, 1 << 16);
		return 0;
	case 'K':
		moe.top_k = (uint32_t)bench_parse_number(state, "--top-k", arg,
							 SHMEMX_MOE_TOP_K_MAX);
		return 0;
	case DTYPE:
		moe.dtype = choice(state, "--dtype", arg, dtypes, 3);
		return 0;
	case QUANT:
		moe.quant = choice(state, "--quant", arg, quants, 2);
		return 0;
	case LAYOUT:
		moe.layout = choice(state, "--layout", arg, layouts, 2);
		return 0;
	case GEMMS:
		moe.n_gemms = (uint32_t)bench_parse_number(state, "--gemms",
							   arg, 1 << 16);
		return 0;
	case 'w':
		moe.n_wgs =
			(uint32_t)bench_parse_number(state, "--wgs", arg, 1024);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = { .options = options, .parser = parse };
const struct argp_child moe_options[] = { { &argp, 0, NULL, 0 }, { 0 } };
