/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment that the PEs get. */
#ifndef OSHRUN_ENV_H
#define OSHRUN_ENV_H

struct oshrun_options;

/*
 * Removes from our environment what an outer launcher put there for its own
 * processes; call before the PMIx server starts, which would heed it too.
 */
void env_scrub(void);

/* Applies -x; call after the PMIx server started, which must not see them. */
void env_export(const struct oshrun_options *opt);

#endif
