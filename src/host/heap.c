/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/heap.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/line.h"
#include "base/log.h"
#include "host/alloc.h"
#include "host/check.h"
#include "host/coll.h"
#include "host/world.h"

static struct shmemi_alloc *heap, *sync_heap;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int shmemi_heap_open(void)
{
	int rc = shmemi_alloc_create(&heap, shmemi.segment[CONDUIT_HEAP].bytes);

	if (!rc)
		rc = shmemi_alloc_create(&sync_heap,
					 shmemi.segment[CONDUIT_SYNC].bytes);
	if (!rc)
		return 0;
	shmemi_log_error("out of memory for the records of the heap");
	shmemi_heap_close();
	return rc;
}

void shmemi_heap_close(void)
{
	shmemi_alloc_destroy(heap);
	shmemi_alloc_destroy(sync_heap);
	heap = sync_heap = NULL;
}

int shmemi_sync_get(size_t bytes, size_t *offset)
{
	int rc;

	pthread_mutex_lock(&lock);
	rc = shmemi_alloc_get(sync_heap, CACHE_LINE_BYTES, bytes, offset);
	pthread_mutex_unlock(&lock);
	return rc;
}

/* Cleared now: once it is given out, peers may write to it at any time. */
void shmemi_sync_put(size_t offset)
{
	pthread_mutex_lock(&lock);
	memset(shmemi.segment[CONDUIT_SYNC].base + offset, 0,
	       shmemi_alloc_bytes(sync_heap, offset));
	shmemi_alloc_put(sync_heap, offset);
	pthread_mutex_unlock(&lock);
}

static size_t heap_offset(const void *ptr)
{
	return (size_t)((const char *)ptr - shmemi.segment[CONDUIT_HEAP].base);
}

size_t shmemi_heap_room(const void *addr)
{
	size_t offset = heap_offset(addr), start, bytes;
	int rc;

	pthread_mutex_lock(&lock);
	rc = shmemi_alloc_find(heap, offset, &start, &bytes);
	pthread_mutex_unlock(&lock);
	return rc ? 0 : start + bytes - offset;
}

/* Same calls on all PEs, so the same answer, NULL included, on all. */
static void *heap_get(size_t align, size_t bytes)
{
	size_t offset;
	int rc;

	pthread_mutex_lock(&lock);
	rc = shmemi_alloc_get(heap, align, bytes, &offset);
	pthread_mutex_unlock(&lock);
	return rc ? NULL : shmemi.segment[CONDUIT_HEAP].base + offset;
}

static _Noreturn void not_a_block(const char *api, const void *ptr)
{
	shmemi_fatal("%s: ptr is %p, expected NULL or an address that "
		     "shmem_malloc or a relative gave and that was not freed",
		     shmemi_api(api), ptr);
}

static void heap_put(const char *api, void *ptr)
{
	int rc;

	pthread_mutex_lock(&lock);
	rc = shmemi_alloc_put(heap, heap_offset(ptr));
	pthread_mutex_unlock(&lock);
	if (rc)
		not_a_block(api, ptr);
}

static void *heap_alloc(const char *api, size_t align, size_t bytes, int clear)
{
	void *ptr;

	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	if (!bytes)
		return NULL;
	if (unlikely(shmemi.guard & SHMEMI_GUARD_CHECK))
		coll_agree(api, &shmemi_team_world, bytes, -1);
	ptr = heap_get(align, bytes);
	shmemi_trace(MEM, "%s of %zu bytes: %p", shmemi_api(api), bytes, ptr);
	if (ptr && clear)
		memset(ptr, 0, bytes);
	if (ptr)
		pshmem_barrier_all();
	return ptr;
}

void *pshmem_malloc(size_t size)
{
	return heap_alloc(__func__, CACHE_LINE_BYTES, size, 0);
}
weak_alias(pshmem_malloc, shmem_malloc);

void *pshmem_malloc_with_hints(size_t size, long hints)
{
	(void)hints;
	return heap_alloc(__func__, CACHE_LINE_BYTES, size, 0);
}
weak_alias(pshmem_malloc_with_hints, shmem_malloc_with_hints);

void *pshmem_align(size_t alignment, size_t size)
{
	size_t align = CACHE_LINE_BYTES, most = shmemi_world_align();

	/* Programs ask for 2 or for 63: the next power of two serves them. */
	while (align < alignment && align < most)
		align *= 2;
	if (align < alignment)
		return NULL;
	return heap_alloc(__func__, align, size, 0);
}
weak_alias(pshmem_align, shmem_align);

void *pshmem_calloc(size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		return NULL;
	return heap_alloc(__func__, CACHE_LINE_BYTES, bytes, 1);
}
weak_alias(pshmem_calloc, shmem_calloc);

void pshmem_free(void *ptr)
{
	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	if (!ptr)
		return;
	pshmem_barrier_all();
	shmemi_trace(MEM, "shmem_free of %p", ptr);
	heap_put(__func__, ptr);
}
weak_alias(pshmem_free, shmem_free);

/* In place, or NULL. */
static void *resize(const char *api, void *ptr, size_t size, size_t *old)
{
	int rc;

	pthread_mutex_lock(&lock);
	*old = shmemi_alloc_bytes(heap, heap_offset(ptr));
	rc = shmemi_alloc_resize(heap, heap_offset(ptr), size);
	pthread_mutex_unlock(&lock);
	if (rc == -EINVAL)
		not_a_block(api, ptr);
	return rc ? NULL : ptr;
}

void *pshmem_realloc(void *ptr, size_t size)
{
	size_t old;
	void *to;

	if (!ptr)
		return heap_alloc(__func__, CACHE_LINE_BYTES, size, 0);
	if (!size) {
		pshmem_free(ptr);
		return NULL;
	}
	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	/* Peers may still write to the block until they are here as well. */
	pshmem_barrier_all();
	to = resize(__func__, ptr, size, &old);
	if (!to) {
		to = heap_get(CACHE_LINE_BYTES, size);
		if (!to)
			return NULL;
		memcpy(to, ptr, old < size ? old : size);
		heap_put(__func__, ptr);
	}
	shmemi_trace(MEM, "shmem_realloc of %p to %zu bytes: %p", ptr, size,
		     to);
	pshmem_barrier_all();
	return to;
}
weak_alias(pshmem_realloc, shmem_realloc);
