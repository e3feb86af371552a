/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/ucx/ucx.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <ucs/config/global_opts.h>

#include "base/log.h"

static const char *transports(void)
{
	const char *tls = getenv("UCX_TLS");

	return tls ? tls : "all";
}

void ucx_peer_lost(const struct conduit_ep *ep, const char *why)
{
	shmemi_fatal("PE %d on %s: connection lost (%s)", ep->pe, ep->host,
		     why);
}

void ucx_peer_silent(const struct ucx_use *use)
{
	const struct conduit_ep *ep = use->lane->peer;

	shmemi_fatal("PE %d on %s: no answer for %d s; is it stopped, or the "
		     "network down? (UCX_TLS %s)",
		     ep->pe, ep->host, conduit_settings.timeout_s,
		     transports());
}

int ucx_failed(const struct conduit_ep *ep, const char *what,
	       ucs_status_t status)
{
	if (!ep)
		shmemi_log_error("UCX can't %s on %s: %s (UCX_TLS %s)", what,
				 conduit_settings.host ? conduit_settings.host :
							 "this host",
				 ucs_status_string(status), transports());
	else
		shmemi_log_error("UCX can't %s PE %d on %s: %s (UCX_TLS %s)",
				 what, ep->pe, ep->host,
				 ucs_status_string(status), transports());
	return status == UCS_ERR_NO_MEMORY   ? -ENOMEM :
	       status == UCS_ERR_UNREACHABLE ? -EHOSTUNREACH :
					       -EIO;
}

int ucx_connect(const struct conduit_peer *peer,
		const struct conduit_region *regions, const void *card,
		struct conduit_ep **ep)
{
	uint32_t bytes = ucx_card_bytes(card);
	struct conduit_ep *e = calloc(1, sizeof(*e));

	(void)regions;
	if (!e)
		goto fail;
	e->pe = peer->pe;
	e->host = strdup(peer->host);
	e->card = malloc(bytes);
	if (!e->host || !e->card)
		goto free_ep;
	memcpy(e->card, card, bytes);
	ucx_card_read(e);
	ucx.n_eps++;
	*ep = e;
	return 0;

free_ep:
	free(e->host);
	free(e->card);
	free(e);
fail:
	shmemi_log_error("out of memory for PE %d on %s", peer->pe, peer->host);
	return -ENOMEM;
}

int ucx_disconnect(struct conduit_ep *ep)
{
	ucx_peer_forget(ep);
	free(ep->host);
	free(ep->card);
	free(ep);
	if (!--ucx.n_eps)
		ucx_receive_stop();
	return 0;
}

/*
 * A peer that leaves in an orderly way breaks connections too, before this PE
 * has noticed that all is over; so it is fatal only when something is missing.
 */
static void lane_failed(void *arg, ucp_ep_h ep, ucs_status_t status)
{
	struct ucx_lane *lane = arg;

	(void)ep;
	lane->failed = status;
	if (!lane->peer)
		return;
	if (lane->requests)
		ucx_peer_lost(lane->peer, ucs_status_string(status));
	ucx_progress_lost(lane);
}

/*
 * UCX calls it an error when a transport can't do what is only asked for; what
 * then can't be done in any way, it says when it is asked again.
 */
static void log_hush(char *level, size_t bytes)
{
	level[0] = 0;
	if (!getenv("UCX_LOG_LEVEL") &&
	    ucs_global_opts_get_value("LOG_LEVEL", level, bytes) == UCS_OK)
		(void)ucs_global_opts_set_value("LOG_LEVEL", "fatal");
}

static void log_restore(const char *level)
{
	if (level[0])
		(void)ucs_global_opts_set_value("LOG_LEVEL", level);
}

/*
 * Not every transport tells of a lost connection: those of memory don't. UCX
 * numbers the connections of two workers on both sides, those too that it
 * refuses, so what one peer was told must not be taken as known for the next:
 * both ends have to make the same tries.
 */
static ucp_err_handling_mode_t err_mode(void)
{
	return conduit_settings.net_heap ? UCP_ERR_HANDLING_MODE_NONE :
					   UCP_ERR_HANDLING_MODE_PEER;
}

static int lane_connect(struct ucx_lane *lane)
{
	ucp_ep_params_t params = {
		.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS |
			      UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
			      UCP_EP_PARAM_FIELD_ERR_HANDLER,
		.address = lane->peer->address,
		.err_mode = err_mode(),
		.err_handler = { .cb = lane_failed, .arg = lane },
	};
	ucp_worker_h worker = lane->worker->ucp;
	char level[32];
	ucs_status_t status;

	log_hush(level, sizeof(level));
	status = ucp_ep_create(worker, &params, &lane->ep);
	log_restore(level);
	if (status == UCS_ERR_UNREACHABLE || status == UCS_ERR_UNSUPPORTED) {
		params.err_mode = UCP_ERR_HANDLING_MODE_NONE;
		status = ucp_ep_create(worker, &params, &lane->ep);
	}
	if (status == UCS_OK)
		return 0;
	lane->ep = NULL;
	return ucx_failed(lane->peer, "reach", status);
}

static int lane_keys(struct ucx_lane *lane)
{
	for (int seg = 0; seg < CONDUIT_NSEGMENTS; seg++) {
		const void *packed = lane->peer->seg[seg].rkey;
		ucs_status_t status;
		void *p;

		if (!packed)
			continue;
		status = ucp_ep_rkey_unpack(lane->ep, packed, &lane->rkey[seg]);
		if (status != UCS_OK)
			return ucx_failed(lane->peer, "use the keys of",
					  status);
		if (ucp_rkey_ptr(lane->rkey[seg], lane->peer->seg[seg].base,
				 &p) == UCS_OK)
			lane->direct[seg] = p;
	}
	return 0;
}

static struct ucx_lane *lane_get(struct ucx_worker *worker,
				 struct conduit_ep *ep)
{
	struct ucx_lane *lane = worker->lanes[ep->pe];

	if (lane)
		return lane;
	lane = calloc(1, sizeof(*lane));
	if (!lane) {
		shmemi_log_error("out of memory for PE %d on %s", ep->pe,
				 ep->host);
		return NULL;
	}
	lane->worker = worker;
	lane->peer = ep;
	lane->failed = UCS_OK;
	if (lane_connect(lane)) {
		free(lane);
		return NULL;
	}
	worker->lanes[ep->pe] = lane;
	return lane_keys(lane) ? NULL : lane;
}

struct ucx_use *ucx_use_open(struct conduit_queue *q, struct conduit_ep *ep)
{
	struct ucx_lane *lane = lane_get(q->worker, ep);
	struct ucx_use *use = lane ? calloc(1, sizeof(*use)) : NULL;

	if (!use)
		return NULL;
	use->lane = lane;
	use->queue = q;
	__atomic_store_n(&q->uses[ep->pe], use, __ATOMIC_RELEASE);
	return use;
}

char *ucx_direct_slow(struct conduit_queue *q, struct conduit_ep *ep,
		      enum conduit_segment seg)
{
	struct ucx_use *use;

	ucx_enter(q->worker);
	use = ucx_use_get(q, ep);
	ucx_unlock(q->worker);
	return use ? use->lane->direct[seg] : NULL;
}

static void lane_keys_free(struct ucx_lane *lane)
{
	for (int seg = 0; seg < CONDUIT_NSEGMENTS; seg++)
		if (lane->rkey[seg])
			ucp_rkey_destroy(lane->rkey[seg]);
}

static void lane_close(struct ucx_lane *lane)
{
	const ucp_request_param_t param = {
		.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
		.flags = lane->failed != UCS_OK ? UCP_EP_CLOSE_FLAG_FORCE : 0,
	};
	ucs_status_ptr_t request;

	lane->peer = NULL;
	lane_keys_free(lane);
	request = ucp_ep_close_nbx(lane->ep, &param);
	if (UCS_PTR_IS_PTR(request))
		lane->closing = request;
}

static int is_closing(const struct ucx_lane *lane)
{
	return lane->closing &&
	       ucp_request_check_status(lane->closing) == UCS_INPROGRESS;
}

void ucx_lanes_close(struct ucx_worker *worker, uint64_t end_ns)
{
	struct ucx_wait wait = { .worker = worker };

	ucx_enter(worker);
	for (int pe = 0; pe < conduit_settings.n_pes; pe++)
		if (worker->lanes[pe])
			lane_close(worker->lanes[pe]);
	for (int pe = 0; pe < conduit_settings.n_pes; pe++) {
		struct ucx_lane *lane = worker->lanes[pe];

		while (lane && is_closing(lane) && shmemi_now_ns() < end_ns)
			ucx_wait_turn(&wait);
		if (lane && lane->closing)
			ucp_request_free(lane->closing);
	}
	ucx_unlock(worker);
}

void ucx_lanes_free(struct ucx_worker *worker)
{
	for (int pe = 0; pe < conduit_settings.n_pes; pe++)
		free(worker->lanes[pe]);
}
