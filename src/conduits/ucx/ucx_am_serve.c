/* SPDX-License-Identifier: BSD-3-Clause */
/* What peers ask of this PE. */
#include "conduits/ucx/ucx_am.h"

#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "base/log.h"
#include "conduits/atomic.h"

/* A transfer that takes longer than its handler. */
struct ucx_am_job {
	struct ucx_am_job *next; /* that waits for a buffer */
	struct ucx_am *am;
	struct ucx_am_source *source;
	struct ucx_stage_buf *buf;
	size_t bytes;
	void *desc; /* of what has not been received; NULL: a get */
	ucp_ep_h ep;
	struct ucx_am_put put;
	struct ucx_am_get get;
};

int ucx_am_is_staged(enum conduit_segment seg)
{
	return seg == CONDUIT_DEVICE && ucx.staging;
}

static void *place(const struct ucx_am_from *from, uint64_t offset)
{
	return ucx.mine[from->segs & 0xf].base + offset;
}

static struct ucx_am_job *job_make(struct ucx_am *am, size_t bytes)
{
	struct ucx_am_job *job = calloc(1, sizeof(*job));

	if (!job)
		shmemi_fatal("out of memory for what peers send");
	job->am = am;
	job->bytes = bytes;
	return job;
}

void ucx_am_jobs_free(struct ucx_am *am)
{
	while (am->jobs) {
		struct ucx_am_job *job = am->jobs;

		am->jobs = job->next;
		free(job);
	}
}

static void put_done(struct ucx_am *am, struct ucx_am_source *source,
		     const struct ucx_am_put *put)
{
	ucx_am_signal(put->from.op, put->from.segs >> 4, put->sig_offset,
		      put->value);
	ucx_am_handled(am, source, put->from.epoch);
}

static void put_job_done(struct ucx_stage_buf *buf, void *arg)
{
	struct ucx_am_job *job = arg;

	if (buf)
		ucx_stage_give(buf);
	put_done(job->am, job->source, &job->put);
	free(job);
}

static void put_received(struct ucx_am_job *job)
{
	if (!job->buf) {
		put_job_done(NULL, job);
		return;
	}
	job->am->worker->am_busy = 1;
	ucx_stage_copy_start(job->buf, place(&job->put.from, job->put.offset),
			     job->buf->mem, job->bytes, put_job_done, job);
}

/* Without the payload there is nobody to wait for it any more. */
static void on_received(void *request, ucs_status_t status, size_t bytes,
			void *user)
{
	(void)bytes;
	ucp_request_free(request);
	if (status == UCS_OK)
		put_received(user);
}

static void put_receive(struct ucx_am_job *job)
{
	const ucp_request_param_t param = {
		.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK |
				UCP_OP_ATTR_FIELD_USER_DATA,
		.cb.recv_am = on_received,
		.user_data = job,
	};
	void *to = job->buf ? job->buf->mem :
			      place(&job->put.from, job->put.offset);
	ucs_status_ptr_t request = ucp_am_recv_data_nbx(
		job->am->worker->ucp, job->desc, to, job->bytes, &param);

	if (UCS_PTR_IS_PTR(request))
		return;
	if (!request)
		put_received(job);
	else
		ucx_failed(NULL, "receive", UCS_PTR_STATUS(request));
}

static void get_send(struct ucx_am_job *job, const void *payload)
{
	const struct ucx_am_data data = { job->get.token };
	struct ucx_am_msg *msg = ucx_am_msg(job->am, sizeof(data));
	int small = job->bytes <= UCX_AM_EAGER_BYTES;

	memcpy(msg->wire, &data, sizeof(data));
	msg->buf = job->buf;
	ucx_am_send(job->ep, UCX_AM_DATA, msg, payload, job->bytes,
		    small ? UCP_AM_SEND_FLAG_EAGER : 0);
	free(job);
}

static void get_filled(struct ucx_stage_buf *buf, void *arg)
{
	get_send(arg, buf->mem);
}

static void job_start(struct ucx_am_job *job)
{
	if (job->desc) {
		put_receive(job);
		return;
	}
	job->am->worker->am_busy = 1;
	ucx_stage_copy_start(job->buf, job->buf->mem,
			     place(&job->get.from, job->get.offset), job->bytes,
			     get_filled, job);
}

static void job_queue(struct ucx_am_job *job)
{
	struct ucx_am *am = job->am;

	*am->jobs_tail = job;
	am->jobs_tail = &job->next;
	am->worker->am_busy = 1;
}

/* Jobs start in the order that they have come in. */
int ucx_am_serve(struct ucx_am *am)
{
	while (am->jobs) {
		struct ucx_am_job *job = am->jobs;

		job->buf = ucx_stage_take(&am->stage, UCX_STAGE_SERVE);
		if (!job->buf)
			return 1;
		am->jobs = job->next;
		if (!am->jobs)
			am->jobs_tail = &am->jobs;
		job_start(job);
	}
	return 0;
}

static ucs_status_t put_long(struct ucx_am *am, struct ucx_am_source *source,
			     const struct ucx_am_put *put, void *desc,
			     size_t bytes)
{
	struct ucx_am_job *job = job_make(am, bytes);

	job->source = source;
	job->put = *put;
	job->desc = desc;
	if (ucx_am_is_staged(put->from.segs & 0xf))
		job_queue(job);
	else
		put_receive(job);
	return UCS_INPROGRESS;
}

static void put_in_place(const struct ucx_am_put *put, const char *data,
			 size_t bytes)
{
	char *to = place(&put->from, put->offset);

	if (ucx_am_is_staged(put->from.segs & 0xf)) {
		if (bytes)
			ucx_stage_copy(to, data, bytes);
	} else if (put->from.flags & UCX_AM_WHOLE) {
		for (size_t i = 0; i < bytes; i += 8)
			shmemi_copy_word(to + i, data + i, 8);
	} else {
		shmemi_copy(to, data, bytes);
	}
}

ucs_status_t ucx_am_on_put(void *arg, const void *header, size_t header_bytes,
			   void *data, size_t bytes,
			   const ucp_am_recv_param_t *param)
{
	struct ucx_am *am = arg;
	struct ucx_am_source *source;
	struct ucx_am_put put;

	memcpy(&put, header, sizeof(put));
	source = ucx_am_source(am, &put.from);
	if (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV)
		return put_long(am, source, &put, data, bytes);
	if (header_bytes > sizeof(put))
		put_in_place(&put, (const char *)header + sizeof(put),
			     header_bytes - sizeof(put));
	else
		put_in_place(&put, data, bytes);
	put_done(am, source, &put);
	return UCS_OK;
}

ucs_status_t ucx_am_on_get(void *arg, const void *header, size_t header_bytes,
			   void *data, size_t bytes,
			   const ucp_am_recv_param_t *param)
{
	struct ucx_am_job *job;
	struct ucx_am_get get;

	(void)header_bytes, (void)data, (void)bytes;
	memcpy(&get, header, sizeof(get));
	job = job_make(arg, get.bytes);
	job->get = get;
	job->ep = param->reply_ep;
	if (ucx_am_is_staged(get.from.segs & 0xf))
		job_queue(job);
	else
		get_send(job, place(&get.from, get.offset));
	return UCS_OK;
}

static void amo_answer(struct ucx_am *am, ucp_ep_h ep, uint64_t token,
		       uint64_t old)
{
	const struct ucx_am_data data = { token };
	struct ucx_am_msg *msg = ucx_am_msg(am, sizeof(data) + sizeof(old));

	memcpy(msg->wire, &data, sizeof(data));
	memcpy(msg->wire + sizeof(data), &old, sizeof(old));
	ucx_am_send(ep, UCX_AM_DATA, msg, NULL, 0, 0);
}

ucs_status_t ucx_am_on_amo(void *arg, const void *header, size_t header_bytes,
			   void *data, size_t bytes,
			   const ucp_am_recv_param_t *param)
{
	const struct ucx_am_from *from;
	struct ucx_am_amo amo;
	uint64_t old = 0;
	void *at;

	(void)header_bytes, (void)data, (void)bytes;
	memcpy(&amo, header, sizeof(amo));
	from = &amo.from;
	at = place(from, amo.offset);
	if (ucx_am_is_staged(from->segs & 0xf))
		ucx_stage_amo((enum conduit_amo)from->op, from->flags, at,
			      amo.operand, amo.cond, amo.token ? &old : NULL);
	else
		old = shmemi_atomic((enum conduit_amo)from->op, from->flags, at,
				    amo.operand, amo.cond);
	if (amo.token)
		amo_answer(arg, param->reply_ep, amo.token, old);
	else
		ucx_am_handled(arg, ucx_am_source(arg, from), from->epoch);
	return UCS_OK;
}
