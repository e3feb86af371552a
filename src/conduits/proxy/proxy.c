/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/proxy/proxy.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "base/clock.h"
#include "base/line.h"
#include "base/log.h"
#include "base/thread.h"
#include "conduits/proxy/proxy_ring.h"
#include "gpu/gpu.h"
#include "host/turn.h"

/* A thread with nothing to do polls, then naps for longer and longer. */
#define POLL_NS 50000
#define NAP_MIN_NS 20000
#define NAP_MAX_NS 200000
/* Where no kernel has needed it so far: most programs have none that does. */
#define NAP_UNUSED_NS 2000000

/* What is small is waited for first: it may be all that somebody waits for. */
#define SMALL_BYTES ((size_t)64 << 10)

struct worker {
	pthread_t thread;
	unsigned int index;
};

static struct {
	int is_open;
	int stop;
	int used;		/* since it was opened */
	unsigned int n_workers; /* that run */
	struct worker *workers;
	struct proxy_ring *rings;
	struct shmemd_proxy kernels;
	void *host;   /* of both sides */
	void *device; /* of kernels alone */
} proxy;

static void finish(const struct worker *self, size_t most_bytes, int alone)
{
	const unsigned int step = (unsigned int)shmemi.env.proxy_threads;

	for (unsigned int r = self->index; r < proxy.kernels.n_rings; r += step)
		if (proxy.rings[r].started &&
		    proxy.rings[r].started_bytes <= most_bytes)
			proxy_ring_finish(&proxy.rings[r], alone);
}

/* All rings are started before one is waited for; 0 if there was nothing. */
static int serve(const struct worker *self)
{
	const unsigned int step = (unsigned int)shmemi.env.proxy_threads;
	int busy = 0;

	for (unsigned int r = self->index; r < proxy.kernels.n_rings; r += step)
		busy += proxy_ring_start(&proxy.rings[r]);
	if (!busy)
		return 0;
	__atomic_store_n(&proxy.used, 1, __ATOMIC_RELAXED);
	finish(self, SMALL_BYTES, busy == 1);
	finish(self, SIZE_MAX, busy == 1);
	return 1;
}

struct idle {
	struct shmemi_wait wait;
	uint64_t since_ns;
	long nap_ns;
};

static void take_nap(long ns)
{
	const struct timespec nap = { .tv_nsec = ns };

	nanosleep(&nap, NULL);
}

static void idle_turn(struct idle *idle)
{
	if (!conduit_settings.progress_thread)
		(void)shmemi_progress();
	if (!__atomic_load_n(&proxy.used, __ATOMIC_RELAXED)) {
		take_nap(NAP_UNUSED_NS);
		return;
	}
	if (!idle->since_ns)
		idle->since_ns = shmemi_now_ns();
	if (idle->nap_ns) {
		take_nap(idle->nap_ns);
		if (idle->nap_ns < NAP_MAX_NS)
			idle->nap_ns *= 2;
		return;
	}
	if (idle->wait.polls++ < shmemi_wait_spin)
		cpu_relax();
	else
		sched_yield();
	if (idle->wait.polls % 16 == 0 &&
	    shmemi_now_ns() - idle->since_ns > POLL_NS)
		idle->nap_ns = NAP_MIN_NS;
}

static void *work(void *arg)
{
	const struct worker *self = arg;
	struct idle idle = { 0 };

	prctl(PR_SET_NAME, "shmem proxy");
	prctl(PR_SET_TIMERSLACK, 1000);
	for (;;) {
		if (serve(self))
			idle = (struct idle){ 0 };
		else if (__atomic_load_n(&proxy.stop, __ATOMIC_RELAXED))
			return NULL;
		else
			idle_turn(&idle);
	}
}

static void place_worker(const struct worker *self)
{
	cpu_set_t cpus;
	int rc;

	if (shmemi.env.proxy_cpu < 0)
		return;
	CPU_ZERO(&cpus);
	CPU_SET((unsigned int)shmemi.env.proxy_cpu + self->index, &cpus);
	rc = pthread_setaffinity_np(self->thread, sizeof(cpus), &cpus);
	if (rc)
		shmemi_log_warn("SHMEM_PROXY_CPU=%d: thread %u of the proxy "
				"stays where it is: %s",
				shmemi.env.proxy_cpu, self->index,
				strerror(rc));
}

static int start_worker(struct worker *self)
{
	int rc = shmemi_thread_start(&self->thread, work, self);

	if (rc)
		shmemi_log_error("no thread for the proxy: %s", strerror(-rc));
	else
		place_worker(self);
	return rc;
}

static void stop_workers(void)
{
	__atomic_store_n(&proxy.stop, 1, __ATOMIC_RELAXED);
	while (proxy.n_workers)
		pthread_join(proxy.workers[--proxy.n_workers].thread, NULL);
	proxy.stop = 0;
}

static int start_workers(void)
{
	const unsigned int n = (unsigned int)shmemi.env.proxy_threads;
	int rc = 0;

	while (!rc && proxy.n_workers < n) {
		struct worker *worker = &proxy.workers[proxy.n_workers];

		worker->index = proxy.n_workers;
		rc = start_worker(worker);
		proxy.n_workers += !rc;
	}
	if (rc)
		stop_workers();
	return rc;
}

static uint32_t power_of_two(int n)
{
	uint32_t p = 1;

	while (p < (uint32_t)n)
		p *= 2;
	return p;
}

/* Lays out an array in memory, or only counts with base NULL. */
static void *array(char *base, size_t *used, size_t n, size_t each)
{
	void *p = base ? base + *used : NULL;

	*used += (n * each + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES *
		 CACHE_LINE_BYTES;
	return p;
}

static size_t lay_out_host(struct shmemd_proxy *k, char *base)
{
	const size_t n = (size_t)k->n_rings * k->n_slots;
	size_t used = 0;

	k->entries = array(base, &used, n, sizeof(*k->entries));
	k->cells = array(base, &used, n, sizeof(*k->cells));
	k->done = array(base, &used, k->n_rings, sizeof(*k->done));
	return used;
}

static size_t lay_out_device(struct shmemd_proxy *k, char *base)
{
	const size_t rings = (size_t)k->n_lines * SHMEMD_MARKS;
	size_t used = 0;

	k->tail = array(base, &used, k->n_rings, sizeof(*k->tail));
	k->seen = array(base, &used, rings, sizeof(*k->seen));
	k->held = array(base, &used, (size_t)k->n_rings * k->n_slots,
			sizeof(*k->held));
	k->marks =
		array(base, &used, SHMEMD_ALL_CTXS * rings, sizeof(*k->marks));
	return used;
}

static int alloc(struct shmemd_proxy *k)
{
	int rc;

	k->n_rings = power_of_two(shmemi.env.proxy_rings);
	k->n_slots = power_of_two(shmemi.env.proxy_slots);
	k->n_lines = (k->n_rings + SHMEMD_MARKS - 1) / SHMEMD_MARKS;
	k->direct = (uint32_t)shmemg_device.host_access;
	rc = shmemg->host_alloc(lay_out_host(k, NULL), &proxy.host);
	if (rc)
		return rc;
	rc = shmemg->mem_alloc(lay_out_device(k, NULL), &proxy.device);
	if (rc) {
		shmemg->host_free(proxy.host);
		return rc;
	}
	lay_out_host(k, proxy.host);
	lay_out_device(k, proxy.device);
	return 0;
}

static void fill_ring(struct proxy_ring *ring, unsigned int r)
{
	const struct shmemd_proxy *k = &proxy.kernels;

	ring->n_slots = k->n_slots;
	ring->entries = k->entries + (size_t)r * k->n_slots;
	ring->cells = k->cells + (size_t)r * k->n_slots;
	ring->done = &k->done[r].n;
	proxy_ring_init(ring);
}

/* Not while kernels run, which a platform may wait for to give memory. */
static void open_queues(void)
{
	for (unsigned int r = 0; r < proxy.kernels.n_rings; r++)
		if (shmemi.net && !shmemg_device.host_access)
			(void)shmemi_ctx_queue(&proxy.rings[r].ctx);
}

static void release(void)
{
	for (unsigned int r = 0; r < proxy.kernels.n_rings; r++)
		if (proxy.rings && proxy.rings[r].ctx.queue)
			shmemi.net->ops.queue_close(proxy.rings[r].ctx.queue);
	free(proxy.rings);
	free(proxy.workers);
	shmemg->mem_free(proxy.device);
	shmemg->host_free(proxy.host);
	memset(&proxy, 0, sizeof(proxy));
}

int proxy_open(void)
{
	int rc = proxy.is_open ? 0 : alloc(&proxy.kernels);

	if (rc || proxy.is_open)
		return rc;
	proxy.rings = calloc(proxy.kernels.n_rings, sizeof(*proxy.rings));
	proxy.workers = calloc((size_t)shmemi.env.proxy_threads,
			       sizeof(*proxy.workers));
	if (proxy.rings && proxy.workers) {
		for (unsigned int r = 0; r < proxy.kernels.n_rings; r++)
			fill_ring(&proxy.rings[r], r);
		open_queues();
		rc = start_workers();
	} else {
		shmemi_log_error("out of memory for the rings of the proxy");
		rc = -ENOMEM;
	}
	if (rc)
		release();
	proxy.is_open = !rc;
	return rc;
}

void proxy_close(void)
{
	if (!proxy.is_open)
		return;
	stop_workers();
	release();
}

void proxy_tell(struct shmemd_proxy *kernels)
{
	*kernels = proxy.kernels;
}

void proxy_quiet(void)
{
	for (unsigned int r = 0; r < proxy.kernels.n_rings; r++) {
		const struct proxy_ring *ring = &proxy.rings[r];
		const uint64_t upto = proxy_ring_published(ring);
		struct shmemi_wait wait = { 0 };

		while (proxy_ring_done(ring) < upto)
			shmemi_turn(&wait);
	}
}
