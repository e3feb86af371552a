/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoallv where the host must not touch device memory, as on most GPUs.
 * PES: 1 2 3 4
 * ENV: SHMEM_PLATFORM=cpu
 * ENV: SHMEM_DEVICE_HEAP_SIZE=16m
 * ENV: SHMEM_CPU_HOST_ACCESS=no
 */
#include "alltoallv.c"
