/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that the CPU can't address: of NVIDIA GPUs, by the driver's library if
 * the program has loaded it. Bytes go by a stream of our own, which waits for
 * no kernel, and through pinned memory, so that no copy is itself a kernel.
 */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "nic_impl.h"

#define BOUNCE_BYTES ((size_t)1 << 20)
#define PAGE_LOG2 12
#define N_PAGES 4096

enum {
	ATTRIBUTE_CONTEXT = 1,
	ATTRIBUTE_MEMORY_TYPE = 2,
	MEMORY_TYPE_DEVICE = 2,
	STREAM_NON_BLOCKING = 1,
	PRIORITY_HIGHEST = -100, /* or what is nearest to it */
	IPC_LAZY_PEER_ACCESS = 1
};

struct ipc_handle {
	char bytes[64];
};

/* Of the driver's interface, as far as it is used. */
static struct {
	int (*pointer)(void *value, int attribute, uint64_t p);
	int (*range)(uint64_t *base, size_t *bytes, uint64_t p);
	int (*context_set)(void *context);
	int (*stream_new)(void **stream, unsigned int flags, int priority);
	int (*stream_free)(void *stream);
	int (*stream_wait)(void *stream);
	int (*to_gpu)(uint64_t to, const void *from, size_t bytes,
		      void *stream);
	int (*from_gpu)(void *to, uint64_t from, size_t bytes, void *stream);
	int (*pinned_new)(void **p, size_t bytes, unsigned int flags);
	int (*pinned_free)(void *p);
	int (*ipc_get)(struct ipc_handle *handle, uint64_t p);
	int (*ipc_open)(uint64_t *p, struct ipc_handle handle,
			unsigned int flags);
	int (*ipc_close)(uint64_t p);
} cu;

static const struct {
	const char *name;
	void *function;
} symbols[] = {
	{ "cuPointerGetAttribute", &cu.pointer },
	{ "cuMemGetAddressRange_v2", &cu.range },
	{ "cuCtxSetCurrent", &cu.context_set },
	{ "cuStreamCreateWithPriority", &cu.stream_new },
	{ "cuStreamDestroy_v2", &cu.stream_free },
	{ "cuStreamSynchronize", &cu.stream_wait },
	{ "cuMemcpyHtoDAsync_v2", &cu.to_gpu },
	{ "cuMemcpyDtoHAsync_v2", &cu.from_gpu },
	{ "cuMemHostAlloc", &cu.pinned_new },
	{ "cuMemFreeHost", &cu.pinned_free },
	{ "cuIpcGetMemHandle", &cu.ipc_get },
	{ "cuIpcOpenMemHandle_v2", &cu.ipc_open },
	{ "cuIpcCloseMemHandle", &cu.ipc_close },
};

/* Allocations of other processes that are open here. */
struct import {
	struct ipc_handle handle;
	uint64_t p;
};

static void *library;
static void *context, *stream;
static char *bounce;
static struct import imports[64];
static unsigned int n_imports;

/* Pages known to be the CPU's, as the driver takes long to say so. */
static uint64_t of_cpu[N_PAGES];

void nic_gpu_look(void)
{
	if (library)
		return;
	library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	if (!library)
		return;
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		void *f = dlsym(library, symbols[i].name);

		if (!f)
			nic_refuse("libcuda.so.1 has no %s", symbols[i].name);
		memcpy(symbols[i].function, &f, sizeof(f));
	}
}

int nic_gpu_here(void)
{
	nic_gpu_look();
	return library != NULL;
}

static void must(int rc, const char *what)
{
	if (rc)
		nic_refuse("%s: CUDA's error %d", what, rc);
}

/* Before kernels run, as some of it waits for them. */
static void begin(uint64_t p)
{
	void *pinned;

	must(cu.pointer(&context, ATTRIBUTE_CONTEXT, p), "a pointer's context");
	must(cu.context_set(context), "the GPU's context");
	if (stream)
		return;
	must(cu.stream_new(&stream, STREAM_NON_BLOCKING, PRIORITY_HIGHEST),
	     "a stream");
	must(cu.pinned_new(&pinned, BOUNCE_BYTES, 0), "pinned memory");
	bounce = pinned;
}

int nic_gpu_owns(const void *p)
{
	const uint64_t page = (uintptr_t)p >> PAGE_LOG2;
	unsigned int type = 0;

	if (!library || of_cpu[page % N_PAGES] == page)
		return 0;
	if (cu.pointer(&type, ATTRIBUTE_MEMORY_TYPE, (uintptr_t)p) ||
	    type != MEMORY_TYPE_DEVICE) {
		of_cpu[page % N_PAGES] = page;
		return 0;
	}
	begin((uintptr_t)p);
	return 1;
}

static void copy_to(uint64_t to, const char *from, size_t bytes)
{
	memcpy(bounce, from, bytes);
	must(cu.to_gpu(to, bounce, bytes, stream), "a copy to the GPU");
	must(cu.stream_wait(stream), "a copy to the GPU");
}

static void copy_from(char *to, uint64_t from, size_t bytes)
{
	must(cu.from_gpu(bounce, from, bytes, stream), "a copy from the GPU");
	must(cu.stream_wait(stream), "a copy from the GPU");
	memcpy(to, bounce, bytes);
}

void nic_gpu_copy(void *to, const void *from, size_t bytes)
{
	const int out = nic_gpu_owns(to);
	char *t = to;
	const char *f = from;

	while (bytes) {
		const size_t n = bytes < BOUNCE_BYTES ? bytes : BOUNCE_BYTES;

		if (out)
			copy_to((uintptr_t)t, f, n);
		else
			copy_from(t, (uintptr_t)f, n);
		t += n;
		f += n;
		bytes -= n;
	}
}

void nic_gpu_move(void *to, const void *from, size_t bytes)
{
	const uint64_t t = (uintptr_t)to, f = (uintptr_t)from;

	for (size_t at = 0, n; at < bytes; at += n) {
		n = bytes - at < BOUNCE_BYTES ? bytes - at : BOUNCE_BYTES;
		must(cu.from_gpu(bounce, f + at, n, stream), "a copy");
		must(cu.to_gpu(t + at, bounce, n, stream), "a copy");
	}
	must(cu.stream_wait(stream), "a copy within the GPU");
}

int nic_gpu_export(const void *p, uint8_t handle[64], uint64_t *offset)
{
	struct ipc_handle ipc;
	uint64_t base;
	size_t bytes;

	if (cu.range(&base, &bytes, (uintptr_t)p) || cu.ipc_get(&ipc, base))
		return -EIO;
	memcpy(handle, &ipc, sizeof(ipc));
	*offset = (uintptr_t)p - base;
	return 0;
}

static struct import *import_find(const struct ipc_handle *handle)
{
	for (unsigned int i = 0; i < n_imports; i++)
		if (!memcmp(&imports[i].handle, handle, sizeof(*handle)))
			return &imports[i];
	return NULL;
}

/* An allocation that has several regions is opened once. */
char *nic_gpu_import(const uint8_t handle[64])
{
	struct ipc_handle ipc;
	struct import *import;

	memcpy(&ipc, handle, sizeof(ipc));
	import = import_find(&ipc);
	if (import)
		return (char *)(uintptr_t)import->p;
	if (!library || !context ||
	    n_imports == sizeof(imports) / sizeof(imports[0]))
		return NULL;
	must(cu.context_set(context), "the GPU's context");
	import = &imports[n_imports];
	if (cu.ipc_open(&import->p, ipc, IPC_LAZY_PEER_ACCESS))
		return NULL;
	import->handle = ipc;
	n_imports++;
	return (char *)(uintptr_t)import->p;
}

/* At exit the driver may be gone before: errors are nobody's. */
void nic_gpu_close(void)
{
	if (stream) {
		cu.context_set(context);
		while (n_imports)
			cu.ipc_close(imports[--n_imports].p);
		cu.pinned_free(bounce);
		cu.stream_free(stream);
	}
	if (library)
		dlclose(library);
	stream = library = context = NULL;
	n_imports = 0;
}
