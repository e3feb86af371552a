/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/turn.h"

#include <time.h>

#include "base/line.h"
#include "base/log.h"
#include "base/order.h"
#include "host/far.h"
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

/* A peer on this node has ended the job. */
static void look_here(void)
{
	static _Thread_local time_t since;
	uint64_t who = flag_load(word(shmemi.me));

	if (!who)
		return;
	if (!since)
		since = now_s();
	else if (now_s() - since > PATIENCE_S)
		shmemi_fatal("PE %d on %s has ended the job", (int)who - 1,
			     shmemi.peers[who - 1].host);
}

/* The lowest PE of the next node, in a ring of all; -1 if there is one node. */
static int next_node(void)
{
	int mine = shmemi.peers[shmemi.me].node;

	for (int i = 1; i < shmemi.n_pes; i++) {
		int pe = (mine + i) % shmemi.n_pes;

		if (shmemi.peers[pe].node == pe && pe != mine)
			return pe;
	}
	return -1;
}

/* A far PE that does not answer ends the job, as any transfer with it would. */
static void ask(int pe)
{
	const struct shmemi_place at = { pe, CONDUIT_SYNC, word_offset };
	uint64_t unused;

	shmemi_far_amo("a long wait", &shmemi_own_ctx, CONDUIT_FETCH,
		       sizeof(unused), at, 0, 0, &unused, 0);
}

/*
 * Who waits for a message has nothing under way that could fail when a link is
 * cut. Without a thread of progress PEs that compute don't answer, so are not
 * asked.
 */
static void look_there(void)
{
	static _Thread_local time_t first, last;
	time_t now = now_s();
	int pe = next_node();

	if (now - last > 1)
		first = now;
	last = now;
	if (pe < 0 || now - first <= shmemi.env.timeout_s / 3)
		return;
	ask(pe);
	first = last = now_s();
}

void shmemi_turn_look(void)
{
	if (!is_open)
		return;
	look_here();
	if (shmemi.net && shmemi.env.progress == SHMEMI_BY_THREAD)
		look_there();
}
