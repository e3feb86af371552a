/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two processes that stand for PEs on two nodes, for tests of the conduit of
 * the network: they have a socket to each other, by which they exchange cards,
 * meet and find out that the other one is gone.
 */
#ifndef TESTS_UCX_PAIR_H
#define TESTS_UCX_PAIR_H

#include "conduits/conduit.h"
#include "gpu/gpu.h"

extern struct conduit *net;
extern struct conduit_ep *ep;	/* to the other, since pair_connect() */
extern struct conduit_queue *q; /* the test's own */
extern int me;
extern const char *what; /* is tested, for messages; or NULL */

/* Ends this process, with a line, if ok is 0. */
__attribute__((format(printf, 2, 3))) void need(int ok, const char *format,
						...);

/* Before all else: registers conduits. Exits with 77 without UCX. */
void pair_find(void);

/*
 * Both processes call run, by conduit_settings of the caller with their own PE.
 * Returns the statuses of both, combined; or with line that of PE 0, whose
 * first errors are put there, and PE 1 is killed when it has ended.
 */
int pair_run(void (*run)(void), char *line, size_t room);

/* In each: opens the conduit with a heap of so many bytes, and connects. */
void pair_open(struct conduit_region *regions, size_t heap_bytes);
/* The second part of that, for a test that opens in its own way. */
void pair_connect(const struct conduit_region *regions);

/* Both are here; the one that waits answers the other meanwhile. */
void meet(void);
void quiet(void);

#endif
