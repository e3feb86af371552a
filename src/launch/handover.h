/* SPDX-License-Identifier: BSD-3-Clause */
/* Several nodes: another launcher's work. */
#ifndef OSHRUN_HANDOVER_H
#define OSHRUN_HANDOVER_H

struct host_list;
struct oshrun_options;
struct words;

/*
 * Becomes the launcher that --launcher names, or the first of prterun, mpirun
 * and srun that is installed, with our options in its words. Returns only on
 * failure, after one line: exit code. Fills in the PE counts of *opt.
 */
int handover(struct oshrun_options *opt, const struct host_list *list);

/* srun's options and program; exits with one line on misuse. */
void handover_to_srun(struct words *w, const struct oshrun_options *opt,
		      const struct host_list *list);

#endif
