/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a PE does while it waits for another one:
 *
 *	struct shmemi_wait wait = { 0 };
 *	while (!arrived())
 *		shmemi_turn(&wait);
 */
#ifndef SHMEMI_TURN_H
#define SHMEMI_TURN_H

#include "base/wait.h"
#include "host/device.h"
#include "host/shmemi.h"

/*
 * A word of each PE by which peers on its node learn that one has ended the
 * job, also where the launcher is cut off. open: the first use of the sync
 * segment, so that it lies alike on all PEs. 0 or -ENOMEM, logged.
 */
int shmemi_turn_open(void);
void shmemi_turn_close(void);
void shmemi_turn_tell_end(void);

/*
 * A long wait: ends the process some time after a peer has ended the job, and
 * asks the next node now and then whether it is still there.
 */
void shmemi_turn_look(void);
#define SHMEMI_TURNS_PER_LOOK 256

/* Moves on what is under way between nodes; 1 if there was something. */
static inline int shmemi_progress(void)
{
	return unlikely(shmemi.net != NULL) &&
	       shmemi.net->ops.progress(shmemi.net);
}

static inline void shmemi_turn(struct shmemi_wait *wait)
{
	if (unlikely(shmemi.guard & SHMEMI_GUARD_CHECK))
		shmemi_device_error_check();
	if (unlikely(wait->polls % SHMEMI_TURNS_PER_LOOK ==
		     SHMEMI_TURNS_PER_LOOK - 1))
		shmemi_turn_look();
	if (shmemi_progress())
		wait->polls = 0;
	else
		shmemi_wait_once(wait);
}

#endif
