/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Maximum and minimum of every type in every scope.
 * PES: all
 */
#include "call.h"
#include "coll.h"
#include "coll_reduce.h"

#define TAKE_max_reduce 0, 0
#define TAKE_min_reduce 0, 0

#include "coll_rows.h"
