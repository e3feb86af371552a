/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One thread is the NIC of its process: it looks at all doorbells in turn, and
 * sleeps for longer and longer when nothing rings. As it looks again after each
 * sleep, nothing is lost.
 */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "nic_impl.h"

#define BURST 32 /* requests of a queue in its turn */
#define IDLE_YIELDS 64
#define NAP_NS 10000
#define NAP_MOST_NS 500000

static struct nic_qp *queues;
static pthread_t thread;
static int running, stopping;

/* What naps, and who wakes it. */
static pthread_mutex_t nap_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t nap_end;
static int woken;

void nic_thread_add(struct nic_qp *qp)
{
	qp->next = queues;
	queues = qp;
}

void nic_thread_forget(struct nic_qp *qp)
{
	struct nic_qp **place = &queues;

	while (*place && *place != qp)
		place = &(*place)->next;
	if (*place)
		*place = qp->next;
	free(qp->pending);
	qp->pending = NULL;
	qp->n_pending = qp->first_pending = 0;
	qp->waits_since_ns = 0;
}

static void port_fails(struct nic_device *device)
{
	device->port_down = 1;
	for (struct nic_qp *qp = queues; qp; qp = qp->next)
		if (qp->context->device == device)
			nic_shared_qp_at(qp->slot)->down = 1;
	nic_event_port(device, IBV_EVENT_PORT_ERR);
}

static struct nic_pending *pending_at(const struct nic_qp *qp, unsigned int i)
{
	return &qp->pending[(qp->first_pending + i) % NIC_WINDOW];
}

/* The next request's place; its memory is that of queues that are used. */
static struct nic_pending *pending_next(struct nic_qp *qp)
{
	if (!qp->pending)
		qp->pending = calloc(NIC_WINDOW, sizeof(*qp->pending));
	if (!qp->pending)
		nic_refuse("no memory for requests");
	return pending_at(qp, qp->n_pending);
}

static int take(struct nic_qp *qp)
{
	const struct nic_engine *engine = qp->context->device->engine;
	struct nic_pending *pending;

	if (qp->n_pending == NIC_WINDOW)
		return 0;
	pending = pending_next(qp);
	memset(pending, 0, offsetof(struct nic_pending, request.inline_data));
	if (!engine->take(qp, &pending->request))
		return 0;
	qp->n_pending++;
	if (qp->state == IBV_QPS_ERR)
		return 1;
	pending->fault = nic_fault_next();
	pending->due_ns = 0;
	if (pending->fault.delay_ns)
		pending->due_ns = nic_now_ns() + pending->fault.delay_ns;
	if (pending->fault.port_down)
		port_fails(qp->context->device);
	return 1;
}

static int timed_out(struct nic_qp *qp)
{
	const struct ibv_qp_attr *attr = &qp->attr;
	const uint64_t now = nic_now_ns();

	if (!qp->waits_since_ns)
		qp->waits_since_ns = now;
	return attr->timeout &&
	       now - qp->waits_since_ns > ((uint64_t)4096 << attr->timeout) *
						  (attr->retry_cnt + 1u);
}

/* 0: it isn't time for it yet. */
static int attempt(struct nic_qp *qp, const struct nic_pending *pending,
		   enum ibv_wc_status *status)
{
	*status = IBV_WC_WR_FLUSH_ERR;
	if (qp->state == IBV_QPS_ERR)
		return 1;
	if (pending->fault.drop ||
	    (pending->due_ns && nic_now_ns() < pending->due_ns))
		return 0;
	*status = pending->fault.status;
	if (*status)
		return 1;
	if (!nic_peer_ready(qp)) {
		*status = IBV_WC_RETRY_EXC_ERR;
		return timed_out(qp);
	}
	qp->waits_since_ns = 0;
	*status = nic_execute(qp, &pending->request);
	return 1;
}

static int finish(struct nic_qp *qp)
{
	const struct nic_engine *engine = qp->context->device->engine;
	const struct nic_pending *pending;
	enum ibv_wc_status status;

	if (!qp->n_pending)
		return 0;
	pending = pending_at(qp, 0);
	if (!attempt(qp, pending, &status))
		return 0;
	engine->complete(qp, &pending->request, status);
	qp->first_pending = (qp->first_pending + 1) % NIC_WINDOW;
	qp->n_pending--;
	nic_counts.errors += status != IBV_WC_SUCCESS;
	if (status && qp->state != IBV_QPS_ERR)
		nic_qp_state(qp, IBV_QPS_ERR);
	return 1;
}

/* A peer's request was refused here: the queue pair fails on this side too. */
static void fail_if_refused(struct nic_qp *qp)
{
	struct nic_shared_qp *shared = nic_shared_qp_at(qp->slot);

	if (!shared->refused)
		return;
	shared->refused = 0;
	nic_qp_state(qp, IBV_QPS_ERR);
	nic_event_qp(qp, IBV_EVENT_QP_ACCESS_ERR);
}

static int turn(struct nic_qp *qp)
{
	int n = 0;

	fail_if_refused(qp);
	if (qp->state != IBV_QPS_RTS && qp->state != IBV_QPS_ERR)
		return 0;
	while (n < BURST && take(qp))
		n++;
	for (int i = 0; i < BURST && finish(qp); i++)
		n++;
	return n;
}

/* Each queue with even odds, so that any order can be. */
static int turns_at_random(void)
{
	int n = 0;

	for (struct nic_qp *qp = queues; qp; qp = qp->next)
		if (nic_fault_random() & 0x10000)
			n += turn(qp);
	return n;
}

static int turns(void)
{
	int n = 0;

	if (nic_fault_reorder())
		return turns_at_random();
	for (struct nic_qp *qp = queues; qp; qp = qp->next)
		n += turn(qp);
	return n;
}

static int pending_any(void)
{
	for (const struct nic_qp *qp = queues; qp; qp = qp->next)
		if (qp->n_pending)
			return 1;
	return 0;
}

static void nap(long ns)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += ns;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&nap_lock);
	if (!woken)
		pthread_cond_timedwait(&nap_end, &nap_lock, &until);
	woken = 0;
	pthread_mutex_unlock(&nap_lock);
}

void nic_thread_wake(void)
{
	pthread_mutex_lock(&nap_lock);
	woken = 1;
	pthread_cond_signal(&nap_end);
	pthread_mutex_unlock(&nap_lock);
}

/* For the n-th time in a row that nothing was to be done. */
static void idle(unsigned int n, int soon)
{
	long ns = NAP_NS;

	if (n < IDLE_YIELDS) {
		sched_yield();
		return;
	}
	if (!soon)
		ns += (long)(n - IDLE_YIELDS) * 1000;
	nap(ns < NAP_MOST_NS ? ns : NAP_MOST_NS);
}

static void *serve(void *arg)
{
	unsigned int n_idle = 0;

	(void)arg;
	prctl(PR_SET_TIMERSLACK, 1000);
	while (!__atomic_load_n(&stopping, __ATOMIC_ACQUIRE)) {
		int n, soon;

		nic_lock();
		n = turns();
		soon = pending_any();
		nic_unlock();
		n_idle = n ? 0 : n_idle + 1;
		if (n_idle)
			idle(n_idle, soon);
		else if (nic_lock_wanted())
			sched_yield();
	}
	return NULL;
}

static void nap_prepare(void)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&nap_end, &attr);
	pthread_condattr_destroy(&attr);
}

/* Signals are the program's own threads'. */
int nic_thread_start(void)
{
	sigset_t all, before;
	int rc;

	nap_prepare();
	stopping = 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&thread, NULL, serve, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	running = !rc;
	return rc;
}

void nic_thread_stop(void)
{
	if (!running)
		return;
	__atomic_store_n(&stopping, 1, __ATOMIC_RELEASE);
	nic_thread_wake();
	pthread_join(thread, NULL);
	running = 0;
}
