/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether this node can hold the job, found out before it starts. */
#ifndef OSHRUN_LIMITS_H
#define OSHRUN_LIMITS_H

struct job;

/*
 * Raises our descriptor limit as needed. 0, or the exit code after one line
 * that names the limit, what it allows and what the job needs.
 */
int limits_check(const struct job *job);

#endif
