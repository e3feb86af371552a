/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/wait.h"

#include <sched.h>
#include <time.h>

/* About 100 us of polling on one's own core; a few polls on a shared one. */
#define SPIN_ALONE 2000
#define SPIN_SHARED 10

/* A wait of this many yields is no longer a matter of latency. */
#define YIELDS_BEFORE_SLEEP 2000
#define SLEEP_MAX_NS 200000

unsigned int shmemi_wait_spin = SPIN_SHARED;

void shmemi_wait_tune(int spin, int shared_cores)
{
	if (spin >= 0)
		shmemi_wait_spin = (unsigned int)spin;
	else
		shmemi_wait_spin = shared_cores ? SPIN_SHARED : SPIN_ALONE;
}

void shmemi_wait_yield(struct shmemi_wait *wait)
{
	unsigned int yields = wait->polls - shmemi_wait_spin;
	struct timespec nap = { 0 };

	if (yields < YIELDS_BEFORE_SLEEP) {
		sched_yield();
		return;
	}
	nap.tv_nsec = 1000L * (yields - YIELDS_BEFORE_SLEEP + 1);
	if (nap.tv_nsec > SLEEP_MAX_NS)
		nap.tv_nsec = SLEEP_MAX_NS;
	nanosleep(&nap, NULL);
}
