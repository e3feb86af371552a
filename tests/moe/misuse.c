/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wrong calls. Run by misuse.sh, which knows what is to be said of them.
 *
 *	misuse sizes FIELD VALUE	a configuration that is wrong on all PEs
 *	misuse create FIELD VALUE	the same on the last PE alone
 *	misuse CALL			one call, on all PEs
 *
 * Each prints what was returned.
 */
#include <errno.h>
#include "unit.h"

static struct unit u;
static struct layer l, other;
static char *elsewhere; /* not symmetric */

#define FIELD(name) \
	{ \
#name, offsetof(struct shmemx_moe_config, name) \
	}
static const struct {
	const char *name;
	size_t offset;
} fields[] = {
	FIELD(version),	  FIELD(n_experts), FIELD(top_k),  FIELD(hidden),
	FIELD(dtype),	  FIELD(quant),	    FIELD(layout), FIELD(max_tokens),
	FIELD(alignment), FIELD(id_bytes),  FIELD(n_wgs),  FIELD(unused),
};

static void set(struct shmemx_moe_config *c, const char *field, uint64_t value)
{
	if (!strcmp(field, "capacity"))
		c->capacity = value;
	else if (!strcmp(field, "workspace"))
		c->workspace = value == 1 ? (char *)shmem_malloc(1 << 16) + 8 :
			       value == 3 ? (char *)shmem_malloc(64) :
					    elsewhere;
	else if (!strcmp(field, "team"))
		c->team = SHMEM_TEAM_INVALID;
	for (size_t i = 0; i < GPU_COUNT(fields); i++)
		if (!strcmp(field, fields[i].name)) {
			uint32_t v = (uint32_t)value;

			memcpy((char *)c + fields[i].offset, &v, sizeof(v));
		}
}

/* FIELD may be several, as slots,capacity: the first one is a layout. */
static struct shmemx_moe_config config_of(const char *field, uint64_t value)
{
	const char *comma = strchr(field, ',');
	struct shmemx_moe_config c =
		unit_config(comma ? SHMEMX_MOE_SLOTS : SHMEMX_MOE_COMPACT);

	if (!strncmp(field, "fp8,", 4)) {
		c.layout = SHMEMX_MOE_COMPACT;
		c.quant = SHMEMX_MOE_QUANT_FP8;
	}
	set(&c, comma ? comma + 1 : field, value);
	return c;
}

static int sizes(const char *field, uint64_t value)
{
	struct shmemx_moe_config c = config_of(field, value);
	struct shmemx_moe_sizes s;

	return shmemx_moe_sizes(&c, &s);
}

static int create(const char *field, uint64_t value)
{
	struct shmemx_moe_config c = unit_config(SHMEMX_MOE_COMPACT);
	shmemx_moe_t moe;

	if (gpu_me == gpu_n - 1)
		c = config_of(field, value);
	if (gpu_me == gpu_n - 1 && !strcmp(field, "config"))
		return shmemx_moe_create(NULL, &moe);
	return shmemx_moe_create(&c, &moe);
}

/* --- Calls, of a handle with a layout that is filled and one that is not -- */

static int dispatch_to(void *rows, float *scales, size_t n_tokens)
{
	return shmemx_moe_dispatch_send(u.moe, l.layout, u.x.dev, u.ids.dev,
					n_tokens, rows, scales, u.stream);
}

static int no_moe(void)
{
	return shmemx_moe_dispatch_send(NULL, l.layout, u.x.dev, u.ids.dev, 1,
					u.rows.dev, NULL, u.stream);
}

static int no_layout(void)
{
	return shmemx_moe_combine(u.moe, NULL, u.results.dev, NULL, u.out.dev,
				  u.stream);
}

static int no_config(void)
{
	shmemx_moe_t moe;

	return shmemx_moe_create(NULL, &moe);
}

static int many_tokens(void)
{
	return dispatch_to(u.rows.dev, NULL, u.config.max_tokens + 1);
}

static int other_tokens(void)
{
	return shmemx_moe_dispatch(u.moe, l.layout, u.x.dev, NULL,
				   u.config.max_tokens - 1, u.rows.dev, NULL,
				   u.stream);
}

static int no_rows(void)
{
	return dispatch_to(NULL, NULL, 1);
}

static int no_x(void)
{
	return shmemx_moe_dispatch(u.moe, l.layout, NULL, u.ids.dev, 1,
				   u.rows.dev, NULL, u.stream);
}

static int odd_x(void)
{
	return shmemx_moe_dispatch(u.moe, l.layout, u.x.dev + 8, u.ids.dev, 1,
				   u.rows.dev, NULL, u.stream);
}

static int odd_rows(void)
{
	return dispatch_to(u.rows.dev + 4, NULL, 1);
}

static int scales(void)
{
	return dispatch_to(u.rows.dev, (float *)u.results.dev, 1);
}

static int no_out(void)
{
	return shmemx_moe_combine(u.moe, l.layout, u.results.dev, NULL, NULL,
				  u.stream);
}

static int unfilled(void)
{
	return shmemx_moe_combine(u.moe, other.layout, u.results.dev, NULL,
				  u.out.dev, u.stream);
}

static int unfilled_cached(void)
{
	return shmemx_moe_dispatch(u.moe, other.layout, u.x.dev, NULL, 0,
				   u.rows.dev, NULL, u.stream);
}

static int same_grads(void)
{
	return shmemx_moe_combine_backward(
		u.moe, l.layout, u.grad_out.dev, u.results.dev, NULL,
		u.results.dev, (float *)u.grad_weights.dev, u.stream);
}

static int weights_alone(void)
{
	return shmemx_moe_combine_backward(
		u.moe, l.layout, u.grad_out.dev, NULL, NULL, u.grads.dev,
		(float *)u.grad_weights.dev, u.stream);
}

static int no_grad_weights(void)
{
	return shmemx_moe_combine_backward(u.moe, l.layout, u.grad_out.dev,
					   u.results.dev, NULL, u.grads.dev,
					   NULL, u.stream);
}

static int combine_send(void)
{
	return shmemx_moe_combine_send(u.moe, l.layout, u.results.dev, NULL,
				       u.out.dev, u.stream);
}

/* Refused, but the exchange before is as it was, and can be ended. */
static int busy(void)
{
	int rc;

	GPU_CHECK_EQ(combine_send(), 0);
	rc = dispatch_to(u.rows.dev, NULL, 1);
	GPU_CHECK_EQ(shmemx_moe_combine_recv(u.moe, u.stream), 0);
	GPU_CHECK_EQ(combine_send(), 0);
	GPU_CHECK_EQ(shmemx_moe_combine_recv(u.moe, u.stream), 0);
	return rc;
}

static int recv_alone(void)
{
	return shmemx_moe_dispatch_recv(u.moe, u.stream);
}

static int recv_other(void)
{
	int rc;

	GPU_CHECK_EQ(combine_send(), 0);
	rc = shmemx_moe_dispatch_backward_recv(u.moe, u.stream);
	GPU_CHECK_EQ(shmemx_moe_combine_recv(u.moe, u.stream), 0);
	return rc;
}

/* The heap's, on all PEs, and all is given back. */
static int large(void)
{
	struct shmemx_moe_config c = unit_config(SHMEMX_MOE_COMPACT);
	shmemx_moe_t moe;

	c.n_experts = (uint32_t)gpu_n << 27;
	return shmemx_moe_create(&c, &moe);
}

/* Handles of two teams at a time, and that of one can't be. */
static int other_team(void)
{
	struct shmemx_moe_config c = unit_config(SHMEMX_MOE_COMPACT);
	shmemx_moe_t moe;
	int rc;

	rc = shmem_team_split_strided(SHMEM_TEAM_WORLD, gpu_me, 1, 1, NULL, 0,
				      &c.team);
	GPU_CHECK_EQ(rc, 0);
	if (gpu_me == gpu_n - 1)
		c.top_k = 17;
	rc = shmemx_moe_create(&c, &moe);
	shmem_team_destroy(c.team);
	return rc;
}

/* The workspace of PE 0 lies elsewhere in the heap. */
static int other_place(void)
{
	struct shmemx_moe_config c = unit_config(SHMEMX_MOE_COMPACT);
	struct gpu_mem m = gpu_mem_new(u.sizes.workspace_bytes + 64);
	shmemx_moe_t moe;
	int rc;

	c.workspace = m.dev + (gpu_me == 0 ? 64 : 0);
	rc = shmemx_moe_create(&c, &moe);
	gpu_mem_free(&m);
	return rc;
}

static int layout_gone(void)
{
	GPU_CHECK_EQ(combine_send(), 0);
	shmemx_moe_layout_destroy(l.layout);
	return shmemx_moe_combine_recv(u.moe, u.stream);
}

static int rows_elsewhere(void)
{
	return dispatch_to(elsewhere, NULL, 1);
}

static int results_elsewhere(void)
{
	return shmemx_moe_combine(u.moe, l.layout, elsewhere, NULL, u.out.dev,
				  u.stream);
}

static int grads_elsewhere(void)
{
	return shmemx_moe_combine_backward(u.moe, l.layout, u.grad_out.dev,
					   NULL, NULL, elsewhere, NULL,
					   u.stream);
}

static int short_rows(void)
{
	struct gpu_mem m = gpu_mem_new(64);

	return dispatch_to(m.dev, NULL, 1);
}

static int with_layouts(void)
{
	shmemx_moe_destroy(u.moe);
	return 0;
}

#define CALL(name) \
	{ \
#name, name \
	}
static const struct {
	const char *name;
	int (*call)(void);
} calls[] = {
	CALL(no_moe),
	CALL(no_layout),
	CALL(no_config),
	CALL(many_tokens),
	CALL(no_rows),
	CALL(no_x),
	CALL(odd_x),
	CALL(odd_rows),
	CALL(scales),
	CALL(no_out),
	CALL(unfilled),
	CALL(same_grads),
	CALL(weights_alone),
	CALL(no_grad_weights),
	CALL(busy),
	CALL(other_tokens),
	CALL(unfilled_cached),
	CALL(recv_other),
	CALL(recv_alone),
	CALL(large),
	CALL(other_team),
	CALL(other_place),
	CALL(layout_gone),
	CALL(rows_elsewhere),
	CALL(results_elsewhere),
	CALL(grads_elsewhere),
	CALL(short_rows),
	CALL(with_layouts),
};

static int call(const char *name)
{
	struct shmemx_moe_config c = unit_config(SHMEMX_MOE_COMPACT);
	const struct oracle_case o = { .salt = gpu_seed,
				       .route = ROUTE_ANY,
				       .tokens = TOKENS_FULL };
	int rc = 1;

	unit_open(&u, &c, NULL);
	layer_open(&u, &l);
	layer_open(&u, &other);
	layer_make(&u, &l, &o);
	unit_dispatch(&u, &l, 0);
	for (size_t i = 0; i < GPU_COUNT(calls); i++)
		if (!strcmp(name, calls[i].name))
			rc = calls[i].call();
	/* What was refused has left nothing behind. */
	unit_forward(&u, &l);
	layer_close(&other);
	layer_close(&l);
	unit_close(&u);
	return rc;
}

int main(int argc, char **argv)
{
	int rc;

	gpu_begin();
	elsewhere = calloc(1, 4096);
	if (argc == 4 && !strcmp(argv[1], "sizes"))
		rc = sizes(argv[2], strtoull(argv[3], NULL, 0));
	else if (argc == 4 && !strcmp(argv[1], "create"))
		rc = create(argv[2], strtoull(argv[3], NULL, 0));
	else
		rc = call(argc > 1 ? argv[1] : "");
	free(elsewhere);
	printf("returned %s\n", rc ? strerror(-rc) : "nothing");
	return gpu_end();
}
