/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/clock.h"
#include "conduits/gda/gda_connect.h"
#include "device/kernels.h"

/* In a row: whoever was stopped meanwhile has not looked. */
#define LOOKS 8

/* What it takes longer than it was told, at most. */
#define SLACK 4

uint64_t gda_late_ns(void)
{
	const uint64_t try_ns = (uint64_t)4096 << shmemi.env.gda_timeout;

	return (uint64_t)shmemi.env.timeout_s * 1000000000u +
	       SLACK * try_ns * ((uint64_t)shmemi.env.gda_retries + 1);
}

static void look(struct gda_queue *q, void *arg)
{
	int *found = arg;
	struct shmemd_gda_queue copy;

	gda_row_read(q, &copy);
	if (copy.failed || copy.rung <= copy.done || copy.done != q->done ||
	    shmemd_gda_completes(&copy))
		q->n_late = 0;
	else
		q->n_late++;
	q->done = copy.done;
	if (q->n_late <= LOOKS)
		return;
	q->n_late = 0;
	gda_watch_silent(q);
	gda_queue_fail(q);
	*found = 1;
}

int gda_late_turn(void)
{
	static uint64_t last_ns;
	const uint64_t now_ns = shmemi_now_ns();
	int found = 0;

	if (gda_queue_is_device() || now_ns - last_ns < gda_late_ns() / LOOKS)
		return 0;
	last_ns = now_ns;
	gda_queues_each(look, &found);
	return found;
}
