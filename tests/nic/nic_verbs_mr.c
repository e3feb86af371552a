/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "nic_impl.h"

#define SLOTS 65536

static const char kind[] = "MR";
static struct nic_mr *by_slot[SLOTS];

/* Local keys differ from remote ones: who mixes them up is found. */
static uint32_t local_key(uint32_t rkey)
{
	return rkey ^ 0x5a;
}

struct nic_mr *nic_mr_local(uint32_t lkey)
{
	struct nic_mr *mr = by_slot[lkey >> 8 & (SLOTS - 1)];

	return mr && mr->ibv.lkey == lkey ? mr : NULL;
}

static int atomics_refused(size_t bytes, int access)
{
	return bytes > nic_fault_atomics() &&
	       (access & IBV_ACCESS_REMOTE_ATOMIC) &&
	       (access & (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ));
}

static void publish(struct nic_mr *mr)
{
	struct nic_shared_mr *shared = nic_shared_mr_new(&mr->slot);
	uint64_t offset = 0;

	shared->pd = mr->pd->object.number;
	shared->access = (uint32_t)mr->access;
	shared->addr = mr->addr;
	shared->host = (uintptr_t)mr->host;
	shared->bytes = mr->bytes;
	shared->device = mr->pd->context->device->index;
	if (!mr->host && nic_gpu_export((void *)(uintptr_t)mr->addr,
					shared->gpu_handle, &offset))
		nic_say("MR %u: other processes can't reach it",
			mr->object.number);
	shared->gpu_offset = offset;
	mr->ibv.rkey = shared->rkey;
	mr->ibv.lkey = local_key(shared->rkey);
	by_slot[mr->slot] = mr;
}

static struct ibv_mr *mr_new(struct nic_pd *pd, uint64_t addr, char *host,
			     void *mapped, size_t bytes, int access)
{
	struct nic_mr *mr = nic_object_new(kind, sizeof(*mr));

	nic_lock();
	mr->pd = pd->real;
	mr->addr = addr;
	mr->host = host;
	mr->mapped = mapped;
	mr->bytes = bytes;
	mr->access = access;
	mr->ibv.context = pd->ibv.context;
	mr->ibv.pd = &pd->ibv;
	mr->ibv.addr = (void *)(uintptr_t)addr;
	mr->ibv.length = bytes;
	mr->ibv.handle = mr->object.number;
	publish(mr);
	pd->real->object.users++;
	nic_counts.regions++;
	nic_unlock();
	return &mr->ibv;
}

static struct ibv_mr *reg(struct ibv_pd *ibv, void *p, size_t bytes,
			  uint64_t iova, int access)
{
	static const char call[] = "ibv_reg_mr";
	struct nic_pd *pd = nic_pd_of(ibv, call);
	size_t extent;
	int gpu;

	nic_gpu_look();
	gpu = nic_gpu_owns(p);
	nic_check_access(access, 1, call);
	if (!bytes)
		nic_refuse("%s: no bytes at %p", call, p);
	if (atomics_refused(bytes, access)) {
		errno = EINVAL;
		return NULL;
	}
	extent =
		gpu ? bytes :
		      nic_map_extent(p, bytes, access & IBV_ACCESS_LOCAL_WRITE);
	if (extent < bytes)
		nic_refuse("%s: of %zu bytes at %p only %zu are mapped%s", call,
			   bytes, p, extent,
			   access & IBV_ACCESS_LOCAL_WRITE ?
				   " and may be written" :
				   "");
	return mr_new(pd, iova, gpu ? NULL : p, NULL, bytes, access);
}

NIC_EXPORT struct ibv_mr *(ibv_reg_mr)(struct ibv_pd *pd, void *p, size_t bytes,
				       int access)
{
	return reg(pd, p, bytes, (uintptr_t)p, access);
}

NIC_EXPORT struct ibv_mr *(ibv_reg_mr_iova)(struct ibv_pd *pd, void *p,
					    size_t bytes, uint64_t iova,
					    int access)
{
	return reg(pd, p, bytes, iova, access);
}

NIC_EXPORT struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *p,
					   size_t bytes, uint64_t iova,
					   unsigned int access)
{
	return reg(pd, p, bytes, iova, (int)access);
}

/* A file of memory stands for a dmabuf; a GPU's own is reached by address. */
NIC_EXPORT struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *ibv, uint64_t offset,
					    size_t bytes, uint64_t iova, int fd,
					    int access)
{
	static const char call[] = "ibv_reg_dmabuf_mr";
	const size_t page = (size_t)getpagesize();
	const size_t before = offset % page;
	struct nic_pd *pd = nic_pd_of(ibv, call);
	char *p;

	nic_gpu_look();
	nic_check_access(access, 1, call);
	if (!bytes)
		nic_refuse("%s: no bytes", call);
	if (offset % page != iova % page)
		nic_refuse("%s: offset %#llx and address %#llx differ within a "
			   "page",
			   call, (unsigned long long)offset,
			   (unsigned long long)iova);
	if (atomics_refused(bytes, access)) {
		errno = EINVAL;
		return NULL;
	}
	if (nic_gpu_owns((void *)(uintptr_t)iova))
		return mr_new(pd, iova, NULL, NULL, bytes, access);
	if (lseek(fd, 0, SEEK_END) < (off_t)(offset + bytes))
		nic_refuse("%s: descriptor %d has no %zu bytes at %#llx", call,
			   fd, bytes, (unsigned long long)offset);
	p = mmap(NULL, bytes + before, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_NORESERVE, fd, (off_t)(offset - before));
	if (p == MAP_FAILED)
		return NULL;
	return mr_new(pd, iova, p + before, p, bytes, access);
}

NIC_EXPORT int ibv_dereg_mr(struct ibv_mr *ibv)
{
	static const char call[] = "ibv_dereg_mr";
	struct nic_mr *mr;

	if (!ibv)
		nic_refuse("%s: the MR is NULL", call);
	mr = (void *)((char *)ibv - offsetof(struct nic_mr, ibv));
	nic_lock();
	nic_object_end(mr, kind, call);
	nic_shared_mr_at(mr->slot)->rkey = 0;
	by_slot[mr->slot] = NULL;
	if (mr->mapped)
		munmap(mr->mapped,
		       mr->bytes + (size_t)(mr->host - (char *)mr->mapped));
	mr->pd->object.users--;
	nic_unlock();
	return 0;
}
