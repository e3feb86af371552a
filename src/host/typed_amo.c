/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines the typed atomics. */
#include "host/amo.h"

#define SHMEMI_TABLES <shmem/amo.def>
#include "host/typed.h"
