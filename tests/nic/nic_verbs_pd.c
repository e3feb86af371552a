/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nic_impl.h"

static const char pd_kind[] = "PD";
static const char td_kind[] = "TD";

struct nic_pd *nic_pd_of(struct ibv_pd *pd, const char *call)
{
	struct nic_pd *mine;

	if (!pd)
		nic_refuse("%s: the PD is NULL", call);
	mine = (void *)((char *)pd - offsetof(struct nic_pd, ibv));
	nic_object_check(mine, pd_kind, call);
	return mine;
}

struct nic_td *nic_td_of(struct ibv_td *td, const char *call)
{
	struct nic_td *mine;

	if (!td)
		nic_refuse("%s: the TD is NULL", call);
	mine = (void *)((char *)td - offsetof(struct nic_td, ibv));
	nic_object_check(mine, td_kind, call);
	return mine;
}

static struct nic_pd *pd_new(struct nic_context *context)
{
	struct nic_pd *pd = nic_object_new(pd_kind, sizeof(*pd));

	pd->context = context;
	pd->real = pd;
	pd->ibv.context = &context->verbs.context;
	pd->ibv.handle = pd->object.number;
	context->object.users++;
	return pd;
}

NIC_EXPORT struct ibv_pd *ibv_alloc_pd(struct ibv_context *ibv)
{
	struct nic_context *context = nic_context_of(ibv, "ibv_alloc_pd");
	struct nic_pd *pd;

	nic_lock();
	pd = pd_new(context);
	nic_unlock();
	return &pd->ibv;
}

NIC_EXPORT int ibv_dealloc_pd(struct ibv_pd *ibv)
{
	struct nic_pd *pd = nic_pd_of(ibv, "ibv_dealloc_pd");

	nic_lock();
	nic_object_end(pd, pd_kind, "ibv_dealloc_pd");
	pd->context->object.users--;
	if (pd->real != pd)
		pd->real->object.users--;
	if (pd->td)
		pd->td->object.users--;
	nic_unlock();
	return 0;
}

struct ibv_td *nic_alloc_td(struct ibv_context *ibv,
			    struct ibv_td_init_attr *attr)
{
	struct nic_context *context = nic_context_of(ibv, "ibv_alloc_td");
	struct nic_td *td;

	if (attr->comp_mask)
		nic_refuse("ibv_alloc_td: unknown bits %#x", attr->comp_mask);
	td = nic_object_new(td_kind, sizeof(*td));
	td->ibv.context = ibv;
	nic_lock();
	context->object.users++;
	nic_unlock();
	return &td->ibv;
}

int nic_dealloc_td(struct ibv_td *ibv)
{
	struct nic_td *td = nic_td_of(ibv, "ibv_dealloc_td");

	nic_lock();
	nic_object_end(td, td_kind, "ibv_dealloc_td");
	nic_context_of(ibv->context, "ibv_dealloc_td")->object.users--;
	nic_unlock();
	return 0;
}

struct ibv_pd *nic_alloc_parent(struct ibv_context *ibv,
				struct ibv_parent_domain_init_attr *attr)
{
	static const char call[] = "ibv_alloc_parent_domain";
	struct nic_context *context = nic_context_of(ibv, call);
	struct nic_pd *real = nic_pd_of(attr->pd, call);
	struct nic_pd *pd;

	if (real->real != real || real->context != context)
		nic_refuse("%s: PD %u is a parent domain, or another device's",
			   call, real->object.number);
	if (attr->comp_mask & ~(uint32_t)3)
		nic_refuse("%s: unknown bits %#x", call, attr->comp_mask);
	nic_lock();
	pd = pd_new(context);
	pd->real = real;
	real->object.users++;
	if (attr->td) {
		pd->td = nic_td_of(attr->td, call);
		pd->td->object.users++;
	}
	if (attr->comp_mask & IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS) {
		if (!attr->alloc || !attr->free)
			nic_refuse("%s: allocators without functions", call);
		pd->alloc = attr->alloc;
		pd->free = attr->free;
	}
	if (attr->comp_mask & IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT)
		pd->pd_context = attr->pd_context;
	nic_unlock();
	return &pd->ibv;
}

/* Of a parent domain's memory, so that free knows whose it is. */
struct buffer {
	struct buffer *next;
	void *p;
};
static struct buffer *buffers;

static void *buffer_own(size_t bytes, size_t align)
{
	const size_t whole = (bytes + align - 1) / align * align;
	struct buffer *buffer = malloc(sizeof(*buffer));
	void *p = aligned_alloc(align, whole);

	if (!p || !buffer)
		nic_refuse("no memory of %zu bytes for a queue", bytes);
	memset(p, 0, whole);
	buffer->p = p;
	buffer->next = buffers;
	buffers = buffer;
	return p;
}

void *nic_buffer_alloc(struct nic_pd *pd, size_t bytes, size_t align,
		       uint64_t type)
{
	void *p = IBV_ALLOCATOR_USE_DEFAULT;

	nic_gpu_look();
	if (pd && pd->alloc)
		p = pd->alloc(&pd->ibv, pd->pd_context, bytes, align, type);
	if (p == IBV_ALLOCATOR_USE_DEFAULT)
		return buffer_own(bytes, align);
	if ((uintptr_t)p % align)
		nic_refuse("the allocator of PD %u gave %p for an alignment "
			   "of %zu",
			   pd->object.number, p, align);
	if (p && nic_map_extent(p, bytes, 1) < bytes && !nic_gpu_owns(p))
		nic_refuse("the allocator of PD %u gave %p, where there are no "
			   "%zu bytes",
			   pd->object.number, p, bytes);
	return p;
}

void nic_buffer_free(struct nic_pd *pd, void *p, uint64_t type)
{
	for (struct buffer **b = &buffers; *b; b = &(*b)->next) {
		struct buffer *mine = *b;

		if (mine->p != p)
			continue;
		*b = mine->next;
		free(p);
		free(mine);
		return;
	}
	if (!pd || !pd->free)
		nic_refuse("%p is not memory of a queue", p);
	pd->free(&pd->ibv, pd->pd_context, p, type);
}
