/* SPDX-License-Identifier: BSD-3-Clause */
/* --tag-output: whole lines of the PEs, each started by "[PE] ". */
#ifndef OSHRUN_TAG_H
#define OSHRUN_TAG_H

#include <stdbool.h>

struct job;

/* 0 or negative errno. */
int tag_start(struct job *job);

/* The end to write to for PE `rank` as its descriptor 1 or 2; -1 and errno. */
int tag_open(unsigned rank, int fd);

/* Every writer is dead: what is readable now is all there will ever be. */
void tag_finish(void);

/* True when everything has been read and handed to the sinks. */
bool tag_idle(void);

#endif
