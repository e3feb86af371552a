/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives and signals for the programs in perf/, by whichever form the
 * library has: teams from OpenSHMEM 1.5 on, active sets of all PEs before.
 *
 * All take 64-bit words. Back-to-back calls are allowed, with a barrier after
 * every BENCH_WINDOW broadcasts: an active set's pSync must not be in use by
 * a slower PE, and the other collectives let no PE run ahead by two calls.
 */
#ifndef PERF_COMPAT_H
#define PERF_COMPAT_H

#include <shmem.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench.h"
#include "comm.h"

#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
#include "compat_team.h"
#else
#include "compat_set.h"
#endif

#endif
