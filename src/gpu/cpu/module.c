/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "gpu/cpu/rows.h"

int cpu_module_symbol(void *module, const char *name, void **p, size_t *bytes)
{
	(void)module, (void)name, (void)p, (void)bytes;
	return -EOPNOTSUPP;
}
