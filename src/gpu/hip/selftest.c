/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu/hip/hip.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#include "device/kernels.h"

/* About a second of them. */
#define POLLS ((uint64_t)1 << 20)

/* Words on lines of their own. */
enum { FLAG = 0, ANSWER = 32, GO = 64, N_WORDS = 96 };

struct test {
	uint64_t *mem;	/* the memory that is tried */
	uint64_t *host; /* pinned */
	shmemg_stream waits, stores;
	const char *why;
};

static int start(shmemg_stream stream, const uint64_t *flag, uint64_t value,
		 uint64_t *answer, uint64_t reply)
{
	const struct shmemd_args_coherence args = {
		flag, answer, value, reply, POLLS,
	};

	return hip_launch(&shmemd_kernel_coherence, 1, 32, &args, sizeof(args),
			  stream);
}

static int reset(struct test *t)
{
	static const uint64_t go = 1;
	int rc;

	rc = hip_fill(t->mem, 0, N_WORDS * sizeof(uint64_t));
	if (!rc)
		rc = hip_copy(t->mem + GO, &go, sizeof(go));
	*t->host = 0;
	return rc;
}

/* The waiting kernel is to run, and to have looked, before the flag comes. */
static void let_it_wait(void)
{
	usleep(1000);
}

/* Kernels are loaded at their first launch, which may wait for all others. */
static int warm_up(struct test *t)
{
	int rc = reset(t);

	if (!rc)
		rc = start(t->waits, t->mem + GO, 1, t->host, 1);
	return rc ? rc : hip_stream_sync(t->waits);
}

/*
 * The verdict, after a store that is complete: was_waiting tells whether the
 * waiting kernel was still running then. If it was not and has seen nothing,
 * it came to its end before the store was begun.
 */
static int judge(bool answered, bool was_waiting)
{
	if (answered)
		return 0;
	return was_waiting ? 1 : HIP_SELFTEST_ONE_BY_ONE;
}

static int from_kernel(struct test *t)
{
	int rc = reset(t), waits;

	t->why = "a running kernel does not see another's store";
	if (!rc)
		rc = start(t->waits, t->mem + FLAG, 1, t->host, 1);
	if (rc)
		return rc;
	let_it_wait();
	rc = start(t->stores, t->mem + GO, 1, t->mem + FLAG, 1);
	if (!rc)
		rc = hip_stream_sync(t->stores);
	waits = hip_stream_query(t->waits);
	if (!rc)
		rc = hip_stream_sync(t->waits);
	if (rc)
		return rc;
	return judge(__atomic_load_n(t->host, __ATOMIC_ACQUIRE) == 1,
		     waits == -EAGAIN);
}

static int from_host(struct test *t)
{
	static const uint64_t one = 1;
	uint64_t answer = 0;
	int rc = reset(t), waits;

	t->why = "a running kernel does not see the host's store";
	if (!rc)
		rc = start(t->waits, t->mem + FLAG, 1, t->mem + ANSWER, 1);
	if (rc)
		return rc;
	let_it_wait();
	rc = hip_copy(t->mem + FLAG, &one, sizeof(one));
	waits = hip_stream_query(t->waits);
	if (!rc)
		rc = hip_stream_sync(t->waits);
	if (!rc)
		rc = hip_copy(&answer, t->mem + ANSWER, sizeof(answer));
	return rc ? rc : judge(answer == 1, waits == -EAGAIN);
}

static int run(struct test *t)
{
	int rc = warm_up(t);

	if (!rc)
		rc = from_kernel(t);
	return rc ? rc : from_host(t);
}

int hip_selftest(uint64_t *p, const char **why)
{
	struct test t = { .mem = p };
	int rc;

	rc = hip_host_alloc(sizeof(uint64_t), (void **)&t.host);
	if (rc)
		return rc;
	rc = hip_stream_create(&t.waits);
	if (rc)
		goto free_host;
	rc = hip_stream_create(&t.stores);
	if (rc)
		goto destroy_waits;
	rc = run(&t);
	*why = t.why;
	(void)hip_stream_destroy(t.stores);
destroy_waits:
	(void)hip_stream_destroy(t.waits);
free_host:
	(void)hip_host_free(t.host);
	return rc;
}
