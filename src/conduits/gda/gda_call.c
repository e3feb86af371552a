/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduits/gda/gda_connect.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/line.h"
#include "base/log.h"
#include "base/order.h"
#include "host/far.h"
#include "host/heap.h"
#include "host/segment.h"

/*
 * In the sync segment: numbers of calls, of answers, and errors, by peer, apart
 * from what they announce, so that looking for new ones is short.
 */
static struct {
	size_t offset;
	uint64_t *seen; /* numbers of calls that were taken */
	int from;	/* where to look for the next */
	uint64_t error; /* that this PE tells */
	struct shmem_ctx ctx;
	pthread_mutex_t lock;
	int parted; /* nothing is sent any more, of which the lock is */
} box = { .lock = PTHREAD_MUTEX_INITIALIZER };

static size_t lines(size_t bytes)
{
	return shmemi_round_up(bytes, CACHE_LINE_BYTES);
}

static size_t numbers_bytes(void)
{
	return lines((size_t)shmemi.n_pes * sizeof(uint64_t));
}

static size_t call_number(int pe)
{
	return box.offset + (size_t)pe * sizeof(uint64_t);
}

static size_t answer_number(int pe)
{
	return call_number(pe) + numbers_bytes();
}

static size_t error_number(int pe)
{
	return answer_number(pe) + numbers_bytes();
}

static size_t call_place(int pe)
{
	return box.offset + 3 * numbers_bytes() +
	       (size_t)pe * lines(sizeof(struct gda_request));
}

static size_t answer_place(int pe)
{
	return call_place(shmemi.n_pes) +
	       (size_t)pe * lines(sizeof(struct gda_answer));
}

static void *mine(size_t offset)
{
	return shmemi_mine[CONDUIT_SYNC].base + offset;
}

static uint64_t number_at(size_t offset)
{
	return flag_load(mine(offset));
}

int gda_call_open(void)
{
	size_t bytes;

	box.offset = 0;
	bytes = answer_place(shmemi.n_pes);
	box.seen = calloc((size_t)shmemi.n_pes, sizeof(*box.seen));
	if (!box.seen || shmemi_sync_get(bytes, &box.offset)) {
		shmemi_log_error("out of memory for calls of %d PEs",
				 shmemi.n_pes);
		free(box.seen);
		return -ENOMEM;
	}
	box.from = 0;
	box.parted = 0;
	box.ctx = (struct shmem_ctx){ .team = &shmemi_team_world,
				      .options = SHMEM_CTX_SERIALIZED };
	/* Not while kernels run, which a platform may wait for. */
	if (shmemi.net)
		(void)shmemi_ctx_queue(&box.ctx);
	return 0;
}

void gda_call_part(void)
{
	pthread_mutex_lock(&box.lock);
	box.parted = 1;
	pthread_mutex_unlock(&box.lock);
	shmemi_far_quiet("shmem_finalize", &box.ctx, -1);
}

void gda_call_close(void)
{
	if (box.ctx.queue)
		(void)shmemi.net->ops.queue_close(box.ctx.queue);
	box.ctx.queue = NULL;
	free(box.seen);
	box.seen = NULL;
}

static struct conduit_queue *queue_to(int pe)
{
	return shmemi.peers[pe].conduit[CONDUIT_SYNC] == shmemi.net ?
		       box.ctx.queue :
		       NULL;
}

static int send(int pe, size_t place, const void *what, size_t bytes,
		size_t signal, uint64_t number)
{
	const struct shmemi_peer *peer = &shmemi.peers[pe];
	int rc = 0;

	gda_counts.bytes += bytes + sizeof(number);
	pthread_mutex_lock(&box.lock);
	if (!box.parted)
		rc = peer->conduit[CONDUIT_SYNC]->ops.put_signal(
			queue_to(pe), peer->ep[CONDUIT_SYNC], CONDUIT_SYNC,
			place, what, bytes, CONDUIT_SYNC, signal, number,
			CONDUIT_SET, CONDUIT_NBI);
	pthread_mutex_unlock(&box.lock);
	return rc;
}

int gda_call_send(int pe, uint64_t number, const struct gda_request *request)
{
	return send(pe, call_place(shmemi.me), request, sizeof(*request),
		    call_number(shmemi.me), number);
}

int gda_call_answer(int pe, uint64_t number, const struct gda_answer *answer)
{
	return send(pe, answer_place(shmemi.me), answer, sizeof(*answer),
		    answer_number(shmemi.me), number);
}

int gda_call_next(int *pe, uint64_t *number, struct gda_request *request)
{
	for (int i = 0; i < shmemi.n_pes; i++) {
		int at = box.from;

		box.from = at + 1 < shmemi.n_pes ? at + 1 : 0;
		*number = number_at(call_number(at));
		if (*number == box.seen[at])
			continue;
		box.seen[at] = *number;
		*request = *(struct gda_request *)mine(call_place(at));
		*pe = at;
		return 1;
	}
	return 0;
}

int gda_call_answered(int pe, uint64_t number, struct gda_answer *answer)
{
	if (number_at(answer_number(pe)) != number)
		return 0;
	*answer = *(struct gda_answer *)mine(answer_place(pe));
	return 1;
}

int gda_call_fail(int pe, uint32_t error)
{
	const size_t place = error_number(shmemi.me);

	box.error = error;
	return send(pe, place, &box.error, sizeof(box.error), place, error);
}

uint32_t gda_call_failed(int *pe)
{
	for (*pe = 0; *pe < shmemi.n_pes; ++*pe) {
		const uint64_t error = number_at(error_number(*pe));

		if (error)
			return (uint32_t)error;
	}
	return 0;
}

int gda_call_fetch(int pe, size_t offset, void *dst, size_t bytes)
{
	const struct shmemi_peer *peer = &shmemi.peers[pe];

	gda_counts.bytes += bytes;
	return peer->conduit[CONDUIT_SYNC]->ops.get(
		queue_to(pe), peer->ep[CONDUIT_SYNC], dst, CONDUIT_SYNC, offset,
		bytes, 0);
}
