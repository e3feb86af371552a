/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/buffer.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/log.h"
#include "conduits/gda/gda.h"
#include "gpu/gpu.h"
#include "host/check.h"

#pragma GCC visibility push(default)
#include <shmem/platform.h>
#pragma GCC visibility pop

struct buffer {
	struct buffer *next;
	char *addr;
	size_t bytes;
	int ours; /* known to the platform by us */
};

static struct buffer *buffers;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The link to the buffer that shares a byte with this range, or to NULL. */
static struct buffer **find(const char *addr, size_t bytes)
{
	struct buffer **link = &buffers;

	while (*link && ((*link)->addr >= addr + bytes ||
			 addr >= (*link)->addr + (*link)->bytes))
		link = &(*link)->next;
	return link;
}

/* The device's, or a segment that kernels know. */
static int is_reached(const char *addr, size_t bytes)
{
	size_t offset;
	int seg = shmemi_locate(addr, &offset);

	if (seg < 0)
		return shmemg->is_device(addr);
	return bytes <= shmemi.segment[seg].bytes - offset &&
	       (seg == CONDUIT_DEVICE ||
		shmemi.peers[shmemi.me].registered & 1u << seg);
}

static int buffer_add(char *addr, size_t bytes)
{
	struct buffer *b = malloc(sizeof(*b));
	int rc = 0;

	if (!b) {
		shmemi_log_error("shmemx_buffer_register: out of memory");
		return -ENOMEM;
	}
	*b = (struct buffer){ buffers, addr, bytes, !is_reached(addr, bytes) };
	if (b->ours)
		rc = shmemg->host_register(addr, bytes);
	if (rc) {
		free(b);
		return rc;
	}
	buffers = b;
	/* What NICs don't know, kernels copy. */
	(void)gda_buffer_register(addr, bytes);
	return 0;
}

static int buffer_remove(struct buffer **link)
{
	struct buffer *b = *link;
	int rc;

	gda_buffer_unregister(b->addr);
	rc = b->ours ? shmemg->host_unregister(b->addr) : 0;
	*link = b->next;
	free(b);
	return rc;
}

static int check_new(const char *api, const char *addr, size_t bytes)
{
	const struct buffer *b;

	if (!addr || !bytes || (uintptr_t)addr + bytes < bytes) {
		shmemi_log_error("%s: %zu bytes at %p, expected memory", api,
				 bytes, (const void *)addr);
		return -EINVAL;
	}
	b = *find(addr, bytes);
	if (!b)
		return 0;
	shmemi_log_error("%s: %zu bytes at %p overlap %zu bytes at %p, which "
			 "are registered",
			 api, bytes, (const void *)addr, b->bytes,
			 (const void *)b->addr);
	return -EINVAL;
}

int shmemx_buffer_register(void *addr, size_t bytes)
{
	int rc;

	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	pthread_mutex_lock(&lock);
	rc = check_new(__func__, addr, bytes);
	if (!rc)
		rc = buffer_add(addr, bytes);
	pthread_mutex_unlock(&lock);
	return rc;
}

int shmemx_buffer_unregister(void *addr)
{
	struct buffer **link;
	int rc = -ENOENT;

	if (unlikely(shmemi.guard))
		shmemi_check_up(__func__);
	pthread_mutex_lock(&lock);
	link = find(addr, 1);
	if (*link && (*link)->addr == addr)
		rc = buffer_remove(link);
	else
		shmemi_log_error("%s: %p, expected an address that "
				 "shmemx_buffer_register was called with",
				 __func__, addr);
	pthread_mutex_unlock(&lock);
	return rc;
}

int shmemi_buffer_holds(const void *p)
{
	int holds;

	pthread_mutex_lock(&lock);
	holds = *find(p, 1) != NULL;
	pthread_mutex_unlock(&lock);
	return holds;
}

void shmemi_buffers_close(void)
{
	pthread_mutex_lock(&lock);
	while (buffers)
		(void)buffer_remove(&buffers);
	pthread_mutex_unlock(&lock);
}
