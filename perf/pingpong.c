/* SPDX-License-Identifier: BSD-3-Clause */
/* PE 0 and PE 1 answer each other; a figure is half a round trip. */
#include "bench.h"
#include "compat.h"

/* Lines of their own: a waiting PE must not see its own stores' traffic. */
static struct {
	_Alignas(128) long *flag; /* symmetric; the number of the trip */
	_Alignas(128) uint64_t *signal;
	long trip;
} s;

static void send_p(struct bench_case *c)
{
	shmem_long_p(s.flag, s.trip, 1 - c->me);
}

static void send_put(struct bench_case *c)
{
	shmem_putmem(s.flag, &s.trip, sizeof(s.trip), 1 - c->me);
}

static void send_data(struct bench_case *c)
{
	shmem_putmem(c->dst, c->src, c->bytes, 1 - c->me);
	shmem_fence();
	shmem_long_p(s.flag, s.trip, 1 - c->me);
}

static void send_signal(struct bench_case *c)
{
	compat_put_signal(c->dst, c->src, c->bytes, s.signal, (uint64_t)s.trip,
			  1 - c->me);
}

static void await_flag(void)
{
	shmem_long_wait_until(s.flag, SHMEM_CMP_GE, s.trip);
}

static void await_signal(void)
{
	compat_wait_signal(s.signal, (uint64_t)s.trip);
}

static inline void rally(struct bench_case *c, long nops,
			 void (*send)(struct bench_case *), void (*await)(void))
{
	if (c->me > 1)
		return;
	for (long i = 0; i < nops; i++) {
		s.trip++;
		if (c->me == 0)
			send(c);
		await();
		if (c->me == 1)
			send(c);
	}
}

static void run_p(struct bench_case *c, long nops)
{
	rally(c, nops, send_p, await_flag);
}

static void run_put(struct bench_case *c, long nops)
{
	rally(c, nops, send_put, await_flag);
}

static void run_data(struct bench_case *c, long nops)
{
	rally(c, nops, send_data, await_flag);
}

static void run_signal(struct bench_case *c, long nops)
{
	rally(c, nops, send_signal, await_signal);
}

static size_t check_flag(const struct bench_case *c)
{
	return c->me > 1 || *s.flag == s.trip ? 0 : sizeof(s.trip);
}

static size_t check_data(const struct bench_case *c)
{
	return c->me > 1 ? 0 : bench_wrong_dst(c, 1 - c->me) + check_flag(c);
}

static size_t check_signal(const struct bench_case *c)
{
	size_t wrong = c->me > 1 ? 0 : bench_wrong_dst(c, 1 - c->me);

	if (c->me < 2 && *s.signal != (uint64_t)s.trip)
		wrong += sizeof(s.trip);
	return wrong;
}

static const char *open_case(struct bench_case *c)
{
	(void)c;
	*s.flag = 0;
	*s.signal = 0;
	s.trip = 0;
	comm_sync();
	return NULL;
}

static const char *open_signal(struct bench_case *c)
{
	open_case(c);
	return compat_has_signal ? NULL : "the library has no put_signal";
}

static const struct bench_test tests[] = {
	{ .name = "p",
	  .what = "shmem_long_p, shmem_long_wait_until",
	  .fixed_bytes = 8,
	  .trips = 2,
	  .open = open_case,
	  .run = run_p,
	  .check = check_flag },
	{ .name = "put",
	  .what = "shmem_putmem of 8 bytes, wait_until",
	  .fixed_bytes = 8,
	  .trips = 2,
	  .open = open_case,
	  .run = run_put,
	  .check = check_flag },
	{ .name = "put_fence_p",
	  .what = "put, fence, p of a flag, wait_until",
	  .sized = true,
	  .trips = 2,
	  .open = open_case,
	  .run = run_data,
	  .check = check_data },
	{ .name = "put_signal",
	  .what = "put_signal, signal_wait_until",
	  .sized = true,
	  .trips = 2,
	  .open = open_signal,
	  .run = run_signal,
	  .check = check_signal },
};

static void open_program(size_t max_bytes)
{
	(void)max_bytes;
	s.flag = comm_alloc(128);
	s.signal = comm_alloc(128);
}

static void close_program(void)
{
	comm_free(s.signal);
	comm_free(s.flag);
}

static const struct bench_program program = {
	.name = "pingpong",
	.what = "Half the round trip between PE 0 and PE 1.",
	.tests = tests,
	.ntests = sizeof(tests) / sizeof(tests[0]),
	.min_pes = 2,
	.sizes = "8..1M",
	.src_blocks = 1,
	.dst_blocks = 1,
	.open = open_program,
	.close = close_program,
};

int main(int argc, char **argv)
{
	return bench_main(argc, argv, &program);
}
