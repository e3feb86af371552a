/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "base/log.h"
#include "base/thread.h"
#include "conduits/gda/gda_connect.h"
#include "host/turn.h"

/*
 * To make a queue takes a NIC a millisecond; a thread with nothing to do naps
 * for longer and longer.
 */
#define NAP_MIN_NS 20000
#define NAP_MAX_NS 1000000

static struct {
	pthread_t thread;
	int stop;
} service;

static long nap(long ns)
{
	const struct timespec time = { .tv_nsec = ns };

	nanosleep(&time, NULL);
	return ns < NAP_MAX_NS ? ns + ns / 2 : ns;
}

static void *serve(void *arg)
{
	long nap_ns = NAP_MIN_NS;

	(void)arg;
	prctl(PR_SET_NAME, "shmem gda");
	prctl(PR_SET_TIMERSLACK, 1000);
	while (!__atomic_load_n(&service.stop, __ATOMIC_RELAXED)) {
		if (gda_connect_turn() | gda_late_turn() | gda_watch_turn()) {
			nap_ns = NAP_MIN_NS;
			continue;
		}
		if (!conduit_settings.progress_thread)
			(void)shmemi_progress();
		nap_ns = nap(nap_ns);
	}
	/* What kernels have found by now has yet to be told. */
	(void)gda_watch_turn();
	return NULL;
}

int gda_thread_open(void)
{
	int rc = shmemi_thread_start(&service.thread, serve, NULL);

	if (rc)
		shmemi_log_error("no thread for queues of kernels: %s",
				 strerror(-rc));
	return rc;
}

void gda_thread_close(void)
{
	__atomic_store_n(&service.stop, 1, __ATOMIC_RELAXED);
	pthread_join(service.thread, NULL);
	service.stop = 0;
}
