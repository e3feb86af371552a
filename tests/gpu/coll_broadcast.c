/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadcast of every type in every scope.
 * PES: all
 */
#include "call.h"
#include "coll.h"
#include "coll_move.h"

#define TAKE_broadcast 0, 0

#include "coll_rows.h"
