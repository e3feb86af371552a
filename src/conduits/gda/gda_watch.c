/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/line.h"
#include "base/log.h"
#include "base/order.h"
#include "conduits/gda/gda_connect.h"
#include "gpu/gpu.h"

static struct {
	struct shmemd_gda_failure *failures; /* by context */
	uint32_t *failed;    /* by context, for kernels that wait */
	unsigned char *told; /* by context: a line was printed */
	int spread;	     /* all PEs know of the default context's failure */
} watch;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void gda_watch_close(void)
{
	free(watch.told);
	memset(&watch, 0, sizeof(watch));
}

int gda_watch_open(void)
{
	watch.failures = gda_pool_host(
		SHMEMD_ALL_CTXS * sizeof(*watch.failures), CACHE_LINE_BYTES);
	watch.failed = gda_pool_device(SHMEMD_ALL_CTXS * sizeof(*watch.failed),
				       CACHE_LINE_BYTES);
	watch.told = calloc(SHMEMD_ALL_CTXS, 1);
	if (!watch.failures || !watch.failed || !watch.told) {
		shmemi_log_error(
			"out of memory for the failures of %d contexts",
			SHMEMD_ALL_CTXS);
		gda_watch_close();
		return -ENOMEM;
	}
	/* Looking for an event must not wait for one. */
	for (unsigned int i = 0; i < gda_n_nics; i++)
		(void)fcntl(gda_nics[i].context->async_fd, F_SETFL, O_NONBLOCK);
	return 0;
}

void gda_watch_tell(struct shmemd_gda *kernels)
{
	kernels->failures = watch.failures;
	kernels->failed = watch.failed;
}

static const struct shmemd_gda_failure *failure_of(unsigned int ctx)
{
	const struct shmemd_gda_failure *f;

	if (!watch.failures || ctx >= SHMEMD_ALL_CTXS)
		return NULL;
	f = &watch.failures[ctx];
	return flag_load32(&f->state) == SHMEMD_ERROR_WRITTEN ? f : NULL;
}

/*
 * As the code of a failure of no format: the peer told of its own; the NIC says
 * nothing.
 */
#define ITS_OWN UINT32_MAX
#define SILENT (UINT32_MAX - 1)

static void what_failed(const struct shmemd_gda_failure *f, char *text,
			size_t bytes)
{
	const struct gda_nic *nic =
		f->nic < gda_n_nics ? &gda_nics[f->nic] : &gda_nics[0];

	const uint32_t own = f->format == SHMEMD_GDA_NONE ? f->code : 0;

	if (own == ITS_OWN)
		snprintf(text, bytes, "its own context has failed");
	else if (own == SILENT)
		snprintf(text, bytes,
			 "queue pair %u completes nothing for %u s", f->number,
			 (unsigned int)(gda_late_ns() / 1000000000u));
	else if (f->error == SHMEMX_ERROR_CONNECT)
		snprintf(text, bytes, "no queue could be made (%s)",
			 strerror((int)f->code));
	else if (f->format == SHMEMD_GDA_NONE)
		snprintf(text, bytes, "%s",
			 gda_ibv.event_type_str((enum ibv_event_type)f->code));
	else
		snprintf(text, bytes, "%s (code 0x%x, vendor 0x%x)",
			 gda_code_words(nic->provider, f->code), f->code,
			 f->vendor);
}

static void words(const struct shmemd_gda_failure *f, char *text, size_t bytes)
{
	char what[160], to[SHMEMI_HOST_BYTES + 32] = "", by[80] = "";

	what_failed(f, what, sizeof(what));
	if (f->pe >= 0 && f->pe < shmemi.n_pes)
		snprintf(to, sizeof(to), " to PE %d on %s", f->pe,
			 shmemi.peers[f->pe].host);
	if (f->nic < gda_n_nics)
		snprintf(by, sizeof(by), " by NIC %s", gda_nics[f->nic].name);
	snprintf(text, bytes, "%s%s: %s", to[0] ? to + 1 : "to all PEs", by,
		 what);
}

int gda_error(unsigned int ctx, char *text, size_t bytes)
{
	const struct shmemd_gda_failure *f = failure_of(ctx);

	if (text && bytes)
		text[0] = '\0';
	if (!f)
		return 0;
	if (text && bytes)
		words(f, text, bytes);
	return (int)f->error;
}

/* 1: a line was printed, as for the first time. */
static int report(unsigned int ctx)
{
	const struct shmemd_gda_failure *f;
	char text[320];
	int first;

	/* The context's next user forgets both. */
	pthread_mutex_lock(&lock);
	f = failure_of(ctx);
	first = f && !watch.told[ctx];
	if (first) {
		watch.told[ctx] = 1;
		words(f, text, sizeof(text));
	}
	pthread_mutex_unlock(&lock);
	if (!first)
		return 0;
	if (shmemi.env.gda_errors == SHMEMI_GDA_ABORT)
		shmemi_fatal("context %u has failed, %s", ctx, text);
	shmemi_log_error("context %u has failed, %s", ctx, text);
	return 1;
}

/* What kernels poll, which is not to cross the bus each time. */
static void tell_kernels(unsigned int ctx, uint32_t failed)
{
	const int rc =
		shmemg->copy(&watch.failed[ctx], &failed, sizeof(failed));

	if (rc)
		shmemi_log_error("kernels can't be told of context %u: %s", ctx,
				 strerror(-rc));
}

/* The first failure of a context, unless a kernel is just writing it. */
static void enter(unsigned int ctx, const struct shmemd_gda_failure *failure)
{
	struct shmemd_gda_failure *f = &watch.failures[ctx];

	if (!flag_take32(&f->state, SHMEMD_ERROR_NONE, SHMEMD_ERROR_WRITING))
		return;
	f->pe = failure->pe;
	f->nic = failure->nic;
	f->format = failure->format;
	f->code = failure->code;
	f->vendor = failure->vendor;
	f->error = failure->error;
	f->number = failure->number;
	flag_store32(&f->state, SHMEMD_ERROR_WRITTEN);
	tell_kernels(ctx, 1);
}

static void fail(unsigned int ctx, const struct shmemd_gda_failure *failure)
{
	enter(ctx, failure);
	(void)report(ctx);
}

void gda_watch_fail(unsigned int ctx, int pe, const struct gda_nic *nic,
		    int error, uint32_t code)
{
	const struct shmemd_gda_failure failure = {
		.pe = pe,
		.nic = nic ? nic->index : UINT32_MAX,
		.format = nic ? nic->provider->format : SHMEMD_GDA_NONE,
		.code = code,
		.error = (uint32_t)error,
	};

	fail(ctx, &failure);
}

void gda_watch_silent(const struct gda_queue *q)
{
	const struct shmemd_gda_failure failure = {
		.pe = q->image.pe,
		.nic = q->nic->index,
		.format = SHMEMD_GDA_NONE,
		.code = SILENT,
		.error = SHMEMX_ERROR_LINK,
		.number = q->image.number,
	};

	fail(q->image.ctx, &failure);
}

void gda_watch_forget(unsigned int ctx)
{
	struct shmemd_gda_failure *f = &watch.failures[ctx];

	(void)report(ctx);
	pthread_mutex_lock(&lock);
	if (flag_load32(&f->state) != SHMEMD_ERROR_NONE) {
		flag_store32(&f->state, SHMEMD_ERROR_NONE);
		tell_kernels(ctx, 0);
	}
	watch.told[ctx] = 0;
	pthread_mutex_unlock(&lock);
}

/* An event of a NIC that ends queues. */
struct ending {
	const struct gda_nic *nic;
	const struct ibv_qp *qp; /* NULL: all that the NIC has */
	const struct ibv_cq *cq;
	enum ibv_event_type type;
	unsigned char *ctxs; /* those that it concerns */
	int *pes;
};

static int concerns(const struct ending *e, const struct gda_queue *q)
{
	return q->nic->context == e->nic->context &&
	       (q->nic == e->nic || e->type == IBV_EVENT_DEVICE_FATAL) &&
	       (!e->qp || e->qp == q->qp) && (!e->cq || e->cq == q->cq);
}

static void mark(struct gda_queue *q, void *arg)
{
	struct ending *e = arg;

	if (!concerns(e, q))
		return;
	e->ctxs[q->image.ctx] = 1;
	e->pes[q->image.ctx] = q->image.pe;
}

static void end(struct gda_queue *q, void *arg)
{
	if (concerns(arg, q))
		gda_queue_fail(q);
}

static int error_of(enum ibv_event_type type)
{
	return type == IBV_EVENT_PORT_ERR ? SHMEMX_ERROR_LINK :
					    SHMEMX_ERROR_LOCAL;
}

static void end_all(struct ending *e)
{
	struct shmemd_gda_failure failure = {
		.nic = e->nic->index,
		.format = SHMEMD_GDA_NONE,
		.code = e->type,
		.error = (uint32_t)error_of(e->type),
	};

	e->ctxs = calloc(SHMEMD_ALL_CTXS, sizeof(*e->ctxs));
	e->pes = calloc(SHMEMD_ALL_CTXS, sizeof(*e->pes));
	if (!e->ctxs || !e->pes)
		shmemi_fatal("NIC %s: %s; no memory to tell contexts of it",
			     e->nic->name, gda_ibv.event_type_str(e->type));
	gda_queues_each(mark, e);
	for (unsigned int ctx = 0; ctx < SHMEMD_ALL_CTXS; ctx++) {
		if (!e->ctxs[ctx])
			continue;
		failure.pe = e->qp || e->cq ? e->pes[ctx] : -1;
		fail(ctx, &failure);
	}
	gda_queues_each(end, e);
	free(e->pes);
	free(e->ctxs);
}

/* What queues don't survive; of a target, the peer's queue says more. */
static int is_ending(const struct gda_nic *nic,
		     const struct ibv_async_event *event, struct ending *e)
{
	*e = (struct ending){ .nic = nic, .type = event->event_type };
	switch (event->event_type) {
	case IBV_EVENT_QP_FATAL:
	case IBV_EVENT_QP_REQ_ERR:
	case IBV_EVENT_QP_ACCESS_ERR:
	case IBV_EVENT_PATH_MIG_ERR:
		e->qp = event->element.qp;
		return 1;
	case IBV_EVENT_CQ_ERR:
		e->cq = event->element.cq;
		return 1;
	case IBV_EVENT_PORT_ERR:
		return event->element.port_num == nic->port;
	case IBV_EVENT_DEVICE_FATAL:
		return 1;
	default:
		return 0;
	}
}

static int nic_turn(const struct gda_nic *nic)
{
	struct pollfd fd = { nic->context->async_fd, POLLIN, 0 };
	struct ibv_async_event event;
	struct ending e;

	if (poll(&fd, 1, 0) <= 0 ||
	    gda_ibv.get_async_event(nic->context, &event))
		return 0;
	shmemi_log_warn("NIC %s: %s", nic->name,
			gda_ibv.event_type_str(event.event_type));
	if (is_ending(nic, &event, &e))
		end_all(&e);
	gda_ibv.ack_async_event(&event);
	return 1;
}

/*
 * Collectives are the default context's: PEs whose own is well would wait for
 * one whose is not. It tells all, once.
 */
static int spread_default(void)
{
	const unsigned int ctx = (unsigned int)(uintptr_t)SHMEM_CTX_DEFAULT;
	const struct shmemd_gda_failure *f = failure_of(ctx);
	uint32_t error;
	int from;

	if (watch.spread)
		return 0;
	if (f) {
		for (int pe = 0; pe < shmemi.n_pes; pe++)
			if (pe != shmemi.me)
				(void)gda_call_fail(pe, f->error);
	} else {
		error = gda_call_failed(&from);
		if (!error)
			return 0;
		gda_watch_fail(ctx, from, NULL, (int)error, ITS_OWN);
	}
	watch.spread = 1;
	return 1;
}

int gda_watch_turn(void)
{
	const unsigned int *ctxs;
	const unsigned int n = gda_rows_used(&ctxs);
	int busy = 0;

	for (unsigned int i = 0; i < gda_n_nics; i++)
		busy |= nic_turn(&gda_nics[i]);
	for (unsigned int i = 0; i < n; i++)
		busy |= report(ctxs[i]);
	return busy | spread_default();
}
