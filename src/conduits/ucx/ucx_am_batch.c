/* SPDX-License-Identifier: BSD-3-Clause */
/* Many small puts to device memory in one message. */
#include "conduits/ucx/ucx_am.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"

static size_t whole(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

static struct ucx_am_batch *batch_make(struct ucx_am *am)
{
	struct ucx_am_batch *batch = am->free_batches;

	if (batch)
		am->free_batches = batch->next;
	else
		batch = malloc(sizeof(*batch));
	if (!batch)
		shmemi_fatal("out of memory for a message");
	batch->last = NULL;
	batch->used = 0;
	return batch;
}

void ucx_am_batches_free(struct ucx_am *am)
{
	while (am->free_batches) {
		struct ucx_am_batch *batch = am->free_batches;

		am->free_batches = batch->next;
		free(batch);
	}
}

/* From now on there is something pending, and progress will send it. */
static void batch_open(struct ucx_am_line *line)
{
	struct ucx_am *am = ucx_am_of(line->use);

	line->batch = batch_make(am);
	line->next_open = am->open;
	am->open = line;
	am->worker->am_busy = 1;
	line->use->am_pending++;
	line->use->am_slow = 1;
}

int ucx_am_batch_push(struct ucx_am_line *line)
{
	struct ucx_am *am = ucx_am_of(line->use);
	struct ucx_am_line **place = &am->open;
	struct ucx_am_from from = ucx_am_from(line, CONDUIT_DEVICE);
	struct ucx_am_msg *msg = ucx_am_msg(am, sizeof(from));

	while (*place != line)
		place = &(*place)->next_open;
	*place = line->next_open;
	msg->use = line->use;
	msg->batch = line->batch;
	memcpy(msg->wire, &from, sizeof(from));
	line->batch = NULL;
	line->sent++;
	return ucx_am_send(line->use->lane->ep, UCX_AM_BATCH, msg,
			   msg->batch->bytes, msg->batch->used,
			   UCP_AM_SEND_FLAG_EAGER);
}

/* Right behind the last one, so that both are one copy. */
static int batch_extend(struct ucx_am_batch *batch, size_t offset,
			const void *src, size_t bytes)
{
	struct ucx_am_entry *last = batch->last;

	if (!last || last->bytes % 8 || last->offset + last->bytes != offset)
		return 0;
	memcpy(batch->bytes + batch->used, src, bytes);
	batch->used += whole(bytes);
	last->bytes += bytes;
	return 1;
}

int ucx_am_batch_put(struct ucx_am_line *line, size_t offset, const void *src,
		     size_t bytes)
{
	const size_t need = sizeof(struct ucx_am_entry) + whole(bytes);
	struct ucx_am_batch *batch = line->batch;
	int rc = 0;

	if (batch && batch->used + need > UCX_AM_BATCH_BYTES)
		rc = ucx_am_batch_push(line);
	if (rc)
		return rc;
	if (!line->batch)
		batch_open(line);
	batch = line->batch;
	ucx_use_list(line->use, bytes);
	if (batch_extend(batch, offset, src, bytes))
		return 0;
	batch->last = (void *)(batch->bytes + batch->used);
	*batch->last = (struct ucx_am_entry){ offset, bytes };
	memcpy(batch->last + 1, src, bytes);
	batch->used += need;
	return 0;
}

/* Fewer copies are not worth a buffer. */
#define START_COPIES 4

/* A batch whose copies are under way. */
struct arrived {
	struct ucx_am *am;
	struct ucx_am_source *source;
	unsigned int epoch;
};

static size_t entries_count(const char *at, const char *end)
{
	struct ucx_am_entry entry;
	size_t n = 0;

	for (; at < end; n++) {
		memcpy(&entry, at, sizeof(entry));
		at += sizeof(entry) + whole(entry.bytes);
	}
	return n;
}

/* buf: they lie in it, and their copies are waited for later; or NULL. */
static void entries_copy(char *base, const char *at, const char *end,
			 struct ucx_stage_buf *buf)
{
	struct ucx_am_entry entry;

	while (at < end) {
		memcpy(&entry, at, sizeof(entry));
		at += sizeof(entry);
		if (buf)
			ucx_stage_copy_queue(buf, base + entry.offset, at,
					     entry.bytes);
		else
			ucx_stage_copy(base + entry.offset, at, entry.bytes);
		at += whole(entry.bytes);
	}
}

static void copied(struct ucx_stage_buf *buf, void *arg)
{
	struct arrived *arrived = arg;

	ucx_am_handled(arrived->am, arrived->source, arrived->epoch);
	ucx_stage_give(buf);
}

/* How it is known when the copies are done lies behind them in the buffer. */
static void entries_start(struct ucx_stage_buf *buf,
			  const struct arrived *arrived, char *base,
			  const void *data, size_t bytes)
{
	char *end = buf->mem + bytes;

	memcpy(buf->mem, data, bytes);
	memcpy(end, arrived, sizeof(*arrived));
	entries_copy(base, buf->mem, end, buf);
	arrived->am->worker->am_busy = 1;
	ucx_stage_watch(buf, copied, end);
}

ucs_status_t ucx_am_on_batch(void *arg, const void *header, size_t header_bytes,
			     void *data, size_t bytes,
			     const ucp_am_recv_param_t *param)
{
	struct ucx_am *am = arg;
	struct ucx_stage_buf *buf = NULL;
	struct arrived arrived = { .am = am };
	struct ucx_am_from from;
	char *end = (char *)data + bytes;
	char *base;

	(void)header_bytes, (void)param;
	memcpy(&from, header, sizeof(from));
	base = ucx.mine[from.segs & 0xf].base;
	arrived.source = ucx_am_source(am, &from);
	arrived.epoch = from.epoch;
	if (entries_count(data, end) > START_COPIES)
		buf = ucx_stage_take(&am->stage, UCX_STAGE_SERVE);
	if (buf) {
		entries_start(buf, &arrived, base, data, bytes);
	} else {
		entries_copy(base, data, end, NULL);
		ucx_am_handled(am, arrived.source, arrived.epoch);
	}
	return UCS_OK;
}
