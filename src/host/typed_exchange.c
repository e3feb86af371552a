/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines the typed exchanges of exchange.def. */
#include "host/coll_alltoallv.h"
#include "host/coll_typed.h"

#pragma GCC visibility push(default)
#include <shmem/exchange.h>
#pragma GCC visibility pop

#define SHMEMI_BODY_alltoallv(ctx, N, T, size) \
	const struct coll_vectors v = { \
		.dest = dest, \
		.dest_nelems = dest_nelems, \
		.dest_offsets = dest_offsets, \
		.source = source, \
		.source_nelems = source_nelems, \
		.source_offsets = source_offsets, \
		.esize = size, \
	}; \
	struct shmem_team *on = coll_team(__func__, team); \
	if (on) \
		shmemi_alltoallv(__func__, on, &v); \
	return on ? 0 : -1;

#define SHMEMI_EXPAND(m, ...) m(__VA_ARGS__)
#define SHMEMI_FN(stem, ret, params, ctx, N, T, esize, body, args) \
	ret shmemx_##stem params \
	{ \
		SHMEMI_EXPAND(SHMEMI_BODY_##body, ctx, N, T, esize) \
	}
#define SHMEMI_PLAIN(ret, name, params)
#define SHMEMI_TABLES <shmem/exchange.def>
#include <shmem/expand.h>
