/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bitwise reductions of every type in every scope.
 * PES: all
 */
#include "call.h"
#include "coll.h"
#include "coll_reduce.h"

#define TAKE_and_reduce 0, 0
#define TAKE_or_reduce 0, 0
#define TAKE_xor_reduce 0, 0

#include "coll_rows.h"
