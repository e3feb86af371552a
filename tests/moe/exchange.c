/* SPDX-License-Identifier: BSD-3-Clause */
/* The exchanges of unit.h. */
#include <math.h>
#include "number.h"
#include "unit.h"

/* NaN of every type, so that what nobody has written is not added up unseen. */
enum { UNWRITTEN = 0xff };

static struct oracle_member *mine(const struct unit *u, const struct layer *l)
{
	return &l->oracle.members[u->me];
}

static void push(const struct buffer *b)
{
	GPU_CHECK_EQ(shmemx_memcpy(b->dev, b->host, b->bytes), 0);
}

static void clear(struct buffer *b)
{
	memset(b->want, UNWRITTEN, b->bytes);
	GPU_CHECK_EQ(shmemx_memset(b->dev, UNWRITTEN, b->bytes), 0);
}

static void compare(struct unit *u, struct buffer *b, const char *what)
{
	char text[256];

	snprintf(text, sizeof(text), "%s of %s", what, u->name);
	GPU_CHECK_EQ(shmemx_memcpy(b->host, b->dev, b->bytes), 0);
	gpu_same(text, b->host, b->want, b->bytes);
}

static void wait_for(struct unit *u)
{
	GPU_CHECK_EQ(shmemx_stream_synchronize(u->stream), 0);
}

static void push_ids(struct unit *u, const struct oracle_member *m)
{
	const size_t pairs = (size_t)m->n_tokens * u->config.top_k;

	memset(u->ids.host, UNWRITTEN, u->ids.bytes);
	for (size_t i = 0; i < pairs; i++) {
		if (u->config.id_bytes == 4)
			((int32_t *)u->ids.host)[i] = (int32_t)m->ids[i];
		else
			((int64_t *)u->ids.host)[i] = m->ids[i];
	}
	push(&u->ids);
}

void layer_remake(struct unit *u, struct layer *l, uint64_t salt)
{
	const struct oracle_member *m = mine(u, l);
	const size_t row = u->config.hidden * number_bytes(u->config.dtype);
	float *weights = (float *)u->weights.host;

	l->oracle.salt = salt;
	memset(u->x.host, UNWRITTEN, u->x.bytes);
	memset(u->grad_out.host, UNWRITTEN, u->grad_out.bytes);
	memset(weights, UNWRITTEN, u->weights.bytes);
	for (size_t t = 0; t < m->n_tokens; t++) {
		oracle_x(&l->oracle, u->me, t, u->x.host + t * row);
		oracle_grad_out(&l->oracle, u->me, t,
				u->grad_out.host + t * row);
	}
	for (size_t i = 0; i < (size_t)m->n_tokens * u->config.top_k; i++)
		weights[i] = oracle_weight(&l->oracle, u->me, i);
	push(&u->x);
	push(&u->grad_out);
	push(&u->weights);
}

void layer_make(struct unit *u, struct layer *l, const struct oracle_case *c)
{
	oracle_dispatch(&l->oracle, c);
	push_ids(u, mine(u, l));
	layer_remake(u, l, c->salt);
}

/* SLOTS are written by members that need not have heard of this PE. */
void dispatch_before(struct unit *u, struct layer *l)
{
	clear(&u->rows);
	clear(&u->scales);
	oracle_dispatch_rows(&l->oracle, u->me, u->rows.want,
			     (float *)u->scales.want);
	if (u->config.layout == SHMEMX_MOE_SLOTS)
		shmem_team_sync(u->config.team);
}

void dispatch_put(struct unit *u, struct layer *l, int cached)
{
	const void *ids = cached ? NULL : u->ids.dev;
	float *scales = u->sizes.scales_bytes ? (float *)u->scales.dev : NULL;
	const size_t n_tokens = mine(u, l)->n_tokens;

	if (!u->between) {
		GPU_CHECK_EQ(shmemx_moe_dispatch(u->moe, l->layout, u->x.dev,
						 ids, n_tokens, u->rows.dev,
						 scales, u->stream),
			     0);
		return;
	}
	GPU_CHECK_EQ(shmemx_moe_dispatch_send(u->moe, l->layout, u->x.dev, ids,
					      n_tokens, u->rows.dev, scales,
					      u->stream),
		     0);
	u->between(u);
	GPU_CHECK_EQ(shmemx_moe_dispatch_recv(u->moe, u->stream), 0);
}

static void compare_numbers(struct unit *u, const char *what,
			    const int32_t *dev, const int32_t *want, size_t n)
{
	int32_t *got = malloc((n + 1) * sizeof(*got));

	GPU_CHECK_EQ(shmemx_memcpy(got, dev, n * sizeof(*got)), 0);
	for (size_t i = 0; i < n; i++) {
		if (got[i] == want[i])
			continue;
		gpu_fail("%s[%zu] is %d, expected %d: %s", what, i, got[i],
			 want[i], u->name);
		break;
	}
	free(got);
}

static void compare_view(struct unit *u, struct layer *l)
{
	const struct oracle_member *m = mine(u, l);
	const size_t pairs = (size_t)m->n_tokens * u->config.top_k;
	const size_t n_local = (size_t)l->oracle.n_local;

	compare_numbers(u, "counts", l->view.counts, m->counts, n_local);
	compare_numbers(u, "offsets", l->view.offsets, m->offsets, n_local + 1);
	compare_numbers(u, "counts_by_pe", l->view.counts_by_pe, m->by_pe,
			n_local * (size_t)u->n);
	compare_numbers(u, "rows", l->view.rows, m->rows, pairs);
	compare_numbers(u, "experts", l->view.experts, m->experts, pairs);
}

void dispatch_after(struct unit *u, struct layer *l)
{
	wait_for(u);
	compare_view(u, l);
	compare(u, &u->rows, "rows");
	compare(u, &u->scales, "scales");
}

void combine_before(struct unit *u, struct layer *l)
{
	clear(&u->out);
	oracle_combine(&l->oracle, u->me, u->out.want);
	memset(u->results.host, UNWRITTEN, u->results.bytes);
	oracle_results(&l->oracle, u->me, u->results.host);
	push(&u->results);
}

void combine_put(struct unit *u, struct layer *l)
{
	const void *rows = l->oracle.echo ? u->rows.dev : u->results.dev;
	const float *weights =
		l->oracle.unweighted ? NULL : (float *)u->weights.dev;

	if (!u->between) {
		GPU_CHECK_EQ(shmemx_moe_combine(u->moe, l->layout, rows,
						weights, u->out.dev, u->stream),
			     0);
		return;
	}
	GPU_CHECK_EQ(shmemx_moe_combine_send(u->moe, l->layout, rows, weights,
					     u->out.dev, u->stream),
		     0);
	u->between(u);
	GPU_CHECK_EQ(shmemx_moe_combine_recv(u->moe, u->stream), 0);
}

void combine_after(struct unit *u, struct layer *l)
{
	(void)l;
	wait_for(u);
	compare(u, &u->out, "combine");
}

void dispatch_backward_before(struct unit *u, struct layer *l)
{
	clear(&u->grad_x);
	oracle_dispatch_backward(&l->oracle, u->me, u->grad_x.want);
	memset(u->grads.host, UNWRITTEN, u->grads.bytes);
	oracle_grads(&l->oracle, u->me, u->grads.host);
	push(&u->grads);
}

void dispatch_backward_put(struct unit *u, struct layer *l)
{
	if (!u->between) {
		GPU_CHECK_EQ(shmemx_moe_dispatch_backward(
				     u->moe, l->layout, u->grads.dev,
				     u->grad_x.dev, u->stream),
			     0);
		return;
	}
	GPU_CHECK_EQ(shmemx_moe_dispatch_backward_send(
			     u->moe, l->layout, u->grads.dev, u->grad_x.dev,
			     u->stream),
		     0);
	u->between(u);
	GPU_CHECK_EQ(shmemx_moe_dispatch_backward_recv(u->moe, u->stream), 0);
}

void dispatch_backward_after(struct unit *u, struct layer *l)
{
	(void)l;
	wait_for(u);
	compare(u, &u->grad_x, "dispatch_backward");
}

void combine_backward_before(struct unit *u, struct layer *l)
{
	clear(&u->grads);
	clear(&u->grad_weights);
	oracle_combine_backward(&l->oracle, u->me, u->grads.want);
	memset(u->results.host, UNWRITTEN, u->results.bytes);
	oracle_results(&l->oracle, u->me, u->results.host);
	push(&u->results);
}

void combine_backward_put(struct unit *u, struct layer *l, int with)
{
	const void *rows = with ? u->results.dev : NULL;
	float *grads = with ? (float *)u->grad_weights.dev : NULL;
	const float *weights =
		l->oracle.unweighted ? NULL : (float *)u->weights.dev;

	if (!u->between) {
		GPU_CHECK_EQ(shmemx_moe_combine_backward(
				     u->moe, l->layout, u->grad_out.dev, rows,
				     weights, u->grads.dev, grads, u->stream),
			     0);
		return;
	}
	GPU_CHECK_EQ(shmemx_moe_combine_backward_send(
			     u->moe, l->layout, u->grad_out.dev, rows, weights,
			     u->grads.dev, grads, u->stream),
		     0);
	u->between(u);
	GPU_CHECK_EQ(shmemx_moe_combine_backward_recv(u->moe, u->stream), 0);
}

/* The sum's order is the library's affair: the image takes what is near. */
static void compare_grad_weights(struct unit *u, struct layer *l)
{
	struct buffer *b = &u->grad_weights;
	const size_t pairs = (size_t)mine(u, l)->n_tokens * u->config.top_k;
	double *value = malloc((2 * pairs + 1) * sizeof(*value));
	double *tolerance = value + pairs;
	const float *got = (float *)b->host;

	oracle_grad_weights(&l->oracle, u->me, value, tolerance);
	GPU_CHECK_EQ(shmemx_memcpy(b->host, b->dev, b->bytes), 0);
	for (size_t i = 0; i < pairs; i++) {
		float want = (float)value[i];

		if (fabs((double)got[i] - value[i]) <= tolerance[i])
			want = got[i];
		else
			gpu_fail("grad_weights[%zu] is %g, expected %g: %s", i,
				 got[i], value[i], u->name);
		memcpy(b->want + i * sizeof(want), &want, sizeof(want));
	}
	free(value);
}

void combine_backward_after(struct unit *u, struct layer *l, int with)
{
	wait_for(u);
	if (with)
		compare_grad_weights(u, l);
	compare(u, &u->grad_weights, "grad_weights");
	compare(u, &u->grads, "combine_backward");
}
