/* SPDX-License-Identifier: BSD-3-Clause */
#include "skew.h"

#include <string.h>

static const char *const names[] = {
	[SKEW_UNIFORM] = "uniform",
	[SKEW_ZIPF] = "zipf",
	[SKEW_HOT] = "hot",
};

enum skew skew_parse(struct argp_state *state, const char *word)
{
	for (int i = 0; i < (int)(sizeof(names) / sizeof(*names)); i++)
		if (!strcmp(word, names[i]))
			return (enum skew)i;
	argp_error(state, "--skew: expected uniform, zipf or hot, got '%s'",
		   word);
	return SKEW_UNIFORM;
}

const char *skew_name(enum skew skew)
{
	return names[skew];
}

double skew_share(enum skew skew, int i, int n)
{
	double sum = 0;

	switch (skew) {
	case SKEW_ZIPF:
		for (int k = 1; k <= n; k++)
			sum += 1.0 / k;
		return 1.0 / (i + 1) / sum;
	case SKEW_HOT:
		return 0.5 / n + (i ? 0 : 0.5);
	default:
		return 1.0 / n;
	}
}
