/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conduit of the network: UCX (its protocol layer, ucp).
 *
 * A worker is what UCX sends and receives by. The default worker receives all
 * that peers send to this PE; queues share it, or have one of their own. Three
 * things stand for a peer: conduit_ep, what is known of it; a lane, a worker's
 * connection to it, made when it is first used; and a use, what one queue has
 * under way to it, which fence and quiet go by.
 *
 * All of a worker, its lanes and uses is under the worker's lock, callbacks of
 * UCX too. Only ucx_wait_turn() lets go of it for a while.
 */
#ifndef CONDUITS_UCX_H
#define CONDUITS_UCX_H

#include <ucp/api/ucp.h>

#include "base/clock.h"
#include "base/line.h"
#include "base/wait.h"
#include "conduits/conduit.h"

struct ucx_am_line;

struct conduit_ep {
	int pe;
	char *host;
	void *card; /* a copy, into which the others point */
	const ucp_address_t *address;
	struct {
		uint64_t base;	  /* of the segment, in its process */
		const void *rkey; /* packed; NULL: see staged */
	} seg[CONDUIT_NSEGMENTS];
	/* Bit s: UCX does not reach segment s, its owner must copy. */
	unsigned int staged;
};

/* A worker's connection to a peer. */
struct ucx_lane {
	struct ucx_worker *worker;
	struct conduit_ep *peer; /* NULL: disconnected */
	ucp_ep_h ep;
	ucp_rkey_h rkey[CONDUIT_NSEGMENTS];
	void *closing;			 /* a request of UCX */
	char *direct[CONDUIT_NSEGMENTS]; /* where UCX has mapped it, or NULL */
	ucs_status_t failed;		 /* UCS_OK, or why UCX gave it up */
	unsigned int requests;		 /* of all its uses */
	uint64_t moved;			 /* completions: signs of life */
};

/* What a queue has under way to a peer. */
struct ucx_use {
	struct ucx_lane *lane;
	struct conduit_queue *queue;
	int listed;	       /* in queue->listed */
	int rma;	       /* UCX has something to flush */
	int fenced;	       /* there was a fence since the last flush */
	int amos;	       /* atomics since then, maybe by messages */
	unsigned int requests; /* of UCX, which complete by themselves */
	unsigned int puts;     /* ever */
	/* Operations by active messages that peers have not confirmed. */
	unsigned int am_pending;
	int am_slow;		/* some of them may take effect out of order */
	struct ucx_am_line *am; /* of ucx_am.c; NULL: not used yet */
	size_t bytes; /* since the last quiet: how long that may take */
};

struct ucx_worker {
	_Alignas(CACHE_LINE_BYTES) int locked;
	ucp_worker_h ucp;
	int efd;	    /* or -1 */
	unsigned int calls; /* of this worker by the program: it polls itself */
	struct ucx_lane **lanes; /* by PE; NULL: not used yet */
	unsigned int seen;	 /* calls, by the thread of progress */
	uint64_t junk;		 /* where results go that nobody wants */
	struct ucx_worker *next; /* of ucx.workers */
	int taken; /* by a queue; of those that are not the default one */
	struct conduit_queue *retired; /* closed, but answers may come */
	void *am; /* ucx_am_open's own, and whether it has work left */
	int am_busy;
};

struct conduit_queue {
	struct ucx_worker *worker;
	struct ucx_use **uses;	 /* by PE; NULL: not used yet */
	struct ucx_use **listed; /* those that quiet has to look at */
	int n_listed;
	struct conduit_queue *next; /* of worker->retired */
};

struct ucx {
	ucp_context_h context;
	struct ucx_worker *workers; /* the default one is the last */
	int n_workers;
	struct ucx_worker *receiver;		       /* the default one */
	struct conduit_region mine[CONDUIT_NSEGMENTS]; /* of publish */
	ucp_mem_h memory[CONDUIT_NSEGMENTS]; /* NULL: none, or staged */
	int threaded; /* the thread of progress is there */
	int n_eps;    /* with the last one, receiving ends */
	int staging;  /* the host can't touch this PE's device memory */
};
extern struct ucx ucx;

/* ucx.c: of the conduit table, but for those of queues, which follow below. */
int ucx_context_open(void);

/* ucx_memory.c */
int ucx_alloc(struct conduit_region *region);
int ucx_free(struct conduit_region *region);
int ucx_export(const struct conduit_region *region, void *blob);
int ucx_publish(const struct conduit_region *mine, void *card, size_t *bytes);
void ucx_unpublish(void);
uint32_t ucx_card_bytes(const void *card);
/* Takes ep->card apart. */
void ucx_card_read(struct conduit_ep *ep);

/* Whether the host can't touch memory of this process; ucx_stage.c. */
int ucx_stage_is_device(const void *p);

/* ucx_worker.c */
int ucx_worker_open(struct ucx_worker **worker);
/* All; who is still connected has until then to say good-bye. */
void ucx_workers_close(uint64_t end_ns);
/* Ends the thread and all workers; may be called again. ucx.c */
void ucx_receive_stop(void);
/*
 * A worker that no other queue has, or the default one if there are too many.
 * It keeps its connections from one queue to the next.
 */
int ucx_worker_take(int options, struct ucx_worker **worker);
void ucx_worker_give(struct ucx_worker *worker);
void ucx_lock_slow(struct ucx_worker *worker);

static inline void ucx_lock(struct ucx_worker *worker)
{
	if (__atomic_exchange_n(&worker->locked, 1, __ATOMIC_ACQUIRE))
		ucx_lock_slow(worker);
}

/* 1: got it. */
static inline int ucx_trylock(struct ucx_worker *worker)
{
	return !__atomic_exchange_n(&worker->locked, 1, __ATOMIC_ACQUIRE);
}

static inline void ucx_unlock(struct ucx_worker *worker)
{
	__atomic_store_n(&worker->locked, 0, __ATOMIC_RELEASE);
}

/* The program comes in: the thread of progress need not. */
static inline void ucx_enter(struct ucx_worker *worker)
{
	ucx_lock(worker);
	__atomic_store_n(&worker->calls, worker->calls + 1, __ATOMIC_RELAXED);
}

/*
 * Moves on the worker, and what active messages have left to do; how much.
 * Lock held.
 */
unsigned int ucx_worker_progress(struct ucx_worker *worker);

/*
 * Waiting with the lock held. Each turn moves on the worker, may let go of the
 * lock for a moment, and ends the job when the peer has been silent for too
 * long or its connection is lost. use may be NULL: then without an end.
 *
 *	struct ucx_wait wait = { .worker = worker, .use = use };
 *	while (!done)
 *		ucx_wait_turn(&wait);
 */
struct ucx_wait {
	struct ucx_worker *worker;
	struct ucx_use *use;
	struct shmemi_wait wait;
	uint64_t moved;
	uint64_t since_ns;
	unsigned int turns;
};
void ucx_wait_turn(struct ucx_wait *wait);

/* ucx_progress.c: the row, and the thread, which lives until it is stopped. */
int ucx_progress(struct conduit *conduit);
int ucx_progress_start(void);
void ucx_progress_stop(void);
/* Moves on a worker unless somebody else does; whether there was something. */
int ucx_worker_try(struct ucx_worker *worker);
/* The list of workers; those of it that no queue has, or NULL. */
void ucx_workers_add(struct ucx_worker *worker);
struct ucx_worker *ucx_workers_remove(void);
struct ucx_worker *ucx_workers_take(void);
/* A connection broke that had nothing under way. */
void ucx_progress_lost(struct ucx_lane *lane);
/* Nobody speaks of this peer any more. */
void ucx_peer_forget(const struct conduit_ep *ep);

/* ucx_ep.c */
int ucx_connect(const struct conduit_peer *peer,
		const struct conduit_region *regions, const void *card,
		struct conduit_ep **ep);
int ucx_disconnect(struct conduit_ep *ep);
/* Gives back a worker's connections; peers may take until end_ns. */
void ucx_lanes_close(struct ucx_worker *worker, uint64_t end_ns);
/* When the worker is no more. */
void ucx_lanes_free(struct ucx_worker *worker);
/* The use; NULL if it can't be made, which has been logged. Lock held. */
struct ucx_use *ucx_use_open(struct conduit_queue *q, struct conduit_ep *ep);

static inline struct ucx_use *ucx_use_get(struct conduit_queue *q,
					  struct conduit_ep *ep)
{
	struct ucx_use *use = q->uses[ep->pe];

	return __builtin_expect(use != NULL, 1) ? use : ucx_use_open(q, ep);
}

/*
 * Where a segment of a peer is mapped, as UCX does over shared memory: then
 * loads and stores need neither UCX nor the lock. NULL: not mapped, or local is
 * device memory, or what came before has to be waited for.
 */
char *ucx_direct_slow(struct conduit_queue *q, struct conduit_ep *ep,
		      enum conduit_segment seg);

static inline char *ucx_direct(struct conduit_queue *q, struct conduit_ep *ep,
			       enum conduit_segment seg, const void *local)
{
	const struct ucx_use *use =
		__atomic_load_n(&q->uses[ep->pe], __ATOMIC_ACQUIRE);

	if (__builtin_expect(!use, 0))
		return ucx_direct_slow(q, ep, seg);
	if (!use->lane->direct[seg] || use->am_pending ||
	    (ucx.staging && ucx_stage_is_device(local)))
		return NULL;
	return use->lane->direct[seg];
}

/* quiet has to look at it from now on. */
static inline void ucx_use_list(struct ucx_use *use, size_t bytes)
{
	struct conduit_queue *q = use->queue;

	use->bytes += bytes;
	if (use->listed)
		return;
	use->listed = 1;
	q->listed[q->n_listed++] = use;
}

/* The job ends, with a line: the peer is lost. */
_Noreturn void ucx_peer_lost(const struct conduit_ep *ep, const char *why);
_Noreturn void ucx_peer_silent(const struct ucx_use *use);
/* A line about what UCX did not do; returns the errno, negative. */
int ucx_failed(const struct conduit_ep *ep, const char *what,
	       ucs_status_t status);

/* ucx_queue.c */
int ucx_queue_open(int options, struct conduit_queue **q);
int ucx_queue_close(struct conduit_queue *q);
void ucx_queues_free(struct ucx_worker *worker);
int ucx_fence(struct conduit_queue *q);
int ucx_quiet(struct conduit_queue *q, struct conduit_ep *ep);
/*
 * UCX's operations of this use have taken effect when it returns. Lock held;
 * let go of in between.
 */
int ucx_use_flush(struct ucx_use *use);

/*
 * A fence orders UCX's operations, and active messages, but not one kind after
 * the other; nor puts after atomics, which UCX makes by messages where a NIC
 * lacks some: this does, before an active message or an operation of UCX. Lock
 * held; let go of in between. 0 or a negative errno, logged.
 */
static inline int ucx_use_settle(struct ucx_use *use, int before_am)
{
	/* Where rma is 0 another thread's flush of it may be under way. */
	unsigned int other = before_am ?
				     (unsigned int)use->rma | use->requests :
				     use->am_pending | (unsigned int)use->amos;

	return use->fenced && other ? ucx_use_flush(use) : 0;
}

/* Whether quiet has to wait for it. */
static inline int ucx_use_busy(const struct ucx_use *use)
{
	return use->requests || use->am_pending;
}

/* ucx_rma.c, ucx_amo.c */
int ucx_put(struct conduit_queue *q, struct conduit_ep *ep,
	    enum conduit_segment seg, size_t offset, const void *src,
	    size_t bytes, int flags);
int ucx_get(struct conduit_queue *q, struct conduit_ep *ep, void *dst,
	    enum conduit_segment seg, size_t offset, size_t bytes, int flags);
int ucx_put_signal(struct conduit_queue *q, struct conduit_ep *ep,
		   enum conduit_segment seg, size_t offset, const void *src,
		   size_t bytes, enum conduit_segment sig_seg,
		   size_t sig_offset, uint64_t signal, enum conduit_amo op,
		   int flags);
int ucx_amo(struct conduit_queue *q, struct conduit_ep *ep, enum conduit_amo op,
	    size_t bytes, enum conduit_segment seg, size_t offset,
	    uint64_t operand, uint64_t cond, void *old, int flags);
/* Lock held. It has effect after what the use did before. */
int ucx_use_signal(struct ucx_use *use, enum conduit_segment seg, size_t offset,
		   uint64_t signal, enum conduit_amo op);

/*
 * What UCX returned, when it is not NULL: wait for it, or leave it, if it was
 * made with ucx_use_done() as callback and the use as user_data. what is for
 * the line that says what UCX can't do.
 */
int ucx_request_wait(struct ucx_use *use, ucs_status_ptr_t request,
		     const char *what);
int ucx_request_leave(struct ucx_use *use, ucs_status_ptr_t request,
		      const char *what);
void ucx_use_done(void *request, ucs_status_t status, void *user);
/* A put, or an atomic that is left, is about to start: quiet flushes it. */
void ucx_use_put(struct ucx_use *use, size_t bytes);

#define UCX_LEFT(use) \
	{ \
		.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | \
				UCP_OP_ATTR_FIELD_USER_DATA, \
		.cb.send = ucx_use_done, .user_data = (use), \
	}

/*
 * Active messages (ucx_am.c), for what UCX's RMA does not do, or not in one
 * flight.
 *
 * am_open registers the handlers of a worker when it is made, with the worker
 * as their argument; am_close undoes what is left. am_progress is called after
 * each progress of a worker whose am_busy is set, lock held: for what
 * handlers leave to be done later (they run inside of UCX, lock held, and must
 * not wait). They reply through reply_ep.
 *
 * The rows are called with the worker's lock held and return with it held;
 * they wait by ucx_wait_turn() only. Each operation that is not complete at
 * its return: ucx_use_list(use, bytes), use->am_pending++, and when the
 * peer's answer is in, use->am_pending-- and use->lane->moved++. (A use lives
 * until its queue is closed, which is quiet: its address may travel along as
 * a token.) quiet waits for am_pending == 0, and fence does if am_slow is set
 * (others take effect in order), or else before the next RMA of the use; before
 * an active message that a fence orders after RMA, the rows wait for the RMA.
 * So ucx_am.c needs neither.
 */
int ucx_am_open(struct ucx_worker *worker);
/* The use goes: no answer to it comes any more. */
void ucx_am_use_close(struct ucx_use *use);
/*
 * Asks the peer to confirm what is pending: quiet, and who else waits for
 * am_pending == 0, calls it before it waits. Peers confirm nothing unasked.
 */
int ucx_am_ask(struct ucx_use *use);
void ucx_am_close(struct ucx_worker *worker);
void ucx_am_progress(struct ucx_worker *worker);
int ucx_am_put(struct ucx_use *use, enum conduit_segment seg, size_t offset,
	       const void *src, size_t bytes, int flags);
int ucx_am_get(struct ucx_use *use, void *dst, enum conduit_segment seg,
	       size_t offset, size_t bytes, int flags);
/* In a staged segment only, whose owner's device does it. */
int ucx_am_amo(struct ucx_use *use, enum conduit_amo op, size_t bytes,
	       enum conduit_segment seg, size_t offset, uint64_t operand,
	       uint64_t cond, void *old, int flags);
/* Small, or one of both segments or src is staged. */
int ucx_am_put_signal(struct ucx_use *use, enum conduit_segment seg,
		      size_t offset, const void *src, size_t bytes,
		      enum conduit_segment sig_seg, size_t sig_offset,
		      uint64_t signal, enum conduit_amo op, int flags);

/* The largest payload of a put_signal in one flight. */
#define UCX_AM_SIGNAL_BYTES 32768

/* Whether put, get or amo goes to ucx_am.c. local NULL: none. */
static inline int ucx_am_wants(const struct conduit_ep *ep,
			       enum conduit_segment seg, const void *local,
			       int flags)
{
	if ((ep->staged >> seg & 1) || (flags & CONDUIT_WHOLE))
		return 1;
	return ucx.staging && ucx_stage_is_device(local);
}

#endif
