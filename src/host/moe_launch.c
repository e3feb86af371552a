/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/grid.h"
#include "host/moe.h"

/* Work-items of a work-group; those of the CPU take turns on a core. */
#define ITEMS_GPU SHMEMD_MOE_ITEMS
#define ITEMS_CPU 64
#define WGS_CPU 4

/* Ids of a dispatch for which another launch takes longer than it saves. */
#define ONE_LAUNCH_IDS 4096

static int items(void)
{
	return shmemg == &shmemg_cpu ? ITEMS_CPU : ITEMS_GPU;
}

static size_t most_wgs(const struct shmemx_moe *moe)
{
	if (moe->plan.config.n_wgs)
		return moe->plan.config.n_wgs;
	if (shmemi.env.moe_wgs)
		return (size_t)shmemi.env.moe_wgs;
	return shmemg == &shmemg_cpu ? WGS_CPU : SIZE_MAX;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

int shmemi_moe_launch(const struct shmemi_moe_call *call,
		      const struct shmemg_kernel *kernel, size_t shares,
		      int waits)
{
	int n_items = items();
	size_t n_wgs = smaller(shares, most_wgs(call->moe)), fit;

	if (n_wgs > 1) {
		fit = (size_t)(waits ? shmemi_grid_fitting(call->api, kernel,
							   n_items) :
				       shmemi_grid_filling(call->api, kernel,
							   n_items));
		n_wgs = smaller(n_wgs, fit);
	}
	return shmemg->launch(kernel, n_wgs ? (int)n_wgs : 1, n_items,
			      &call->args, sizeof(call->args), call->stream);
}

static int launch_stages(const struct shmemi_moe_call *call,
			 const struct shmemg_kernel *kernel, uint32_t stages,
			 size_t shares, int waits)
{
	struct shmemi_moe_call staged = *call;

	staged.args.stages = stages;
	return shmemi_moe_launch(&staged, kernel, shares, waits);
}

static int is_far(const struct shmemi_moe_call *call)
{
	return call->moe->plan.team->nodes != NULL;
}

static int far(const struct shmemi_moe_call *call, enum shmemi_moe_place place)
{
	return is_far(call) ? shmemi_moe_far_launch(call, place) : 0;
}

/*
 * Whether push also does what comes before it. Then it has no more work-groups
 * than surely run at once, which is less than what the rows of many ids want.
 */
static int is_one_launch(const struct shmemi_moe_call *call)
{
	return !is_far(call) &&
	       (size_t)call->args.n_tokens * call->args.moe.top_k <=
		       ONE_LAUNCH_IDS;
}

/*
 * Waves share out tokens, or parts of them, of which each item reads 16
 * elements: more work-groups than that have nothing to do.
 */
static size_t wanted(const struct shmemi_moe_call *call)
{
	size_t elems = (size_t)call->args.n_tokens * call->args.moe.hidden;

	return elems / (16 * (size_t)items()) + 1;
}

static int count(const struct shmemi_moe_call *call)
{
	size_t chunks =
		(call->args.n_tokens + SHMEMD_MOE_CHUNK - 1) / SHMEMD_MOE_CHUNK;

	return shmemi_moe_launch(call, &shmemd_kernel_moe_plan, chunks, 0);
}

/*
 * With a plan all members have met. Where none is made, they must if rows of
 * another exchange may still be in the way, or in boxes of relays.
 */
static int meets(const struct shmemi_moe_call *call)
{
	const int compact = call->args.moe.layout == SHMEMX_MOE_COMPACT;

	if (call->exchange == SHMEMI_MOE_COMBINE_BACKWARD)
		return 1;
	return is_far(call) ? !compact || !call->args.ids :
			      compact && !call->args.ids;
}

/* wait: SHMEMD_MOE_WAIT, or 0. */
static int push(const struct shmemi_moe_call *call, uint32_t wait)
{
	uint32_t before = 0;
	int rc = 0;

	if (is_one_launch(call)) {
		before = (call->args.ids ? SHMEMD_MOE_COUNT : 0) |
			 (meets(call) ? SHMEMD_MOE_OPEN : 0);
	} else {
		if (call->args.ids)
			rc = count(call);
		if (!rc && meets(call))
			rc = shmemi_moe_launch(call, &shmemd_kernel_moe_ready,
					       1, 0);
	}
	if (!rc)
		rc = far(call, SHMEMI_MOE_BEFORE_PUSH);
	return rc ? rc :
		    launch_stages(call, &shmemd_kernel_moe_push,
				  before | SHMEMD_MOE_ROWS | wait, wanted(call),
				  before != 0);
}

static int wait_pushed(const struct shmemi_moe_call *call)
{
	int rc = far(call, SHMEMI_MOE_BEFORE_PUSHED);

	return rc ? rc :
		    launch_stages(call, &shmemd_kernel_moe_push,
				  SHMEMD_MOE_WAIT, 1, 0);
}

static int open_rows(const struct shmemi_moe_call *call)
{
	int rc = launch_stages(call, &shmemd_kernel_moe_pull, SHMEMD_MOE_OPEN,
			       1, 0);

	return rc ? rc : far(call, SHMEMI_MOE_AFTER_OPEN);
}

/* open: SHMEMD_MOE_OPEN, or 0. */
static int pull(const struct shmemi_moe_call *call, uint32_t open)
{
	int rc = far(call, SHMEMI_MOE_BEFORE_PULL);

	return rc ? rc :
		    launch_stages(call, &shmemd_kernel_moe_pull,
				  open | SHMEMD_MOE_ROWS, wanted(call), 1);
}

static int pushes(const struct shmemi_moe_call *call)
{
	return call->exchange == SHMEMI_MOE_DISPATCH ||
	       call->exchange == SHMEMI_MOE_COMBINE_BACKWARD;
}

static int pulls(const struct shmemi_moe_call *call)
{
	return call->exchange == SHMEMI_MOE_COMBINE_BACKWARD ?
		       call->args.pulls != 0 :
		       call->exchange != SHMEMI_MOE_DISPATCH;
}

int shmemi_moe_send(const struct shmemi_moe_call *call)
{
	int rc = 0;

	if (pushes(call))
		rc = push(call, 0);
	return rc || !pulls(call) ? rc : open_rows(call);
}

int shmemi_moe_recv(const struct shmemi_moe_call *call)
{
	int rc = 0;

	if (pushes(call))
		rc = wait_pushed(call);
	return rc || !pulls(call) ? rc : pull(call, 0);
}

int shmemi_moe_whole(const struct shmemi_moe_call *call)
{
	int rc = 0;

	if (is_far(call)) {
		rc = shmemi_moe_send(call);
		return rc ? rc : shmemi_moe_recv(call);
	}
	if (pushes(call))
		rc = push(call, SHMEMD_MOE_WAIT);
	return rc || !pulls(call) ? rc : pull(call, SHMEMD_MOE_OPEN);
}
