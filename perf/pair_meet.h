/* SPDX-License-Identifier: BSD-3-Clause */
/* How the two processes of pair.h find each other. */
#ifndef PERF_PAIR_MEET_H
#define PERF_PAIR_MEET_H

#include <stddef.h>

/* A socket to the other process, as $PERF_PAIR says; me: 0 or 1. */
int meet_open(int *me);
/* Both end the process on errors. */
void meet_send(int fd, const void *data, size_t bytes);
void meet_receive(int fd, void *data, size_t bytes);

#endif
