/* SPDX-License-Identifier: BSD-3-Clause */
/* Where PEs run: hwloc's view of the cores that oshrun itself may use. */
#ifndef OSHRUN_BIND_H
#define OSHRUN_BIND_H

struct job;
struct oshrun_options;

/*
 * Decides the PE counts that were not given: one PE a core for a single
 * program. Exits with 64 when several programs lack counts.
 */
void bind_default_npes(struct oshrun_options *opt);

/*
 * Sets pes[].cpuset and .bitmap by --map-by and --bind, and reports them if
 * asked to. 0, or the exit code after one line of reason.
 */
int bind_all(struct job *job);

#endif
