/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The guardian: a process in a session of its own that outlives a killed
 * oshrun just long enough to kill what is left of the PEs and to remove the
 * session directory.
 */
#ifndef OSHRUN_GUARD_H
#define OSHRUN_GUARD_H

struct job;

/* Call before any thread exists. 0 or negative errno. */
int guard_start(struct job *job);

/* Dismisses the guardian, which then touches nothing, and reaps it. */
void guard_stop(struct job *job);

#endif
