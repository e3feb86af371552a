/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange.c in C++, where overloads stand for the generic.
 * PES: 1 3
 * ENV: SHMEM_PLATFORM=cpu
 */
#include "exchange.c"
