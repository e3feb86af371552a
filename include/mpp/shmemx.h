/* SPDX-License-Identifier: BSD-3-Clause */
/* Where programs of before OpenSHMEM 1.3 look for <shmemx.h>. */
#ifndef MPP_SHMEMX_H
#define MPP_SHMEMX_H

#include <shmemx.h>

#endif
