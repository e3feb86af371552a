/* SPDX-License-Identifier: BSD-3-Clause */
/* Several nodes: another launcher's work. */
#ifndef OSHRUN_HANDOVER_H
#define OSHRUN_HANDOVER_H

struct host_list;
struct oshrun_options;

/*
 * Becomes the first of prterun, mpirun and srun that is installed, with our
 * options in its words. Returns only on failure, after one line: exit code.
 */
int handover(const struct oshrun_options *opt, const struct host_list *list);

#endif
