/* SPDX-License-Identifier: BSD-3-Clause */
/* The session directory, where the PMIx server and its clients meet. */
#ifndef OSHRUN_SESSION_H
#define OSHRUN_SESSION_H

#include <stddef.h>

/*
 * Makes a directory of mode 0700 under TMPDIR, else /tmp, else /dev/shm.
 * path: receives its name, at most `bytes` with the NUL; never holds a name
 * that is not a directory of ours or about to become one.
 * 0, or -errno of the last place tried after one line that names all of them.
 */
int session_create(char *path, size_t bytes);

/* Removes the directory and what it holds; "" and absent are no errors. */
void session_remove(const char *path);

/* The last part of the path, unique on this node: the PMIx namespace. */
const char *session_name(const char *path);

#endif
