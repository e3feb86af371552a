/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * As much of CUDA's driver as the software NIC uses: memory of this "GPU" is a
 * file that is mapped twice, where programs see it without any rights, and
 * where its own copies go.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake_cuda.h"

#define EXPORT __attribute__((visibility("default")))
#define INVALID_VALUE 1
#define INVALID_CONTEXT 201

struct area {
	uint64_t front;
	char *back;
	size_t bytes;
	int fd;
};

struct ipc_handle {
	char bytes[64];
};

static struct area areas[16];
static unsigned int n_areas;
static _Thread_local void *current;
static int the_context, the_stream;

static struct area *area_of(uint64_t p)
{
	for (unsigned int i = 0; i < n_areas; i++)
		if (p - areas[i].front < areas[i].bytes)
			return &areas[i];
	return NULL;
}

static uint64_t area_add(int fd, size_t bytes)
{
	struct area *area = &areas[n_areas++];

	area->fd = fd;
	area->bytes = bytes;
	area->front =
		(uintptr_t)mmap(NULL, bytes, PROT_NONE, MAP_SHARED, fd, 0);
	area->back =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return area->front;
}

EXPORT void *fake_cuda_alloc(size_t bytes)
{
	const int fd = memfd_create("gpu", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, (off_t)bytes))
		return NULL;
	return (void *)(uintptr_t)area_add(fd, bytes);
}

EXPORT void *fake_cuda_back(const void *p)
{
	const struct area *area = area_of((uintptr_t)p);

	return area->back + ((uintptr_t)p - area->front);
}

EXPORT int cuPointerGetAttribute(void *value, int attribute, uint64_t p)
{
	const unsigned int type = 2;
	void *const context = &the_context;

	if (!area_of(p))
		return INVALID_VALUE;
	if (attribute == 1)
		memcpy(value, &context, sizeof(context));
	else
		memcpy(value, &type, sizeof(type));
	return 0;
}

EXPORT int cuMemGetAddressRange_v2(uint64_t *base, size_t *bytes, uint64_t p)
{
	const struct area *area = area_of(p);

	if (!area)
		return INVALID_VALUE;
	*base = area->front;
	*bytes = area->bytes;
	return 0;
}

EXPORT int cuCtxSetCurrent(void *context)
{
	current = context;
	return context == &the_context ? 0 : INVALID_CONTEXT;
}

EXPORT int cuStreamCreateWithPriority(void **stream, unsigned int flags,
				      int priority)
{
	*stream = &the_stream;
	return flags == 1 && priority < 0 && current ? 0 : INVALID_CONTEXT;
}

EXPORT int cuStreamDestroy_v2(void *stream)
{
	return stream == &the_stream ? 0 : INVALID_VALUE;
}

EXPORT int cuStreamSynchronize(void *stream)
{
	return stream == &the_stream && current ? 0 : INVALID_CONTEXT;
}

EXPORT int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes,
				void *stream)
{
	if (!area_of(to) || !area_of(to + bytes - 1) || !stream || !current)
		return INVALID_VALUE;
	memcpy(fake_cuda_back((void *)(uintptr_t)to), from, bytes);
	return 0;
}

EXPORT int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes,
				void *stream)
{
	if (!area_of(from) || !area_of(from + bytes - 1) || !stream || !current)
		return INVALID_VALUE;
	memcpy(to, fake_cuda_back((void *)(uintptr_t)from), bytes);
	return 0;
}

EXPORT int cuMemHostAlloc(void **p, size_t bytes, unsigned int flags)
{
	(void)flags;
	*p = malloc(bytes);
	return !*p;
}

EXPORT int cuMemFreeHost(void *p)
{
	free(p);
	return 0;
}

EXPORT int cuIpcGetMemHandle(struct ipc_handle *handle, uint64_t p)
{
	const struct area *area = area_of(p);

	if (!area || area->front != p)
		return INVALID_VALUE;
	memset(handle, 0, sizeof(*handle));
	snprintf(handle->bytes, sizeof(handle->bytes), "%zu /proc/%d/fd/%d",
		 area->bytes, (int)getpid(), area->fd);
	return 0;
}

EXPORT int cuIpcOpenMemHandle_v2(uint64_t *p, struct ipc_handle handle,
				 unsigned int flags)
{
	char *path;
	const size_t bytes = strtoull(handle.bytes, &path, 10);
	const int fd = open(path + 1, O_RDWR | O_CLOEXEC);

	if (fd < 0 || flags != 1 || !current)
		return INVALID_VALUE;
	*p = area_add(fd, bytes);
	return 0;
}

EXPORT int cuIpcCloseMemHandle(uint64_t p)
{
	return area_of(p) ? 0 : INVALID_VALUE;
}
