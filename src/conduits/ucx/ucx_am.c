/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/ucx/ucx_am.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

_Static_assert(sizeof(struct ucx_am_from) == 16, "the same on both sides");
_Static_assert(sizeof(struct ucx_am_put) == 40, "the same on both sides");
_Static_assert(sizeof(struct ucx_am_get) == 40, "the same on both sides");
_Static_assert(sizeof(struct ucx_am_amo) == 48, "the same on both sides");
_Static_assert(sizeof(struct ucx_am_close) == 40, "the same on both sides");
_Static_assert(sizeof(struct ucx_am_entry) == 16, "the same on both sides");

static const ucp_am_recv_callback_t handlers[UCX_AM_IDS] = {
	[UCX_AM_PUT] = ucx_am_on_put,	  [UCX_AM_BATCH] = ucx_am_on_batch,
	[UCX_AM_GET] = ucx_am_on_get,	  [UCX_AM_AMO] = ucx_am_on_amo,
	[UCX_AM_CLOSE] = ucx_am_on_close, [UCX_AM_DATA] = ucx_am_on_data,
	[UCX_AM_DONE] = ucx_am_on_done,
};

static int handlers_set(struct ucx_worker *worker)
{
	for (unsigned int id = 1; id < UCX_AM_IDS; id++) {
		const ucp_am_handler_param_t param = {
			.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID |
				      UCP_AM_HANDLER_PARAM_FIELD_CB |
				      UCP_AM_HANDLER_PARAM_FIELD_ARG,
			.id = id,
			.cb = handlers[id],
			.arg = worker->am,
		};
		ucs_status_t status =
			ucp_worker_set_am_recv_handler(worker->ucp, &param);

		if (status != UCS_OK)
			return ucx_failed(NULL, "take a handler", status);
	}
	return 0;
}

int ucx_am_open(struct ucx_worker *worker)
{
	struct ucx_am *am = calloc(1, sizeof(*am));
	int rc;

	if (!am) {
		shmemi_log_error("out of memory for a worker of UCX");
		return -ENOMEM;
	}
	am->worker = worker;
	am->jobs_tail = &am->jobs;
	worker->am = am;
	if (ucx.staging)
		ucx_stage_fill(&am->stage, UCX_STAGE_OWN);
	/* Peers' messages come to the first worker. */
	if (ucx.staging && !ucx.receiver)
		ucx_stage_fill(&am->stage, UCX_STAGE_SERVE);
	rc = handlers_set(worker);
	if (rc) {
		free(am);
		worker->am = NULL;
	}
	return rc;
}

void ucx_am_close(struct ucx_worker *worker)
{
	struct ucx_am *am = worker->am;

	worker->am = NULL;
	worker->am_busy = 0;
	ucx_am_jobs_free(am);
	ucx_am_sources_free(am);
	ucx_am_batches_free(am);
	while (am->free) {
		struct ucx_am_msg *msg = am->free;

		am->free = msg->next;
		free(msg);
	}
	ucx_stage_close(&am->stage);
	free(am);
}

void ucx_am_progress(struct ucx_worker *worker)
{
	struct ucx_am *am = worker->am;
	int busy;

	worker->am_busy = 0;
	busy = ucx_stage_poll(&am->stage);
	busy |= ucx_am_serve(am);
	while (am->open)
		if (ucx_am_batch_push(am->open))
			shmemi_fatal("a PE on another node is lost");
	worker->am_busy |= busy;
}

struct ucx_am_msg *ucx_am_msg(struct ucx_am *am, size_t wire_bytes)
{
	struct ucx_am_msg *msg = am->free;

	if (msg)
		am->free = msg->next;
	else
		msg = malloc(sizeof(*msg));
	if (!msg)
		shmemi_fatal("out of memory for a message");
	msg->am = am;
	msg->use = NULL;
	msg->refs = 1;
	msg->waiter = NULL;
	msg->to_device = 0;
	msg->buf = NULL;
	msg->batch = NULL;
	msg->wire_bytes = wire_bytes;
	return msg;
}

void ucx_am_msg_unref(struct ucx_am_msg *msg)
{
	struct ucx_am *am = msg->am;

	if (--msg->refs)
		return;
	if (msg->buf)
		ucx_stage_give(msg->buf);
	if (msg->batch) {
		msg->batch->next = am->free_batches;
		am->free_batches = msg->batch;
	}
	if (msg->waiter)
		--*msg->waiter;
	msg->next = am->free;
	am->free = msg;
}

static void msg_left(void *request, ucs_status_t status, void *user)
{
	/* A lost connection has been told to the lane. */
	(void)status;
	ucx_am_msg_unref(user);
	ucp_request_free(request);
}

int ucx_am_send(ucp_ep_h ep, enum ucx_am_id id, struct ucx_am_msg *msg,
		const void *payload, size_t bytes, unsigned int flags)
{
	const ucp_request_param_t param = {
		.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK |
				UCP_OP_ATTR_FIELD_USER_DATA |
				UCP_OP_ATTR_FIELD_FLAGS,
		.flags = flags,
		.cb.send = msg_left,
		.user_data = msg,
	};
	const struct conduit_ep *peer = msg->use ? msg->use->lane->peer : NULL;
	ucs_status_ptr_t request = ucp_am_send_nbx(
		ep, id, msg->wire, msg->wire_bytes, payload, bytes, &param);

	if (UCS_PTR_IS_PTR(request))
		return 0;
	ucx_am_msg_unref(msg);
	if (!request)
		return 0;
	return ucx_failed(peer, "send a message to", UCS_PTR_STATUS(request));
}
