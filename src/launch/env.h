/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment that the PEs get. */
#ifndef OSHRUN_ENV_H
#define OSHRUN_ENV_H

#include <stdbool.h>

struct oshrun_options;

/*
 * Removes from our environment what an outer launcher put there for its own
 * processes; call before the PMIx server starts, which would heed it too.
 */
void env_scrub(void);

/* Applies -x; call after the PMIx server started, which must not see them. */
void env_export(const struct oshrun_options *opt);

/* var: "NAME=value", of the library or of the network library under it. */
bool env_is_setting(const char *var);

/* True if -x names the variable of "NAME=value". */
bool env_is_exported(const struct oshrun_options *opt, const char *var);

/* False, after a line, if `export` names a variable that is not set. */
bool env_can_export(const char *export);

#endif
