/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines the typed collectives over teams. */
#include "host/coll_typed.h"

#define SHMEMI_TABLES <shmem/collective.def>
#include "host/typed.h"
