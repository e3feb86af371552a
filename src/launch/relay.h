/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes a terminal's input on to PE 0. */
#ifndef OSHRUN_RELAY_H
#define OSHRUN_RELAY_H

struct job;

/* The end of a pipe for PE 0 to read, or -1 with errno. */
int relay_open(struct job *job);

/* We may have become the terminal's foreground group again. */
void relay_resume(void);

#endif
