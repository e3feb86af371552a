/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/turn.h"

#include <time.h>

#include "base/line.h"
#include "base/log.h"
#include "base/order.h"
#include "host/heap.h"

/* The launcher ends everybody sooner, with the status that was asked for. */
#define PATIENCE_S 5

static size_t word_offset;
static int is_open;

int shmemi_turn_open(void)
{
	int rc = shmemi_sync_get(CACHE_LINE_BYTES, &word_offset);

	if (rc)
		shmemi_log_error("out of memory for a word of each PE");
	is_open = !rc;
	return rc;
}

void shmemi_turn_close(void)
{
	is_open = 0;
}

/* Who has ended the job, as PE + 1; of a PE that is mapped. */
static uint64_t *word(int pe)
{
	return (uint64_t *)(shmemi.routes[pe].base[CONDUIT_SYNC] + word_offset);
}

void shmemi_turn_tell_end(void)
{
	if (!is_open)
		return;
	for (int pe = 0; pe < shmemi.n_pes; pe++)
		if (shmemi.routes[pe].base[CONDUIT_SYNC])
			flag_store(word(pe), (uint64_t)shmemi.me + 1);
}

static time_t now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return t.tv_sec;
}

void shmemi_turn_look(void)
{
	static _Thread_local time_t since;
	uint64_t who = is_open ? flag_load(word(shmemi.me)) : 0;

	if (!who)
		return;
	if (!since)
		since = now_s();
	else if (now_s() - since > PATIENCE_S)
		shmemi_fatal("PE %d on %s has ended the job", (int)who - 1,
			     shmemi.peers[who - 1].host);
}
