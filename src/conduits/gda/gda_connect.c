/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_connect.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "host/ctx.h"
#include "host/device.h"

struct gda_counts gda_counts;

/* A queue that is being connected. */
struct call {
	struct call *next;
	struct gda_queue *q;
	struct gda_ask ask;
	struct gda_request request;
	uint64_t number; /* 0: it was not sent yet */
	uint64_t sent_ns;
};

/* What was agreed with a peer; the answer to its last call may be under way. */
struct peer {
	struct gda_answer answer;
	uint64_t n_calls;	 /* to it */
	const struct call *call; /* that it has yet to answer */
	int lost;		 /* it did not */
};

static struct {
	struct peer *peers;
	struct call *calls; /* oldest first */
	struct gda_queue *queues;
	struct gda_queue *refused; /* that peers may yet connect to */
	struct gda_target *targets;
} connect;

/* Of queues and rows: others than the service thread look at them. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void gda_queues_each(void (*f)(struct gda_queue *q, void *arg), void *arg)
{
	pthread_mutex_lock(&lock);
	for (struct gda_queue *q = connect.queues; q; q = q->next)
		f(q, arg);
	pthread_mutex_unlock(&lock);
}

static unsigned int places_of(const struct gda_provider *provider)
{
	unsigned int n = provider->min_places;

	while (n < (unsigned int)shmemi.env.gda_places &&
	       n < provider->max_places)
		n *= 2;
	return n;
}

static struct gda_queue *new_queue(const struct gda_ask *ask)
{
	struct gda_queue *q = calloc(1, sizeof(*q));

	if (!q)
		return NULL;
	/* Queues of one peer, and those of peers next to each other, differ. */
	q->nic = &gda_nics[((unsigned int)ask->pe + ask->index) % gda_n_nics];
	q->index = ask->index;
	q->image.n_places = places_of(q->nic->provider);
	q->image.format = q->nic->provider->format;
	q->image.ctx = ask->ctx;
	q->image.pe = ask->pe;
	q->image.nic = q->nic->index;
	q->image.alone =
		(shmemi_device_ctx_options(ask->ctx) & SHMEM_CTX_PRIVATE) != 0;
	return q;
}

static void drop_queue(struct gda_queue *q)
{
	if (q)
		gda_queue_destroy(q);
	free(q);
}

static void refuse(const struct gda_ask *ask, const struct gda_nic *nic, int rc)
{
	gda_counts.refused++;
	pthread_mutex_lock(&lock);
	if (gda_row_wants(ask)) {
		gda_watch_fail(ask->ctx, ask->pe, nic, SHMEMX_ERROR_CONNECT,
			       (uint32_t)-rc);
		gda_row_refuse(ask);
	}
	pthread_mutex_unlock(&lock);
}

static void end_call(struct call *call, int rc)
{
	struct peer *peer = &connect.peers[call->ask.pe];

	if (peer->call == call)
		peer->call = NULL;
	if (rc)
		refuse(&call->ask, call->q ? call->q->nic : NULL, rc);
	if (rc && call->number) {
		call->q->next = connect.refused;
		connect.refused = call->q;
	} else if (rc) {
		drop_queue(call->q);
	}
	free(call);
}

static void append(struct call *call)
{
	struct call **link = &connect.calls;

	while (*link)
		link = &(*link)->next;
	*link = call;
}

static void begin(const struct gda_ask *ask)
{
	struct call *call = calloc(1, sizeof(*call));
	int rc = connect.peers[ask->pe].lost ? -ETIMEDOUT : -ENOMEM;

	if (!call) {
		refuse(ask, NULL, rc);
		return;
	}
	call->ask = *ask;
	if (!connect.peers[ask->pe].lost)
		call->q = new_queue(ask);
	if (call->q)
		rc = gda_queue_create(call->q, &call->request.address);
	if (rc) {
		end_call(call, rc);
		return;
	}
	call->request.nic = call->q->nic->index;
	append(call);
}

static int send(struct call *call)
{
	struct peer *peer = &connect.peers[call->ask.pe];

	call->number = ++peer->n_calls;
	call->sent_ns = shmemi_now_ns();
	peer->call = call;
	return gda_call_send(call->ask.pe, call->number, &call->request);
}

static int is_late(const struct call *call)
{
	const uint64_t limit_ns = (uint64_t)shmemi.env.timeout_s * 1000000000u;

	return limit_ns && shmemi_now_ns() - call->sent_ns > limit_ns;
}

/* Unless nobody wants it any more. */
static int keep(const struct gda_ask *ask, struct gda_queue *q)
{
	int rc = -ECANCELED;

	pthread_mutex_lock(&lock);
	if (gda_row_wants(ask))
		rc = gda_row_add(ask, q);
	if (!rc) {
		q->next = connect.queues;
		connect.queues = q;
		gda_counts.queues++;
	}
	pthread_mutex_unlock(&lock);
	return rc;
}

static int finish(const struct call *call, const struct gda_answer *answer)
{
	struct gda_queue *q = call->q;
	int rc = answer->error;

	if (!rc)
		rc = gda_remote_get(q->image.pe, answer, &q->image.remote);
	if (!rc)
		rc = gda_queue_connect(q, &answer->address);
	if (!rc)
		rc = keep(&call->ask, q);
	if (rc)
		return rc;
	shmemi_trace(CTX,
		     "queue %u of context %u to PE %d: queue pair %u of "
		     "%s, to %u, %u places",
		     q->index, q->image.ctx, q->image.pe, q->image.number,
		     q->nic->name, answer->address.qp_num, q->image.n_places);
	return 0;
}

/* 1: it has ended, one way or another. */
static int move(struct call *call)
{
	struct peer *peer = &connect.peers[call->ask.pe];
	struct gda_answer answer;
	int rc;

	if (peer->lost) {
		rc = -ETIMEDOUT;
	} else if (!call->number) {
		rc = peer->call ? 0 : send(call);
		if (!rc)
			return 0;
	} else if (gda_call_answered(call->ask.pe, call->number, &answer)) {
		rc = finish(call, &answer);
	} else if (is_late(call)) {
		peer->lost = 1;
		rc = -ETIMEDOUT;
	} else {
		return 0;
	}
	end_call(call, rc);
	return 1;
}

static int move_all(void)
{
	int busy = 0;

	for (struct call **link = &connect.calls; *link;) {
		struct call *call = *link, *next = call->next;

		if (!move(call)) {
			link = &call->next;
			continue;
		}
		*link = next;
		busy = 1;
	}
	return busy;
}

static int new_target(const struct gda_request *request,
		      struct gda_answer *answer)
{
	struct gda_target *t = calloc(1, sizeof(*t));
	int rc;

	if (!t)
		return -ENOMEM;
	t->nic = &gda_nics[request->nic % gda_n_nics];
	rc = gda_target_create(t, &answer->address);
	if (!rc)
		rc = gda_target_connect(t, &request->address);
	if (rc) {
		gda_target_destroy(t);
		free(t);
		return rc;
	}
	t->next = connect.targets;
	connect.targets = t;
	gda_counts.targets++;
	answer->nic = t->nic->index;
	return 0;
}

static void answer(int pe, uint64_t number, const struct gda_request *request)
{
	struct gda_answer *answer = &connect.peers[pe].answer;

	*answer = (struct gda_answer){ .n_chunks = gda_memory_chunks() };
	answer->error = new_target(request, answer);
	answer->keys = gda_remote_offset(answer->nic);
	(void)gda_call_answer(pe, number, answer);
}

static int next_ask(struct gda_ask *ask)
{
	int found;

	pthread_mutex_lock(&lock);
	found = gda_row_next(ask);
	pthread_mutex_unlock(&lock);
	return found;
}

int gda_connect_turn(void)
{
	struct gda_request request;
	struct gda_ask ask;
	uint64_t number;
	int pe, busy = 0;

	while (gda_call_next(&pe, &number, &request)) {
		answer(pe, number, &request);
		busy = 1;
	}
	if (next_ask(&ask)) {
		begin(&ask);
		busy = 1;
	}
	return busy | move_all();
}

/* A context's queues are given up, of whom no kernel knows any more. */
static struct gda_queue *take_queues(unsigned int ctx)
{
	struct gda_queue **link = &connect.queues, *taken = NULL;

	while (*link) {
		struct gda_queue *q = *link;

		if (q->image.ctx != ctx) {
			link = &q->next;
			continue;
		}
		*link = q->next;
		gda_queue_fail(q);
		q->next = taken;
		taken = q;
	}
	return taken;
}

static void drop_all(struct gda_queue *q)
{
	while (q) {
		struct gda_queue *next = q->next;

		drop_queue(q);
		q = next;
	}
}

static void set_alone(struct gda_queue *q, uint32_t alone)
{
	if (q->image.alone != alone)
		gda_row_write32(&q->kernels->alone, alone);
	q->image.alone = alone;
}

/*
 * A queue pair goes when its events are acknowledged, by the service thread,
 * which may want the lock for that.
 */
void gda_connect_begin(unsigned int ctx, long options)
{
	const uint32_t alone = (options & SHMEM_CTX_PRIVATE) != 0;
	struct gda_queue *dropped = NULL;

	pthread_mutex_lock(&lock);
	if (gda_error(ctx, NULL, 0)) {
		gda_row_forget(ctx);
		dropped = take_queues(ctx);
		gda_watch_forget(ctx);
	}
	if (gda_row_is_open(ctx))
		for (struct gda_queue *q = connect.queues; q; q = q->next)
			if (q->image.ctx == ctx)
				set_alone(q, alone);
	pthread_mutex_unlock(&lock);
	drop_all(dropped);
}

static void forget_all(void)
{
	drop_all(connect.queues);
	drop_all(connect.refused);
	while (connect.targets) {
		struct gda_target *t = connect.targets;

		connect.targets = t->next;
		gda_target_destroy(t);
		free(t);
	}
	while (connect.calls) {
		struct call *call = connect.calls;

		connect.calls = call->next;
		drop_queue(call->q);
		free(call);
	}
	free(connect.peers);
	memset(&connect, 0, sizeof(connect));
}

int gda_connect_open(void)
{
	int rc = gda_call_open();

	if (rc)
		return rc;
	rc = gda_remote_open();
	if (rc)
		goto close_calls;
	rc = gda_rows_open();
	if (rc)
		goto close_remotes;
	gda_counts = (struct gda_counts){ 0 };
	connect.peers = calloc((size_t)shmemi.n_pes, sizeof(*connect.peers));
	rc = connect.peers ? gda_thread_open() : -ENOMEM;
	if (rc)
		goto close_rows;
	return 0;

close_rows:
	free(connect.peers);
	gda_rows_close();
close_remotes:
	gda_remote_close();
close_calls:
	gda_call_close();
	return rc;
}

void gda_connect_close(void)
{
	gda_thread_close();
	shmemi_trace(CTX,
		     "gda: %llu queues and %llu targets made, %llu asks "
		     "refused, %llu bytes exchanged",
		     (unsigned long long)gda_counts.queues,
		     (unsigned long long)gda_counts.targets,
		     (unsigned long long)gda_counts.refused,
		     (unsigned long long)gda_counts.bytes);
	gda_call_close();
	forget_all();
	gda_rows_close();
	gda_remote_close();
}
