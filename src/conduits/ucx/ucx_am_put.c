/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts, with and without a signal, by messages. */
#include "conduits/ucx/ucx_am.h"

#include <string.h>

#include "base/log.h"

/* What goes along with a header, so that the source is free at once. */
#define ALONG_BYTES (UCX_AM_WIRE_BYTES - sizeof(struct ucx_am_put))

/* Whole words are stored from one packet each, or few. */
#define WHOLE_BYTES ((size_t)32 << 10)

/* What each part of a put shares. */
struct put {
	struct ucx_am_line *line;
	int from_device, to_device;
	unsigned int send_flags;
	int *waiter; /* NULL: nobody waits for the source */
	struct ucx_am_put head;
};

static int is_staged(const struct ucx_use *use, enum conduit_segment seg)
{
	return (int)(use->lane->peer->staged >> seg & 1);
}

static struct ucx_am_msg *put_msg(const struct put *put)
{
	struct ucx_am_msg *msg =
		ucx_am_msg(ucx_am_of(put->line->use), sizeof(put->head));

	msg->use = put->line->use;
	memcpy(msg->wire, &put->head, sizeof(put->head));
	return msg;
}

static int put_small(const struct put *put, const void *src, size_t bytes)
{
	struct ucx_am_msg *msg = put_msg(put);

	if (put->from_device)
		ucx_stage_copy(msg->wire + sizeof(put->head), src, bytes);
	else if (bytes)
		memcpy(msg->wire + sizeof(put->head), src, bytes);
	msg->wire_bytes += bytes;
	return ucx_am_send(msg->use->lane->ep, UCX_AM_PUT, msg, NULL, 0, 0);
}

static int put_host(const struct put *put, const void *src, size_t bytes)
{
	struct ucx_am_msg *msg = put_msg(put);

	msg->waiter = put->waiter;
	if (msg->waiter)
		++*msg->waiter;
	return ucx_am_send(msg->use->lane->ep, UCX_AM_PUT, msg, src, bytes,
			   put->send_flags);
}

/* The bytes are in the buffer: the source is free, and they may leave. */
static void buf_filled(struct ucx_stage_buf *buf, void *arg)
{
	struct ucx_am_msg *msg = arg;
	struct ucx_am_put head;
	unsigned int flags = 0;

	if (msg->waiter)
		--*msg->waiter;
	msg->waiter = NULL;
	memcpy(&head, msg->wire, sizeof(head));
	if (head.from.flags & UCX_AM_WHOLE)
		flags = UCP_AM_SEND_FLAG_EAGER;
	if (ucx_am_send(msg->use->lane->ep, UCX_AM_PUT, msg, buf->mem,
			msg->bytes, flags))
		shmemi_fatal("a message to a PE on another node is lost");
}

static int put_staged(const struct put *put, const void *src, size_t bytes)
{
	struct ucx_am_msg *msg = put_msg(put);

	msg->buf = ucx_am_buf_wait(msg->use);
	msg->bytes = bytes;
	msg->waiter = put->waiter;
	if (msg->waiter)
		++*msg->waiter;
	msg->am->worker->am_busy = 1;
	ucx_stage_copy_start(msg->buf, msg->buf->mem, src, bytes, buf_filled,
			     msg);
	return 0;
}

/* One message, counted. */
static int put_part(const struct put *put, const void *src, size_t bytes)
{
	if (bytes <= ALONG_BYTES)
		return put_small(put, src, bytes);
	if (put->from_device)
		return put_staged(put, src, bytes);
	return put_host(put, src, bytes);
}

static int is_slow(const struct put *put, size_t bytes)
{
	return put->from_device || put->to_device ||
	       bytes > UCX_AM_SIGNAL_BYTES;
}

static void put_open(struct put *put, struct ucx_use *use,
		     enum conduit_segment seg, size_t offset, const void *src,
		     size_t bytes, int flags)
{
	put->line = ucx_am_line(use);
	put->from_device = ucx.staging && ucx_stage_is_device(src);
	put->to_device = is_staged(use, seg);
	put->send_flags = 0;
	if (bytes <= UCX_AM_SIGNAL_BYTES)
		put->send_flags = UCP_AM_SEND_FLAG_EAGER;
	put->head.from = ucx_am_from(put->line, seg);
	put->head.offset = offset;
	if (flags & CONDUIT_WHOLE) {
		put->head.from.flags = UCX_AM_WHOLE;
		put->send_flags = UCP_AM_SEND_FLAG_EAGER;
	}
}

/*
 * A buffer's wait lets others send from the same line, and close its epoch;
 * so each part is counted in the epoch that it finds.
 */
static int put_parts(struct put *put, const char *src, size_t bytes,
		     size_t part_bytes)
{
	int rc = 0;

	while (bytes && !rc) {
		size_t n = bytes < part_bytes ? bytes : part_bytes;

		put->head.from.epoch = put->line->epoch;
		ucx_am_count(put->line, n, is_slow(put, n));
		rc = put_part(put, src, n);
		put->head.offset += n;
		src += n;
		bytes -= n;
	}
	return rc;
}

static int put_batched(const struct put *put, const void *src, size_t bytes)
{
	char copy[UCX_AM_BATCHED_BYTES];

	if (put->from_device) {
		ucx_stage_copy(copy, src, bytes);
		src = copy;
	}
	return ucx_am_batch_put(put->line, put->head.offset, src, bytes);
}

int ucx_am_put(struct ucx_use *use, enum conduit_segment seg, size_t offset,
	       const void *src, size_t bytes, int flags)
{
	size_t part_bytes = UCX_STAGE_CHUNK_BYTES;
	struct put put;
	int waiting = 0;
	int rc;

	if (!bytes)
		return 0;
	put_open(&put, use, seg, offset, src, bytes, flags);
	put.head.from.op = UCX_AM_NO_SIGNAL;
	put.waiter = flags & CONDUIT_NBI ? NULL : &waiting;
	if (put.to_device && bytes <= UCX_AM_BATCHED_BYTES)
		return put_batched(&put, src, bytes);
	if (flags & CONDUIT_WHOLE)
		part_bytes = WHOLE_BYTES;
	rc = put_parts(&put, src, bytes, part_bytes);
	ucx_am_wait(use, &waiting);
	return rc;
}

/* The chunks, and then the signal by the close of their epoch. */
static int put_signal_long(struct put *put, const void *src, size_t bytes)
{
	const struct ucx_am_close close = {
		.from = put->head.from,
		.sig_offset = put->head.sig_offset,
		.value = put->head.value,
	};
	int rc;

	put->head.from.op = UCX_AM_NO_SIGNAL;
	ucx_am_line_hold(put->line);
	rc = put_parts(put, src, bytes, UCX_STAGE_CHUNK_BYTES);
	if (!rc)
		rc = ucx_am_line_close(put->line, &close);
	put->line->held = 0;
	return rc;
}

int ucx_am_put_signal(struct ucx_use *use, enum conduit_segment seg,
		      size_t offset, const void *src, size_t bytes,
		      enum conduit_segment sig_seg, size_t sig_offset,
		      uint64_t signal, enum conduit_amo op, int flags)
{
	struct put put;
	int waiting = 0;
	int rc;

	put_open(&put, use, seg, offset, bytes ? src : NULL, bytes, 0);
	put.waiter = flags & CONDUIT_NBI ? NULL : &waiting;
	put.head.from.segs |= (uint8_t)(sig_seg << 4);
	put.head.from.op = (uint8_t)op;
	put.head.sig_offset = sig_offset;
	put.head.value = signal;
	if ((put.from_device || put.to_device) &&
	    bytes > UCX_STAGE_CHUNK_BYTES) {
		rc = put_signal_long(&put, src, bytes);
	} else {
		ucx_am_count(put.line, bytes,
			     is_slow(&put, bytes) || is_staged(use, sig_seg));
		rc = put_part(&put, src, bytes);
	}
	ucx_am_wait(use, &waiting);
	return rc;
}
