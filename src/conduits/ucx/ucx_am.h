/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Active messages of the conduit of the network, among the files ucx_am*.c;
 * what others call is in ucx.h.
 *
 * What is under way from a use to a peer is a line. Messages of a line that
 * nothing answers by itself belong to its open epoch, and are counted on both
 * sides. A close tells the peer how many the epoch has: when so many have been
 * handled, it does what else the close asks for and says done. So a quiet, or
 * the signal behind many chunks, costs one message however much there was.
 */
#ifndef CONDUITS_UCX_AM_H
#define CONDUITS_UCX_AM_H

#include "conduits/ucx/ucx.h"
#include "conduits/ucx/ucx_stage.h"

enum ucx_am_id {
	UCX_AM_PUT = 1, /* put or put_signal, then the payload */
	UCX_AM_BATCH,	/* many small puts */
	UCX_AM_GET,	/* answered by data */
	UCX_AM_AMO,	/* answered by data, or counted */
	UCX_AM_CLOSE,	/* answered by done */
	UCX_AM_DATA,
	UCX_AM_DONE,
	UCX_AM_IDS
};

#define UCX_AM_EPOCHS 8 /* at most one less are closed and not done */
#define UCX_AM_NO_SIGNAL 0xff

enum {
	UCX_AM_WHOLE = 1 << 0, /* by whole words */
};

/* Which line of which PE it is of, and small things of every kind. */
struct ucx_am_from {
	uint64_t line;
	int32_t pe;
	uint8_t epoch;
	uint8_t segs;  /* segment, and << 4 that of the signal */
	uint8_t op;    /* of an amo, or of the signal: UCX_AM_NO_SIGNAL */
	uint8_t flags; /* of a put; the size of an amo */
};

struct ucx_am_put {
	struct ucx_am_from from;
	uint64_t offset;
	uint64_t sig_offset;
	uint64_t value;
};

struct ucx_am_get {
	struct ucx_am_from from;
	uint64_t offset;
	uint64_t bytes;
	uint64_t token;
};

struct ucx_am_amo {
	struct ucx_am_from from;
	uint64_t offset;
	uint64_t operand;
	uint64_t cond;
	uint64_t token; /* 0: no answer is wanted */
};

/* The signal, if any, comes when all of the epoch has been handled. */
struct ucx_am_close {
	struct ucx_am_from from;
	uint64_t count;
	uint64_t sig_offset;
	uint64_t value;
};

struct ucx_am_data {
	uint64_t token;
};

struct ucx_am_done {
	uint64_t line;
	uint64_t epoch;
};

/* Before each put of a batch, whose bytes are filled up to whole words. */
struct ucx_am_entry {
	uint64_t offset;
	uint64_t bytes;
};

#define UCX_AM_BATCH_BYTES ((size_t)8000)  /* one packet */
#define UCX_AM_BATCHED_BYTES ((size_t)256) /* longer puts go alone */

struct ucx_am_batch {
	struct ucx_am_batch *next;
	struct ucx_am_entry *last;
	size_t used;
	_Alignas(16) char bytes[UCX_AM_BATCH_BYTES];
};

/* So much is never fetched by rendezvous, which needs a buffer. */
#define UCX_AM_EAGER_BYTES ((size_t)4096)

#define UCX_AM_WIRE_BYTES 256 /* a header, and what goes along with it */

/* Ours under way: until it has left, and its answer is in. */
struct ucx_am_msg {
	struct ucx_am_msg *next;
	struct ucx_am *am;
	struct ucx_use *use; /* NULL: an answer of ours */
	int refs;
	int *waiter;   /* one less when it has left, or with the answer */
	int to_device; /* dst is */
	struct ucx_stage_buf *buf; /* given back with it */
	struct ucx_am_batch *batch;
	void *dst; /* of the answer */
	size_t bytes;
	size_t wire_bytes;
	_Alignas(16) char wire[UCX_AM_WIRE_BYTES];
};

struct ucx_am_line {
	struct ucx_use *use;
	struct ucx_am_line *next_open; /* of those with an open batch */
	struct ucx_am_batch *batch;
	uint32_t sent;			/* in the open epoch */
	uint32_t closed[UCX_AM_EPOCHS]; /* sent in those that are not done */
	uint8_t epoch;
	int held; /* nobody else may close the epoch */
};

struct ucx_am_wanted;

/* A peer's line, as its target sees it. */
struct ucx_am_source {
	uint64_t line;
	int pe;
	uint64_t handled[UCX_AM_EPOCHS];
	struct ucx_am_wanted *close[UCX_AM_EPOCHS];
};

struct ucx_am_job;

struct ucx_am {
	struct ucx_worker *worker;
	struct ucx_stage stage;
	struct ucx_am_msg *free;
	struct ucx_am_batch *free_batches;
	struct ucx_am_line *open;
	struct ucx_am_job *jobs, **jobs_tail; /* wait for a buffer */
	struct ucx_am_source *last;
	struct ucx_am_source **sources; /* by hash; a power of two of them */
	size_t n_sources, room;
};

/* ucx_am.c */
struct ucx_am_msg *ucx_am_msg(struct ucx_am *am, size_t wire_bytes);
void ucx_am_msg_unref(struct ucx_am_msg *msg);
/* Sends and drops one reference when it has left. */
int ucx_am_send(ucp_ep_h ep, enum ucx_am_id id, struct ucx_am_msg *msg,
		const void *payload, size_t bytes, unsigned int flags);
struct ucx_am_line *ucx_am_line_open(struct ucx_use *use);

static inline struct ucx_am_line *ucx_am_line(struct ucx_use *use)
{
	return use->am ? use->am : ucx_am_line_open(use);
}

static inline struct ucx_am *ucx_am_of(const struct ucx_use *use)
{
	return use->lane->worker->am;
}

/* One more of the open epoch; slow: the peer may do a later one earlier. */
void ucx_am_count(struct ucx_am_line *line, size_t bytes, int slow);
struct ucx_am_from ucx_am_from(const struct ucx_am_line *line,
			       enum conduit_segment seg);

/* ucx_am_count.c */
/* From now on others wait with that until held is 0 again. */
void ucx_am_line_hold(struct ucx_am_line *line);
/*
 * Closes the open epoch of a line that the caller holds; signal: NULL, or what
 * shall come after it.
 */
int ucx_am_line_close(struct ucx_am_line *line,
		      const struct ucx_am_close *signal);
struct ucx_am_source *ucx_am_source(struct ucx_am *am,
				    const struct ucx_am_from *from);
void ucx_am_handled(struct ucx_am *am, struct ucx_am_source *source,
		    unsigned int epoch);
void ucx_am_signal(unsigned int op, enum conduit_segment seg, uint64_t offset,
		   uint64_t value);
ucs_status_t ucx_am_on_close(void *arg, const void *header, size_t header_bytes,
			     void *data, size_t bytes,
			     const ucp_am_recv_param_t *param);
ucs_status_t ucx_am_on_done(void *arg, const void *header, size_t header_bytes,
			    void *data, size_t bytes,
			    const ucp_am_recv_param_t *param);
void ucx_am_sources_free(struct ucx_am *am);

/* ucx_am_batch.c */
int ucx_am_batch_put(struct ucx_am_line *line, size_t offset, const void *src,
		     size_t bytes);
int ucx_am_batch_push(struct ucx_am_line *line);
ucs_status_t ucx_am_on_batch(void *arg, const void *header, size_t header_bytes,
			     void *data, size_t bytes,
			     const ucp_am_recv_param_t *param);
void ucx_am_batches_free(struct ucx_am *am);

/* ucx_am_serve.c */
/* Whether the host can't touch this segment of this PE. */
int ucx_am_is_staged(enum conduit_segment seg);
ucs_status_t ucx_am_on_put(void *arg, const void *header, size_t header_bytes,
			   void *data, size_t bytes,
			   const ucp_am_recv_param_t *param);
ucs_status_t ucx_am_on_get(void *arg, const void *header, size_t header_bytes,
			   void *data, size_t bytes,
			   const ucp_am_recv_param_t *param);
ucs_status_t ucx_am_on_amo(void *arg, const void *header, size_t header_bytes,
			   void *data, size_t bytes,
			   const ucp_am_recv_param_t *param);
/* Starts what waits for buffers; 1 if more does. */
int ucx_am_serve(struct ucx_am *am);
void ucx_am_jobs_free(struct ucx_am *am);

/* ucx_am_get.c */
/* A buffer of ours, when one is free. */
struct ucx_stage_buf *ucx_am_buf_wait(struct ucx_use *use);
/* Until *n is 0. */
void ucx_am_wait(struct ucx_use *use, const int *n);
ucs_status_t ucx_am_on_data(void *arg, const void *header, size_t header_bytes,
			    void *data, size_t bytes,
			    const ucp_am_recv_param_t *param);

#endif
