/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "host/coll_node.h"
#include "host/moe.h"

/*
 * A put is at least this large, where a box has so much: an entry of the proxy
 * takes as long as some 10 KiB on a network. A box leaves in a few of them.
 */
#define PUT_BYTES 65536
#define PUTS 8

/* What arrays are for: the same on all members, at least as many as needed. */
struct shape {
	size_t n_pes, n_nodes;
	size_t sources; /* of a relay */
	size_t members; /* of a node */
	size_t box_bytes, piece_tokens, pieces;
};

/* Far members whose relay is the one at this place of the node, in order. */
static int sources_of(const struct shmem_team *team, int node, int place,
		      int32_t *sources)
{
	const struct coll_nodes *nodes = team->nodes;
	int n = 0;

	for (int i = 0; i < team->n_pes; i++) {
		if (nodes->node[i] == node ||
		    nodes->place_of[i] % coll_node_size(nodes, node) != place)
			continue;
		if (sources)
			sources[n] = i;
		n++;
	}
	return n;
}

/* The number that `member` has among the sources of its relay on the node. */
static int slot_of(const struct shmem_team *team, int node, int member)
{
	const struct coll_nodes *nodes = team->nodes;
	int size = coll_node_size(nodes, node), n = 0;

	for (int i = 0; i < member; i++)
		n += nodes->node[i] != node &&
		     nodes->place_of[i] % size ==
			     nodes->place_of[member] % size;
	return n;
}

static size_t most_sources(const struct shmem_team *team)
{
	const struct coll_nodes *nodes = team->nodes;
	int most = 0;

	for (int b = 0; b < nodes->n; b++)
		for (int p = 0; p < coll_node_size(nodes, b); p++) {
			int n = sources_of(team, b, p, NULL);

			most = n > most ? n : most;
		}
	return (size_t)most;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t round16(size_t bytes)
{
	return (bytes + 15) & ~(size_t)15;
}

/* The largest token that any exchange has in a box: device/moe_far.h. */
static size_t token_bytes(const struct shmemi_moe_plan *plan)
{
	const struct shmemx_moe_config *c = &plan->config;
	size_t dispatch = round16(c->top_k * 2 * sizeof(int32_t)) +
			  plan->row_bytes + round16(plan->scales_bytes);
	size_t backward = round16(c->top_k * sizeof(float)) + plan->token_bytes;

	return larger(larger(dispatch, backward), c->hidden * sizeof(float));
}

static struct shape shape_of(const struct shmemi_moe_plan *plan)
{
	const struct coll_nodes *nodes = plan->team->nodes;
	const size_t bytes = token_bytes(plan), n = plan->config.max_tokens;
	struct shape s = {
		.n_pes = plan->n_pes,
		.n_nodes = (size_t)nodes->n,
		.sources = most_sources(plan->team),
		.members = (size_t)nodes->most,
		.box_bytes = shmemi_moe_span(n, bytes),
	};

	s.piece_tokens =
		larger((PUT_BYTES + bytes - 1) / bytes, (n + PUTS - 1) / PUTS);
	s.pieces = (n + s.piece_tokens - 1) / s.piece_tokens;
	return s;
}

/* Takes the next array of *at, or, where that is NULL, adds up bytes. */
struct carver {
	char *at;
	size_t bytes;
};

static void *carve(struct carver *c, size_t n, size_t esize)
{
	c->bytes = shmemi_moe_plus(c->bytes, shmemi_moe_span(n, esize));
	return c->at ? shmemi_moe_carve(&c->at, n, esize) : NULL;
}

static void carve_workspace(const struct shmemi_moe_plan *plan,
			    struct carver *c, struct shmemd_moe_far *far)
{
	const struct shape s = shape_of(plan);
	const size_t ids = (size_t)plan->config.max_tokens * plan->config.top_k;
	const size_t sent = s.n_nodes - 1;

	far->signals = carve(
		c, shmemi_moe_times(SHMEMD_MOE_FAR_KINDS * s.n_pes, s.pieces),
		sizeof(*far->signals));
	far->weights_in = carve(c, shmemi_moe_times(s.sources, ids),
				sizeof(*far->weights_in));
	far->weights_out = carve(c, shmemi_moe_times(sent, ids),
				 sizeof(*far->weights_out));
	far->in = carve(c, s.sources, s.box_bytes);
	far->out = carve(c, sent, s.box_bytes);
}

/* Numbers of members and nodes, which the host fills. */
struct tables {
	int32_t *node, *place, *relay, *slot, *sources, *near;
};

static struct tables carve_tables(const struct shmemi_moe_plan *plan,
				  struct carver *c, struct shmemd_moe_far *far)
{
	const struct shape s = shape_of(plan);
	const size_t boxes = larger(s.n_nodes, s.sources);
	struct tables t = {
		.node = carve(c, s.n_pes, sizeof(int32_t)),
		.place = carve(c, s.n_pes, sizeof(int32_t)),
		.relay = carve(c, s.n_nodes, sizeof(int32_t)),
		.slot = carve(c, s.n_nodes, sizeof(int32_t)),
		.sources = carve(c, s.sources, sizeof(int32_t)),
		.near = carve(c, s.members, sizeof(int32_t)),
	};

	far->numbers = carve(c, SHMEMD_MOE_FAR_KINDS, sizeof(*far->numbers));
	far->shares = carve(c, 1 + boxes * s.pieces, sizeof(*far->shares));
	far->scan = carve(c, s.n_nodes * 2 * SHMEMD_MOE_FAR_ITEMS,
			  sizeof(*far->scan));
	far->weighs = carve(c, s.sources, sizeof(*far->weighs));
	far->ranks =
		carve(c, shmemi_moe_times(s.sources * s.members, plan->n_local),
		      sizeof(*far->ranks));
	return t;
}

static void carve_layout(const struct shmemi_moe_plan *plan, struct carver *c,
			 struct shmemd_moe_far_layout *far)
{
	const struct shape s = shape_of(plan);
	const size_t n = plan->config.max_tokens;
	const size_t ids = n * plan->config.top_k;

	far->n_rows = carve(c, s.n_nodes, sizeof(int32_t));
	far->order = carve(c, shmemi_moe_times(s.n_nodes, n), sizeof(int32_t));
	far->places = carve(c, ids, sizeof(int32_t));
	far->n_in = carve(c, s.sources, sizeof(int32_t));
	far->to =
		carve(c, shmemi_moe_times(s.sources, 2 * ids), sizeof(int32_t));
}

size_t shmemi_moe_far_workspace_bytes(const struct shmemi_moe_plan *plan)
{
	struct shmemd_moe_far far;
	struct carver c = { 0 };

	if (plan->team->nodes)
		carve_workspace(plan, &c, &far);
	return c.bytes;
}

size_t shmemi_moe_far_table_bytes(const struct shmemi_moe_plan *plan)
{
	struct shmemd_moe_far far;
	struct carver c = { 0 };

	if (plan->team->nodes)
		carve_tables(plan, &c, &far);
	return c.bytes;
}

size_t shmemi_moe_far_layout_bytes(const struct shmemi_moe_plan *plan)
{
	struct shmemd_moe_far_layout far;
	struct carver c = { 0 };

	if (plan->team->nodes)
		carve_layout(plan, &c, &far);
	return c.bytes;
}

void shmemi_moe_far_layout_open(const struct shmemi_moe_plan *plan,
				char *memory, struct shmemd_moe_far_layout *far)
{
	struct carver c = { .at = memory };

	carve_layout(plan, &c, far);
}

static int put(int32_t *table, const int *values, int n)
{
	return shmemg->copy(table, values, (size_t)n * sizeof(*table));
}

/* Relays of this PE, and its numbers among their sources: relay, then slot. */
static void find_relays(const struct shmem_team *team, int32_t *relay)
{
	const struct coll_nodes *nodes = team->nodes;
	int32_t *slot = relay + nodes->n;

	for (int b = 0; b < nodes->n; b++) {
		relay[b] = -1;
		slot[b] = -1;
		if (b == nodes->mine)
			continue;
		relay[b] = coll_counterpart(nodes, team->me, b);
		slot[b] = slot_of(team, b, team->me);
	}
}

static int put_tables(const struct shmem_team *team, const struct tables *t,
		      int32_t *found)
{
	const struct coll_nodes *nodes = team->nodes;
	int n = team->n_pes, b = nodes->n, rc;

	find_relays(team, found);
	rc = put(t->node, nodes->node, n);
	if (!rc)
		rc = put(t->place, nodes->place_of, n);
	if (!rc)
		rc = put(t->relay, found, b);
	if (!rc)
		rc = put(t->slot, found + b, b);
	if (!rc)
		rc = put(t->near, nodes->member + nodes->first[nodes->mine],
			 coll_n_near(nodes));
	n = sources_of(team, nodes->mine, nodes->place, found);
	return rc || !n ? rc : put(t->sources, found, n);
}

int shmemi_moe_far_open(struct shmemx_moe *moe, char *workspace, char *tables)
{
	const struct shmem_team *team = moe->plan.team;
	const struct coll_nodes *nodes = team->nodes;
	const struct shape s = shape_of(&moe->plan);
	struct shmemd_moe_far *far = &moe->device.far;
	struct carver c = { .at = workspace };
	int32_t *found = calloc(2 * s.n_pes, sizeof(*found));
	struct tables t;
	int rc;

	if (!found)
		shmemi_fatal("out of memory for a team of %zu PEs", s.n_pes);
	carve_workspace(&moe->plan, &c, far);
	c.at = tables;
	t = carve_tables(&moe->plan, &c, far);
	far->node = t.node;
	far->place = t.place;
	far->relay = t.relay;
	far->slot = t.slot;
	far->sources = t.sources;
	far->near = t.near;
	far->n_nodes = (uint32_t)s.n_nodes;
	far->my_node = (uint32_t)nodes->mine;
	far->n_sources =
		(uint32_t)sources_of(team, nodes->mine, nodes->place, NULL);
	far->n_near = (uint32_t)coll_n_near(nodes);
	far->piece_tokens = (uint32_t)s.piece_tokens;
	far->n_pieces = (uint32_t)s.pieces;
	far->box_bytes = s.box_bytes;
	rc = put_tables(team, &t, found);
	free(found);
	return rc;
}

/* Launches kernels one after the other, up to a NULL. */
struct step {
	const struct shmemg_kernel *kernel;
	size_t shares;
	int waits;
};

static int launch(const struct shmemi_moe_call *call, const struct step *steps)
{
	int rc = 0;

	for (; !rc && steps->kernel; steps++)
		rc = shmemi_moe_launch(call, steps->kernel, steps->shares,
				       steps->waits);
	return rc;
}

/* Tokens in all boxes that this PE sends, and as a relay, at most. */
static size_t sent(const struct shmemi_moe_call *call)
{
	return call->args.n_tokens * (call->args.moe.far.n_nodes - 1);
}

static size_t relayed(const struct shmemi_moe_call *call)
{
	return (size_t)call->args.moe.max_tokens * call->args.moe.far.n_sources;
}

static int before_push(const struct shmemi_moe_call *call)
{
	const struct step index = { &shmemd_kernel_moe_far_index,
				    call->args.moe.far.n_nodes, 0 };
	const struct step steps[] = {
		index,
		{ &shmemd_kernel_moe_far_tokens, sent(call), 0 },
		{ NULL, 0, 0 },
	};
	const struct step grads[] = {
		{ &shmemd_kernel_moe_far_grads, sent(call), 0 },
		{ NULL, 0, 0 },
	};

	if (call->exchange == SHMEMI_MOE_COMBINE_BACKWARD)
		return launch(call, grads);
	return launch(call, call->args.ids ? steps : steps + 1);
}

static int before_pushed(const struct shmemi_moe_call *call)
{
	const int grads = call->exchange == SHMEMI_MOE_COMBINE_BACKWARD;
	const struct step arrived[] = {
		{ &shmemd_kernel_moe_far_arrived, 1, 0 },
		{ NULL, 0, 0 },
	};
	const struct step steps[] = {
		{ &shmemd_kernel_moe_far_dot, relayed(call), 0 },
		{ grads ? &shmemd_kernel_moe_far_spread_grads :
			  &shmemd_kernel_moe_far_spread,
		  relayed(call), 0 },
		{ NULL, 0, 0 },
	};
	int rc = launch(call, arrived);

	return rc ? rc : launch(call, call->args.pulls ? steps : steps + 1);
}

static int after_open(const struct shmemi_moe_call *call)
{
	const struct step steps[] = {
		{ &shmemd_kernel_moe_far_weights, sent(call), 0 },
		{ &shmemd_kernel_moe_far_weighed, 1, 0 },
		{ &shmemd_kernel_moe_far_sum, relayed(call), 0 },
		{ NULL, 0, 0 },
	};

	return call->exchange == SHMEMI_MOE_COMBINE_BACKWARD ?
		       0 :
		       launch(call, steps);
}

static int before_pull(const struct shmemi_moe_call *call)
{
	const struct step steps[] = {
		{ &shmemd_kernel_moe_far_summed,
		  call->args.pulls ? call->args.n_tokens : 1, 1 },
		{ NULL, 0, 0 },
	};

	return launch(call, steps);
}

int shmemi_moe_far_launch(const struct shmemi_moe_call *call,
			  enum shmemi_moe_place place)
{
	switch (place) {
	case SHMEMI_MOE_BEFORE_PUSH:
		return before_push(call);
	case SHMEMI_MOE_BEFORE_PUSHED:
		return before_pushed(call);
	case SHMEMI_MOE_AFTER_OPEN:
		return after_open(call);
	case SHMEMI_MOE_BEFORE_PULL:
		return before_pull(call);
	}
	return 0;
}
