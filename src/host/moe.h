/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles and layouts of MoE exchanges. moe_config.c says what a configuration
 * takes, moe.c makes handles, moe_layout.c layouts; moe_exchange.c takes calls,
 * moe_launch.c puts their kernels, those of device/moe.h, on streams, and
 * moe_far.c adds what members of other nodes need.
 */
#ifndef SHMEMI_MOE_H
#define SHMEMI_MOE_H

#include "host/team.h"

#pragma GCC visibility push(default)
#include <shmem/moe.h>
#pragma GCC visibility pop

#include "device/moe.h"
#include "gpu/gpu.h"

/* What arrays in a workspace, a handle's tables and a layout are aligned to. */
#define SHMEMI_MOE_ALIGN 64

/* A configuration that can be, and what follows from it. */
struct shmemi_moe_plan {
	struct shmemx_moe_config config;
	struct shmem_team *team; /* of config; in a handle, its own */
	size_t n_pes, n_local, n_chunks;
	size_t elem_bytes;   /* of dtype */
	size_t token_bytes;  /* of a row of dtype */
	size_t row_bytes;    /* of a row that dispatch brings */
	size_t scales_bytes; /* of such a row's scales; 0 without */
	size_t near_bytes;   /* of the workspace, before the far part */
	size_t table_bytes;  /* of a handle's tables, before the far part */
	size_t record_bytes; /* of a layout, before the far part */
	struct shmemx_moe_sizes sizes;
};

/* An exchange, as its send was told. */
struct shmemi_moe_call {
	const char *api;
	struct shmemx_moe *moe;
	struct shmemx_moe_layout *layout;
	shmemg_stream stream; /* of the half that is being launched */
	enum shmemi_moe_exchange {
		SHMEMI_MOE_DISPATCH,
		SHMEMI_MOE_COMBINE,
		SHMEMI_MOE_DISPATCH_BACKWARD,
		SHMEMI_MOE_COMBINE_BACKWARD
	} exchange;
	struct shmemd_args_moe args;
};

struct shmemx_moe {
	struct shmemi_moe_plan plan;
	struct shmemd_moe device;
	char *workspace; /* symmetric */
	int owns_workspace;
	char *tables; /* of shmemg->mem_alloc */
	int n_layouts;
	struct shmemi_moe_call call; /* the newest */
	int lacks_recv;
};

struct shmemx_moe_layout {
	struct shmemx_moe *moe;
	struct shmemd_moe_layout device;
	char *memory;	   /* of shmemg->mem_alloc, layout_bytes of sizes */
	int filled;	   /* by a dispatch, perhaps on a stream yet */
	uint32_t n_tokens; /* of the newest dispatch that the host launched */
};

/*
 * Fills a plan, config included. 0, or -EINVAL after a line that names the
 * field, its value and what was expected.
 */
int shmemi_moe_plan_make(const char *api,
			 const struct shmemx_moe_config *config,
			 struct shmemi_moe_plan *plan);

/* a * b and a + b of sizes; SIZE_MAX, which stays it, if there is none. */
static inline size_t shmemi_moe_times(size_t a, size_t b)
{
	size_t n;

	if ((a == SIZE_MAX && b) || (b == SIZE_MAX && a))
		return SIZE_MAX;
	return __builtin_mul_overflow(a, b, &n) ? SIZE_MAX : n;
}

static inline size_t shmemi_moe_plus(size_t a, size_t b)
{
	size_t n;

	return __builtin_add_overflow(a, b, &n) ? SIZE_MAX : n;
}

/* Bytes that n of esize take up, with what aligns the next array. */
static inline size_t shmemi_moe_span(size_t n, size_t esize)
{
	size_t bytes = shmemi_moe_plus(shmemi_moe_times(n, esize),
				       SHMEMI_MOE_ALIGN - 1);

	return bytes == SIZE_MAX ? bytes :
				   bytes & ~(size_t)(SHMEMI_MOE_ALIGN - 1);
}

/* Takes that from *at: the array's place. */
static inline void *shmemi_moe_carve(char **at, size_t n, size_t esize)
{
	char *p = *at;

	*at += shmemi_moe_span(n, esize);
	return p;
}

/*
 * Launches a kernel of an exchange. shares: how many work-groups have work, at
 * least; 1 for the kernels of one work-group. waits: its work-groups wait for
 * peers, so all must run at once with those of PEs that share the device. 0 or
 * a negative errno, logged.
 */
int shmemi_moe_launch(const struct shmemi_moe_call *call,
		      const struct shmemg_kernel *kernel, size_t shares,
		      int waits);

/*
 * The kernels of a half of an exchange, or of both, which are fewer. 0 or a
 * negative errno, logged.
 */
int shmemi_moe_send(const struct shmemi_moe_call *call);
int shmemi_moe_recv(const struct shmemi_moe_call *call);
int shmemi_moe_whole(const struct shmemi_moe_call *call);

/*
 * What moe_far.c adds. All but the first three are called for teams with far
 * members only (plan.team->nodes); those give 0 for others.
 */

/*
 * Bytes beyond what near members take, from the plan's other members, overflow
 * as SIZE_MAX: of the workspace (the same on all members, so by what all know,
 * not by my node), of the handle's tables, and of a layout. A plan's team may
 * be the user's; that of a handle has the same members and nodes.
 */
size_t shmemi_moe_far_workspace_bytes(const struct shmemi_moe_plan *plan);
size_t shmemi_moe_far_table_bytes(const struct shmemi_moe_plan *plan);
size_t shmemi_moe_far_layout_bytes(const struct shmemi_moe_plan *plan);

/*
 * Sets moe->device.far, in memory of these sizes that is all zero and aligned
 * to SHMEMI_MOE_ALIGN; tables are written by shmemg->copy. The rest of the
 * handle is complete, members meet afterwards. 0 or a negative errno, logged.
 */
int shmemi_moe_far_open(struct shmemx_moe *moe, char *workspace, char *tables);

/* Sets a layout's far, in memory of this size, all zero. */
void shmemi_moe_far_layout_open(const struct shmemi_moe_plan *plan,
				char *memory,
				struct shmemd_moe_far_layout *far);

/*
 * Places in an exchange at which it may launch kernels of its own; those of an
 * exchange that has no such kernel don't come.
 *
 * send: plan?, ready?, BEFORE_PUSH push, open AFTER_OPEN
 * recv: BEFORE_PUSHED wait, BEFORE_PULL pull
 */
enum shmemi_moe_place {
	SHMEMI_MOE_BEFORE_PUSH,
	SHMEMI_MOE_AFTER_OPEN,
	SHMEMI_MOE_BEFORE_PUSHED,
	SHMEMI_MOE_BEFORE_PULL,
};

/* 0 or a negative errno, logged. */
int shmemi_moe_far_launch(const struct shmemi_moe_call *call,
			  enum shmemi_moe_place place);

#endif
