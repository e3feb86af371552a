/* SPDX-License-Identifier: BSD-3-Clause */
/* What a forked child of a PE sees of shared static data. */
#ifndef SHMEMI_FORK_H
#define SHMEMI_FORK_H

#include "conduits/conduit.h"

/*
 * From now on, a child made by fork() has a private copy of the region, as it
 * would of data that was never shared; the parent's fork() returns when the
 * copy is made. It costs what was touched of the region. The child has it
 * before any handler of the program that pthread_atfork() registered runs.
 */
void shmemi_fork_protect(const struct conduit_region *region);

#endif
