/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the PEs. */
#ifndef OSHRUN_SPAWN_H
#define OSHRUN_SPAWN_H

struct job;

/*
 * Finds the programs of all applications and sets their paths. 0, or the
 * exit code (126, 127) after one line of reason.
 */
int spawn_resolve(struct job *job);

/*
 * Starts every PE in a process group of its own. 0, or the exit code after
 * one line of reason; PEs started until then are running.
 */
int spawn_all(struct job *job);

/* Remembers what the PEs shall inherit; call before changing any of it. */
void spawn_remember(void);

#endif
