/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums and products of every type in every scope.
 * PES: all
 */
#include "call.h"
#include "coll.h"
#include "coll_reduce.h"

#define TAKE_sum_reduce 0, 0
#define TAKE_prod_reduce 0, 0

#include "coll_rows.h"
