/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "base/wait.h"
#include "conduits/gda/gda_verbs.h"

/* With nothing to do it polls, then naps for longer and longer. */
#define POLL_NS 50000
#define NAP_MIN_NS 20000
#define NAP_MAX_NS 200000

/* From the first ring to the last; by the service thread and by callers. */
static pthread_mutex_t life = PTHREAD_MUTEX_INITIALIZER;

static struct {
	pthread_mutex_t lock;
	unsigned int waiting; /* for lock, besides the thread */
	struct gda_verbs_ring *rings;
	pthread_t thread;
	int stop;
} poster = { .lock = PTHREAD_MUTEX_INITIALIZER };

struct idle {
	unsigned int polls;
	uint64_t since_ns;
	long nap_ns;
};

static void idle_turn(struct idle *idle)
{
	const struct timespec nap = { .tv_nsec = idle->nap_ns };

	if (!idle->since_ns)
		idle->since_ns = shmemi_now_ns();
	if (idle->nap_ns) {
		nanosleep(&nap, NULL);
		if (idle->nap_ns < NAP_MAX_NS)
			idle->nap_ns *= 2;
		return;
	}
	if (idle->polls++ < shmemi_wait_spin)
		cpu_relax();
	else
		sched_yield();
	if (idle->polls % 16 == 0 && shmemi_now_ns() - idle->since_ns > POLL_NS)
		idle->nap_ns = NAP_MIN_NS;
}

static int serve_all(void)
{
	int busy = 0;

	pthread_mutex_lock(&poster.lock);
	for (struct gda_verbs_ring *r = poster.rings; r; r = r->next)
		busy |= gda_verbs_ring_serve(r);
	pthread_mutex_unlock(&poster.lock);
	/* A busy thread would have the lock again before others wake up. */
	while (__atomic_load_n(&poster.waiting, __ATOMIC_RELAXED))
		sched_yield();
	return busy;
}

static void *work(void *arg)
{
	struct idle idle = { 0 };

	(void)arg;
	prctl(PR_SET_NAME, "shmem gda verbs");
	prctl(PR_SET_TIMERSLACK, 1000);
	while (!__atomic_load_n(&poster.stop, __ATOMIC_RELAXED)) {
		if (serve_all())
			idle = (struct idle){ 0 };
		else
			idle_turn(&idle);
	}
	return NULL;
}

static void lock_rings(void)
{
	__atomic_fetch_add(&poster.waiting, 1, __ATOMIC_RELAXED);
	pthread_mutex_lock(&poster.lock);
	__atomic_fetch_sub(&poster.waiting, 1, __ATOMIC_RELAXED);
}

static int add(struct gda_verbs_ring *ring)
{
	int is_first, rc;

	lock_rings();
	is_first = !poster.rings;
	ring->next = poster.rings;
	poster.rings = ring;
	pthread_mutex_unlock(&poster.lock);
	if (!is_first)
		return 0;
	poster.stop = 0;
	rc = shmemi_thread_start(&poster.thread, work, NULL);
	if (!rc)
		return 0;
	shmemi_log_error("no thread that posts to NICs: %s", strerror(-rc));
	poster.rings = NULL;
	return rc;
}

int gda_verbs_thread_add(struct gda_verbs_ring *ring)
{
	int rc;

	pthread_mutex_lock(&life);
	rc = add(ring);
	pthread_mutex_unlock(&life);
	return rc;
}

static void take_out(struct gda_verbs_ring *ring)
{
	struct gda_verbs_ring **at = &poster.rings;
	int is_last;

	lock_rings();
	while (*at != ring)
		at = &(*at)->next;
	*at = ring->next;
	is_last = !poster.rings;
	pthread_mutex_unlock(&poster.lock);
	if (!is_last)
		return;
	__atomic_store_n(&poster.stop, 1, __ATOMIC_RELAXED);
	pthread_join(poster.thread, NULL);
}

void gda_verbs_thread_remove(struct gda_verbs_ring *ring)
{
	pthread_mutex_lock(&life);
	take_out(ring);
	pthread_mutex_unlock(&life);
}
