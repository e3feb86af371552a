/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The PMIx server. Its callbacks run on a thread of the PMIx library and
 * reach the main thread through a pipe.
 */
#ifndef OSHRUN_SERVER_H
#define OSHRUN_SERVER_H

#include <stdbool.h>

struct job;

/*
 * Starts the server in the session directory, reachable from this node only,
 * and registers the job and its PEs. 0, or -1 after one line of reason.
 */
int server_start(struct job *job);

/* The environment of PE `rank`, to be freed by server_free_env; or NULL. */
char **server_make_env(const struct job *job, unsigned rank);
void server_free_env(char **env);

/* Handles, now, what the callbacks have sent. */
void server_poll(struct job *job);

/* PE `rank` has initialised PMIx and has not finalized it. */
bool server_has(unsigned rank);

#endif
