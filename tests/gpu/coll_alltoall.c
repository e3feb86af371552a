/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoall and alltoalls of every type in every scope.
 * PES: all
 */
#include "call.h"
#include "coll.h"
#include "coll_move.h"

#define TAKE_alltoall 0, 0
#define TAKE_alltoalls 0, 0

#include "coll_rows.h"
