/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds programs as execvp would, before anything is started. */
#ifndef OSHRUN_PATH_H
#define OSHRUN_PATH_H

/*
 * The file to execute for `name` (malloc'd), searched along PATH if it holds
 * no slash. NULL with errno: ENOENT, EACCES (found, but not executable),
 * EISDIR, ENOMEM.
 */
char *path_find(const char *name);

#endif
