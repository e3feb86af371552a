/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines the deprecated typed routines. */
#include "host/amo.h"
#include "host/coll_typed.h"
#include "host/sync.h"

#define SHMEMI_TABLES <shmem/deprecated.def>
#include "host/typed.h"
