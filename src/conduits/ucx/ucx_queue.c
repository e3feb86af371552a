/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/ucx/ucx.h"

#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/order.h"

/* UCX keeps what a connection can't take yet: so much of it, then we wait. */
#define REQUESTS_MAX 1024

/* Answers of peers are taken in at least this often. */
#define PUTS_PER_PROGRESS 32

int ucx_queue_open(int options, struct conduit_queue **q)
{
	size_t n = (size_t)conduit_settings.n_pes;
	struct conduit_queue *new = calloc(1, sizeof(*new));
	int rc = 0;

	if (!new)
		goto fail;
	new->uses = calloc(n, sizeof(struct ucx_use *));
	new->listed = calloc(n, sizeof(struct ucx_use *));
	if (!new->uses || !new->listed)
		goto free_queue;
	rc = ucx_worker_take(options, &new->worker);
	if (rc)
		goto free_queue;
	*q = new;
	return 0;

free_queue:
	free(new->uses);
	free(new->listed);
	free(new);
	if (rc)
		return rc;
fail:
	shmemi_log_error("out of memory for a queue to %zu PEs", n);
	return -ENOMEM;
}

static void queue_free(struct conduit_queue *q)
{
	for (int pe = 0; pe < conduit_settings.n_pes; pe++) {
		if (q->uses[pe])
			ucx_am_use_close(q->uses[pe]);
		free(q->uses[pe]);
	}
	free(q->uses);
	free(q->listed);
	free(q);
}

void ucx_queues_free(struct ucx_worker *worker)
{
	while (worker->retired) {
		struct conduit_queue *q = worker->retired;

		worker->retired = q->next;
		queue_free(q);
	}
}

/*
 * Answers may still come for what nobody waits for, such as the library's own
 * last messages: what they are counted in lives as long as the worker then.
 */
int ucx_queue_close(struct conduit_queue *q)
{
	struct ucx_worker *worker = q->worker;
	int busy = 0;

	ucx_enter(worker);
	for (int pe = 0; pe < conduit_settings.n_pes; pe++)
		busy |= q->uses[pe] && ucx_use_busy(q->uses[pe]);
	if (busy) {
		q->next = worker->retired;
		worker->retired = q;
	}
	ucx_unlock(worker);
	ucx_worker_give(worker);
	if (!busy)
		queue_free(q);
	return 0;
}

static int is_lost(const struct ucx_lane *lane, ucs_status_t status)
{
	return lane->failed != UCS_OK || status == UCS_ERR_CONNECTION_RESET ||
	       status == UCS_ERR_ENDPOINT_TIMEOUT ||
	       status == UCS_ERR_UNREACHABLE || status == UCS_ERR_CANCELED ||
	       status == UCS_ERR_NOT_CONNECTED || status == UCS_ERR_IO_ERROR ||
	       status == UCS_ERR_REJECTED;
}

static int request_failed(const struct ucx_lane *lane, const char *what,
			  ucs_status_t status)
{
	if (is_lost(lane, status))
		ucx_peer_lost(lane->peer,
			      ucs_status_string(lane->failed != UCS_OK ?
							lane->failed :
							status));
	return ucx_failed(lane->peer, what, status);
}

int ucx_request_wait(struct ucx_use *use, ucs_status_ptr_t request,
		     const char *what)
{
	struct ucx_lane *lane = use->lane;
	struct ucx_wait wait = { .worker = lane->worker, .use = use };
	ucs_status_t status;

	if (UCS_PTR_IS_ERR(request))
		return request_failed(lane, what, UCS_PTR_STATUS(request));
	lane->requests++;
	while ((status = ucp_request_check_status(request)) == UCS_INPROGRESS)
		ucx_wait_turn(&wait);
	lane->requests--;
	lane->moved++;
	ucp_request_free(request);
	return status == UCS_OK ? 0 : request_failed(lane, what, status);
}

void ucx_use_done(void *request, ucs_status_t status, void *user)
{
	struct ucx_use *use = user;

	use->requests--;
	use->lane->requests--;
	use->lane->moved++;
	ucp_request_free(request);
	if (status != UCS_OK && use->lane->peer)
		ucx_peer_lost(use->lane->peer, ucs_status_string(status));
}

int ucx_request_leave(struct ucx_use *use, ucs_status_ptr_t request,
		      const char *what)
{
	struct ucx_lane *lane = use->lane;
	struct ucx_wait wait = { .worker = lane->worker, .use = use };

	if (UCS_PTR_IS_ERR(request))
		return request_failed(lane, what, UCS_PTR_STATUS(request));
	use->requests++;
	lane->requests++;
	if (lane->requests < REQUESTS_MAX)
		return 0;
	while (lane->requests > REQUESTS_MAX / 2)
		ucx_wait_turn(&wait);
	return 0;
}

void ucx_use_put(struct ucx_use *use, size_t bytes)
{
	ucx_use_list(use, bytes);
	use->rma = 1;
	if (++use->puts % PUTS_PER_PROGRESS == 0)
		ucx_worker_progress(use->lane->worker);
}

static int flush_start(struct ucx_use *use)
{
	const ucp_request_param_t param = {
		.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK |
				UCP_OP_ATTR_FIELD_USER_DATA,
		.cb.send = ucx_use_done,
		.user_data = use,
	};
	ucs_status_ptr_t request;

	if (!use->rma)
		return 0;
	use->rma = 0;
	request = ucp_ep_flush_nbx(use->lane->ep, &param);
	return request ? ucx_request_leave(use, request, "flush") : 0;
}

int ucx_use_flush(struct ucx_use *use)
{
	struct ucx_wait wait = { .worker = use->lane->worker, .use = use };
	int rc = flush_start(use);

	while (!rc && ucx_use_busy(use)) {
		if (use->am_pending)
			rc = ucx_am_ask(use);
		ucx_wait_turn(&wait);
	}
	/* Another thread may have fenced something new meanwhile. */
	if (!use->rma) {
		use->fenced = 0;
		use->amos = 0;
	}
	return rc;
}

/* Another thread's operations may join the list meanwhile: any is looked at. */
static int flush_listed(struct conduit_queue *q)
{
	int rc = 0;

	for (int i = 0; !rc && i < q->n_listed; i++) {
		rc = flush_start(q->listed[i]);
		if (!rc && q->listed[i]->am_pending)
			rc = ucx_am_ask(q->listed[i]);
	}
	while (!rc && q->n_listed) {
		struct ucx_use *use = q->listed[q->n_listed - 1];

		if (use->rma || ucx_use_busy(use)) {
			rc = ucx_use_flush(use);
			continue;
		}
		use->listed = 0;
		use->fenced = 0;
		use->amos = 0;
		use->bytes = 0;
		q->n_listed--;
	}
	return rc;
}

int ucx_quiet(struct conduit_queue *q, struct conduit_ep *ep)
{
	int rc = 0;

	store_before_all();
	ucx_enter(q->worker);
	if (!ep)
		rc = flush_listed(q);
	else if (q->uses[ep->pe])
		rc = ucx_use_flush(q->uses[ep->pe]);
	ucx_unlock(q->worker);
	return rc;
}

static struct ucx_use *find_slow(const struct conduit_queue *q)
{
	for (int i = 0; i < q->n_listed; i++)
		if (q->listed[i]->am_pending && q->listed[i]->am_slow)
			return q->listed[i];
	return NULL;
}

int ucx_fence(struct conduit_queue *q)
{
	ucs_status_t status = UCS_OK;
	struct ucx_use *slow;
	int rc = 0;

	store_before_store();
	ucx_enter(q->worker);
	while (!rc && (slow = find_slow(q)))
		rc = ucx_use_flush(slow);
	for (int i = 0; i < q->n_listed; i++)
		q->listed[i]->fenced = 1;
	if (q->n_listed)
		status = ucp_worker_fence(q->worker->ucp);
	ucx_unlock(q->worker);
	if (status != UCS_OK)
		return ucx_failed(NULL, "fence", status);
	return rc;
}
