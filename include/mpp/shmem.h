/* SPDX-License-Identifier: BSD-3-Clause */
/* Where programs of before OpenSHMEM 1.3 look for <shmem.h>. */
#ifndef MPP_SHMEM_H
#define MPP_SHMEM_H

#include <shmem.h>

#endif
