/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines and their epochs, on both sides. */
#include "conduits/ucx/ucx_am.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "conduits/atomic.h"

/* A close that has come before all of its epoch was handled. */
struct ucx_am_wanted {
	ucp_ep_h ep;
	struct ucx_am_close close;
};

struct ucx_am_line *ucx_am_line_open(struct ucx_use *use)
{
	struct ucx_am_line *line = calloc(1, sizeof(*line));

	if (!line)
		shmemi_fatal("out of memory for a line to PE %d on %s",
			     use->lane->peer->pe, use->lane->peer->host);
	line->use = use;
	use->am = line;
	return line;
}

void ucx_am_use_close(struct ucx_use *use)
{
	free(use->am);
	use->am = NULL;
}

struct ucx_am_from ucx_am_from(const struct ucx_am_line *line,
			       enum conduit_segment seg)
{
	return (struct ucx_am_from){
		.line = (uintptr_t)line,
		.pe = conduit_settings.me,
		.epoch = line->epoch,
		.segs = (uint8_t)seg,
	};
}

void ucx_am_count(struct ucx_am_line *line, size_t bytes, int slow)
{
	struct ucx_use *use = line->use;

	line->sent++;
	use->am_pending++;
	use->am_slow |= slow;
	ucx_use_list(use, bytes);
}

static unsigned int after(unsigned int epoch)
{
	return (epoch + 1) % UCX_AM_EPOCHS;
}

int ucx_am_line_close(struct ucx_am_line *line,
		      const struct ucx_am_close *signal)
{
	struct ucx_use *use = line->use;
	struct ucx_wait wait = { .worker = use->lane->worker, .use = use };
	struct ucx_am_close close = { .from = { .op = UCX_AM_NO_SIGNAL } };
	struct ucx_am_msg *msg;

	while (line->closed[after(line->epoch)])
		ucx_wait_turn(&wait);
	if (signal)
		close = *signal;
	msg = ucx_am_msg(ucx_am_of(use), sizeof(close));
	msg->use = use;
	close.from.line = (uintptr_t)line;
	close.from.pe = conduit_settings.me;
	close.from.epoch = line->epoch;
	close.count = line->sent;
	memcpy(msg->wire, &close, sizeof(close));
	line->closed[line->epoch] = line->sent;
	line->epoch = (uint8_t)after(line->epoch);
	line->sent = 0;
	return ucx_am_send(use->lane->ep, UCX_AM_CLOSE, msg, NULL, 0,
			   UCP_AM_SEND_FLAG_REPLY);
}

void ucx_am_line_hold(struct ucx_am_line *line)
{
	struct ucx_wait wait = { .worker = line->use->lane->worker,
				 .use = line->use };

	while (line->held)
		ucx_wait_turn(&wait);
	line->held = 1;
}

int ucx_am_ask(struct ucx_use *use)
{
	struct ucx_am_line *line = use->am;
	int rc = 0;

	if (!line)
		return 0;
	ucx_am_line_hold(line);
	if (line->batch)
		rc = ucx_am_batch_push(line);
	if (!rc && line->sent)
		rc = ucx_am_line_close(line, NULL);
	line->held = 0;
	return rc;
}

ucs_status_t ucx_am_on_done(void *arg, const void *header, size_t header_bytes,
			    void *data, size_t bytes,
			    const ucp_am_recv_param_t *param)
{
	struct ucx_am_done done;
	struct ucx_am_line *line;
	struct ucx_use *use;

	(void)arg, (void)header_bytes, (void)data, (void)bytes, (void)param;
	memcpy(&done, header, sizeof(done));
	line = (void *)(uintptr_t)done.line;
	use = line->use;
	use->lane->moved++;
	use->am_pending -= line->closed[done.epoch];
	line->closed[done.epoch] = 0;
	if (!use->am_pending)
		use->am_slow = 0;
	return UCS_OK;
}

static size_t hash(uint64_t line, int pe)
{
	return (size_t)((line ^ (uint64_t)pe << 48) * 0x9e3779b97f4a7c15u >>
			20);
}

/* Where it is, or would be. */
static struct ucx_am_source **source_slot(struct ucx_am *am, uint64_t line,
					  int pe)
{
	size_t i = hash(line, pe);

	for (;; i++) {
		struct ucx_am_source **slot = &am->sources[i & (am->room - 1)];

		if (!*slot || ((*slot)->line == line && (*slot)->pe == pe))
			return slot;
	}
}

static void sources_grow(struct ucx_am *am)
{
	struct ucx_am_source **old = am->sources;
	size_t room = am->room;

	am->room = room ? 2 * room : 64;
	am->sources = calloc(am->room, sizeof(*am->sources));
	if (!am->sources)
		shmemi_fatal("out of memory for what peers send");
	for (size_t i = 0; i < room; i++)
		if (old[i])
			*source_slot(am, old[i]->line, old[i]->pe) = old[i];
	free(old);
}

static struct ucx_am_source *source_find(struct ucx_am *am, uint64_t line,
					 int pe)
{
	struct ucx_am_source **slot;

	if (2 * am->n_sources >= am->room)
		sources_grow(am);
	slot = source_slot(am, line, pe);
	if (*slot)
		return *slot;
	*slot = calloc(1, sizeof(**slot));
	if (!*slot)
		shmemi_fatal("out of memory for what PE %d sends", pe);
	(*slot)->line = line;
	(*slot)->pe = pe;
	am->n_sources++;
	return *slot;
}

struct ucx_am_source *ucx_am_source(struct ucx_am *am,
				    const struct ucx_am_from *from)
{
	struct ucx_am_source *last = am->last;

	if (last && last->line == from->line && last->pe == from->pe)
		return last;
	return am->last = source_find(am, from->line, from->pe);
}

void ucx_am_sources_free(struct ucx_am *am)
{
	for (size_t i = 0; i < am->room; i++) {
		struct ucx_am_source *source = am->sources[i];

		if (!source)
			continue;
		for (int e = 0; e < UCX_AM_EPOCHS; e++)
			free(source->close[e]);
		free(source);
	}
	free(am->sources);
}

void ucx_am_signal(unsigned int op, enum conduit_segment seg, uint64_t offset,
		   uint64_t value)
{
	void *at;

	if (op == UCX_AM_NO_SIGNAL)
		return;
	at = ucx.mine[seg].base + offset;
	if (ucx_am_is_staged(seg))
		ucx_stage_amo((enum conduit_amo)op, sizeof(value), at, value, 0,
			      NULL);
	else
		shmemi_signal((enum conduit_amo)op, at, value);
}

/* The epoch is done: its number is free for another. */
static void fire(struct ucx_am *am, struct ucx_am_source *source,
		 const struct ucx_am_close *close, ucp_ep_h ep)
{
	const struct ucx_am_from *from = &close->from;
	const struct ucx_am_done done = { from->line, from->epoch };
	struct ucx_am_msg *msg = ucx_am_msg(am, sizeof(done));

	source->handled[from->epoch] = 0;
	ucx_am_signal(from->op, from->segs >> 4, close->sig_offset,
		      close->value);
	memcpy(msg->wire, &done, sizeof(done));
	ucx_am_send(ep, UCX_AM_DONE, msg, NULL, 0, 0);
}

void ucx_am_handled(struct ucx_am *am, struct ucx_am_source *source,
		    unsigned int epoch)
{
	struct ucx_am_wanted *wanted = source->close[epoch];

	source->handled[epoch]++;
	if (!wanted || source->handled[epoch] != wanted->close.count)
		return;
	source->close[epoch] = NULL;
	fire(am, source, &wanted->close, wanted->ep);
	free(wanted);
}

ucs_status_t ucx_am_on_close(void *arg, const void *header, size_t header_bytes,
			     void *data, size_t bytes,
			     const ucp_am_recv_param_t *param)
{
	struct ucx_am *am = arg;
	struct ucx_am_source *source;
	struct ucx_am_wanted *wanted;
	struct ucx_am_close close;

	(void)header_bytes, (void)data, (void)bytes;
	memcpy(&close, header, sizeof(close));
	source = ucx_am_source(am, &close.from);
	if (source->handled[close.from.epoch] == close.count) {
		fire(am, source, &close, param->reply_ep);
		return UCS_OK;
	}
	wanted = malloc(sizeof(*wanted));
	if (!wanted)
		shmemi_fatal("out of memory for what PE %d sends", source->pe);
	wanted->ep = param->reply_ep;
	wanted->close = close;
	source->close[close.from.epoch] = wanted;
	return UCS_OK;
}
