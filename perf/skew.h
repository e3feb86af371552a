/* SPDX-License-Identifier: BSD-3-Clause */
/* How uneven exchanges are: shares of n receivers, which add up to 1. */
#ifndef PERF_SKEW_H
#define PERF_SKEW_H

#include <argp.h>

enum skew { SKEW_UNIFORM, SKEW_ZIPF, SKEW_HOT };

/* "uniform", "zipf" or "hot"; ends the program through argp otherwise. */
enum skew skew_parse(struct argp_state *state, const char *word);
const char *skew_name(enum skew skew);

/*
 * Receiver i's share. zipf: proportional to 1 / (i + 1). hot: half of all to
 * the first one, the rest to all alike.
 */
double skew_share(enum skew skew, int i, int n);

#endif
