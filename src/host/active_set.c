/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The deprecated collectives name their PEs by a triplet, without a step that
 * creates a team. Its members make one on first use, by letters that each
 * writes to each other; pSync is left as it is, which is how it must be found
 * on return.
 */
#include <pthread.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/order.h"
#include "host/check.h"
#include "host/coll.h"
#include "host/far.h"
#include "host/heap.h"
#include "host/turn.h"

/* From one PE to another; tag says which set it is about. */
struct letter {
	uint64_t full;
	uint64_t tag;
	uint64_t offset;
} __attribute__((aligned(CACHE_LINE_BYTES)));

/* A letter that was taken out of its box before its reader came for it. */
struct mail {
	int from;
	uint64_t tag;
	uint64_t offset;
	struct mail *next;
};

struct set {
	uint64_t tag;
	struct shmem_team *team;
	struct set *next;
};

static struct set *sets;
static size_t box_offset; /* one letter a PE, at this offset on each PE */
static pthread_mutex_t sets_lock = PTHREAD_MUTEX_INITIALIZER;
static struct mail *inbox;
static pthread_mutex_t post_lock = PTHREAD_MUTEX_INITIALIZER;

int shmemi_active_sets_open(void)
{
	return shmemi_sync_get((size_t)shmemi.n_pes * sizeof(struct letter),
			       &box_offset);
}

void shmemi_active_sets_close(void)
{
	while (sets) {
		struct set *set = sets;

		sets = set->next;
		shmemi_team_delete(set->team);
		free(set);
	}
}

/* On this PE, or one that is near. */
static struct letter *box(int at, int from)
{
	return (struct letter *)(shmemi.routes[at].base[CONDUIT_SYNC] +
				 box_offset) +
	       from;
}

/*
 * Threads of several PEs may make sets at once, in any order, and there is one
 * box for each pair of PEs: whoever waits empties all boxes of this PE, so that
 * nobody waits for a box. All of this under post_lock.
 */
static void empty_boxes(void)
{
	for (int from = 0; from < shmemi.n_pes; from++) {
		struct letter *letter = box(shmemi.me, from);
		struct mail *mail;

		if (!flag_load(&letter->full))
			continue;
		mail = malloc(sizeof(*mail));
		if (!mail)
			shmemi_fatal("out of memory for an active set");
		*mail = (struct mail){ from, letter->tag, letter->offset,
				       inbox };
		inbox = mail;
		flag_store(&letter->full, 0);
	}
}

/*
 * To another node. Nobody else fills my box there, and it is known to be full
 * before I look again.
 */
static int letter_send_far(int to, uint64_t tag, uint64_t offset)
{
	static const char what[] = "an active set";
	const uint64_t body[] = { tag, offset };
	size_t at = box_offset + (size_t)shmemi.me * sizeof(struct letter);
	const struct shmemi_place full = { to, CONDUIT_SYNC, at };
	const struct shmemi_place place = { to, CONDUIT_SYNC,
					    at + offsetof(struct letter, tag) };
	uint64_t is_full;

	shmemi_far_get(what, &shmemi_own_ctx, &is_full, full, sizeof(is_full),
		       0);
	if (is_full)
		return 0;
	shmemi_far_put_signal(what, &shmemi_own_ctx, place, body, sizeof(body),
			      full, 1, CONDUIT_SET, 0);
	shmemi_far_quiet(what, &shmemi_own_ctx, to);
	return 1;
}

static int letter_send(int to, uint64_t tag, uint64_t offset)
{
	struct letter *letter;

	if (!shmemi_is_near(to))
		return letter_send_far(to, tag, offset);
	letter = box(to, shmemi.me);
	if (flag_load(&letter->full))
		return 0;
	letter->tag = tag;
	letter->offset = offset;
	flag_store(&letter->full, 1);
	return 1;
}

static int letter_find(int from, uint64_t tag, size_t *offset)
{
	struct mail **link = &inbox, *mail;

	while (*link && ((*link)->from != from || (*link)->tag != tag))
		link = &(*link)->next;
	mail = *link;
	if (!mail)
		return 0;
	*link = mail->next;
	*offset = mail->offset;
	free(mail);
	return 1;
}

/* Members that a set in the making has still to write to, or hear from. */
struct making {
	struct shmem_team *team;
	uint64_t tag;
	int start, stride;
	int unsent, unheard; /* how many */
	char *sent, *heard;  /* by member */
};

static void make_progress(struct making *m)
{
	struct shmem_team *team = m->team;

	empty_boxes();
	for (int i = 0; i < team->n_pes; i++) {
		int pe = m->start + i * m->stride;
		size_t offset;

		if (!m->sent[i] &&
		    letter_send(pe, m->tag, team->block_offset)) {
			m->sent[i] = 1;
			m->unsent--;
		}
		if (!m->heard[i] && letter_find(pe, m->tag, &offset)) {
			shmemi_team_block_set(team, i, offset);
			m->heard[i] = 1;
			m->unheard--;
		}
	}
}

static _Noreturn void out_of_memory(int size)
{
	shmemi_fatal("out of memory for an active set of %d PEs", size);
}

static struct shmem_team *make(int start, int stride, int size, uint64_t tag)
{
	int me = (shmemi.me - start) / stride;
	struct making m = { shmemi_team_new(me, size, start, stride),
			    tag,
			    start,
			    stride,
			    size - 1,
			    size - 1,
			    calloc((size_t)size, 1),
			    calloc((size_t)size, 1) };
	struct shmemi_wait wait = { 0 };

	if (!m.team || !m.sent || !m.heard)
		out_of_memory(size);
	shmemi_team_block_set(m.team, me, m.team->block_offset);
	m.sent[me] = m.heard[me] = 1;
	while (m.unsent || m.unheard) {
		pthread_mutex_lock(&post_lock);
		make_progress(&m);
		pthread_mutex_unlock(&post_lock);
		if (m.unsent || m.unheard)
			shmemi_turn(&wait);
	}
	if (shmemi_team_link(m.team))
		out_of_memory(size);
	free(m.sent);
	free(m.heard);
	return m.team;
}

static struct shmem_team *find(uint64_t tag)
{
	struct shmem_team *team = NULL;

	pthread_mutex_lock(&sets_lock);
	for (const struct set *set = sets; set && !team; set = set->next)
		if (set->tag == tag)
			team = set->team;
	pthread_mutex_unlock(&sets_lock);
	return team;
}

static void keep(uint64_t tag, struct shmem_team *team)
{
	struct set *set = malloc(sizeof(*set));

	if (!set)
		shmemi_fatal("out of memory for an active set");
	pthread_mutex_lock(&sets_lock);
	*set = (struct set){ tag, team, sets };
	sets = set;
	pthread_mutex_unlock(&sets_lock);
}

static void check(const char *api, int start, int log_stride, int size)
{
	long stride = log_stride >= 0 && log_stride < 31 ? 1L << log_stride : 0;
	long last = start + (size - 1L) * stride;

	if (start < 0 || !stride || size < 1 || last >= shmemi.n_pes)
		shmemi_fatal("%s: PE_start %d, logPE_stride %d, PE_size %d is "
			     "no set of PEs of 0 to %d",
			     shmemi_api(api), start, log_stride, size,
			     shmemi.n_pes - 1);
	if (shmemi.me < start || shmemi.me > last ||
	    (shmemi.me - start) % stride)
		shmemi_fatal("%s: called by a PE that is not in the set of "
			     "PE_start %d, logPE_stride %d, PE_size %d",
			     shmemi_api(api), start, log_stride, size);
}

struct shmem_team *shmemi_active_set(const char *api, int start, int log_stride,
				     int size)
{
	uint64_t tag = (uint64_t)(unsigned int)start << 37 ^
		       (uint64_t)(unsigned int)size << 5 ^
		       (unsigned int)log_stride;
	struct shmem_team *team;

	if (unlikely(shmemi.guard))
		shmemi_check_up(api);
	team = find(tag);
	if (likely(team != NULL))
		return team;
	check(api, start, log_stride, size);
	team = make(start, 1 << log_stride, size, tag);
	keep(tag, team);
	return team;
}
