/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiling interface: each routine shmem_x is a weak alias of pshmem_x, so
 * that a tool defines the former and calls the latter. shmem.h declares both.
 * Source: OpenSHMEM 1.6, section 10.
 */
#ifndef PSHMEM_H
#define PSHMEM_H

#include <shmem.h>

#endif
