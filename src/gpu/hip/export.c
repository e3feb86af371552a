/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/hip/hip.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* The runtime hands out allocations, of which p may be a part. */
struct blob {
	hipIpcMemHandle_t handle;
	uint64_t offset;
};
_Static_assert(sizeof(struct blob) <= SHMEMG_BLOB_BYTES, "blob");

int hip_mem_export(void *p, size_t bytes, void *blob)
{
	char *base = hip_base_of(p);
	struct blob b;
	int rc;

	(void)bytes;
	memset(&b, 0, sizeof(b));
	b.offset = (uint64_t)((char *)p - base);
	rc = hip_check(hipIpcGetMemHandle(&b.handle, base),
		       "IPC is refused: memory can't be shown to peers");
	if (!rc)
		memcpy(blob, &b, sizeof(b));
	return rc;
}

int hip_mem_import(const void *blob, size_t bytes, void **p)
{
	const int was = hip_enter();
	void *base = NULL;
	struct blob b;
	int rc;

	memcpy(&b, blob, sizeof(b));
	rc = hip_check(hipIpcOpenMemHandle(&base, b.handle,
					   hipIpcMemLazyEnablePeerAccess),
		       "IPC is refused: a peer's %zu MiB can't be mapped",
		       bytes >> 20);
	hip_leave(was);
	if (rc)
		return rc;
	*p = (char *)base + b.offset;
	rc = b.offset ? hip_base_note(*p, base) : 0;
	if (rc)
		(void)hipIpcCloseMemHandle(base);
	return rc;
}

int hip_mem_forget(void *p, size_t bytes)
{
	void *base = hip_base_of(p);

	hip_base_forget(p);
	return hip_check(hipIpcCloseMemHandle(base),
			 "a peer's %zu MiB at %p can't be unmapped",
			 bytes >> 20, p);
}

/*
 * What can export: not in every runtime, so looked up by name. HSA takes any
 * range; the others whole pages, by one signature.
 */
typedef int (*export_hsa)(const void *p, size_t bytes, int *fd,
			  uint64_t *offset);
typedef int (*export_range)(void *fd, void *p, size_t bytes, int type,
			    unsigned long long flags);
#define RANGE_DMABUF 1

/* A library that is not ours to link is loaded by the runtime, or not at all. */
static void *lookup(const char *library, const char *name)
{
	void *handle, *symbol;

	if (!library)
		return dlsym(RTLD_DEFAULT, name);
	handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
	if (!handle)
		return NULL;
	symbol = dlsym(handle, name);
	dlclose(handle);
	return symbol;
}

static int dmabuf_hsa(void *p, size_t bytes, int *fd, size_t *offset)
{
	export_hsa export;
	uint64_t at;

	*(void **)&export = lookup("libhsa-runtime64.so.1",
				   "hsa_amd_portable_export_dmabuf");
	if (!export || export(p, bytes, fd, &at))
		return -EOPNOTSUPP;
	*offset = (size_t)at;
	return 0;
}

static int dmabuf_range(const char *library, const char *name, void *p,
			size_t bytes, int *fd, size_t *offset)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t skip = (uintptr_t)p & (page - 1);
	const size_t whole = (skip + bytes + page - 1) & -page;
	export_range export;

	*(void **)&export = lookup(library, name);
	if (!export ||
	    export(fd, (char *)p - skip, whole, RANGE_DMABUF, 0))
		return -EOPNOTSUPP;
	*offset = skip;
	return 0;
}

int hip_mem_dmabuf(void *p, size_t bytes, int *fd, size_t *offset)
{
	int rc = dmabuf_hsa(p, bytes, fd, offset);

	if (rc)
		rc = dmabuf_range(NULL, "hipMemGetHandleForAddressRange", p,
				  bytes, fd, offset);
	if (rc)
		rc = dmabuf_range("libcuda.so.1",
				  "cuMemGetHandleForAddressRange", p, bytes,
				  fd, offset);
	return rc;
}
