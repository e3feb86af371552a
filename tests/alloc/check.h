/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ALLOC_CHECK_H
#define ALLOC_CHECK_H

#include "host/alloc.h"

/*
 * Verifies every record against every other, in O(n log n).
 * NULL, or the sentence that is true of alloc and must not be.
 */
const char *alloc_check(const struct shmemi_alloc *alloc);

/* Private memory is denied once, after so many requests; -1 is never. */
extern int alloc_check_nomem_after;

#endif
