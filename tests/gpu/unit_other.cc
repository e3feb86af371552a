/* SPDX-License-Identifier: BSD-3-Clause */
#include "unit.h"

SHMEMX_KERNEL(other, struct unit_args, a)
{
	shmem_long_p(a.dest, a.value, a.pe);
}

int unit_other(const struct unit_args *args)
{
	return shmemx_launch(SHMEMX_KERNEL_REF(other), 1, 1, args,
			     sizeof(*args), NULL);
}
