/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "base/shared.h"
#include "gpu/cpu/rows.h"

#define ALIGN_BYTES ((size_t)2 << 20)
#define PINNED_ALIGN_BYTES ((size_t)4096)

/* What mem_alloc gave; few, so a list does. */
struct memory {
	struct memory *next;
	char *base;
	size_t bytes;
	int fd;
};

static struct memory *memories;
static pthread_mutex_t memories_lock = PTHREAD_MUTEX_INITIALIZER;

struct memory_blob {
	int32_t pid;
	int32_t fd;
	uint64_t offset;
};
_Static_assert(sizeof(struct memory_blob) <= SHMEMG_BLOB_BYTES, "blob");

static size_t round_up(size_t bytes, size_t align)
{
	return (bytes + align - 1) / align * align;
}

/* Addresses at a multiple of ALIGN_BYTES, mapped to nothing. */
static int addresses_reserve(size_t bytes, char **base)
{
	const size_t more = bytes + ALIGN_BYTES;
	char *p = mmap(NULL, more, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t head;

	if (p == MAP_FAILED)
		return -errno;
	head = -(uintptr_t)p % ALIGN_BYTES;
	if (head)
		munmap(p, head);
	if (more - head > bytes)
		munmap(p + head + bytes, more - head - bytes);
	*base = p + head;
	return 0;
}

static int memory_map(size_t bytes, int fd, off_t offset, char **base)
{
	int rc = addresses_reserve(bytes, base);

	if (rc)
		return rc;
	rc = shmemi_shared_map(*base, bytes, fd, offset);
	if (rc)
		munmap(*base, bytes);
	return rc;
}

int cpu_mem_alloc(size_t bytes, void **p)
{
	struct memory *memory = malloc(sizeof(*memory));
	int rc = -ENOMEM;

	if (!memory)
		goto fail;
	memory->bytes = round_up(bytes ? bytes : 1, (size_t)getpagesize());
	memory->fd = shmemi_shared_create(memory->bytes, 0);
	rc = memory->fd;
	if (rc < 0)
		goto free_memory;
	rc = memory_map(memory->bytes, memory->fd, 0, &memory->base);
	if (rc)
		goto close_fd;
	pthread_mutex_lock(&memories_lock);
	memory->next = memories;
	memories = memory;
	pthread_mutex_unlock(&memories_lock);
	*p = memory->base;
	return 0;

close_fd:
	close(memory->fd);
free_memory:
	free(memory);
fail:
	shmemi_log_error("can't get %zu bytes of memory for kernels: %s", bytes,
			 strerror(-rc));
	return rc;
}

/* The place in the list of what holds p; *place is NULL if nothing does. */
static struct memory **memory_find(const void *p)
{
	struct memory **place = &memories;

	while (*place &&
	       (size_t)((const char *)p - (*place)->base) >= (*place)->bytes)
		place = &(*place)->next;
	return place;
}

static int memory_unknown(const void *p)
{
	shmemi_log_error("%p is not memory that the cpu platform gave", p);
	return -EINVAL;
}

int cpu_mem_free(void *p)
{
	struct memory **place, *memory;

	pthread_mutex_lock(&memories_lock);
	place = memory_find(p);
	memory = *place;
	if (memory && memory->base == p)
		*place = memory->next;
	else
		memory = NULL;
	pthread_mutex_unlock(&memories_lock);
	if (!memory)
		return memory_unknown(p);
	munmap(memory->base, memory->bytes);
	close(memory->fd);
	free(memory);
	return 0;
}

int cpu_mem_export(void *p, size_t bytes, void *blob)
{
	struct memory_blob b = { .pid = getpid(), .fd = -1 };
	const struct memory *memory;

	pthread_mutex_lock(&memories_lock);
	memory = *memory_find(p);
	if (memory) {
		b.offset = (uint64_t)((char *)p - memory->base);
		if (bytes <= memory->bytes - b.offset)
			b.fd = memory->fd;
	}
	pthread_mutex_unlock(&memories_lock);
	if (b.fd < 0)
		return memory_unknown(p);
	memcpy(blob, &b, sizeof(b));
	return 0;
}

int cpu_mem_import(const void *blob, size_t bytes, void **p)
{
	char path[SHMEMI_SHARED_PATH_BYTES];
	struct memory_blob b;
	char *base;
	int fd, rc;

	memcpy(&b, blob, sizeof(b));
	fd = shmemi_shared_open(b.pid, b.fd, path);
	rc = fd < 0 ? fd : memory_map(bytes, fd, (off_t)b.offset, &base);
	if (fd >= 0)
		close(fd);
	if (rc) {
		shmemi_log_error("can't map %zu bytes of a peer's memory, %s: "
				 "%s%s",
				 bytes, path, strerror(-rc),
				 shmemi_shared_hint(rc));
		return rc;
	}
	*p = base;
	return 0;
}

int cpu_mem_forget(void *p, size_t bytes)
{
	if (!munmap(p, bytes))
		return 0;

	int rc = -errno;

	shmemi_log_error("can't unmap %zu bytes of a peer's memory at %p: %s",
			 bytes, p, strerror(-rc));
	return rc;
}

int cpu_mem_dmabuf(void *p, size_t bytes, int *fd, size_t *offset)
{
	(void)p, (void)bytes, (void)fd, (void)offset;
	return -EOPNOTSUPP;
}

int cpu_host_alloc(size_t bytes, void **p)
{
	const size_t all = round_up(bytes ? bytes : 1, PINNED_ALIGN_BYTES);

	*p = aligned_alloc(PINNED_ALIGN_BYTES, all);
	if (!*p) {
		shmemi_log_error("no memory for %zu bytes of host memory",
				 bytes);
		return -ENOMEM;
	}
	memset(*p, 0, all);
	return 0;
}

int cpu_host_free(void *p)
{
	free(p);
	return 0;
}

int cpu_host_register(void *p, size_t bytes)
{
	(void)p, (void)bytes;
	return 0;
}

int cpu_host_unregister(void *p)
{
	(void)p;
	return 0;
}

int cpu_io_register(void *p, size_t bytes, void **kernels)
{
	(void)bytes;
	*kernels = p;
	return 0;
}

int cpu_is_device(const void *p)
{
	(void)p;
	return 0;
}

int cpu_copy(void *dst, const void *src, size_t bytes)
{
	if (bytes)
		memcpy(dst, src, bytes);
	return 0;
}

int cpu_fill(void *dst, int byte, size_t bytes)
{
	if (bytes)
		memset(dst, byte, bytes);
	return 0;
}
