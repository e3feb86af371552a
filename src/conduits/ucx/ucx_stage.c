/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/ucx/ucx_stage.h"

#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "conduits/ucx/ucx.h"
#include "conduits/xgmi/xgmi_rma.h"

/* A stream and its polling cost more than waiting for a copy of so much. */
#define SYNC_BYTES ((size_t)32 << 10)

static int is_in(const struct conduit_region *region, const void *p)
{
	return region->base &&
	       (size_t)((const char *)p - region->base) < region->bytes;
}

int ucx_stage_is_device(const void *p)
{
	if (shmemg_device.host_access || !p)
		return 0;
	for (int seg = 0; seg < CONDUIT_NSEGMENTS; seg++) {
		if (is_in(&ucx.mine[seg], p))
			return seg == CONDUIT_DEVICE;
	}
	return shmemg->is_device(p);
}

static void must(int rc, const char *what)
{
	if (rc)
		shmemi_fatal("can't %s for a PE on another node", what);
}

static struct ucx_stage_buf *buf_make(struct ucx_stage *stage,
				      enum ucx_stage_pool pool)
{
	struct ucx_stage_buf *buf = calloc(1, sizeof(*buf));
	void *mem;

	must(buf ? 0 : -ENOMEM, "get memory");
	must(shmemg->host_alloc(UCX_STAGE_CHUNK_BYTES, &mem),
	     "get pinned memory");
	must(shmemg->stream_create(&buf->stream), "make a stream");
	buf->mem = mem;
	buf->stage = stage;
	buf->pool = pool;
	stage->made[pool]++;
	return buf;
}

void ucx_stage_fill(struct ucx_stage *stage, enum ucx_stage_pool pool)
{
	while (stage->made[pool] < UCX_STAGE_BUFS)
		ucx_stage_give(buf_make(stage, pool));
}

void ucx_stage_warm(void *device)
{
	uint64_t old;

	must(xgmi_amo_by_kernel(CONDUIT_FETCH, sizeof(old), device, 0, 0, &old),
	     "run an atomic on device memory");
}

struct ucx_stage_buf *ucx_stage_take(struct ucx_stage *stage,
				     enum ucx_stage_pool pool)
{
	struct ucx_stage_buf *buf = stage->free[pool];

	if (buf)
		stage->free[pool] = buf->next;
	return buf;
}

void ucx_stage_give(struct ucx_stage_buf *buf)
{
	buf->next = buf->stage->free[buf->pool];
	buf->stage->free[buf->pool] = buf;
}

static void bufs_free(struct ucx_stage_buf *buf)
{
	while (buf) {
		struct ucx_stage_buf *next = buf->next;

		shmemg->stream_destroy(buf->stream);
		shmemg->host_free(buf->mem);
		free(buf);
		buf = next;
	}
}

/* A stream is destroyed when it is done; what waited for that is not told. */
void ucx_stage_close(struct ucx_stage *stage)
{
	for (int pool = 0; pool < UCX_STAGE_NPOOLS; pool++) {
		bufs_free(stage->free[pool]);
		stage->free[pool] = NULL;
	}
	bufs_free(stage->copying);
	stage->copying = NULL;
}

void ucx_stage_copy(void *dst, const void *src, size_t bytes)
{
	must(shmemg->copy(dst, src, bytes), "copy device memory");
}

void ucx_stage_copy_queue(struct ucx_stage_buf *buf, void *dst, const void *src,
			  size_t bytes)
{
	must(shmemg->copy_async(dst, src, bytes, buf->stream),
	     "copy device memory");
}

void ucx_stage_watch(struct ucx_stage_buf *buf,
		     void (*done)(struct ucx_stage_buf *buf, void *arg),
		     void *arg)
{
	struct ucx_stage *stage = buf->stage;

	buf->done = done;
	buf->arg = arg;
	buf->next = stage->copying;
	stage->copying = buf;
}

void ucx_stage_copy_start(struct ucx_stage_buf *buf, void *dst, const void *src,
			  size_t bytes,
			  void (*done)(struct ucx_stage_buf *buf, void *arg),
			  void *arg)
{
	if (bytes <= SYNC_BYTES) {
		ucx_stage_copy(dst, src, bytes);
		done(buf, arg);
		return;
	}
	ucx_stage_copy_queue(buf, dst, src, bytes);
	ucx_stage_watch(buf, done, arg);
}

int ucx_stage_poll(struct ucx_stage *stage)
{
	struct ucx_stage_buf *buf = stage->copying, *next;

	/* done() may start copies, which go to a new list. */
	stage->copying = NULL;
	for (; buf; buf = next) {
		int rc = shmemg->stream_query(buf->stream);

		next = buf->next;
		if (rc == -EAGAIN) {
			buf->next = stage->copying;
			stage->copying = buf;
			continue;
		}
		must(rc, "copy device memory");
		buf->done(buf, buf->arg);
	}
	return stage->copying != NULL;
}

/*
 * A store needs no kernel, which might find no room on a device full of
 * work-groups that wait for just this.
 */
void ucx_stage_amo(enum conduit_amo op, size_t bytes, void *at,
		   uint64_t operand, uint64_t cond, uint64_t *old)
{
	const uint32_t half = (uint32_t)operand;

	if (op == CONDUIT_SET && !old)
		ucx_stage_copy(at, bytes == 4 ? (const void *)&half : &operand,
			       bytes);
	else
		must(xgmi_amo_by_kernel(op, bytes, at, operand, cond, old),
		     "run an atomic on device memory");
}
