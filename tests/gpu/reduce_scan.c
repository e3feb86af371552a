/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scans of every type in every scope.
 * PES: all
 */
#include "call.h"
#include "coll.h"
#include "coll_reduce.h"

#define TAKE_sum_inscan 0, 0
#define TAKE_sum_exscan 0, 0

#include "coll_rows.h"
