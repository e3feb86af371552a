/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <limits.h>

#include "base/log.h"
#include "host/check.h"
#include "host/moe.h"

/* A field, and the values that it may have: from least to most. */
struct range {
	const char *field;
	uint64_t value, least, most;
};

static int check_ranges(const char *api, const struct range *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (r[i].value >= r[i].least && r[i].value <= r[i].most)
			continue;
		if (r[i].least == r[i].most)
			shmemi_log_error("%s: config.%s is %lu, expected %lu",
					 api, r[i].field, r[i].value,
					 r[i].least);
		else
			shmemi_log_error("%s: config.%s is %lu, expected %lu "
					 "to %lu",
					 api, r[i].field, r[i].value,
					 r[i].least, r[i].most);
		return -EINVAL;
	}
	return 0;
}

static int check_each(const char *api, const struct shmemx_moe_config *c)
{
	const int slots = c->layout == SHMEMX_MOE_SLOTS;
	const struct range fields[] = {
		{ "version", c->version, SHMEMX_MOE_VERSION,
		  SHMEMX_MOE_VERSION },
		{ "n_experts", c->n_experts, 1, INT_MAX },
		{ "top_k", c->top_k, 1, SHMEMX_MOE_TOP_K_MAX },
		{ "hidden", c->hidden, 1, INT_MAX / 4 },
		{ "dtype", c->dtype, SHMEMX_MOE_BF16, SHMEMX_MOE_FP32 },
		{ "quant", c->quant, SHMEMX_MOE_QUANT_NONE,
		  SHMEMX_MOE_QUANT_FP8 },
		{ "layout", c->layout, SHMEMX_MOE_COMPACT, SHMEMX_MOE_SLOTS },
		{ "max_tokens", c->max_tokens, 1,
		  INT_MAX / SHMEMX_MOE_TOP_K_MAX },
		{ "n_wgs", c->n_wgs, 0, INT_MAX },
		{ "unused", c->unused, 0, 0 },
		{ slots ? "alignment with SHMEMX_MOE_SLOTS" : "alignment",
		  c->alignment, 0, slots ? 1 : INT_MAX },
		{ slots ? "capacity with SHMEMX_MOE_SLOTS" : "capacity",
		  c->capacity, 0, slots ? 0 : INT_MAX },
	};

	return check_ranges(api, fields, sizeof(fields) / sizeof(*fields));
}

static int check_ids(const char *api, const struct shmemx_moe_config *c)
{
	if (c->id_bytes == 4 || c->id_bytes == 8)
		return 0;
	shmemi_log_error("%s: config.id_bytes is %u, expected 4 or 8", api,
			 c->id_bytes);
	return -EINVAL;
}

static int check_multiple(const char *api, const char *field, uint32_t value,
			  size_t of, const char *why)
{
	if (value % of == 0)
		return 0;
	shmemi_log_error("%s: config.%s is %u, expected a multiple of %zu, %s",
			 api, field, value, of, why);
	return -EINVAL;
}

static int check_together(const char *api, const struct shmemi_moe_plan *plan)
{
	const struct shmemx_moe_config *c = &plan->config;
	int rc;

	rc = check_multiple(api, "n_experts", c->n_experts, plan->n_pes,
			    "the PEs of the team");
	if (!rc)
		rc = check_multiple(api, "hidden", c->hidden,
				    16 / plan->elem_bytes,
				    "16 bytes of elements");
	if (!rc && c->quant == SHMEMX_MOE_QUANT_FP8)
		rc = check_multiple(api, "hidden", c->hidden,
				    SHMEMX_MOE_SCALE_ELEMS,
				    "the elements of a scale");
	return rc;
}

/*
 * Rows of a PE's output. COMPACT: each token of each PE may come top_k times,
 * also if that is to one expert, and padding is less than alignment an expert,
 * but that an empty one takes alignment rows.
 */
static size_t rows_of(const struct shmemi_moe_plan *plan)
{
	const struct shmemx_moe_config *c = &plan->config;
	size_t tokens = shmemi_moe_times(plan->n_pes, c->max_tokens);
	size_t padding = c->alignment > 1 ? c->alignment : 0;

	if (c->layout == SHMEMX_MOE_SLOTS)
		return shmemi_moe_times(tokens, plan->n_local);
	if (c->capacity)
		return c->capacity;
	return shmemi_moe_plus(shmemi_moe_times(tokens, c->top_k),
			       shmemi_moe_times(plan->n_local, padding));
}

static size_t sum(const size_t *bytes, size_t n)
{
	size_t all = 0;

	for (size_t i = 0; i < n; i++)
		all = shmemi_moe_plus(all, bytes[i]);
	return all;
}

#define SUM(...) \
	sum((const size_t[]){ __VA_ARGS__ }, \
	    sizeof((const size_t[]){ __VA_ARGS__ }) / sizeof(size_t))
#define SPAN shmemi_moe_span

/* The arrays that moe.c and moe_layout.c carve out, in their order. */
static void plan_near(struct shmemi_moe_plan *plan)
{
	const struct shmemx_moe_config *c = &plan->config;
	size_t pairs = shmemi_moe_times(c->max_tokens, c->top_k);
	size_t n_stats = SHMEMX_MOE_STATS + plan->n_local + plan->n_pes;

	plan->near_bytes =
		SUM(SPAN(SHMEMD_MOE_POINTS * plan->n_pes,
			 sizeof(struct shmemd_moe_arrival)),
		    SPAN(2 * (size_t)c->n_experts, sizeof(uint64_t)));
	plan->table_bytes = SUM(SPAN(c->n_experts, sizeof(uint64_t)),
				SPAN(SHMEMD_MOE_POINTS, sizeof(uint64_t)),
				SPAN(SHMEMD_MOE_POINTS, sizeof(uint64_t)),
				SPAN(n_stats, sizeof(uint64_t)));
	plan->record_bytes =
		SUM(SPAN(pairs, sizeof(int32_t)), SPAN(pairs, sizeof(int32_t)),
		    SPAN(1, sizeof(int32_t)), SPAN(1, sizeof(int32_t)),
		    SPAN(plan->n_local, sizeof(int32_t)),
		    SPAN(plan->n_local + 1, sizeof(int32_t)),
		    SPAN(c->n_experts, sizeof(int32_t)),
		    SPAN(pairs, sizeof(int32_t)),
		    SPAN(shmemi_moe_times(plan->n_chunks, c->n_experts),
			 sizeof(int32_t)),
		    SPAN(c->n_experts, sizeof(int32_t)),
		    SPAN(c->n_experts, sizeof(int32_t)));
}

static void plan_sizes(struct shmemi_moe_plan *plan)
{
	size_t rows = rows_of(plan);

	plan_near(plan);
	plan->sizes = (struct shmemx_moe_sizes){
		.workspace_bytes = SUM(plan->near_bytes,
				       shmemi_moe_far_workspace_bytes(plan)),
		.layout_bytes = SUM(plan->record_bytes,
				    shmemi_moe_far_layout_bytes(plan)),
		.rows = rows,
		.dispatch_bytes = shmemi_moe_times(rows, plan->row_bytes),
		.scales_bytes = shmemi_moe_times(rows, plan->scales_bytes),
		.combine_bytes = shmemi_moe_times(rows, plan->token_bytes),
	};
}

static int check_sizes(const char *api, const struct shmemi_moe_plan *plan)
{
	const int slots = plan->config.layout == SHMEMX_MOE_SLOTS;
	const struct shmemx_moe_sizes *s = &plan->sizes;

	if (s->rows > INT32_MAX) {
		shmemi_log_error(
			"%s: a PE could receive %zu rows, expected at "
			"most %d: %s",
			api, s->rows, INT32_MAX,
			slots ? "config.n_experts or config.max_tokens "
				"is too large" :
				"config.capacity can bound them");
		return -EINVAL;
	}
	if (s->workspace_bytes < SIZE_MAX / 2 &&
	    s->layout_bytes < SIZE_MAX / 2 && s->combine_bytes < SIZE_MAX / 2 &&
	    shmemi_moe_far_table_bytes(plan) < SIZE_MAX / 2)
		return 0;
	shmemi_log_error("%s: config asks for more memory than an address "
			 "space holds",
			 api);
	return -EINVAL;
}

static void plan_bytes(struct shmemi_moe_plan *plan)
{
	const struct shmemx_moe_config *c = &plan->config;
	const int fp8 = c->quant == SHMEMX_MOE_QUANT_FP8;

	plan->elem_bytes = c->dtype == SHMEMX_MOE_FP32 ? 4 : 2;
	plan->token_bytes = c->hidden * plan->elem_bytes;
	plan->row_bytes = fp8 ? c->hidden : plan->token_bytes;
	plan->scales_bytes =
		fp8 ? c->hidden / SHMEMX_MOE_SCALE_ELEMS * sizeof(float) : 0;
	plan->n_pes = (size_t)plan->team->n_pes;
	plan->n_local = c->n_experts / plan->n_pes;
	plan->n_chunks = ((size_t)c->max_tokens + SHMEMD_MOE_CHUNK - 1) /
			 SHMEMD_MOE_CHUNK;
}

int shmemi_moe_plan_make(const char *api,
			 const struct shmemx_moe_config *config,
			 struct shmemi_moe_plan *plan)
{
	int rc;

	if (!config) {
		shmemi_log_error("%s: config is NULL", api);
		return -EINVAL;
	}
	*plan = (struct shmemi_moe_plan){ .config = *config };
	rc = check_each(api, config);
	if (!rc)
		rc = check_ids(api, config);
	if (rc)
		return rc;
	plan->team = shmemi_team(config->team);
	if (!plan->team) {
		shmemi_log_error("%s: config.team is %p, expected a team of "
				 "this PE",
				 api, (void *)config->team);
		return -EINVAL;
	}
	plan_bytes(plan);
	rc = check_together(api, plan);
	if (rc)
		return rc;
	plan_sizes(plan);
	return check_sizes(api, plan);
}

int shmemx_moe_sizes(const struct shmemx_moe_config *config,
		     struct shmemx_moe_sizes *sizes)
{
	struct shmemi_moe_plan plan;
	int rc;

	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	rc = shmemi_moe_plan_make(__func__, config, &plan);
	if (!rc && !sizes) {
		shmemi_log_error("%s: sizes is NULL", __func__);
		return -EINVAL;
	}
	if (!rc)
		*sizes = plan.sizes;
	return rc;
}
