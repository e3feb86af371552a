/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Completions of each format: counts of few bits become counts of 64, over many
 * laps; entries of two places; errors; what is old is no news; several pollers
 * at once, who may never see more than was done, nor one completion twice.
 * Prints its seed; SEED=n repeats it.
 */
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "nic_sim.h"

#define POLLERS 3
#define LONG_RUN (5 * 65536u)

static struct memory memory;
static struct sim sim;
static unsigned int seed;

static void test_widen(void)
{
	CHECK(gda_widen(0, 0, 16) == 0);
	CHECK(gda_widen(0, 0xffff, 16) == 0xffff);
	CHECK(gda_widen(0xffff, 0, 16) == 0x10000);
	CHECK(gda_widen(0x1fffe, 0xfffe, 16) == 0x1fffe);
	CHECK(gda_widen(0x1fffe, 0xfffd, 16) == 0x2fffd);
	CHECK(gda_widen(0xfffffffff0, 0x10, 24) == 0x10000000010);
	CHECK(gda_widen(UINT64_MAX - 3, 0xfffe, 16) == UINT64_MAX - 1);
}

/* A completion is one poller's, whoever else saw it. */
static void test_take(void)
{
	struct shmemd_gda_queue *q = &memory.q;

	memory_init(&memory, SHMEMD_GDA_MLX5, 16);
	q->polled = 5;
	CHECK(gda_take(q, 5) && q->polled == 6);
	CHECK(!gda_take(q, 5) && q->polled == 6);
	q->alone = 1;
	CHECK(gda_take(q, 6) && q->polled == 7);
}

/* An entry of the queue's format: of two places now and then. */
static struct gda_op random_op(void)
{
	struct gda_op op = { GDA_WRITE, 8, 1, 2, 3, 4, { 0 } };
	const unsigned int kind = (unsigned int)rand_r(&seed) % 8;

	if (memory.q.format == SHMEMD_GDA_MLX5 && kind < 4) {
		op.kind = GDA_MASKED_SWAP;
		op.bytes = kind < 2 ? 8 : 4;
	}
	return op;
}

/*
 * Posts entries for at most `most` places from at on, the last one of which
 * completes; returns the place after them, *last is that of the last entry.
 */
static uint64_t post(uint64_t at, uint64_t most, uint64_t *last)
{
	const uint64_t end = at + 1 + (uint64_t)rand_r(&seed) % most;

	for (;;) {
		const struct gda_op op = random_op();

		if (at + gda_places(&op) > end && at + 1 < end)
			continue;
		if (at + gda_places(&op) > end)
			return at;
		gda_write(&memory.q, at, &op, 1);
		*last = at;
		at += gda_places(&op);
		if (at == end)
			return at;
	}
}

/* One poller: after each completion, exactly that is news. */
static void test_alone(enum shmemd_gda_format format, uint32_t n_places,
		       uint32_t index_modulus, int overwrites)
{
	struct gda_status status = { 0, 0, 0, 0 };
	uint64_t at = 0, last = 0;

	sim_init(&sim, &memory, format, n_places);
	if (index_modulus)
		sim.index_modulus = index_modulus;
	if (overwrites)
		memory.q.n_completions = 1;
	while (at < LONG_RUN) {
		const uint64_t upto = post(at, n_places, &last);

		CHECK(!gda_poll(&memory.q, &status));
		if (upto == at)
			continue;
		sim_complete(&sim, last, upto);
		CHECK(gda_poll(&memory.q, &status) == 1);
		CHECK(!status.code && status.done == upto);
		memory.q.done = status.done;
		at = upto;
		CHECK(!gda_poll(&memory.q, &status));
	}
}

/* What stands in a queue that was full and has completed. */
static void test_full(enum shmemd_gda_format format)
{
	struct gda_status status = { 0, 0, 0, 0 };
	const struct gda_op op = { GDA_WRITE, 8, 1, 2, 3, 4, { 0 } };
	uint64_t at;

	sim_init(&sim, &memory, format, 16);
	for (at = 0; at < 65536 + 64; at += 16) {
		gda_write(&memory.q, at + 15, &op, 1);
		sim_complete(&sim, at + 15, at + 16);
		CHECK(gda_poll(&memory.q, &status) && !status.code);
		CHECK(status.done == at + 16);
		memory.q.done = status.done;
	}
}

struct known {
	enum shmemd_gda_format format;
	uint32_t code, error;
};

static const struct known errors[] = {
	{ SHMEMD_GDA_MLX5, 0x01, SHMEMX_ERROR_LOCAL },
	{ SHMEMD_GDA_MLX5, 0x02, SHMEMX_ERROR_LOCAL },
	{ SHMEMD_GDA_MLX5, 0x04, SHMEMX_ERROR_LOCAL },
	{ SHMEMD_GDA_MLX5, 0x05, SHMEMX_ERROR_FLUSHED },
	{ SHMEMD_GDA_MLX5, 0x06, SHMEMX_ERROR_LOCAL },
	{ SHMEMD_GDA_MLX5, 0x10, SHMEMX_ERROR_REMOTE },
	{ SHMEMD_GDA_MLX5, 0x11, SHMEMX_ERROR_LOCAL },
	{ SHMEMD_GDA_MLX5, 0x12, SHMEMX_ERROR_REMOTE },
	{ SHMEMD_GDA_MLX5, 0x13, SHMEMX_ERROR_REMOTE },
	{ SHMEMD_GDA_MLX5, 0x14, SHMEMX_ERROR_REMOTE },
	{ SHMEMD_GDA_MLX5, 0x15, SHMEMX_ERROR_LINK },
	{ SHMEMD_GDA_MLX5, 0x16, SHMEMX_ERROR_LINK },
	{ SHMEMD_GDA_MLX5, 0x22, SHMEMX_ERROR_REMOTE },
	{ SHMEMD_GDA_MLX5, 0x7f, SHMEMX_ERROR_UNKNOWN },
	{ SHMEMD_GDA_BNXT, 0x01, SHMEMX_ERROR_REMOTE },
	{ SHMEMD_GDA_BNXT, 0x02, SHMEMX_ERROR_LOCAL },
	{ SHMEMD_GDA_BNXT, 0x05, SHMEMX_ERROR_LOCAL },
	{ SHMEMD_GDA_BNXT, 0x06, SHMEMX_ERROR_REMOTE },
	{ SHMEMD_GDA_BNXT, 0x08, SHMEMX_ERROR_REMOTE },
	{ SHMEMD_GDA_BNXT, 0x09, SHMEMX_ERROR_LINK },
	{ SHMEMD_GDA_BNXT, 0x0a, SHMEMX_ERROR_LINK },
	{ SHMEMD_GDA_BNXT, 0x0b, SHMEMX_ERROR_FLUSHED },
	{ SHMEMD_GDA_BNXT, 0x70, SHMEMX_ERROR_UNKNOWN },
	{ SHMEMD_GDA_IONIC, 1, SHMEMX_ERROR_LOCAL },
	{ SHMEMD_GDA_IONIC, 3, SHMEMX_ERROR_LOCAL },
	{ SHMEMD_GDA_IONIC, 4, SHMEMX_ERROR_FLUSHED },
	{ SHMEMD_GDA_IONIC, 5, SHMEMX_ERROR_LOCAL },
	{ SHMEMD_GDA_IONIC, 6, SHMEMX_ERROR_REMOTE },
	{ SHMEMD_GDA_IONIC, 7, SHMEMX_ERROR_LOCAL },
	{ SHMEMD_GDA_IONIC, 8, SHMEMX_ERROR_REMOTE },
	{ SHMEMD_GDA_IONIC, 10, SHMEMX_ERROR_REMOTE },
	{ SHMEMD_GDA_IONIC, 11, SHMEMX_ERROR_LINK },
	{ SHMEMD_GDA_IONIC, 12, SHMEMX_ERROR_LINK },
	{ SHMEMD_GDA_IONIC, 13, SHMEMX_ERROR_UNKNOWN },
	{ SHMEMD_GDA_VERBS, 1, SHMEMX_ERROR_LOCAL },
	{ SHMEMD_GDA_VERBS, 5, SHMEMX_ERROR_FLUSHED },
	{ SHMEMD_GDA_VERBS, 7, SHMEMX_ERROR_REMOTE },
	{ SHMEMD_GDA_VERBS, 8, SHMEMX_ERROR_LOCAL },
	{ SHMEMD_GDA_VERBS, 10, SHMEMX_ERROR_REMOTE },
	{ SHMEMD_GDA_VERBS, 12, SHMEMX_ERROR_LINK },
	{ SHMEMD_GDA_VERBS, 13, SHMEMX_ERROR_LINK },
	{ SHMEMD_GDA_VERBS, 21, SHMEMX_ERROR_UNKNOWN },
	{ SHMEMD_GDA_NONE, 0, 0 }
};

static void fail(const struct known *e)
{
	if (e->format == SHMEMD_GDA_MLX5)
		sim_mlx5(&sim, 2, e->code, 0x9c);
	else if (e->format == SHMEMD_GDA_BNXT)
		sim_bnxt(&sim, 3, e->code);
	else if (e->format == SHMEMD_GDA_IONIC)
		sim_ionic(&sim, 3, e->code, GDA_IONIC_CQE_LOCAL);
	else
		sim_verbs(&sim, 3, e->code, 0x9c);
}

/* Two places are done when the third fails: done stays, and it is no news. */
static void test_error(const struct known *e, int overwrites)
{
	const int has_vendor =
		e->format == SHMEMD_GDA_MLX5 || e->format == SHMEMD_GDA_VERBS;
	struct gda_status status = { 0, 0, 0, 0 };
	const struct gda_op op = { GDA_WRITE, 8, 1, 2, 3, 4, { 0 } };

	sim_init(&sim, &memory, e->format, 16);
	if (overwrites)
		memory.q.n_completions = 1;
	gda_write(&memory.q, 1, &op, 1);
	sim_complete(&sim, 1, 2);
	CHECK(gda_poll(&memory.q, &status) && status.done == 2);
	CHECK(!status.code);
	memory.q.done = 2;
	gda_write(&memory.q, 2, &op, 1);
	fail(e);
	CHECK(gda_poll(&memory.q, &status));
	CHECK(status.code == e->code && status.error == e->error);
	CHECK(status.vendor == (has_vendor ? 0x9c : 0));
	CHECK(memory.q.done == 2);
}

/* An error of the NIC that has no number is one all the same. */
static void test_error_without_code(void)
{
	struct gda_status status = { 0, 0, 0, 0 };

	sim_init(&sim, &memory, SHMEMD_GDA_MLX5, 16);
	sim_mlx5(&sim, 0, 1, 0);
	memory.completions[55] = 0;
	CHECK(gda_poll(&memory.q, &status) && status.code);
	CHECK(status.error == SHMEMX_ERROR_UNKNOWN);
	sim_init(&sim, &memory, SHMEMD_GDA_MLX5, 16);
	sim_mlx5(&sim, 0, 1, 0);
	memory.completions[63] = (char)(GDA_MLX5_CQE_RESPONDER_ERROR << 4);
	CHECK(gda_poll(&memory.q, &status) && status.code == 1);
}

/* Every quarter of ionic's completions, the NIC hears of it. */
static void test_tell(void)
{
	struct gda_status status = { 0, 0, 0, 0 };
	uint64_t at;

	sim_init(&sim, &memory, SHMEMD_GDA_IONIC, 16);
	for (at = 0; at < 200; at++) {
		const uint64_t told = (at + 1) / 8 * 8;

		sim_complete(&sim, at, at + 1);
		CHECK(gda_poll(&memory.q, &status));
		memory.q.done = status.done;
		if (told)
			CHECK(memory.completions_doorbell ==
			      (7 << 24 | (told & 31)));
	}
}

static uint64_t limit;	 /* places that are done */
static uint64_t n_taken; /* completions that a poller had */
static int over;

/* As gda_look does. */
static int poll_alone(struct shmemd_gda_queue *q, struct gda_status *status)
{
	int found;

	if (shmemd_amo32(SHMEMD_CSWAP, &q->looking, 1, 0))
		return 0;
	found = gda_poll(q, status);
	shmemd_store32(&q->looking, 0);
	return found;
}

static void *poller(void *arg)
{
	struct shmemd_gda_queue *q = &memory.q;
	uint64_t taken = 0;

	while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
		struct gda_status status = { 0, 0, 0, 0 };

		if (!poll_alone(q, &status)) {
			sched_yield();
			continue;
		}
		CHECK(!status.code);
		CHECK(status.done <= __atomic_load_n(&limit, __ATOMIC_ACQUIRE));
		shmemd_max64(&q->done, status.done);
		taken++;
	}
	__atomic_fetch_add(&n_taken, taken, __ATOMIC_RELAXED);
	return arg;
}

static void await_done(uint64_t least)
{
	while (shmemd_load64(&memory.q.done) < least)
		sched_yield();
}

static void test_race(enum shmemd_gda_format format, uint32_t n_places,
		      int overwrites)
{
	pthread_t threads[POLLERS];
	uint64_t at = 0, last = 0;
	int i;

	sim_init(&sim, &memory, format, n_places);
	if (overwrites)
		memory.q.n_completions = 1;
	limit = n_taken = 0;
	over = 0;
	for (i = 0; i < POLLERS; i++)
		CHECK(!pthread_create(&threads[i], NULL, poller, NULL));
	while (at < LONG_RUN / 2) {
		const uint64_t most = n_places / 4;
		uint64_t upto;

		if (at + most > n_places)
			await_done(at + most - n_places);
		upto = post(at, most, &last);
		__atomic_store_n(&limit, upto, __ATOMIC_RELEASE);
		if (upto > at)
			sim_complete(&sim, last, upto);
		at = upto;
	}
	await_done(at);
	__atomic_store_n(&over, 1, __ATOMIC_RELEASE);
	for (i = 0; i < POLLERS; i++)
		CHECK(!pthread_join(threads[i], NULL));
	CHECK(memory.q.done == at);
	if (memory.q.n_completions > 1) {
		CHECK(n_taken == sim.n_completions);
		CHECK(memory.q.polled == sim.n_completions);
	}
}

int main(void)
{
	const char *text = getenv("SEED");
	const struct known *e;

	seed = text ? (unsigned int)atoi(text) : (unsigned int)time(NULL);
	printf("SEED=%u\n", seed);
	test_widen();
	test_take();
	test_alone(SHMEMD_GDA_MLX5, 16, 0, 0);
	test_alone(SHMEMD_GDA_MLX5, 1024, 0, 0);
	test_alone(SHMEMD_GDA_BNXT, 16, 0, 0);
	test_alone(SHMEMD_GDA_BNXT, 16, 6 * 16, 0);
	test_alone(SHMEMD_GDA_BNXT, 16, 2 * 16, 0);
	test_alone(SHMEMD_GDA_IONIC, 16, 0, 0);
	test_alone(SHMEMD_GDA_IONIC, 16, 0, 1);
	test_alone(SHMEMD_GDA_VERBS, 16, 0, 0);
	test_full(SHMEMD_GDA_MLX5);
	test_full(SHMEMD_GDA_BNXT);
	test_full(SHMEMD_GDA_IONIC);
	test_full(SHMEMD_GDA_VERBS);
	for (e = errors; e->format; e++) {
		test_error(e, 0);
		if (e->format == SHMEMD_GDA_IONIC)
			test_error(e, 1);
	}
	test_error_without_code();
	test_tell();
	test_race(SHMEMD_GDA_MLX5, 32, 0);
	test_race(SHMEMD_GDA_BNXT, 32, 0);
	test_race(SHMEMD_GDA_IONIC, 32, 0);
	test_race(SHMEMD_GDA_IONIC, 32, 1);
	test_race(SHMEMD_GDA_VERBS, 32, 0);
	return 0;
}
