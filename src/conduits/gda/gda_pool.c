/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_impl.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "gpu/gpu.h"
#include "host/shmemi.h"

/* What is taken at once: so many queues, within bounds. */
#define QUEUES 32
#define PLACE_BYTES 256 /* entry, completion, cell and its mark */
#define SLAB_MIN_BYTES ((size_t)2 << 20)
#define SLAB_MAX_BYTES ((size_t)64 << 20)

struct slab {
	struct slab *next;
	char *base;
	size_t bytes;
	size_t used_bytes;
};

/* The newest slab is the one that has room. */
struct pool {
	struct slab *slabs;
	size_t slab_bytes;
	int is_device;
};

/* Pages that kernels were shown; addresses are multiples of pages. */
struct page {
	struct page *next;
	char *base;
	size_t bytes;
	char *kernels;
	unsigned int users;
};

static struct pool host, device = { .is_device = 1 };
static struct page *pages;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int memory_get(const struct pool *pool, size_t bytes, void **p)
{
	return pool->is_device ? shmemg->mem_alloc(bytes, p) :
				 shmemg->host_alloc(bytes, p);
}

static void memory_put(const struct pool *pool, void *p)
{
	if (pool->is_device)
		shmemg->mem_free(p);
	else
		shmemg->host_free(p);
}

static size_t round_up(size_t bytes, size_t align)
{
	return (bytes + align - 1) & -align;
}

static struct slab *slab_add(struct pool *pool, size_t bytes)
{
	struct slab *slab = calloc(1, sizeof(*slab));
	void *p;

	if (!slab) {
		shmemi_log_error("out of memory for queues of NICs");
		return NULL;
	}
	slab->bytes = bytes < pool->slab_bytes ? pool->slab_bytes : bytes;
	if (memory_get(pool, slab->bytes, &p)) {
		free(slab);
		return NULL;
	}
	slab->base = p;
	slab->next = pool->slabs;
	pool->slabs = slab;
	return slab;
}

static void *slab_take(struct slab *slab, size_t bytes, size_t align)
{
	const size_t at =
		round_up((uintptr_t)slab->base + slab->used_bytes, align) -
		(uintptr_t)slab->base;

	if (at > slab->bytes || bytes > slab->bytes - at)
		return NULL;
	slab->used_bytes = at + bytes;
	return slab->base + at;
}

static void *pool_take(struct pool *pool, size_t bytes, size_t align)
{
	struct slab *slab;
	void *p = NULL;

	pthread_mutex_lock(&lock);
	slab = pool->slabs;
	if (slab)
		p = slab_take(slab, bytes, align);
	if (!p) {
		slab = slab_add(pool, bytes + align);
		if (slab)
			p = slab_take(slab, bytes, align);
	}
	pthread_mutex_unlock(&lock);
	return p;
}

void *gda_pool_host(size_t bytes, size_t align)
{
	return pool_take(&host, bytes, align);
}

void *gda_pool_device(size_t bytes, size_t align)
{
	return pool_take(&device, bytes, align);
}

static int slab_find(const struct pool *pool, const void *p, char **base,
		     size_t *bytes)
{
	const struct slab *slab;
	int found = 0;

	pthread_mutex_lock(&lock);
	for (slab = pool->slabs; slab && !found; slab = slab->next) {
		found = (size_t)((const char *)p - slab->base) < slab->bytes;
		if (found) {
			*base = slab->base;
			*bytes = slab->bytes;
		}
	}
	pthread_mutex_unlock(&lock);
	return found;
}

int gda_pool_find(const void *p, char **base, size_t *bytes, int *is_device)
{
	*is_device = slab_find(&device, p, base, bytes);
	return *is_device || slab_find(&host, p, base, bytes) ? 0 : -ENOENT;
}

static size_t queues_bytes(void)
{
	const size_t bytes =
		round_up(QUEUES * (size_t)shmemi.env.gda_places * PLACE_BYTES,
			 SLAB_MIN_BYTES);

	return bytes < SLAB_MAX_BYTES ? bytes : SLAB_MAX_BYTES;
}

int gda_pool_open(void)
{
	const int in_device = shmemi.env.gda_memory == SHMEMI_GDA_IN_DEVICE;

	host.slab_bytes = in_device ? SLAB_MIN_BYTES : queues_bytes();
	device.slab_bytes =
		2 * SLAB_MIN_BYTES + (in_device ? queues_bytes() : 0);
	if (!slab_add(&host, 0))
		return -ENOMEM;
	if (slab_add(&device, 0))
		return 0;
	gda_pool_close();
	return -ENOMEM;
}

static void slabs_free(struct pool *pool)
{
	struct slab *slab;

	while ((slab = pool->slabs)) {
		pool->slabs = slab->next;
		memory_put(pool, slab->base);
		free(slab);
	}
}

static void page_end(struct page **link)
{
	struct page *page = *link;

	*link = page->next;
	(void)shmemg->host_unregister(page->base);
	free(page);
}

void gda_pool_close(void)
{
	while (pages)
		page_end(&pages);
	slabs_free(&host);
	slabs_free(&device);
}

/* The pages that hold bytes at p. */
static struct page page_around(const void *p, size_t bytes)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	const size_t skip = (uintptr_t)p & (size - 1);

	return (struct page){
		.base = (char *)(uintptr_t)p - skip,
		.bytes = round_up(skip + bytes, size),
	};
}

static struct page **page_find(const struct page *wanted)
{
	struct page **link = &pages;

	while (*link && ((*link)->base != wanted->base ||
			 (*link)->bytes != wanted->bytes))
		link = &(*link)->next;
	return link;
}

static struct page *page_add(const struct page *wanted)
{
	struct page *page = malloc(sizeof(*page));
	void *kernels;

	if (!page) {
		shmemi_log_error("out of memory for the page of a NIC");
		return NULL;
	}
	*page = *wanted;
	if (shmemg->io_register(page->base, page->bytes, &kernels)) {
		free(page);
		return NULL;
	}
	page->kernels = kernels;
	page->next = pages;
	pages = page;
	return page;
}

void *gda_pool_map(void *p, size_t bytes)
{
	const struct page wanted = page_around(p, bytes);
	struct page *page;
	char *kernels = NULL;

	pthread_mutex_lock(&lock);
	page = *page_find(&wanted);
	if (!page)
		page = page_add(&wanted);
	if (page) {
		page->users++;
		kernels = page->kernels + ((char *)p - page->base);
	}
	pthread_mutex_unlock(&lock);
	return kernels;
}

void gda_pool_unmap(void *p, size_t bytes)
{
	const struct page wanted = page_around(p, bytes);
	struct page **link;

	pthread_mutex_lock(&lock);
	link = page_find(&wanted);
	if (*link && !--(*link)->users)
		page_end(link);
	pthread_mutex_unlock(&lock);
}
