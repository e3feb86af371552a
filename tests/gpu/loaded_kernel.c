/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled to a module of its own, which no program is linked with. */
#include <shmem.h>
#include <shmem/device.h>

#include "loaded.h"

SHMEMX_KERNEL(loaded, struct loaded_args, a)
{
	shmem_long_p(a.dest, a.value, a.pe);
}
