/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines the typed wait and test routines. */
#include "host/sync.h"

#define SHMEMI_TABLES <shmem/sync.def>
#include "host/typed.h"
