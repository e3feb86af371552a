/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Connecting queues, by the service thread: a kernel asks for a queue by a word
 * in a list (gda_row.c); this PE makes it and *calls* the peer, with the
 * queue's address (gda_call.c); the peer makes a target and answers with its
 * own; then kernels get the queue, and keys of the peer's memory
 * (gda_remote.c). Who asks or does not answer for SHMEM_TIMEOUT is refused.
 */
#ifndef GDA_CONNECT_H
#define GDA_CONNECT_H

#include "conduits/gda/gda_impl.h"
#include "host/shmemi.h"

/* A queue that a kernel wants. */
struct gda_ask {
	unsigned int ctx, index;
	int pe;
	unsigned int age; /* of the context's row */
};

/* What a PE is called with, and what it answers. */
struct gda_request {
	struct gda_address address;
	uint32_t nic;
	uint32_t unused;
};

struct gda_answer {
	struct gda_address address;
	int32_t error; /* a negative errno, or 0 */
	uint32_t nic;  /* of the peer's, where the target is */
	uint64_t keys; /* offset of its struct gda_keys in its sync segment */
	uint64_t n_chunks;
};

/* What was done since open, for a trace. */
struct gda_counts {
	uint64_t queues, targets, refused;
	uint64_t bytes; /* sent to peers, or fetched from them */
};
extern struct gda_counts gda_counts;

/*
 * The mailbox: a slot for each peer's call, one for each peer's answer. A call
 * is known by its number, which rises by one from 1 on for each peer; one is
 * under way with a peer at a time. What is sent stays as it is until the
 * answer, or close. open: alike on all PEs. 0 or a negative errno; open logs,
 * the network's conduit too.
 *
 * part     all that was sent has arrived, while peers are there; what is sent
 *          from then on is dropped
 * next     takes a peer's call, from any: 1, or 0 for none
 * answered takes the answer to call number: 1, or 0 if it is not there yet
 * fail     tells a peer that SHMEM_CTX_DEFAULT has failed here: SHMEMX_ERROR_*
 * failed   the error that a peer told, and its number; 0 for none
 * fetch    bytes of a peer's sync segment, at once
 */
int gda_call_open(void);
void gda_call_close(void);
void gda_call_part(void);
int gda_call_send(int pe, uint64_t number, const struct gda_request *request);
int gda_call_next(int *pe, uint64_t *number, struct gda_request *request);
int gda_call_answer(int pe, uint64_t number, const struct gda_answer *answer);
int gda_call_answered(int pe, uint64_t number, struct gda_answer *answer);
int gda_call_fail(int pe, uint32_t error);
uint32_t gda_call_failed(int *pe);
int gda_call_fetch(int pe, size_t offset, void *dst, size_t bytes);

/*
 * Keys. show: puts this PE's where peers fetch them; offset: of those of a NIC.
 * get: those of a peer, for kernels, by what it answered: fetched once.
 */
int gda_remote_open(void);
void gda_remote_close(void);
int gda_remote_show(void);
uint64_t gda_remote_offset(unsigned int nic);
int gda_remote_get(int pe, const struct gda_answer *answer,
		   const struct shmemd_gda_remote **remote);

/*
 * What kernels see: rows of contexts, words, queues. open: 0 or a negative
 * errno, logged. One caller at a time, but for quiet, used and write.
 *
 * next     takes an ask for a queue that is not known yet: 1, or 0 for none
 * wants    0: the row was forgotten since the ask
 * add      kernels may use q from now on, whose image is complete
 * refuse   they won't get this one; the context has failed before
 * forget   a context that failed: its next ask finds nothing
 * write32  one word of theirs
 * read     q's image with what kernels have in it now: done before rung
 */
int gda_rows_open(void);
void gda_rows_close(void);
void gda_rows_tell(struct shmemd_gda *kernels);
int gda_row_next(struct gda_ask *ask);
int gda_row_wants(const struct gda_ask *ask);
int gda_row_add(const struct gda_ask *ask, struct gda_queue *q);
void gda_row_refuse(const struct gda_ask *ask);
void gda_row_forget(unsigned int ctx);
int gda_row_is_open(unsigned int ctx);
/* The contexts that kernels have asked for; by the service thread. */
unsigned int gda_rows_used(const unsigned int **ctxs);
void gda_row_write32(uint32_t *at, uint32_t v);
void gda_row_read(const struct gda_queue *q, struct shmemd_gda_queue *image);

/*
 * Whether all that kernels have posted in queues of contexts without a failure
 * is done, as far as they looked.
 */
int gda_rows_quiet(void);

/*
 * The service thread. turn: what there is to do, asks and calls; 1 if there was
 * something. open: 0 or a negative errno, logged; close: it has ended.
 */
int gda_thread_open(void);
void gda_thread_close(void);
int gda_connect_turn(void);

/*
 * By the service thread: fails a queue whose NIC was told of entries and has
 * completed none for late_ns, which is SHMEM_TIMEOUT after the NIC itself would
 * have given up; 1 if there was one. Where the host can't look at completions
 * it does nothing.
 */
int gda_late_turn(void);
uint64_t gda_late_ns(void);

/* A context of the host begins, of which no kernel knows yet. */
void gda_connect_begin(unsigned int ctx, long options);

/* The context of a handle that is given out again has not failed. */
void gda_watch_forget(unsigned int ctx);

/* Marks a queue as failed, so that kernels stop waiting for it. */
void gda_queue_fail(struct gda_queue *q);

#endif
