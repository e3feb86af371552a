/* SPDX-License-Identifier: BSD-3-Clause */
/* A unit with a kernel of its own; see modules.c. */
#include <shmem/device.h>
#include "modules.h"

SHMEMX_KERNEL(module_dso_add, struct module_args, a)
{
	const int next = (shmem_my_pe() + 1) % shmem_n_pes();

	shmem_long_atomic_add(a.word, a.add, next);
	shmem_quiet();
}

int module_dso_run(const struct module_args *args)
{
	int error = shmemx_launch(SHMEMX_KERNEL_REF(module_dso_add), 1, 10,
				  args, sizeof(*args), NULL);

	return error ? error : shmemx_stream_synchronize(NULL);
}
