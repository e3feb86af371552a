/* SPDX-License-Identifier: BSD-3-Clause */
/* Gets and atomics by messages: what has an answer, and its arrival. */
#include "conduits/ucx/ucx_am.h"

#include <string.h>

#include "base/copy.h"
#include "base/log.h"

struct ucx_stage_buf *ucx_am_buf_wait(struct ucx_use *use)
{
	struct ucx_wait wait = { .worker = use->lane->worker, .use = use };
	struct ucx_stage *stage = &ucx_am_of(use)->stage;
	struct ucx_stage_buf *buf;

	while (!(buf = ucx_stage_take(stage, UCX_STAGE_OWN)))
		ucx_wait_turn(&wait);
	return buf;
}

void ucx_am_wait(struct ucx_use *use, const int *n)
{
	struct ucx_wait wait = { .worker = use->lane->worker, .use = use };

	while (*n)
		ucx_wait_turn(&wait);
}

/* Pending until its answer is in; the message lives as long. */
static struct ucx_am_msg *question(struct ucx_use *use, size_t wire_bytes,
				   void *dst, size_t bytes, int *waiter)
{
	struct ucx_am_msg *msg = ucx_am_msg(ucx_am_of(use), wire_bytes);

	msg->use = use;
	msg->refs = 2;
	msg->dst = dst;
	msg->to_device = ucx.staging && ucx_stage_is_device(dst);
	msg->bytes = bytes;
	msg->waiter = waiter;
	if (waiter)
		++*waiter;
	use->am_pending++;
	use->am_slow = 1;
	ucx_use_list(use, bytes);
	return msg;
}

static int get_part(struct ucx_use *use, char *dst, enum conduit_segment seg,
		    size_t offset, size_t bytes, int *waiter)
{
	struct ucx_am_get get = {
		.from = ucx_am_from(ucx_am_line(use), seg),
		.offset = offset,
		.bytes = bytes,
	};
	struct ucx_am_msg *msg = question(use, sizeof(get), dst, bytes, waiter);

	if (msg->to_device && bytes > UCX_AM_EAGER_BYTES)
		msg->buf = ucx_am_buf_wait(use);
	get.token = (uintptr_t)msg;
	memcpy(msg->wire, &get, sizeof(get));
	return ucx_am_send(use->lane->ep, UCX_AM_GET, msg, NULL, 0,
			   UCP_AM_SEND_FLAG_REPLY);
}

int ucx_am_get(struct ucx_use *use, void *dst, enum conduit_segment seg,
	       size_t offset, size_t bytes, int flags)
{
	int waiting = 0;
	int *waiter = flags & CONDUIT_NBI ? NULL : &waiting;
	int rc = 0;

	for (size_t at = 0; at < bytes && !rc; at += UCX_STAGE_CHUNK_BYTES) {
		size_t n = bytes - at;

		if (n > UCX_STAGE_CHUNK_BYTES)
			n = UCX_STAGE_CHUNK_BYTES;
		rc = get_part(use, (char *)dst + at, seg, offset + at, n,
			      waiter);
	}
	ucx_am_wait(use, &waiting);
	return rc;
}

int ucx_am_amo(struct ucx_use *use, enum conduit_amo op, size_t bytes,
	       enum conduit_segment seg, size_t offset, uint64_t operand,
	       uint64_t cond, void *old, int flags)
{
	struct ucx_am_line *line = ucx_am_line(use);
	struct ucx_am_amo amo = {
		.from = ucx_am_from(line, seg),
		.offset = offset,
		.operand = operand,
		.cond = cond,
	};
	struct ucx_am_msg *msg;
	int waiting = 0;
	int rc;

	if (old) {
		msg = question(use, sizeof(amo), old, bytes,
			       flags & CONDUIT_NBI ? NULL : &waiting);
		amo.token = (uintptr_t)msg;
	} else {
		msg = ucx_am_msg(ucx_am_of(use), sizeof(amo));
		msg->use = use;
		ucx_am_count(line, bytes, 1);
	}
	amo.from.op = (uint8_t)op;
	amo.from.flags = (uint8_t)bytes;
	memcpy(msg->wire, &amo, sizeof(amo));
	rc = ucx_am_send(use->lane->ep, UCX_AM_AMO, msg, NULL, 0,
			 old ? UCP_AM_SEND_FLAG_REPLY : 0);
	ucx_am_wait(use, &waiting);
	return rc;
}

static void answered(struct ucx_am_msg *msg)
{
	struct ucx_use *use = msg->use;

	use->lane->moved++;
	if (!--use->am_pending)
		use->am_slow = 0;
	ucx_am_msg_unref(msg);
}

static void copied(struct ucx_stage_buf *buf, void *arg)
{
	(void)buf;
	answered(arg);
}

static void received(struct ucx_am_msg *msg)
{
	if (!msg->buf) {
		answered(msg);
		return;
	}
	msg->am->worker->am_busy = 1;
	ucx_stage_copy_start(msg->buf, msg->dst, msg->buf->mem, msg->bytes,
			     copied, msg);
}

static void on_received(void *request, ucs_status_t status, size_t bytes,
			void *user)
{
	(void)bytes;
	ucp_request_free(request);
	if (status == UCS_OK)
		received(user);
}

static void receive(struct ucx_am_msg *msg, void *desc)
{
	const ucp_request_param_t param = {
		.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK |
				UCP_OP_ATTR_FIELD_USER_DATA,
		.cb.recv_am = on_received,
		.user_data = msg,
	};
	ucs_status_ptr_t request = ucp_am_recv_data_nbx(
		msg->am->worker->ucp, desc, msg->buf ? msg->buf->mem : msg->dst,
		msg->bytes, &param);

	if (UCS_PTR_IS_PTR(request))
		return;
	if (!request)
		received(msg);
	else
		ucx_failed(msg->use->lane->peer, "receive from",
			   UCS_PTR_STATUS(request));
}

ucs_status_t ucx_am_on_data(void *arg, const void *header, size_t header_bytes,
			    void *data, size_t bytes,
			    const ucp_am_recv_param_t *param)
{
	struct ucx_am_data head;
	struct ucx_am_msg *msg;
	const void *payload = data;

	(void)arg, (void)bytes;
	memcpy(&head, header, sizeof(head));
	msg = (void *)(uintptr_t)head.token;
	if (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) {
		receive(msg, data);
		return UCS_INPROGRESS;
	}
	if (header_bytes > sizeof(head))
		payload = (const char *)header + sizeof(head);
	if (msg->to_device)
		ucx_stage_copy(msg->dst, payload, msg->bytes);
	else
		shmemi_copy(msg->dst, payload, msg->bytes);
	answered(msg);
	return UCS_OK;
}
