/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/grid.h"
#include "host/moe.h"

/* Work-items of a work-group; those of the CPU take turns on a core. */
#define ITEMS_GPU SHMEMD_MOE_ITEMS
#define ITEMS_CPU 64
#define WGS_CPU 4

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

static int launch_one(const struct shmemi_moe_call *call,
		      const struct shmemg_kernel *kernel)
{
	return shmemi_moe_launch(call, kernel, 1, 0);
}

static int far(const struct shmemi_moe_call *call, enum shmemi_moe_place place)
{
	return call->moe->plan.team->nodes ?
		       shmemi_moe_far_launch(call, place) :
		       0;
}

/* A kernel, with what moe_far.c has before and after it. */
static int surround(const struct shmemi_moe_call *call,
		    enum shmemi_moe_place before,
		    const struct shmemg_kernel *kernel, size_t shares,
		    int waits, enum shmemi_moe_place after)
{
	int rc = far(call, before);

	if (!rc)
		rc = shmemi_moe_launch(call, kernel, shares, waits);
	return rc ? rc : far(call, after);
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

/*
 * With a plan all members have met. Where none is made, they must if rows of
 * another exchange may still be in the way, or in boxes of relays.
 */
static int push(const struct shmemi_moe_call *call, int meets)
{
	int rc = 0;

	if (meets)
		rc = launch_one(call, &shmemd_kernel_moe_ready);
	return rc ? rc :
		    surround(call, SHMEMI_MOE_BEFORE_PUSH,
			     &shmemd_kernel_moe_push, wanted(call), 0,
			     SHMEMI_MOE_AFTER_PUSH);
}

static int open_rows(const struct shmemi_moe_call *call)
{
	return surround(call, SHMEMI_MOE_BEFORE_OPEN, &shmemd_kernel_moe_open,
			1, 0, SHMEMI_MOE_AFTER_OPEN);
}

static int wait_pushed(const struct shmemi_moe_call *call)
{
	return surround(call, SHMEMI_MOE_BEFORE_PUSHED,
			&shmemd_kernel_moe_pushed, 1, 0,
			SHMEMI_MOE_AFTER_PUSHED);
}

static int pull(const struct shmemi_moe_call *call)
{
	return surround(call, SHMEMI_MOE_BEFORE_PULL, &shmemd_kernel_moe_pull,
			wanted(call), 1, SHMEMI_MOE_AFTER_PULL);
}

static int send_dispatch(const struct shmemi_moe_call *call)
{
	const int compact = call->args.moe.layout == SHMEMX_MOE_COMPACT;
	const int plans = compact && call->args.ids;
	size_t chunks =
		(call->args.n_tokens + SHMEMD_MOE_CHUNK - 1) / SHMEMD_MOE_CHUNK;
	int rc = 0;

	if (call->args.ids)
		rc = shmemi_moe_launch(call, &shmemd_kernel_moe_count, chunks,
				       0);
	if (!rc && plans)
		rc = launch_one(call, &shmemd_kernel_moe_plan);
	return rc ? rc :
		    push(call,
			 !plans && (compact || call->moe->plan.team->nodes));
}

static int send_grads(const struct shmemi_moe_call *call)
{
	int rc = push(call, 1);

	return rc || !call->args.pulls ? rc : open_rows(call);
}

static int recv_grads(const struct shmemi_moe_call *call)
{
	int rc = wait_pushed(call);

	return rc || !call->args.pulls ? rc : pull(call);
}

int shmemi_moe_send(const struct shmemi_moe_call *call)
{
	switch (call->exchange) {
	case SHMEMI_MOE_DISPATCH:
		return send_dispatch(call);
	case SHMEMI_MOE_COMBINE_BACKWARD:
		return send_grads(call);
	default:
		return open_rows(call);
	}
}

int shmemi_moe_recv(const struct shmemi_moe_call *call)
{
	switch (call->exchange) {
	case SHMEMI_MOE_DISPATCH:
		return wait_pushed(call);
	case SHMEMI_MOE_COMBINE_BACKWARD:
		return recv_grads(call);
	default:
		return pull(call);
	}
}
