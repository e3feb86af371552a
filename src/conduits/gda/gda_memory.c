/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_impl.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/line.h"
#include "base/log.h"
#include "base/order.h"
#include "gpu/gpu.h"
#include "host/segment.h"

/* Smaller chunks would not be whole pages of every GPU. */
#define CHUNK_MIN_LOG2 16

/* What the pool gave, by allocation. */
struct slab {
	struct slab *next;
	struct gda_region region;
};

static struct {
	struct gda_region symmetric[SHMEMD_GDA_SYMMETRIC];
	struct shmemd_gda_span *spans; /* kernels' */
	unsigned int n_spans;
	unsigned int chunk_log2;
	int atomics;
} memory;

static struct slab *slabs;
static pthread_mutex_t slabs_lock = PTHREAD_MUTEX_INITIALIZER;

static const struct {
	enum conduit_segment seg;
	const char *what;
} segments[SHMEMD_GDA_SYMMETRIC] = {
	[SHMEMD_GDA_DEVICE] = { CONDUIT_DEVICE, "the device heap" },
	[SHMEMD_GDA_HEAP] = { CONDUIT_HEAP, "the host heap" },
	[SHMEMD_GDA_DATA] = { CONDUIT_DATA, "static data" },
};

static unsigned int chunk_log2(void)
{
	const size_t wanted = shmemi.env.gda_region_bytes;
	unsigned int log2 = CHUNK_MIN_LOG2;

	while (log2 < GDA_WHOLE_LOG2 && (size_t)1 << log2 < wanted)
		log2++;
	return wanted ? log2 : GDA_WHOLE_LOG2;
}

static struct gda_region region_of(int span)
{
	const struct conduit_region *mine = &shmemi_mine[segments[span].seg];

	return (struct gda_region){
		.what = segments[span].what,
		.base = mine->base,
		.bytes = mine->base ? mine->bytes : 0,
		.chunk_log2 = memory.chunk_log2,
		.is_device = segments[span].seg == CONDUIT_DEVICE,
		.is_remote = 1,
	};
}

static int keys_tell(const struct gda_region *region,
		     struct shmemd_gda_key *keys)
{
	const size_t bytes = gda_n_nics * region->n_chunks * sizeof(*keys);
	struct shmemd_gda_key *copy = malloc(bytes + 1);
	int rc = -ENOMEM;

	if (copy) {
		gda_region_keys(region, copy);
		rc = shmemg->copy(keys, copy, bytes);
	} else {
		shmemi_log_error("out of memory for keys of %s", region->what);
	}
	free(copy);
	return rc;
}

static int word_tell(void *at, uint64_t v)
{
	if (!shmemg_device.host_access)
		return shmemg->copy(at, &v, sizeof(v));
	flag_store(at, v);
	return 0;
}

/* A kernel may be looking: the length is there while the rest stays. */
static int span_tell(unsigned int i, const struct shmemd_gda_span *span)
{
	struct shmemd_gda_span *at = &memory.spans[i];
	int rc = word_tell(&at->bytes, 0);

	if (rc || !span->bytes)
		return rc;
	rc = word_tell(&at->keys, (uintptr_t)span->keys);
	if (!rc)
		rc = word_tell(&at->n_chunks, span->n_chunks);
	if (!rc)
		rc = word_tell(&at->base, (uintptr_t)span->base);
	return rc ? rc : word_tell(&at->bytes, span->bytes);
}

int gda_memory_span_set(unsigned int i, const struct gda_region *region,
			struct shmemd_gda_key *keys)
{
	struct shmemd_gda_span span = { 0 };
	int rc = 0;

	if (region) {
		span.base = region->base;
		span.bytes = region->bytes;
		span.keys = keys;
		span.n_chunks = region->n_chunks;
		rc = keys_tell(region, keys);
	}
	if (!rc)
		rc = span_tell(i, &span);
	if (rc || i < memory.n_spans)
		return rc;
	memory.n_spans = i + 1;
	return 1;
}

static int symmetric_tell(unsigned int span)
{
	const struct gda_region *region = &memory.symmetric[span];
	struct shmemd_gda_key *keys =
		gda_pool_device(gda_n_nics * region->n_chunks * sizeof(*keys),
				CACHE_LINE_BYTES);
	int rc = keys ? gda_memory_span_set(span, region, keys) : -ENOMEM;

	return rc < 0 ? rc : 0;
}

static int symmetric_open(unsigned int span)
{
	struct gda_region *region = &memory.symmetric[span];
	int rc;

	*region = region_of((int)span);
	rc = gda_region_open(region, 0);
	if (rc)
		return rc;
	if (!region->atomics)
		memory.atomics = 0;
	return symmetric_tell(span);
}

static void say_no_atomics(void)
{
	for (unsigned int n = 0; n < gda_n_nics; n++)
		if (!gda_nic_atomics(&gda_nics[n]))
			return;
	shmemi_log_warn("NIC %s refuses atomics on memory in pieces of this "
			"size: the proxy makes those of kernels; a smaller "
			"SHMEM_GDA_REGION may help",
			gda_nics[0].name);
}

int gda_memory_open(void)
{
	int rc = 0;

	memory.chunk_log2 = chunk_log2();
	memory.atomics = 1;
	memory.spans = gda_pool_device(GDA_SPANS * sizeof(*memory.spans),
				       CACHE_LINE_BYTES);
	if (!memory.spans)
		return -ENOMEM;
	for (unsigned int s = 0; s < SHMEMD_GDA_SYMMETRIC && !rc; s++)
		rc = symmetric_open(s);
	if (rc)
		gda_memory_close();
	else if (!memory.atomics)
		say_no_atomics();
	return rc;
}

static void slabs_close(void)
{
	struct slab *slab;

	while ((slab = slabs)) {
		slabs = slab->next;
		gda_region_close(&slab->region);
		free(slab);
	}
}

void gda_memory_close(void)
{
	gda_buffers_close();
	slabs_close();
	for (int s = 0; s < SHMEMD_GDA_SYMMETRIC; s++)
		gda_region_close(&memory.symmetric[s]);
	memset(&memory, 0, sizeof(memory));
}

void gda_memory_tell(struct shmemd_gda *kernels)
{
	kernels->spans = memory.spans;
	kernels->n_spans = memory.n_spans;
	kernels->chunk_log2 = memory.chunk_log2;
}

int gda_memory_atomics(void)
{
	return memory.atomics;
}

unsigned int gda_memory_chunk_log2(void)
{
	return memory.chunk_log2;
}

static struct slab *slab_find(const void *p)
{
	struct slab *slab = slabs;

	while (slab && (size_t)((const char *)p - slab->region.base) >=
			       slab->region.bytes)
		slab = slab->next;
	return slab;
}

/* What the pool doesn't know is a provider's own, in host memory. */
static struct slab *slab_add(void *p, size_t bytes)
{
	struct slab *slab = calloc(1, sizeof(*slab));
	struct gda_region *region;

	if (!slab) {
		shmemi_log_error("out of memory for queues of NICs");
		return NULL;
	}
	region = &slab->region;
	region->what = "queues' memory";
	region->chunk_log2 = GDA_WHOLE_LOG2;
	if (gda_pool_find(p, &region->base, &region->bytes,
			  &region->is_device)) {
		region->base = p;
		region->bytes = bytes;
	}
	if (gda_region_open(region, 0)) {
		free(slab);
		return NULL;
	}
	slab->next = slabs;
	slabs = slab;
	return slab;
}

int gda_memory_of_queue(struct gda_nic *nic, void *p, size_t bytes,
			uint32_t *key)
{
	const struct slab *slab;

	pthread_mutex_lock(&slabs_lock);
	slab = slab_find(p);
	if (!slab)
		slab = slab_add(p, bytes);
	if (slab)
		*key = slab->region.mrs[nic->index].rma->lkey;
	pthread_mutex_unlock(&slabs_lock);
	return slab ? 0 : -ENOMEM;
}

size_t gda_memory_span_chunks(int span)
{
	return memory.symmetric[span].n_chunks;
}

size_t gda_memory_chunks(void)
{
	size_t n = 0;

	for (int s = 0; s < SHMEMD_GDA_SYMMETRIC; s++)
		n += memory.symmetric[s].n_chunks;
	return n;
}

static void describe(const struct gda_region *r, unsigned int nic,
		     struct shmemd_gda_key *keys)
{
	const struct gda_mrs *mrs = &r->mrs[nic * r->n_chunks];

	for (size_t c = 0; c < r->n_chunks; c++) {
		keys[c].rma = mrs[c].rma->rkey;
		keys[c].amo = mrs[c].amo ? mrs[c].amo->rkey : 0;
	}
}

void gda_memory_describe(unsigned int nic, struct gda_bases *bases,
			 struct shmemd_gda_key *keys)
{
	bases->chunk_log2 = memory.chunk_log2;
	bases->atomics = (uint32_t)memory.atomics;
	for (int s = 0; s < SHMEMD_GDA_SYMMETRIC; s++) {
		const struct gda_region *region = &memory.symmetric[s];

		bases->base[s] = (uintptr_t)region->base;
		describe(region, nic, keys);
		keys += region->n_chunks;
	}
}
