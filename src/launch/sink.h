/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Our stdout and stderr as places to write to without blocking the event
 * loop and without making descriptors that others share non-blocking.
 */
#ifndef OSHRUN_SINK_H
#define OSHRUN_SINK_H

#include <stdbool.h>
#include <stddef.h>

struct event_base;
struct sink;

/* 0 or -ENOMEM. `room` is called when a sink has been emptied somewhat. */
int sink_start(struct event_base *base, void (*room)(void));

/* The sink of descriptor 1 or 2: one and the same if they are one file. */
struct sink *sink_of(int fd);

/* Queues `bytes` of text; 0, or -EPIPE when nobody reads any more. */
int sink_write(struct sink *sink, const char *text, size_t bytes);

/* Writes what can be written now and sees to the rest. */
void sink_push(struct sink *sink);

/* True: write no more now, `room` will be called. */
bool sink_full(const struct sink *sink);

/* Queues a line for stderr; false when sinks are not in use. */
bool sink_message(const char *line, size_t bytes);

bool sink_idle(void);
void sink_discard(void);

#endif
