/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stdin, stdout and stderr of the PEs. PE 0 inherits stdin (through a pipe if
 * it is a terminal, whose foreground group oshrun remains), the others read
 * /dev/null. stdout and stderr are inherited, or pass through oshrun line by
 * line with --tag-output.
 */
#ifndef OSHRUN_IO_H
#define OSHRUN_IO_H

#include <stdbool.h>
#include <stddef.h>

struct job;

/* Opens descriptors 0, 1 and 2 where closed; call first of all. */
void io_reserve_std(void);

/* Prepares; 0 or negative errno. Call with job->base set, before io_open. */
int io_start(struct job *job);

/* Makes the descriptors that PE `rank` gets as 0, 1, 2. 0, or -1 with errno. */
int io_open(struct job *job, unsigned rank, int fd[3]);

/* Closes our copies of what io_open made. */
void io_started(const int fd[3]);

/* Writes a line of our own to stderr, never into the middle of another. */
void io_message(const char *line, size_t bytes);

/* Every writer is dead: read what is left, then close. */
void io_finish(void);

/* True when all output has been written. */
bool io_idle(void);

/* Gives up undelivered output. */
void io_discard(void);

#endif
