/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Device memory that the host can't touch, for the conduit of the network:
 * pinned host buffers, one chunk each, and the platform's copies and atomics.
 *
 * Each worker has two pools of buffers. UCX_STAGE_OWN is for what this PE
 * sends and fetches: its buffers come back when peers take and give. From
 * UCX_STAGE_SERVE peers are answered: those come back without any pool of a
 * peer, so PEs that transfer to each other never wait in a circle.
 */
#ifndef CONDUITS_UCX_STAGE_H
#define CONDUITS_UCX_STAGE_H

#include <stddef.h>
#include <stdint.h>

#include "conduits/conduit.h"
#include "gpu/gpu.h"

#define UCX_STAGE_CHUNK_BYTES ((size_t)512 << 10)
#define UCX_STAGE_BUFS 4 /* of a pool */

enum ucx_stage_pool { UCX_STAGE_OWN, UCX_STAGE_SERVE, UCX_STAGE_NPOOLS };

struct ucx_stage_buf {
	struct ucx_stage_buf *next; /* free, or being copied */
	struct ucx_stage *stage;
	enum ucx_stage_pool pool;
	char *mem; /* a chunk, pinned */
	shmemg_stream stream;
	void (*done)(struct ucx_stage_buf *buf, void *arg);
	void *arg;
};

struct ucx_stage {
	struct ucx_stage_buf *free[UCX_STAGE_NPOOLS];
	int made[UCX_STAGE_NPOOLS];
	struct ucx_stage_buf *copying;
};

/*
 * A pool's buffers, and what atomics need. To be called before kernels run: to
 * make any of it, platforms wait for kernels, which may wait for just that.
 */
void ucx_stage_fill(struct ucx_stage *stage, enum ucx_stage_pool pool);
void ucx_stage_warm(void *device);
void ucx_stage_close(struct ucx_stage *stage);

/* NULL: none is free now. */
struct ucx_stage_buf *ucx_stage_take(struct ucx_stage *stage,
				     enum ucx_stage_pool pool);
void ucx_stage_give(struct ucx_stage_buf *buf);

/* Between any two kinds of memory; ends the job if the platform can't. */
void ucx_stage_copy(void *dst, const void *src, size_t bytes);

/*
 * The same, without waiting if it is long: one end is in buf. done is called
 * by this or by a later ucx_stage_poll().
 */
void ucx_stage_copy_start(struct ucx_stage_buf *buf, void *dst, const void *src,
			  size_t bytes,
			  void (*done)(struct ucx_stage_buf *buf, void *arg),
			  void *arg);

/* One of several copies at once; the last is followed by watch. */
void ucx_stage_copy_queue(struct ucx_stage_buf *buf, void *dst, const void *src,
			  size_t bytes);
/* done is called by a later ucx_stage_poll(). */
void ucx_stage_watch(struct ucx_stage_buf *buf,
		     void (*done)(struct ucx_stage_buf *buf, void *arg),
		     void *arg);

/* Calls done of what has been copied; 1 if more is under way. */
int ucx_stage_poll(struct ucx_stage *stage);

/* On this PE's device memory, of 4 or 8 bytes. old may be NULL. */
void ucx_stage_amo(enum conduit_amo op, size_t bytes, void *at,
		   uint64_t operand, uint64_t cond, uint64_t *old);

#endif
