/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_impl.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/line.h"
#include "base/log.h"
#include "gpu/gpu.h"
#include "host/device.h"
#include "host/shmemi.h"

#define N_BUFFERS (GDA_SPANS - SHMEMD_GDA_SYMMETRIC)

/* keys stay when the buffer goes: the pool takes nothing back. */
static struct buffer {
	struct gda_region region; /* base NULL: this one is free */
	struct shmemd_gda_key *keys;
	size_t n_keys; /* that there is room for */
} buffers[N_BUFFERS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Symmetric memory is in spans of its own. */
static int is_symmetric(const void *p)
{
	size_t offset;

	return shmemi_locate(p, &offset) >= 0;
}

static struct buffer *buffer_find(const void *base)
{
	for (int i = 0; i < N_BUFFERS; i++)
		if (buffers[i].region.base == base)
			return &buffers[i];
	return NULL;
}

static int room_for_keys(struct buffer *b)
{
	const size_t n = gda_n_nics * b->region.n_chunks;

	if (n <= b->n_keys)
		return 0;
	b->keys = gda_pool_device(n * sizeof(*b->keys), CACHE_LINE_BYTES);
	b->n_keys = b->keys ? n : 0;
	return b->keys ? 0 : -ENOMEM;
}

static unsigned int span_of(const struct buffer *b)
{
	return SHMEMD_GDA_SYMMETRIC + (unsigned int)(b - buffers);
}

static void forget(struct buffer *b)
{
	gda_region_close(&b->region);
	memset(&b->region, 0, sizeof(b->region));
}

/* What gda_memory_span_set returns. */
static int buffer_add(struct buffer *b, void *p, size_t bytes)
{
	int rc;

	b->region = (struct gda_region){
		.what = "a buffer",
		.base = p,
		.bytes = bytes,
		.chunk_log2 = gda_memory_chunk_log2(),
		.is_device = shmemg->is_device(p),
	};
	rc = gda_region_open(&b->region, 1);
	if (rc)
		shmemi_log_warn("NICs can't register a buffer of %zu bytes at "
				"%p: %s; kernels copy what they send from it",
				bytes, p, strerror(-rc));
	else
		rc = room_for_keys(b);
	if (!rc)
		rc = gda_memory_span_set(span_of(b), &b->region, b->keys);
	if (rc < 0)
		forget(b);
	return rc;
}

/* One too many is not known to NICs: kernels copy what is in it. */
int gda_buffer_register(void *p, size_t bytes)
{
	struct buffer *b;
	int rc = 0;

	if (!gda_n_nics || is_symmetric(p))
		return 0;
	pthread_mutex_lock(&lock);
	b = buffer_find(NULL);
	if (b)
		rc = buffer_add(b, p, bytes);
	else
		shmemi_trace(MEM, "NICs know %d buffers and not the one at %p",
			     N_BUFFERS, p);
	pthread_mutex_unlock(&lock);
	return rc == 1 ? shmemi_device_publish() : rc;
}

void gda_buffer_unregister(void *p)
{
	struct buffer *b;

	if (!gda_n_nics)
		return;
	pthread_mutex_lock(&lock);
	b = buffer_find(p);
	if (b) {
		(void)gda_memory_span_set(span_of(b), NULL, NULL);
		forget(b);
	}
	pthread_mutex_unlock(&lock);
}

void gda_buffers_close(void)
{
	for (int i = 0; i < N_BUFFERS; i++)
		if (buffers[i].region.base)
			forget(&buffers[i]);
	memset(buffers, 0, sizeof(buffers));
}
