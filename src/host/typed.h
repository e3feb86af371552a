/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Definition view of the tables: a file says which tables it defines in
 * SHMEMI_TABLES, gives a SHMEMI_BODY_<body>(ctx, N, T, esize) for each body
 * that they name, and includes this after host/shmemi.h. Each function is
 * one call to the byte core, strong as pshmem_x, weak as shmem_x.
 */
#define SHMEMI_EXPAND(m, ...) m(__VA_ARGS__)
#define SHMEMI_FN(stem, ret, params, ctx, N, T, esize, body, args) \
	ret pshmem_##stem params \
	{ \
		SHMEMI_EXPAND(SHMEMI_BODY_##body, ctx, N, T, esize) \
	} \
	weak_alias(pshmem_##stem, shmem_##stem);
#define SHMEMI_PLAIN(ret, name, params)

#include <shmem/expand.h>
