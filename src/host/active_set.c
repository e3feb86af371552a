/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The deprecated collectives name their PEs by a triplet, without a step that
 * creates a team. Its members make one on first use, by letters that each
 * writes to each other; pSync is left as it is, which is how it must be found
 * on return.
 */
#include <pthread.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/wait.h"
#include "host/check.h"
#include "host/coll.h"
#include "host/heap.h"
#include "base/log.h"

/* From one PE to another; tag says which set it is about. */
struct letter {
	uint64_t full;
	uint64_t tag;
	uint64_t offset;
} __attribute__((aligned(64)));

struct set {
	uint64_t tag;
	struct shmem_team *team;
	struct set *next;
};

static struct set *sets;
static size_t box_offset; /* one letter a PE, at this offset on each PE */
static pthread_mutex_t sets_lock = PTHREAD_MUTEX_INITIALIZER;

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

static struct letter *box(int at, int from)
{
	return (struct letter *)(shmemi.routes[at].base[CONDUIT_SYNC] +
				 box_offset) + from;
}

static void letter_send(int to, uint64_t tag, uint64_t offset)
{
	struct letter *letter = box(to, shmemi.me);
	struct shmemi_wait wait = { 0 };

	while (flag_load(&letter->full))
		shmemi_wait_once(&wait);
	letter->tag = tag;
	letter->offset = offset;
	flag_store(&letter->full, 1);
}

/* A letter with another tag is for another thread of this PE. */
static uint64_t letter_receive(int from, uint64_t tag)
{
	struct letter *letter = box(shmemi.me, from);
	struct shmemi_wait wait = { 0 };
	uint64_t offset;

	while (!flag_load(&letter->full) || letter->tag != tag)
		shmemi_wait_once(&wait);
	offset = letter->offset;
	flag_store(&letter->full, 0);
	return offset;
}

static struct shmem_team *make(int start, int stride, int size, uint64_t tag)
{
	int me = (shmemi.me - start) / stride;
	struct shmem_team *team = shmemi_team_new(me, size, start, stride);

	if (!team)
		shmemi_fatal("out of memory for an active set of %d PEs", size);
	for (int i = 1; i < size; i++)
		letter_send(start + (me + i) % size * stride, tag,
			    team->block_offset);
	shmemi_team_block_set(team, me, team->block_offset);
	for (int i = 1; i < size; i++) {
		int member = (me + i) % size;

		shmemi_team_block_set(team, member,
				      letter_receive(start + member * stride,
						     tag));
	}
	return team;
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
	long stride = log_stride >= 0 && log_stride < 31 ? 1L << log_stride :
							   0;
	long last = start + (size - 1L) * stride;

	if (start < 0 || !stride || size < 1 || last >= shmemi.n_pes)
		shmemi_fatal("%s: PE_start %d, logPE_stride %d, PE_size %d is "
			     "no set of PEs of 0 to %d", shmemi_api(api),
			     start, log_stride, size, shmemi.n_pes - 1);
	if (shmemi.me < start || shmemi.me > last ||
	    (shmemi.me - start) % stride)
		shmemi_fatal("%s: called by a PE that is not in the set of "
			     "PE_start %d, logPE_stride %d, PE_size %d",
			     shmemi_api(api), start, log_stride, size);
}

struct shmem_team *shmemi_active_set(const char *api, int start,
				     int log_stride, int size)
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
