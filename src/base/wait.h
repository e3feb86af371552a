/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting for another PE: poll for a while, as it may be about to answer, then
 * give the core away, as it may be waiting for just that.
 *
 *	struct shmemi_wait wait = { 0 };
 *	while (!arrived())
 *		shmemi_wait_once(&wait);
 */
#ifndef BASE_WAIT_H
#define BASE_WAIT_H

#include "base/arch/cpu.h"

struct shmemi_wait {
	unsigned int polls;
};

/* Polls before the first yield. */
extern unsigned int shmemi_wait_spin;

/*
 * Polls before the first pause: one takes about 50 ns on recent x86, half of
 * the time that an answer from another core needs.
 */
#define SHMEMI_WAIT_EAGER 256

/* Chooses shmemi_wait_spin: spin, or for -1 by whether cores are shared. */
void shmemi_wait_tune(int spin, int shared_cores);

/* Yields, and sleeps for longer and longer when nothing comes for long. */
void shmemi_wait_yield(struct shmemi_wait *wait);

static inline void shmemi_wait_once(struct shmemi_wait *wait)
{
	unsigned int polls = wait->polls++;

	if (polls >= shmemi_wait_spin)
		shmemi_wait_yield(wait);
	else if (polls >= SHMEMI_WAIT_EAGER)
		cpu_relax();
}

#endif
