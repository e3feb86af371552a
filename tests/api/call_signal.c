/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Put with signal of every type and size: who sees the signal sees the data.
 * PES: all
 */
#include "api.h"

enum { SLOT = 21, SET_TO = 70, ADDED = 7 };

static uint64_t signals[MAX_PES];

/* Sends everyone its slot; nelems 0 sends the signal alone. */
static void send(const struct api_routine *r, void *dest, size_t nelems,
		 int sig_op, uint64_t signal)
{
	static long double sources[MAX_PES][SLOT];

	for (int pe = 0; pe < api_n; pe++) {
		struct api_args a = api_args(r, pe);

		for (size_t i = 0; i < nelems; i++)
			r->type->set(api_at(r->type, sources[pe], i),
				     api_value(api_me, pe, i));
		a.nelems = nelems;
		a.dest = nelems ? api_at(r->type, dest, (size_t)api_me * SLOT)
				: NULL;
		a.source = nelems ? sources[pe] : NULL;
		a.sig_addr = &signals[api_me];
		a.signal = signal;
		a.sig_op = sig_op;
		r->call(&a);
	}
}

static void receive(const struct api_routine *r, const void *dest,
		    uint64_t expected)
{
	for (int from = 0; from < api_n; from++) {
		const void *slot = api_at(r->type, dest, (size_t)from * SLOT);

		CHECK(r->name,
		      shmem_signal_wait_until(&signals[from], SHMEM_CMP_EQ,
					      expected) == expected);
		for (size_t i = 0; i < SLOT; i++)
			if (!api_is(r->type, slot, i,
				    api_value(from, api_me, i)))
				api_fail(r->name, "element %zu from %d", i,
					 from);
	}
}

static void test(const struct api_routine *r, const void *arg)
{
	void *dest = shmem_malloc((size_t)api_n * SLOT * r->type->size);

	(void)arg;
	for (int round = 0; round < 2; round++) {
		api_fill(r->type, dest, (size_t)api_n * SLOT, -1);
		shmem_barrier_all();
		if (!round)
			send(r, dest, SLOT, SHMEM_SIGNAL_SET, SET_TO);
		else
			send(r, dest, SLOT, SHMEM_SIGNAL_ADD, ADDED);
		receive(r, dest, SET_TO + (round ? ADDED : 0));
		api_quiet(r);
		shmem_barrier_all();
	}
	send(r, dest, 0, SHMEM_SIGNAL_ADD, 1);
	receive(r, dest, SET_TO + ADDED + 1);
	api_quiet(r);
	shmem_free(dest);
}

/* Everyone signals everyone; `by` is what each adds to word 0. */
static void test_signals(bool ctx)
{
	const uint64_t all = (uint64_t)api_n;

	signals[0] = signals[1] = 0;
	shmem_barrier_all();
	for (int pe = 0; pe < api_n; pe++) {
		int reversed = api_n - 1 - pe;

		if (ctx)
			shmem_ctx_signal_add(api_ctx, signals, 3, reversed);
		else
			shmem_signal_add(signals, 3, pe);
		if (ctx && api_me == 0)
			shmem_ctx_signal_set(api_ctx, signals + 1,
					     (uint64_t)pe + 9, reversed);
		else if (api_me == 0)
			shmem_signal_set(signals + 1, (uint64_t)pe + 9, pe);
	}
	CHECK("shmem_signal_add", shmem_signal_wait_until(signals, SHMEM_CMP_GE,
							  3 * all) == 3 * all);
	CHECK("shmem_signal_set",
	      shmem_signal_wait_until(signals + 1, SHMEM_CMP_NE, 0) ==
		      (uint64_t)api_me + 9);
	CHECK("shmem_signal_fetch", shmem_signal_fetch(signals) == 3 * all);
	shmem_ctx_quiet(api_ctx);
	shmem_barrier_all();
}

int main(void)
{
	api_begin();
	api_each("put_signal", test, NULL);
	api_each("put_signal_nbi", test, NULL);
	test_signals(false);
	test_signals(true);
	return api_end();
}
