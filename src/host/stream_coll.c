/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/stream.h"

#include <limits.h>
#include <string.h>

#include "base/log.h"
#include "host/check.h"
#include "host/grid.h"
#include "host/module.h"

/*
 * How large a grid is. A work-group moves share_bytes in about the time that
 * one more work-group costs in the barriers of the grid; more than max_wgs gain
 * nothing, as the memory is busy then.
 */
struct tuning {
	size_t small_bytes; /* up to here one work-group of small_items */
	int small_items;
	int items;
	size_t share_bytes;
	int max_wgs;
};

static const struct tuning tuning_gpu = {
	.small_bytes = 4096,
	.small_items = 256,
	.items = 1024,
	.share_bytes = 16384,
	.max_wgs = 128,
};

/* Work-items of the CPU take turns on a core: few, to be quick. */
static const struct tuning tuning_cpu = {
	.small_bytes = 4096,
	.small_items = 32,
	.items = 64,
	.share_bytes = 65536,
	.max_wgs = 4,
};

/* What a collective of unknown lengths takes, as the same on all members. */
#define COLLECT_BYTES (1 << 20)

/* An item for each of so many members, taking turns beyond. */
#define SYNC_ITEMS 32

/* by_grid goes by lengths alone: grids meet grids only, of any size. */
struct grid {
	int n_wgs, n_items, by_grid;
};

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

/* alone: of one work-group, whatever the bytes. */
static struct grid grid_for(const char *api, enum shmemd_kernel kernel,
			    size_t bytes, int alone)
{
	const struct tuning *t =
		shmemg == &shmemg_cpu ? &tuning_cpu : &tuning_gpu;
	int wanted = shmemi.env.stream_wgs;
	size_t shares = bytes / t->share_bytes;

	if (!wanted && bytes <= t->small_bytes)
		return (struct grid){ 1, t->small_items, 0 };
	if (!wanted && alone)
		wanted = 1;
	if (!wanted)
		wanted = shares < (size_t)t->max_wgs ? (int)shares + 1 :
						       t->max_wgs;
	return (struct grid){
		smaller(wanted, shmemi_grid_fitting(api, shmemd_kernels[kernel],
						    t->items)),
		t->items, wanted > 1
	};
}

static size_t moved_bytes(const struct shmem_team *team,
			  const struct shmemi_stream_coll *call)
{
	if (call->kernel == SHMEMD_KERNEL_collect)
		return COLLECT_BYTES;
	return call->nelems * call->esize * (size_t)team->n_pes;
}

/* Grids have no packets: they would take two meetings. */
static int by_packets(const struct shmem_team *team,
		      const struct shmemi_stream_coll *call)
{
	return call->kernel == SHMEMD_KERNEL_alltoall && !team->device.far &&
	       call->nelems * call->esize <= team->device.packets_bytes;
}

static void launch(const char *api, const struct shmem_team *team,
		   enum shmemd_kernel kernel, struct grid grid,
		   const void *args, size_t bytes, shmemx_stream_t stream)
{
	int rc;

	if (!team->device.n_pes)
		shmemi_fatal("%s: kernels don't know the team: there are more "
			     "than they can",
			     shmemi_api(api));
	rc = shmemg->launch(shmemd_kernels[kernel], grid.n_wgs, grid.n_items,
			    args, bytes, stream);
	if (rc)
		shmemi_fatal("%s: the stream did not take it: %s",
			     shmemi_api(api), strerror(-rc));
}

static void launch_coll(const char *api, const struct shmem_team *team,
			const struct shmemi_stream_coll *call,
			shmemx_stream_t stream)
{
	struct shmemd_args_coll args = {
		.team = (uintptr_t)shmemi_team_handle(team),
		.dest = call->dest,
		.source = call->source,
		.nelems = call->nelems,
		.dst = call->dst,
		.sst = call->sst,
		.esize = (uint32_t)call->esize,
		.root = call->root,
		.op = (uint32_t)call->op,
	};
	struct grid grid = { 1, SYNC_ITEMS, 0 };

	if (call->kernel != SHMEMD_KERNEL_sync)
		grid = grid_for(api, call->kernel, moved_bytes(team, call),
				by_packets(team, call));
	args.grid = (uint32_t)grid.by_grid;
	launch(api, team, call->kernel, grid, &args, sizeof(args), stream);
}

/* Elements from the first to past the last of n, at a stride. */
static size_t extent(const char *api, const char *name, ptrdiff_t stride,
		     size_t n)
{
	if (stride < 1)
		shmemi_fatal("%s: %s is %td, expected at least 1",
			     shmemi_api(api), name, stride);
	return n ? shmemi_check_product(api, n - 1, (size_t)stride) + 1 : 0;
}

/*
 * Only what is this PE's can be looked at: members may be elsewhere yet. So a
 * collect, whose lengths may differ, is known to fill its own at least.
 */
static void check(const char *api, const struct shmem_team *team,
		  const struct shmemi_stream_coll *call)
{
	size_t nelems = call->nelems, n = (size_t)team->n_pes;
	size_t all = shmemi_check_product(api, nelems, n);
	size_t ndest = nelems, nsource = nelems;

	if (call->kernel == SHMEMD_KERNEL_alltoall)
		ndest = nsource = all;
	else if (call->kernel == SHMEMD_KERNEL_fcollect)
		ndest = all;
	else if (call->kernel == SHMEMD_KERNEL_broadcast)
		shmemi_check_pe(api, "PE_root", call->root, team->n_pes);
	else if (call->kernel == SHMEMD_KERNEL_alltoalls) {
		ndest = extent(api, "dst", call->dst, all);
		nsource = extent(api, "sst", call->sst, all);
	}
	shmemi_check_coll(api, team, call->dest,
			  shmemi_check_product(api, ndest, call->esize),
			  call->source,
			  shmemi_check_product(api, nsource, call->esize),
			  call->kernel == SHMEMD_KERNEL_broadcast ||
				  call->kernel >= SHMEMD_KERNEL_reduce_float);
}

/* The team of a call; NULL for SHMEM_TEAM_INVALID. */
static struct shmem_team *enter(const char *api, shmem_team_t handle)
{
	struct shmem_team *team;

	shmemi_modules_retry();
	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	team = shmemi_team(handle);
	if (!team && shmemi.guard & SHMEMI_GUARD_CHECK &&
	    handle != SHMEM_TEAM_INVALID)
		shmemi_fatal("%s: team is %p, expected a team that was not "
			     "destroyed",
			     shmemi_api(api), (void *)handle);
	return team;
}

int shmemi_stream_coll(const char *api, shmem_team_t handle,
		       const struct shmemi_stream_coll *call,
		       shmemx_stream_t stream)
{
	const struct shmem_team *team = enter(api, handle);

	if (!team)
		return -1;
	if (unlikely(shmemi.guard) && call->kernel != SHMEMD_KERNEL_sync)
		check(api, team, call);
	launch_coll(api, team, call, stream);
	return 0;
}

static int meet(const char *api, shmem_team_t team, int barrier,
		shmemx_stream_t stream)
{
	const struct shmemi_stream_coll call = {
		.kernel = SHMEMD_KERNEL_sync,
		.op = barrier,
	};

	return shmemi_stream_coll(api, team, &call, stream);
}

void shmemx_barrier_all_on_stream(shmemx_stream_t stream)
{
	meet(__func__, SHMEM_TEAM_WORLD, 1, stream);
}

void shmemx_sync_all_on_stream(shmemx_stream_t stream)
{
	meet(__func__, SHMEM_TEAM_WORLD, 0, stream);
}

int shmemx_team_sync_on_stream(shmem_team_t team, shmemx_stream_t stream)
{
	return meet(__func__, team, 0, stream);
}

static void check_table(const char *api, const char *name, const size_t *table)
{
	if (shmemi.guard & SHMEMI_GUARD_CHECK && !table)
		shmemi_fatal("%s: %s is NULL", shmemi_api(api), name);
}

/* By the grid always: members can't tell what others have to move. */
static struct grid grid_by_all(const char *api, enum shmemd_kernel kernel,
			       size_t bytes)
{
	struct grid grid = grid_for(api, kernel, bytes, 0);

	grid.by_grid = 1;
	return grid;
}

int shmemi_stream_alltoallv(const char *api, shmem_team_t handle,
			    struct shmemd_args_alltoallv args,
			    shmemx_stream_t stream)
{
	const struct shmem_team *team = enter(api, handle);

	if (!team)
		return -1;
	check_table(api, "dest_nelems", args.dest_nelems);
	check_table(api, "dest_offsets", args.dest_offsets);
	check_table(api, "source_nelems", args.source_nelems);
	check_table(api, "source_offsets", args.source_offsets);
	args.team = (uintptr_t)shmemi_team_handle(team);
	args.grid = 1;
	launch(api, team, SHMEMD_KERNEL_alltoallv,
	       grid_by_all(api, SHMEMD_KERNEL_alltoallv, COLLECT_BYTES), &args,
	       sizeof(args), stream);
	return 0;
}

/* The routine takes as many rows as there are, and dest has room for. */
static int alltoallv_2d(const char *api, shmem_team_t handle,
			struct shmemd_args_alltoallv_2d args,
			shmemx_stream_t stream)
{
	const size_t bytes =
		shmemi_check_product(api, args.dest_rows, args.row_bytes);
	const struct shmem_team *team = enter(api, handle);
	size_t offset;

	if (!team)
		return -1;
	if (args.n_local > UINT_MAX / (size_t)team->n_pes)
		shmemi_fatal("%s: n_local is %zu, expected 0 to %zu",
			     shmemi_api(api), args.n_local,
			     UINT_MAX / (size_t)team->n_pes);
	if (bytes && shmemi_locate(args.dest, &offset) < 0)
		shmemi_not_symmetric(api, args.dest, shmemi.me);
	shmemi_check_sym(api, "dest", args.dest, bytes);
	check_table(api, "in_counts", args.in_counts);
	check_table(api, "out_counts", args.out_counts);
	check_table(api, "out_offsets", args.out_offsets);
	args.team = (uintptr_t)shmemi_team_handle(team);
	args.grid = 1;
	launch(api, team, SHMEMD_KERNEL_alltoallv_2d,
	       grid_by_all(api, SHMEMD_KERNEL_alltoallv_2d, bytes), &args,
	       sizeof(args), stream);
	return 0;
}

int shmemx_alltoallv_2d_on_stream(shmem_team_t team, void *dest,
				  const void *source, size_t row_bytes,
				  size_t n_local, size_t align,
				  size_t dest_rows, const size_t *in_counts,
				  size_t *out_counts, size_t *out_offsets,
				  shmemx_stream_t stream)
{
	const struct shmemd_args_alltoallv_2d args = {
		.dest = dest,
		.source = source,
		.row_bytes = row_bytes,
		.n_local = n_local,
		.align = align,
		.dest_rows = dest_rows,
		.in_counts = in_counts,
		.out_counts = out_counts,
		.out_offsets = out_offsets,
	};

	return alltoallv_2d(__func__, team, args, stream);
}

int shmemx_alltoallv_2d_offset_on_stream(
	shmem_team_t team, void *dest, const void *source, size_t row_bytes,
	size_t n_local, size_t dest_rows, const size_t *in_counts,
	const size_t *in_offsets, size_t *out_counts, size_t *out_offsets,
	shmemx_stream_t stream)
{
	const struct shmemd_args_alltoallv_2d args = {
		.dest = dest,
		.source = source,
		.row_bytes = row_bytes,
		.n_local = n_local,
		.dest_rows = dest_rows,
		.in_counts = in_counts,
		.in_offsets = in_offsets,
		.out_counts = out_counts,
		.out_offsets = out_offsets,
	};

	check_table(__func__, "in_offsets", in_offsets);
	return alltoallv_2d(__func__, team, args, stream);
}

enum shmemd_kernel shmemi_reduce_kernel(int kind, size_t esize,
					enum shmemd_reduce op)
{
	static const enum shmemd_kernel real[] = {
		SHMEMD_KERNEL_reduce_float, SHMEMD_KERNEL_reduce_double
	};
	static const enum shmemd_kernel whole[2][4] = {
		{ SHMEMD_KERNEL_reduce_uint8, SHMEMD_KERNEL_reduce_uint16,
		  SHMEMD_KERNEL_reduce_uint32, SHMEMD_KERNEL_reduce_uint64 },
		{ SHMEMD_KERNEL_reduce_int8, SHMEMD_KERNEL_reduce_int16,
		  SHMEMD_KERNEL_reduce_int32, SHMEMD_KERNEL_reduce_int64 },
	};

	if (kind == 2)
		return real[esize == sizeof(double)];
	if (op != SHMEMD_REDUCE_max && op != SHMEMD_REDUCE_min)
		kind = 0;
	return whole[kind][__builtin_ctzl(esize)];
}
