/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/ucx/ucx.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "base/log.h"

/* Each takes a few files, and a MiB or so. */
#define WORKERS_MAX 32

/* Polls for a lock before its holder gets the core. */
#define LOCK_SPIN 100

void ucx_lock_slow(struct ucx_worker *worker)
{
	unsigned int polls = 0;

	do {
		while (__atomic_load_n(&worker->locked, __ATOMIC_RELAXED)) {
			if (++polls % LOCK_SPIN)
				cpu_relax();
			else
				sched_yield();
		}
	} while (__atomic_exchange_n(&worker->locked, 1, __ATOMIC_ACQUIRE));
}

static int worker_create(struct ucx_worker *worker)
{
	ucp_worker_params_t params = {
		.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE |
			      UCP_WORKER_PARAM_FIELD_FLAGS,
		.thread_mode = UCS_THREAD_MODE_SERIALIZED,
		.flags = UCP_WORKER_FLAG_IGNORE_REQUEST_LEAK,
	};
	ucs_status_t status =
		ucp_worker_create(ucx.context, &params, &worker->ucp);

	if (status != UCS_OK)
		return ucx_failed(NULL, "make a worker", status);
	worker->efd = -1;
	if (conduit_settings.progress_thread &&
	    ucp_worker_get_efd(worker->ucp, &worker->efd) != UCS_OK)
		worker->efd = -1;
	return 0;
}

int ucx_worker_open(struct ucx_worker **worker)
{
	struct ucx_worker *w =
		aligned_alloc(CACHE_LINE_BYTES, sizeof(struct ucx_worker));
	int rc = -ENOMEM;

	if (!w)
		goto fail;
	*w = (struct ucx_worker){ .taken = 1 };
	w->lanes = calloc((size_t)conduit_settings.n_pes, sizeof(*w->lanes));
	if (!w->lanes)
		goto free_worker;
	rc = worker_create(w);
	if (rc)
		goto free_lanes;
	rc = ucx_am_open(w);
	if (rc)
		goto destroy;
	ucx_workers_add(w);
	*worker = w;
	return 0;

destroy:
	ucp_worker_destroy(w->ucp);
free_lanes:
	free(w->lanes);
free_worker:
	free(w);
fail:
	if (rc == -ENOMEM)
		shmemi_log_error("out of memory for a worker of UCX");
	return rc;
}

static void worker_close(struct ucx_worker *worker, uint64_t end_ns)
{
	ucx_lanes_close(worker, end_ns);
	ucx_am_close(worker);
	ucp_worker_destroy(worker->ucp);
	ucx_queues_free(worker);
	ucx_lanes_free(worker);
	free(worker->lanes);
	free(worker);
}

/* The default one, which peers' last words go to, comes last. */
void ucx_workers_close(uint64_t end_ns)
{
	struct ucx_worker *worker;

	while ((worker = ucx_workers_remove()))
		worker_close(worker, end_ns);
	ucx.receiver = NULL;
}

int ucx_worker_take(int options, struct ucx_worker **worker)
{
	*worker = ucx.receiver;
	if (!(options & CONDUIT_QUEUE_OWN))
		return 0;
	*worker = ucx_workers_take();
	if (*worker)
		return 0;
	*worker = ucx.receiver;
	if (__atomic_load_n(&ucx.n_workers, __ATOMIC_RELAXED) >= WORKERS_MAX)
		return 0;
	return ucx_worker_open(worker);
}

void ucx_worker_give(struct ucx_worker *worker)
{
	if (worker != ucx.receiver)
		__atomic_store_n(&worker->taken, 0, __ATOMIC_RELEASE);
}

unsigned int ucx_worker_progress(struct ucx_worker *worker)
{
	unsigned int moved = ucp_worker_progress(worker->ucp);

	if (__builtin_expect(worker->am_busy, 0))
		ucx_am_progress(worker);
	return moved;
}

/* A slow network moves a MiB per second. */
static uint64_t patience_ns(const struct ucx_use *use)
{
	uint64_t seconds = (uint64_t)conduit_settings.timeout_s;

	return (seconds + (use->bytes >> 20)) * 1000000000u;
}

static void wait_check(struct ucx_wait *wait)
{
	const struct ucx_lane *lane = wait->use->lane;
	uint64_t now = shmemi_now_ns();

	if (lane->failed != UCS_OK)
		ucx_peer_lost(lane->peer, ucs_status_string(lane->failed));
	if (!wait->since_ns || lane->moved != wait->moved) {
		wait->moved = lane->moved;
		wait->since_ns = now;
	} else if (conduit_settings.timeout_s > 0 &&
		   now - wait->since_ns > patience_ns(wait->use)) {
		ucx_peer_silent(wait->use);
	}
}

/* Turns between looks at the clock, and turns with the lock held. */
#define TURNS_PER_CHECK 256
#define TURNS_PER_LOCK 8

void ucx_wait_turn(struct ucx_wait *wait)
{
	struct ucx_worker *worker = wait->worker;

	if (ucx_worker_progress(worker))
		wait->wait.polls = 0;
	/* The peer may wait for an answer in just this way. */
	if (worker != ucx.receiver && !ucx.threaded)
		ucx_worker_try(ucx.receiver);
	wait->turns++;
	if (wait->use && wait->turns % TURNS_PER_CHECK == 0)
		wait_check(wait);
	if (wait->turns % TURNS_PER_LOCK &&
	    ++wait->wait.polls < shmemi_wait_spin)
		return;
	ucx_unlock(worker);
	shmemi_wait_once(&wait->wait);
	ucx_enter(worker);
}
