/* SPDX-License-Identifier: BSD-3-Clause */
/* What a forked child of a PE sees of shared static data. */
#ifndef SHMEMI_FORK_H
#define SHMEMI_FORK_H

#include <stddef.h>

/*
 * From now on, a child made by fork() has a private copy of [base, base +
 * bytes), as it would of data that was never shared; the parent's fork()
 * returns when the copy is made. Pages that were never touched stay so.
 * 0 or a negative errno.
 */
int shmemi_fork_protect(char *base, size_t bytes);

#endif
