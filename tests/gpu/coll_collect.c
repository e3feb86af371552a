/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collect and fcollect of every type in every scope.
 * PES: all
 */
#include "call.h"
#include "coll.h"
#include "coll_move.h"

#define TAKE_collect 0, 0
#define TAKE_fcollect 0, 0

#include "coll_rows.h"
