/* SPDX-License-Identifier: BSD-3-Clause */
/* Sirocco's extensions to OpenSHMEM. */
#ifndef SHMEMX_H
#define SHMEMX_H

#include <shmem.h>
#include <shmem/attr.h>
#include <shmem/exchange.h>
#include <shmem/moe.h>
#include <shmem/network.h>
#include <shmem/platform.h>
#include <shmem/stream.h>

#endif
