/* SPDX-License-Identifier: BSD-3-Clause */
/* The user kind over functions that share memory and a process barrier. */
#include "check.h"

#define PE_BYTES (1 << 20)

struct area {
	pthread_barrier_t barrier;
	atomic_int n_aborts;
	unsigned char bytes[];
};

struct caller {
	int pe, n;
	int result;
};

static struct area *area;

static int caller_barrier(void *arg)
{
	const struct caller *c = arg;

	pthread_barrier_wait(&area->barrier);
	return c->result;
}

static int caller_allgather(const void *src, void *dst, size_t bytes, void *arg)
{
	const struct caller *c = arg;

	if (bytes)
		memcpy(area->bytes + (size_t)c->pe * PE_BYTES, src, bytes);
	pthread_barrier_wait(&area->barrier);
	for (int i = 0; i < c->n; i++)
		memcpy((char *)dst + (size_t)i * bytes,
		       area->bytes + (size_t)i * PE_BYTES, bytes);
	pthread_barrier_wait(&area->barrier);
	return c->result;
}

static void caller_abort(int status, const char *msg, void *arg)
{
	const struct caller *c = arg;

	CHECK_EQ(status, 5);
	CHECK(!strcmp(msg, "told to"));
	CHECK_EQ(c->pe, 1);
	area->n_aborts++;
}

static struct boot *caller_open(struct caller *c, int with_abort)
{
	const struct boot_user u = { .allgather = caller_allgather,
				     .barrier = caller_barrier,
				     .abort = with_abort ? caller_abort : NULL,
				     .arg = c };
	struct boot *b = NULL;

	CHECK_EQ(boot_open_user(&b, c->pe, c->n, &u), 0);
	CHECK(!strcmp(boot_info(b)->kind, "user"));
	CHECK_EQ(boot_info(b)->pe, c->pe);
	CHECK_EQ(boot_info(b)->n_pes, c->n);
	return b;
}

static void exchange_body(int pe, int n)
{
	struct caller c = { .pe = pe, .n = n };
	struct boot *b = caller_open(&c, 0);

	exchange_rounds(b);
	CHECK_EQ(boot_barrier(b), 0);
	CHECK_EQ(boot_close(b), 0);
}

static void failing_body(int pe, int n)
{
	struct caller c = { .pe = pe, .n = n, .result = pe ? 0 : -3 };
	struct boot *b = caller_open(&c, 0);
	char all[2];

	CHECK_EQ(boot_allgather(b, "x", 1, all), pe ? 0 : -EIO);
	CHECK_EQ(boot_barrier(b), pe ? 0 : -EIO);
	CHECK_EQ(boot_close(b), 0);
}

static void abort_body(int pe, int n)
{
	struct caller c = { .pe = pe, .n = n };

	boot_abort(caller_open(&c, pe), 5, "told to");
}

static void area_make(int n)
{
	pthread_barrierattr_t a;
	size_t bytes = sizeof(*area) + (size_t)n * PE_BYTES;

	area = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(area != MAP_FAILED);
	pthread_barrierattr_init(&a);
	pthread_barrierattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&area->barrier, &a, (unsigned)n);
}

int main(void)
{
	static const int counts[] = { 1, 2, 3, 8 };
	struct boot_user incomplete = { .barrier = caller_barrier };
	struct boot *b;

	for (int i = 0; i < 4; i++) {
		area_make(counts[i]);
		run("user: exchange", counts[i], exchange_body);
	}
	area_make(2);
	run("user: failing function", 2, failing_body);
	run_must_say("allgather returned -3 on PE 0");
	run_start("user: abort", 2, abort_body);
	run_end(10);
	CHECK_EQ(run_status(0), 5);
	CHECK_EQ(run_status(1), 5);
	CHECK_EQ(area->n_aborts, 1);
	CHECK_EQ(boot_open_user(&b, 0, 1, &incomplete), -EINVAL);
	CHECK_EQ(boot_open_user(&b, 0, 1, NULL), -EINVAL);
	return 0;
}
