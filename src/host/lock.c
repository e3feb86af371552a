/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queue locks (MCS) in one symmetric long. Its upper half, on the lock's home
 * PE, names the last PE in the queue; its lower half, on each waiting PE, is
 * that PE's place: who comes next, and whether to wait still. PEs are stored
 * as pe + 1. A free lock is all zero everywhere, as it began.
 */
#include <pthread.h>
#include <stdlib.h>

#include "base/log.h"
#include "host/rma.h"
#include "host/turn.h"

#define WAITING 0x80000000u

/* Locks that a thread of this PE holds or queues for: one place per PE. */
struct held {
	const long *lock;
	struct held *next;
};

static struct held *held;
static pthread_mutex_t held_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t held_less = PTHREAD_COND_INITIALIZER;

static int is_held(const long *lock)
{
	for (const struct held *h = held; h; h = h->next)
		if (h->lock == lock)
			return 1;
	return 0;
}

/* 1 if the lock is now marked; 0 if it was and wait is 0. */
static int hold(const long *lock, int wait)
{
	struct held *h;

	pthread_mutex_lock(&held_lock);
	while (is_held(lock)) {
		if (!wait) {
			pthread_mutex_unlock(&held_lock);
			return 0;
		}
		pthread_cond_wait(&held_less, &held_lock);
	}
	h = malloc(sizeof(*h));
	if (!h)
		shmemi_fatal("out of memory for a lock");
	*h = (struct held){ lock, held };
	held = h;
	pthread_mutex_unlock(&held_lock);
	return 1;
}

static void must_hold(const char *api, const long *lock)
{
	int is;

	pthread_mutex_lock(&held_lock);
	is = is_held(lock);
	pthread_mutex_unlock(&held_lock);
	if (!is)
		shmemi_fatal("%s: lock %p is not held by this PE",
			     shmemi_api(api), (const void *)lock);
}

static void unhold(const long *lock)
{
	struct held **link = &held, *h;

	pthread_mutex_lock(&held_lock);
	while ((*link)->lock != lock)
		link = &(*link)->next;
	h = *link;
	*link = h->next;
	free(h);
	pthread_cond_broadcast(&held_less);
	pthread_mutex_unlock(&held_lock);
}

static const uint32_t *place(const long *lock)
{
	return (const uint32_t *)lock;
}

static const uint32_t *tail(const long *lock)
{
	return (const uint32_t *)lock + 1;
}

static int home(const long *lock)
{
	size_t offset = 0;

	shmemi_locate(lock, &offset);
	return (int)(offset / sizeof(*lock) % (size_t)shmemi.n_pes);
}

static uint32_t amo(const char *api, enum conduit_amo op, const uint32_t *word,
		    uint32_t value, uint32_t cond, int pe)
{
	uint32_t old;

	shmemi_amo(api, SHMEM_CTX_DEFAULT, op, sizeof(old), "lock", word,
		   &value, &cond, &old, pe);
	return old;
}

static void check(const char *api, const long *lock)
{
	shmemi_check_sym(api, "lock", lock, sizeof(*lock));
}

void pshmem_set_lock(long *lock)
{
	uint32_t me = (uint32_t)shmemi.me + 1, before;
	struct shmemi_wait wait = { 0 };

	if (unlikely(shmemi.guard))
		check(__func__, lock);
	hold(lock, 1);
	amo(__func__, CONDUIT_SET, place(lock), WAITING, 0, shmemi.me);
	before = amo(__func__, CONDUIT_SWAP, tail(lock), me, 0, home(lock));
	if (!before)
		return;
	amo(__func__, CONDUIT_OR, place(lock), me, 0, (int)before - 1);
	while (amo(__func__, CONDUIT_FETCH, place(lock), 0, 0, shmemi.me) &
	       WAITING)
		shmemi_turn(&wait);
}
weak_alias(pshmem_set_lock, shmem_set_lock);

int pshmem_test_lock(long *lock)
{
	uint32_t me = (uint32_t)shmemi.me + 1;

	if (unlikely(shmemi.guard))
		check(__func__, lock);
	if (!hold(lock, 0))
		return 1;
	amo(__func__, CONDUIT_SET, place(lock), 0, 0, shmemi.me);
	if (!amo(__func__, CONDUIT_CSWAP, tail(lock), me, 0, home(lock)))
		return 0;
	unhold(lock);
	return 1;
}
weak_alias(pshmem_test_lock, shmem_test_lock);

/* The PE behind this one, once it has said so; 0 if there is none. */
static uint32_t successor(const char *api, const long *lock)
{
	uint32_t me = (uint32_t)shmemi.me + 1, next;
	struct shmemi_wait wait = { 0 };

	next = amo(api, CONDUIT_FETCH, place(lock), 0, 0, shmemi.me) & ~WAITING;
	if (next)
		return next;
	if (amo(api, CONDUIT_CSWAP, tail(lock), 0, me, home(lock)) == me)
		return 0;
	while (!(next = amo(api, CONDUIT_FETCH, place(lock), 0, 0, shmemi.me) &
			~WAITING))
		shmemi_turn(&wait);
	return next;
}

void pshmem_clear_lock(long *lock)
{
	uint32_t next;

	if (unlikely(shmemi.guard))
		check(__func__, lock);
	must_hold(__func__, lock);
	pshmem_quiet();
	next = successor(__func__, lock);
	amo(__func__, CONDUIT_SET, place(lock), 0, 0, shmemi.me);
	if (next)
		amo(__func__, CONDUIT_AND, place(lock), ~WAITING, 0,
		    (int)next - 1);
	unhold(lock);
}
weak_alias(pshmem_clear_lock, shmem_clear_lock);
