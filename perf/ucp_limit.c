/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the network takes for the same work as in latency, pingpong, bandwidth
 * and message_rate, by UCP's calls alone: the floor that a library over UCX
 * can reach but hardly beat. Both sides progress all the time.
 */
#include "bench.h"
#include "comm.h"
#include "pair.h"

static struct {
	_Alignas(128) long *flag; /* the number of the trip */
	long trip;
	uint64_t last; /* what the last atomic returned */
} s;

static ucs_status_ptr_t put(void *dst, const void *src, size_t bytes)
{
	static const ucp_request_param_t none;

	return ucp_put_nbx(pair.ep, src, bytes, pair_remote(dst), pair.rkey,
			   &none);
}

static ucs_status_ptr_t get(void *dst, const void *src, size_t bytes)
{
	static const ucp_request_param_t none;

	return ucp_get_nbx(pair.ep, dst, bytes, pair_remote(src), pair.rkey,
			   &none);
}

/* For CSWAP, s.last holds what shall be put there. */
static void amo(ucp_atomic_op_t op, uint64_t operand, void *word)
{
	const ucp_request_param_t param = {
		.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE |
				UCP_OP_ATTR_FIELD_REPLY_BUFFER,
		.datatype = ucp_dt_make_contig(sizeof(operand)),
		.reply_buffer = &s.last,
	};

	pair_wait(ucp_atomic_op_nbx(pair.ep, op, &operand, 1, pair_remote(word),
				    pair.rkey, &param));
}

/* A flush completes it. */
static void release(ucs_status_ptr_t request)
{
	if (UCS_PTR_IS_PTR(request))
		ucp_request_free(request);
	else
		pair_wait(request);
}

static void run_put(struct bench_case *c, long nops)
{
	for (long i = 0; c->me == 0 && i < nops; i++)
		pair_wait(put(c->dst, c->src, c->bytes));
}

static void run_put_quiet(struct bench_case *c, long nops)
{
	for (long i = 0; c->me == 0 && i < nops; i++) {
		pair_wait(put(c->dst, c->src, c->bytes));
		pair_flush();
	}
}

static void run_get(struct bench_case *c, long nops)
{
	for (long i = 0; c->me == 0 && i < nops; i++)
		pair_wait(get(c->dst, c->src, c->bytes));
}

static void run_fetch_add(struct bench_case *c, long nops)
{
	for (long i = 0; c->me == 0 && i < nops; i++)
		amo(UCP_ATOMIC_OP_ADD, 1, c->dst);
}

static void run_cswap(struct bench_case *c, long nops)
{
	for (long i = 0; c->me == 0 && i < nops; i++) {
		s.last = (uint64_t)(c->ops + i + 1);
		amo(UCP_ATOMIC_OP_CSWAP, (uint64_t)(c->ops + i), c->dst);
	}
}

static void run_pingpong(struct bench_case *c, long nops)
{
	for (long i = 0; i < nops; i++) {
		s.trip++;
		if (c->me == 0)
			pair_wait(put(s.flag, &s.trip, sizeof(s.trip)));
		pair_await(s.flag, s.trip);
		if (c->me == 1)
			pair_wait(put(s.flag, &s.trip, sizeof(s.trip)));
	}
}

static void run_put_bw(struct bench_case *c, long nops)
{
	for (long i = 0; c->me == 0 && i < nops; i++) {
		release(put(c->dst, c->src, c->bytes));
		if (i % BENCH_WINDOW == BENCH_WINDOW - 1 || i == nops - 1)
			pair_flush();
	}
}

static void run_get_bw(struct bench_case *c, long nops)
{
	for (long i = 0; c->me == 0 && i < nops; i++) {
		release(get(c->dst, c->src, c->bytes));
		if (i % BENCH_WINDOW == BENCH_WINDOW - 1 || i == nops - 1)
			pair_flush();
	}
}

static void fill_word(struct bench_case *c)
{
	*(uint64_t *)c->dst = 0;
	s.last = 0;
}

static const char *open_pingpong(struct bench_case *c)
{
	(void)c;
	*s.flag = 0;
	s.trip = 0;
	comm_sync();
	return NULL;
}

static size_t check_put(const struct bench_case *c)
{
	return c->me == 1 ? bench_wrong_dst(c, 0) : 0;
}

static size_t check_get(const struct bench_case *c)
{
	return c->me == 0 ? bench_wrong_dst(c, 1) : 0;
}

static size_t check_amo(const struct bench_case *c)
{
	const uint64_t done = (uint64_t)c->ops;
	const uint64_t have = c->me ? *(uint64_t *)c->dst : s.last + 1;

	return have == done ? 0 : sizeof(have);
}

static size_t check_pingpong(const struct bench_case *c)
{
	(void)c;
	return *s.flag == s.trip ? 0 : sizeof(s.trip);
}

static const struct bench_test tests[] = {
	{ .name = "put",
	  .what = "a put, complete for its sender",
	  .sized = true,
	  .flows = 1,
	  .run = run_put,
	  .check = check_put },
	{ .name = "put_quiet",
	  .what = "a put and a flush",
	  .sized = true,
	  .flows = 1,
	  .run = run_put_quiet,
	  .check = check_put },
	{ .name = "get",
	  .what = "a get",
	  .sized = true,
	  .flows = 1,
	  .run = run_get,
	  .check = check_get },
	{ .name = "fetch_add",
	  .what = "an add that returns the old value",
	  .fixed_bytes = 8,
	  .fill = fill_word,
	  .run = run_fetch_add,
	  .check = check_amo },
	{ .name = "cswap",
	  .what = "a compare-and-swap that always matches",
	  .fixed_bytes = 8,
	  .fill = fill_word,
	  .run = run_cswap,
	  .check = check_amo },
	{ .name = "pingpong",
	  .what = "half a round trip of a put of 8 bytes",
	  .fixed_bytes = 8,
	  .trips = 2,
	  .open = open_pingpong,
	  .run = run_pingpong,
	  .check = check_pingpong },
	{ .name = "put_bw",
	  .what = "windows of 64 puts and a flush",
	  .sized = true,
	  .flows = 1,
	  .rate = true,
	  .run = run_put_bw,
	  .check = check_put },
	{ .name = "get_bw",
	  .what = "windows of 64 gets and a flush",
	  .sized = true,
	  .flows = 1,
	  .rate = true,
	  .run = run_get_bw,
	  .check = check_get },
};

static void open_program(size_t max_bytes)
{
	(void)max_bytes;
	s.flag = comm_alloc(128);
}

static void close_program(void)
{
	comm_free(s.flag);
}

static const struct bench_program program = {
	.name = "ucp_limit",
	.what = "What UCP takes between two processes. Set PERF_PAIR to "
		"listen:PORT for one and connect:ADDRESS:PORT for the other.",
	.tests = tests,
	.ntests = sizeof(tests) / sizeof(tests[0]),
	.min_pes = 2,
	.sizes = "8,1K,1M",
	.src_blocks = 1,
	.dst_blocks = 1,
	.open = open_program,
	.close = close_program,
};

int main(int argc, char **argv)
{
	return bench_main(argc, argv, &program);
}
