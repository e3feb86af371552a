/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "nic_impl.h"

static const char kind[] = "context";
static struct nic_context *contexts; /* open ones */
static uint32_t unacked;	     /* events of ports */

struct nic_context *nic_context_of(struct ibv_context *context,
				   const char *call)
{
	struct nic_context *mine;

	if (!context)
		nic_refuse("%s: the context is NULL", call);
	mine = (void *)((char *)context -
			offsetof(struct nic_context, verbs.context));
	nic_object_check(mine, kind, call);
	return mine;
}

static void ops_set(struct verbs_context *verbs)
{
	verbs->sz = sizeof(*verbs);
	verbs->query_port = nic_query_port;
	verbs->query_device_ex = nic_query_device_ex;
	verbs->alloc_td = nic_alloc_td;
	verbs->dealloc_td = nic_dealloc_td;
	verbs->alloc_parent_domain = nic_alloc_parent;
	verbs->create_cq_ex = nic_create_cq_ex;
	verbs->create_qp_ex = nic_create_qp_ex;
	verbs->context.ops.poll_cq = nic_poll_cq;
	verbs->context.ops.post_send = nic_post_send;
	verbs->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
}

static void first_open(void)
{
	if (contexts)
		return;
	nic_registry_open();
	if (nic_thread_start())
		nic_refuse("no thread for the NIC");
}

NIC_EXPORT struct ibv_context *ibv_open_device(struct ibv_device *ibv)
{
	struct nic_device *device = nic_device_of(ibv, "ibv_open_device");
	struct nic_context *context;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return NULL;
	nic_lock();
	first_open();
	context = nic_object_new(kind, sizeof(*context));
	context->next = contexts;
	contexts = context;
	context->device = device;
	context->event_fd = ends[1];
	ops_set(&context->verbs);
	context->verbs.context.device = ibv;
	context->verbs.context.async_fd = ends[0];
	context->verbs.context.cmd_fd = -1;
	context->verbs.context.num_comp_vectors = 1;
	pthread_mutex_init(&context->verbs.context.mutex, NULL);
	nic_counts.contexts++;
	nic_unlock();
	return &context->verbs.context;
}

static void context_remove(const struct nic_context *context)
{
	struct nic_context **place = &contexts;

	while (*place != context)
		place = &(*place)->next;
	*place = context->next;
}

NIC_EXPORT int ibv_close_device(struct ibv_context *ibv)
{
	struct nic_context *context = nic_context_of(ibv, "ibv_close_device");
	int last;

	nic_lock();
	nic_object_end(context, kind, "ibv_close_device");
	context_remove(context);
	if (context->device->engine->context_close)
		context->device->engine->context_close(context);
	close(ibv->async_fd);
	close(context->event_fd);
	last = !contexts;
	if (last && unacked)
		nic_refuse("ibv_close_device: %u events were got, but not "
			   "acknowledged",
			   unacked);
	nic_unlock();
	if (!last)
		return 0;
	nic_thread_stop();
	nic_map_close();
	nic_gpu_close();
	nic_registry_close();
	return 0;
}

static void event_send(const struct nic_context *context,
		       const struct ibv_async_event *event)
{
	if (write(context->event_fd, event, sizeof(*event)) !=
	    (ssize_t)sizeof(*event))
		nic_refuse("an event was lost: %s", strerror(errno));
}

void nic_event_qp(struct nic_qp *qp, enum ibv_event_type type)
{
	struct ibv_async_event event;

	memset(&event, 0, sizeof(event));
	event.element.qp = &qp->ibv;
	event.event_type = type;
	event_send(qp->context, &event);
}

void nic_event_port(struct nic_device *device, enum ibv_event_type type)
{
	struct ibv_async_event event;

	memset(&event, 0, sizeof(event));
	event.element.port_num = 1;
	event.event_type = type;
	for (struct nic_context *c = contexts; c; c = c->next)
		if (c->device == device)
			event_send(c, &event);
}

/* The queue pair that an event is of, or NULL. */
static struct nic_qp *event_qp(const struct ibv_async_event *event)
{
	if (event->event_type != IBV_EVENT_QP_ACCESS_ERR &&
	    event->event_type != IBV_EVENT_QP_FATAL &&
	    event->event_type != IBV_EVENT_QP_REQ_ERR)
		return NULL;
	return (void *)((char *)event->element.qp -
			offsetof(struct nic_qp, ibv));
}

/* 0 if it is of a queue pair that is gone: as if it never came. */
static int event_got(const struct ibv_async_event *event)
{
	struct nic_qp *qp = event_qp(event);
	int is_there;

	nic_lock();
	is_there = !qp || !qp->object.gone;
	if (is_there && qp)
		qp->object.users++;
	else if (is_there)
		unacked++;
	nic_unlock();
	return is_there;
}

/* Blocks, unless the program made async_fd non-blocking. */
NIC_EXPORT int ibv_get_async_event(struct ibv_context *ibv,
				   struct ibv_async_event *event)
{
	nic_context_of(ibv, "ibv_get_async_event");
	do {
		if (read(ibv->async_fd, event, sizeof(*event)) !=
		    (ssize_t)sizeof(*event))
			return -1;
	} while (!event_got(event));
	return 0;
}

NIC_EXPORT void ibv_ack_async_event(struct ibv_async_event *event)
{
	struct nic_qp *qp = event_qp(event);
	uint32_t *n = qp ? &qp->object.users : &unacked;

	nic_lock();
	if (!*n)
		nic_refuse("ibv_ack_async_event: no event was got");
	--*n;
	nic_unlock();
}
