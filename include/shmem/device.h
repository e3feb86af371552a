/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For files with kernels: the routines that kernels call (device/api.h), and
 * what kernels are made of (kernel.h). GPU compilers get the former from
 * <shmem.h>.
 */
#ifndef SHMEM_DEVICE_H
#define SHMEM_DEVICE_H

#include <shmemx.h>

#include <shmem/kernel.h>

#endif
