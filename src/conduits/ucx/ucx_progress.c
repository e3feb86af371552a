/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Somebody has to answer peers while the program computes: a thread, which
 * sleeps until something arrives. A program that comes in by itself needs no
 * thread and shall not share the worker with one, so the thread keeps away from
 * a worker for as long as its count of calls changes from one nap to the next.
 */
#include "conduits/ucx/ucx.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/thread.h"

#define NAP_MIN_NS 500000
#define NAP_MAX_NS 2000000
#define SLEEP_NS 500000000

/* Empty polls after something arrived: an answer may come at once. */
#define IDLE_POLLS 20
#define POLLS_MAX 1000

/* Looks at workers of queues, which send only, among calls of progress. */
#define PROGRESS_PER_LOOK 16

/* An orderly end takes less, from a peer's to this PE's. */
#define LOST_NS 3000000000u

static struct {
	pthread_mutex_t list; /* ucx.workers */
	pthread_t thread;
	int stop;
	int wake;	    /* an eventfd */
	struct pollfd *fds; /* the thread's */
	int room;
	struct ucx_lane *lost; /* a broken connection, maybe to one who left */
	uint64_t lost_ns;
} own = { .list = PTHREAD_MUTEX_INITIALIZER, .wake = -1 };

static void thread_wake(void)
{
	if (ucx.threaded)
		eventfd_write(own.wake, 1);
}

void ucx_workers_add(struct ucx_worker *worker)
{
	pthread_mutex_lock(&own.list);
	worker->next = ucx.workers;
	ucx.workers = worker;
	__atomic_store_n(&ucx.n_workers, ucx.n_workers + 1, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&own.list);
	thread_wake();
}

struct ucx_worker *ucx_workers_remove(void)
{
	struct ucx_worker *first;

	pthread_mutex_lock(&own.list);
	first = ucx.workers;
	if (first) {
		ucx.workers = first->next;
		ucx.n_workers--;
	}
	pthread_mutex_unlock(&own.list);
	return first;
}

struct ucx_worker *ucx_workers_take(void)
{
	struct ucx_worker *worker;

	pthread_mutex_lock(&own.list);
	worker = ucx.workers;
	while (worker && __atomic_load_n(&worker->taken, __ATOMIC_ACQUIRE))
		worker = worker->next;
	if (worker)
		worker->taken = 1;
	pthread_mutex_unlock(&own.list);
	return worker;
}

void ucx_peer_forget(const struct conduit_ep *ep)
{
	pthread_mutex_lock(&own.list);
	for (struct ucx_worker *w = ucx.workers; w; w = w->next) {
		struct ucx_lane *lane = w->lanes[ep->pe];

		if (!lane)
			continue;
		ucx_lock(w);
		lane->peer = NULL;
		ucx_unlock(w);
	}
	pthread_mutex_unlock(&own.list);
}

void ucx_progress_lost(struct ucx_lane *lane)
{
	__atomic_store_n(&own.lost_ns, shmemi_now_ns(), __ATOMIC_RELAXED);
	__atomic_store_n(&own.lost, lane, __ATOMIC_RELEASE);
}

/*
 * Lanes live as long as workers, those of queues too short to be asked; peers
 * until they are forgotten, under the lock.
 */
static void check_lost(void)
{
	struct ucx_lane *lane = __atomic_load_n(&own.lost, __ATOMIC_ACQUIRE);

	if (!lane)
		return;
	if (shmemi_now_ns() - __atomic_load_n(&own.lost_ns, __ATOMIC_RELAXED) <
	    LOST_NS)
		return;
	ucx_lock(lane->worker);
	if (lane->peer)
		ucx_peer_lost(lane->peer, ucs_status_string(lane->failed));
	ucx_unlock(lane->worker);
	__atomic_store_n(&own.lost, NULL, __ATOMIC_RELAXED);
}

int ucx_worker_try(struct ucx_worker *worker)
{
	unsigned int moved;

	if (!ucx_trylock(worker))
		return 0;
	__atomic_store_n(&worker->calls, worker->calls + 1, __ATOMIC_RELAXED);
	moved = ucx_worker_progress(worker);
	ucx_unlock(worker);
	return moved != 0;
}

int ucx_progress(struct conduit *conduit)
{
	static unsigned int calls;
	int moved;

	(void)conduit;
	if (!ucx.receiver)
		return 0;
	moved = ucx_worker_try(ucx.receiver);
	if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) % PROGRESS_PER_LOOK)
		return moved;
	check_lost();
	if (__atomic_load_n(&ucx.n_workers, __ATOMIC_RELAXED) == 1 ||
	    pthread_mutex_trylock(&own.list))
		return moved;
	for (struct ucx_worker *w = ucx.workers; w; w = w->next)
		if (w != ucx.receiver)
			moved |= ucx_worker_try(w);
	pthread_mutex_unlock(&own.list);
	return moved;
}

static int is_called(const struct ucx_worker *worker)
{
	return __atomic_load_n(&worker->calls, __ATOMIC_RELAXED) !=
	       worker->seen;
}

/* 1: it will wake the thread. */
static int worker_serve(struct ucx_worker *worker)
{
	int armed = 0;

	for (int i = 0, idle = 0; !armed && i < POLLS_MAX; i++) {
		if (is_called(worker) || !ucx_trylock(worker))
			return 0;
		idle = ucx_worker_progress(worker) ? 0 : idle + 1;
		if (idle > IDLE_POLLS && worker->efd >= 0 && !worker->am_busy)
			armed = ucp_worker_arm(worker->ucp) == UCS_OK;
		ucx_unlock(worker);
	}
	return armed;
}

static int fds_grow(int n)
{
	struct pollfd *fds;

	if (n <= own.room)
		return 0;
	fds = realloc(own.fds, (size_t)n * sizeof(*fds));
	if (!fds)
		return -ENOMEM;
	own.fds = fds;
	own.room = n;
	return 0;
}

/* Serves each; how many can wake the thread, and whether that is all. */
static int workers_serve(int *all)
{
	int n = 0;

	*all = 1;
	pthread_mutex_lock(&own.list);
	if (fds_grow(ucx.n_workers + 1))
		shmemi_fatal("out of memory for %d workers", ucx.n_workers);
	own.fds[n++] = (struct pollfd){ .fd = own.wake, .events = POLLIN };
	for (struct ucx_worker *w = ucx.workers; w; w = w->next) {
		if (is_called(w) || !worker_serve(w))
			*all = 0;
		else
			own.fds[n++] = (struct pollfd){ .fd = w->efd,
							.events = POLLIN };
		w->seen = __atomic_load_n(&w->calls, __ATOMIC_RELAXED);
	}
	pthread_mutex_unlock(&own.list);
	return n;
}

static void *thread_run(void *arg)
{
	struct timespec nap = { .tv_nsec = NAP_MIN_NS };
	const struct timespec sleep = { .tv_nsec = SLEEP_NS };
	eventfd_t count;

	(void)arg;
	while (!__atomic_load_n(&own.stop, __ATOMIC_ACQUIRE)) {
		int all;
		int n = workers_serve(&all);

		if (ppoll(own.fds, (nfds_t)n, all ? &sleep : &nap, NULL) > 0 &&
		    own.fds[0].revents)
			eventfd_read(own.wake, &count);
		/* The longer the program polls itself, the longer it will. */
		if (all)
			nap.tv_nsec = NAP_MIN_NS;
		else if (nap.tv_nsec < NAP_MAX_NS)
			nap.tv_nsec *= 2;
		check_lost();
	}
	return NULL;
}

int ucx_progress_start(void)
{
	int rc;

	if (!conduit_settings.progress_thread)
		return 0;
	own.stop = 0;
	own.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	rc = own.wake < 0 ? -errno :
			    shmemi_thread_start(&own.thread, thread_run, NULL);
	if (!rc) {
		ucx.threaded = 1;
		return 0;
	}
	if (own.wake >= 0)
		close(own.wake);
	shmemi_log_error("can't start the thread that answers peers: %s",
			 strerror(-rc));
	return rc;
}

void ucx_progress_stop(void)
{
	__atomic_store_n(&own.lost, NULL, __ATOMIC_RELAXED);
	if (!ucx.threaded)
		return;
	__atomic_store_n(&own.stop, 1, __ATOMIC_RELEASE);
	thread_wake();
	pthread_join(own.thread, NULL);
	ucx.threaded = 0;
	close(own.wake);
	free(own.fds);
	own.fds = NULL;
	own.room = 0;
}
