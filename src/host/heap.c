/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/heap.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/line.h"
#include "base/log.h"
#include "gpu/gpu.h"
#include "host/alloc.h"
#include "host/check.h"
#include "host/coll.h"
#include "host/move.h"
#include "host/world.h"

#pragma GCC visibility push(default)
#include <shmem/platform.h>
#pragma GCC visibility pop

/* By segment; static data has none. */
static struct shmemi_alloc *heaps[CONDUIT_NSEGMENTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const enum conduit_segment with_heap[] = { CONDUIT_HEAP, CONDUIT_SYNC,
						  CONDUIT_DEVICE };
#define N_HEAPS (sizeof(with_heap) / sizeof(*with_heap))

int shmemi_heap_open(void)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < N_HEAPS; i++)
		rc = shmemi_alloc_create(&heaps[with_heap[i]],
					 shmemi.segment[with_heap[i]].bytes);
	if (!rc)
		return 0;
	shmemi_log_error("out of memory for the records of the heap");
	shmemi_heap_close();
	return rc;
}

void shmemi_heap_close(void)
{
	for (size_t i = 0; i < N_HEAPS; i++) {
		shmemi_alloc_destroy(heaps[with_heap[i]]);
		heaps[with_heap[i]] = NULL;
	}
}

int shmemi_sync_get(size_t bytes, size_t *offset)
{
	int rc;

	pthread_mutex_lock(&lock);
	rc = shmemi_alloc_get(heaps[CONDUIT_SYNC], CACHE_LINE_BYTES, bytes,
			      offset);
	pthread_mutex_unlock(&lock);
	return rc;
}

/* Cleared now: once it is given out, peers may write to it at any time. */
void shmemi_sync_put(size_t offset)
{
	pthread_mutex_lock(&lock);
	memset(shmemi.segment[CONDUIT_SYNC].base + offset, 0,
	       shmemi_alloc_bytes(heaps[CONDUIT_SYNC], offset));
	shmemi_alloc_put(heaps[CONDUIT_SYNC], offset);
	pthread_mutex_unlock(&lock);
}

/* The heap that an address is in; of what is in none, offset fits in none. */
static struct shmemi_alloc *heap_of(const void *ptr, size_t *offset)
{
	const int seg = shmemi_locate(ptr, offset);

	if (seg == CONDUIT_HEAP || seg == CONDUIT_DEVICE)
		return heaps[seg];
	*offset = SIZE_MAX;
	return heaps[CONDUIT_HEAP];
}

size_t shmemi_heap_room(const void *addr)
{
	size_t offset, start, bytes;
	struct shmemi_alloc *heap = heap_of(addr, &offset);
	int rc;

	pthread_mutex_lock(&lock);
	rc = shmemi_alloc_find(heap, offset, &start, &bytes);
	pthread_mutex_unlock(&lock);
	return rc ? 0 : start + bytes - offset;
}

/* Same calls on all PEs, so the same answer, NULL included, on all. */
static void *heap_get(enum conduit_segment heap, size_t align, size_t bytes)
{
	size_t offset;
	int rc;

	pthread_mutex_lock(&lock);
	rc = shmemi_alloc_get(heaps[heap], align, bytes, &offset);
	pthread_mutex_unlock(&lock);
	return rc ? NULL : shmemi.segment[heap].base + offset;
}

static _Noreturn void not_a_block(const char *api, const void *ptr)
{
	shmemi_fatal("%s: ptr is %p, expected NULL or an address that "
		     "shmem_malloc or a relative gave and that was not freed",
		     shmemi_api(api), ptr);
}

static void heap_put(const char *api, void *ptr)
{
	size_t offset;
	struct shmemi_alloc *heap = heap_of(ptr, &offset);
	int rc;

	pthread_mutex_lock(&lock);
	rc = shmemi_alloc_put(heap, offset);
	pthread_mutex_unlock(&lock);
	if (rc)
		not_a_block(api, ptr);
}

static void clear_block(const char *api, enum conduit_segment heap, void *ptr,
			size_t bytes)
{
	if (shmemi.routes[shmemi.me].base[heap])
		memset(ptr, 0, bytes);
	else if (shmemg->fill(ptr, 0, bytes))
		shmemi_fatal("%s: can't clear %zu bytes of device memory",
			     shmemi_api(api), bytes);
}

static void *heap_alloc(const char *api, enum conduit_segment heap,
			size_t align, size_t bytes, int clear)
{
	void *ptr;

	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	if (!bytes)
		return NULL;
	if (unlikely(shmemi.guard & SHMEMI_GUARD_CHECK))
		coll_agree(api, &shmemi_team_world, bytes, -1);
	ptr = heap_get(heap, align, bytes);
	shmemi_trace(MEM, "%s of %zu bytes: %p", shmemi_api(api), bytes, ptr);
	if (ptr && clear)
		clear_block(api, heap, ptr, bytes);
	if (ptr)
		pshmem_barrier_all();
	return ptr;
}

void *pshmem_malloc(size_t size)
{
	return heap_alloc(__func__, shmemi.heap, CACHE_LINE_BYTES, size, 0);
}
weak_alias(pshmem_malloc, shmem_malloc);

/* Kernels that use it order their stores for host CPUs from now on. */
void *shmemx_malloc_host(size_t size)
{
	void *ptr =
		heap_alloc(__func__, CONDUIT_HEAP, CACHE_LINE_BYTES, size, 0);

	if (ptr)
		shmemi_device_host_heap_used();
	return ptr;
}

/* What the cpu platform has is device memory, be it the host heap. */
void *shmemx_malloc_device(size_t size)
{
	int seg = CONDUIT_DEVICE;

	if (!shmemi.segment[seg].bytes && shmemg == &shmemg_cpu)
		seg = CONDUIT_HEAP;
	return heap_alloc(__func__, seg, CACHE_LINE_BYTES, size, 0);
}

void *pshmem_malloc_with_hints(size_t size, long hints)
{
	(void)hints;
	return heap_alloc(__func__, shmemi.heap, CACHE_LINE_BYTES, size, 0);
}
weak_alias(pshmem_malloc_with_hints, shmem_malloc_with_hints);

void *pshmem_align(size_t alignment, size_t size)
{
	size_t align = CACHE_LINE_BYTES, most = shmemi_world_align(shmemi.heap);

	/* Programs ask for 2 or for 63: the next power of two serves them. */
	while (align < alignment && align < most)
		align *= 2;
	if (align < alignment)
		return NULL;
	return heap_alloc(__func__, shmemi.heap, align, size, 0);
}
weak_alias(pshmem_align, shmem_align);

void *pshmem_calloc(size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		return NULL;
	return heap_alloc(__func__, shmemi.heap, CACHE_LINE_BYTES, bytes, 1);
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
	size_t offset;
	struct shmemi_alloc *heap = heap_of(ptr, &offset);
	int rc;

	pthread_mutex_lock(&lock);
	*old = shmemi_alloc_bytes(heap, offset);
	rc = shmemi_alloc_resize(heap, offset, size);
	pthread_mutex_unlock(&lock);
	if (rc == -EINVAL)
		not_a_block(api, ptr);
	return rc ? NULL : ptr;
}

void *pshmem_realloc(void *ptr, size_t size)
{
	size_t old, offset;
	void *to;

	if (!ptr)
		return heap_alloc(__func__, shmemi.heap, CACHE_LINE_BYTES, size,
				  0);
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
		to = heap_get(shmemi_locate(ptr, &offset), CACHE_LINE_BYTES,
			      size);
		if (!to)
			return NULL;
		shmemi_move(to, ptr, old < size ? old : size);
		heap_put(__func__, ptr);
	}
	shmemi_trace(MEM, "shmem_realloc of %p to %zu bytes: %p", ptr, size,
		     to);
	pshmem_barrier_all();
	return to;
}
weak_alias(pshmem_realloc, shmem_realloc);
