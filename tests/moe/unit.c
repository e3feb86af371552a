/* SPDX-License-Identifier: BSD-3-Clause */
#include "number.h"
#include "unit.h"

enum { GUARD_BYTES = 256, EXPERTS_OF_PE = 2 };

struct shmemx_moe_config unit_config(uint32_t layout)
{
	struct shmemx_moe_config c;

	memset(&c, 0, sizeof(c));
	c.version = SHMEMX_MOE_VERSION;
	c.team = SHMEM_TEAM_WORLD;
	c.n_experts = EXPERTS_OF_PE * (uint32_t)gpu_n;
	c.top_k = 2;
	c.hidden = 128;
	c.dtype = SHMEMX_MOE_BF16;
	c.layout = layout;
	c.max_tokens = 16;
	c.id_bytes = 4;
	return c;
}

const char *unit_text(const struct shmemx_moe_config *c, char text[128])
{
	static const char *const dtypes[] = { "bf16", "fp16", "fp32" };

	snprintf(text, 128,
		 "%s%s %s x %u, %u tokens, %u of %u experts, alignment %u, "
		 "capacity %u, ids of %u, %u wgs",
		 dtypes[c->dtype], c->quant ? " as fp8" : "",
		 c->layout == SHMEMX_MOE_SLOTS ? "slots" : "compact", c->hidden,
		 c->max_tokens, c->top_k, c->n_experts, c->alignment,
		 (unsigned int)c->capacity, c->id_bytes, c->n_wgs);
	return text;
}

static size_t span(size_t bytes)
{
	return (bytes + GUARD_BYTES + 255) / 256 * 256;
}

static void carve(struct buffer *b, char **at, size_t bytes)
{
	b->dev = *at;
	b->bytes = bytes + GUARD_BYTES;
	b->host = malloc(b->bytes);
	b->want = malloc(b->bytes);
	if (!b->host || !b->want)
		shmem_global_exit(1);
	*at += span(bytes);
}

static void drop(struct buffer *b)
{
	free(b->want);
	free(b->host);
	memset(b, 0, sizeof(*b));
}

static struct buffer *buffer_of(struct unit *u, int i)
{
	struct buffer *const all[] = {
		&u->rows,     &u->scales, &u->results,	   &u->grads,
		&u->x,	      &u->ids,	  &u->weights,	   &u->out,
		&u->grad_out, &u->grad_x, &u->grad_weights
	};

	return i < (int)GPU_COUNT(all) ? all[i] : NULL;
}

size_t unit_bytes(const struct shmemx_moe_config *config)
{
	struct shmemx_moe_sizes s;

	if (shmemx_moe_sizes(config, &s)) {
		gpu_fail("no sizes");
		shmem_global_exit(1);
	}
	return span(s.dispatch_bytes) + span(s.scales_bytes) +
	       2 * span(s.combine_bytes) + span(s.workspace_bytes);
}

static void carve_symmetric(struct unit *u)
{
	char *at = u->symmetric;

	carve(&u->rows, &at, u->sizes.dispatch_bytes);
	carve(&u->scales, &at, u->sizes.scales_bytes);
	carve(&u->results, &at, u->sizes.combine_bytes);
	carve(&u->grads, &at, u->sizes.combine_bytes);
	if (u->config.workspace)
		u->config.workspace = at;
}

static void carve_local(struct unit *u)
{
	const size_t n = u->config.max_tokens, pairs = n * u->config.top_k;
	const size_t row = n * u->config.hidden * number_bytes(u->config.dtype);
	char *at;

	u->local = shmemx_device_alloc(4 * span(row) +
				       span(pairs * u->config.id_bytes) +
				       2 * span(pairs * sizeof(float)));
	if (!u->local)
		shmem_global_exit(1);
	at = u->local;
	carve(&u->x, &at, row);
	carve(&u->out, &at, row);
	carve(&u->grad_out, &at, row);
	carve(&u->grad_x, &at, row);
	carve(&u->ids, &at, pairs * u->config.id_bytes);
	carve(&u->weights, &at, pairs * sizeof(float));
	carve(&u->grad_weights, &at, pairs * sizeof(float));
}

static void open_handle(struct unit *u)
{
	u->me = shmem_team_my_pe(u->config.team);
	u->n = shmem_team_n_pes(u->config.team);
	unit_text(&u->config, u->name);
	GPU_CHECK_EQ(shmemx_moe_sizes(&u->config, &u->sizes), 0);
	carve_symmetric(u);
	carve_local(u);
	if (shmemx_moe_create(&u->config, &u->moe)) {
		gpu_fail("no handle: %s", u->name);
		shmem_global_exit(1);
	}
}

void unit_open_in(struct unit *u, const struct shmemx_moe_config *config,
		  shmemx_stream_t stream, char *symmetric)
{
	memset(u, 0, sizeof(*u));
	u->config = *config;
	u->config.workspace = symmetric;
	u->stream = stream;
	u->symmetric = symmetric;
	open_handle(u);
	u->symmetric = NULL;
}

void unit_open(struct unit *u, const struct shmemx_moe_config *config,
	       shmemx_stream_t stream)
{
	memset(u, 0, sizeof(*u));
	u->config = *config;
	u->stream = stream;
	u->symmetric = shmemx_malloc_device(unit_bytes(config));
	if (!u->symmetric) {
		gpu_fail("no memory for %s", u->name);
		shmem_global_exit(1);
	}
	open_handle(u);
}

void unit_close(struct unit *u)
{
	struct buffer *b;

	shmemx_moe_destroy(u->moe);
	shmemx_device_free(u->local);
	for (int i = 0; (b = buffer_of(u, i)); i++)
		drop(b);
	if (u->symmetric)
		shmem_free(u->symmetric);
	memset(u, 0, sizeof(*u));
}

/* Nodes of SHMEM_NODE_SIZE PEs each are pretended ones. */
static int node_of(const struct unit *u, int member)
{
	const char *size = getenv("SHMEM_NODE_SIZE");
	const int n = size ? atoi(size) : 0;

	return n < 1 ? 0 :
		       shmem_team_translate_pe(u->config.team, member,
					       SHMEM_TEAM_WORLD) /
			       n;
}

void layer_open(struct unit *u, struct layer *l)
{
	memset(l, 0, sizeof(*l));
	oracle_new(&l->oracle, &u->config, u->n);
	for (int i = 0; i < u->n; i++)
		l->oracle.members[i].node = node_of(u, i);
	GPU_CHECK_EQ(shmemx_moe_layout_create(u->moe, &l->layout), 0);
	GPU_CHECK_EQ(shmemx_moe_layout_view(l->layout, &l->view), 0);
}

void layer_close(struct layer *l)
{
	shmemx_moe_layout_destroy(l->layout);
	oracle_free(&l->oracle);
}

void unit_dispatch(struct unit *u, struct layer *l, int cached)
{
	dispatch_before(u, l);
	dispatch_put(u, l, cached);
	dispatch_after(u, l);
}

void unit_combine(struct unit *u, struct layer *l)
{
	combine_before(u, l);
	combine_put(u, l);
	combine_after(u, l);
}

void unit_forward(struct unit *u, struct layer *l)
{
	unit_dispatch(u, l, 0);
	unit_combine(u, l);
}

void unit_backward(struct unit *u, struct layer *l)
{
	combine_backward_before(u, l);
	combine_backward_put(u, l, 1);
	combine_backward_after(u, l, 1);
	dispatch_backward_before(u, l);
	dispatch_backward_put(u, l);
	dispatch_backward_after(u, l);
}

void unit_stats(struct unit *u, uint64_t *stats)
{
	const size_t n = SHMEMX_MOE_STATS + u->config.n_experts / (size_t)u->n +
			 (size_t)u->n;

	GPU_CHECK_EQ(shmemx_stream_synchronize(u->stream), 0);
	GPU_CHECK_EQ(shmemx_memcpy(stats, shmemx_moe_stats(u->moe),
				   n * sizeof(*stats)),
		     0);
}
