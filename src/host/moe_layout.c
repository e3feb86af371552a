/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "host/check.h"
#include "host/device.h"
#include "host/moe.h"

static void enter(const char *api)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
}

/* In the order of plan_near(). */
static void carve(const struct shmemi_moe_plan *plan, char *at,
		  struct shmemd_moe_layout *d)
{
	size_t n_experts = plan->config.n_experts;
	size_t pairs = (size_t)plan->config.max_tokens * plan->config.top_k;
	const struct {
		int32_t **array;
		size_t n;
	} arrays[] = {
		{ &d->rows, pairs },
		{ &d->experts, pairs },
		{ &d->n_tokens, 1 },
		{ &d->overflow, 1 },
		{ &d->counts, plan->n_local },
		{ &d->offsets, plan->n_local + 1 },
		{ &d->counts_by_pe, n_experts },
		{ &d->ranks, pairs },
		{ &d->before, plan->n_chunks * n_experts },
		{ &d->base, n_experts },
		{ &d->limit, n_experts },
	};

	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
		*arrays[i].array =
			shmemi_moe_carve(&at, arrays[i].n, sizeof(int32_t));
}

int shmemx_moe_layout_create(shmemx_moe_t moe, shmemx_moe_layout_t *new_layout)
{
	struct shmemx_moe_layout *layout;
	void *memory;
	int rc;

	enter(__func__);
	if (!moe || !new_layout) {
		shmemi_log_error("%s: %s is NULL", __func__,
				 moe ? "new_layout" : "moe");
		return -EINVAL;
	}
	rc = shmemg->mem_alloc(moe->plan.sizes.layout_bytes, &memory);
	if (rc)
		return rc;
	layout = calloc(1, sizeof(*layout));
	if (!layout)
		shmemi_fatal("%s: out of memory", __func__);
	layout->moe = moe;
	layout->memory = memory;
	carve(&moe->plan, memory, &layout->device);
	if (moe->plan.team->nodes)
		shmemi_moe_far_layout_open(
			&moe->plan, layout->memory + moe->plan.record_bytes,
			&layout->device.far);
	moe->n_layouts++;
	*new_layout = layout;
	return 0;
}

void shmemx_moe_layout_destroy(shmemx_moe_layout_t layout)
{
	enter(__func__);
	if (!layout)
		return;
	if (layout->moe->lacks_recv && layout->moe->call.layout == layout)
		shmemi_fatal("%s: layout is of an exchange that lacks its "
			     "recv: %s",
			     __func__, layout->moe->call.api);
	shmemg->streams_sync();
	shmemi_device_error_check();
	shmemg->mem_free(layout->memory);
	layout->moe->n_layouts--;
	free(layout);
}

int shmemx_moe_layout_view(shmemx_moe_layout_t layout,
			   struct shmemx_moe_view *view)
{
	enter(__func__);
	if (!layout || !view) {
		shmemi_log_error("%s: %s is NULL", __func__,
				 layout ? "view" : "layout");
		return -EINVAL;
	}
	*view = (struct shmemx_moe_view){
		.counts = layout->device.counts,
		.offsets = layout->device.offsets,
		.counts_by_pe = layout->device.counts_by_pe,
		.rows = layout->device.rows,
		.experts = layout->device.experts,
	};
	return 0;
}
