/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomics and signals on host memory, the heap's and static, of kernels and of
 * processors of all PEs at once: no update is lost. And what a fence, a quiet
 * or a barrier puts before or after them. atomics_by_host.sh has the proxy do
 * it.
 * PES: all
 */
#include <sched.h>

#include "call.h"

enum {
	WGS = 3,
	ITEMS = 80,
	TURNS = 40,
	HOST_TURNS = 4000,
	BITS = 7,   /* of a PE's 8, by its first work-items; one by the host */
	LANES = 16, /* of the orders */
	LAPS = 30,
	SLOTS = WGS * ITEMS + 1
};

struct words {
	uint64_t sum, flips, token, bits, signal;
	uint32_t half, half_flips, half_token, unused;
	/* What comes with signals, and where it comes from. */
	uint64_t data[SLOTS], source[SLOTS];
	uint64_t groups[WGS][ITEMS], sources[WGS][ITEMS];
	/* By lane: a flag and what comes before it, a word and an add before */
	uint64_t flags[LANES], before[LANES], words[LANES], adds[LANES];
	uint64_t quiets[LANES], done[LANES];
	uint64_t met;
};

struct who {
	int n, slot;
	shmem_ctx_t ctx;
	uint64_t bit;
};

/* What a work-item has done to all words together. */
struct tally {
	uint64_t sum, flips, given, got, signal, bad;
	uint32_t half, half_flips, half_given, half_got;
};

struct job {
	struct words *areas[2];
	struct tally *tallies; /* by work-item, then of the orders by lane */
	uint64_t *proxied, seed;
	int me, n;
	shmem_ctx_t ctx;
};

#define FN SHMEMX_FN
#define NAME(x) device_##x
#include "host_atomics.inc"
#undef FN
#undef NAME
#define FN static
#define NAME(x) host_##x
#include "host_atomics.inc"

/* All together, with data: each work-group to its place at the peer's. */
SHMEMX_FN void together(const struct job *j, struct words *w, struct tally *t,
			uint64_t v, int pe)
{
	const size_t wave = gpu_my_item() - shmemx_lane() + 1;
	const unsigned int wg = shmemx_wg();

	shmemx_putmem_signal_wg(w->groups[wg], w->sources[wg],
				sizeof(w->groups[wg]), &w->signal, v,
				SHMEM_SIGNAL_ADD, pe);
	shmemx_ctx_putmem_signal_nbi_wave(j->ctx, &w->data[wave],
					  &w->source[wave], 8, &w->signal, v,
					  SHMEM_SIGNAL_ADD, j->n - 1 - pe);
	if (!shmemx_item())
		t->signal += v;
	if (!shmemx_lane())
		t->signal += v;
}

SHMEMX_KERNEL(mix, struct job, a)
{
	const unsigned int slot = (unsigned int)gpu_my_item();
	const struct who who = { a.n, (int)slot + 1, a.ctx,
				 slot < BITS ? device_bit(a.me, slot) : 0 };
	struct tally t = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };

	for (uint64_t i = 0; i < TURNS; i++) {
		struct words *w = a.areas[(slot + i) % 2];
		const uint64_t v = device_number(a.seed, a.me, slot, i);

		device_turn(w, &who, &t, v, (a.me + (int)(slot + i)) % a.n);
		together(&a, a.areas[i % 2], &t,
			 device_number(a.seed, a.me, 1000 + shmemx_wg(), i),
			 (a.me + (int)i) % a.n);
	}
	shmem_quiet();
	shmem_ctx_quiet(a.ctx);
	a.tallies[slot] = t;
}

/* Entries that kernels have left to the proxy; -1: atomics are not its. */
SHMEMX_KERNEL(count_entries, struct job, a)
{
	uint64_t n = 0;

	if (!shmemd_block.host_atomics) {
		*a.proxied = (uint64_t)-1;
		return;
	}
	for (uint32_t r = 0; r < shmemd_block.proxy.n_rings; r++)
		n += shmemd_load64(&shmemd_block.proxy.tail[r].n);
	*a.proxied = n;
}

/* put, fence, add; add, fence, put; add, quiet, set; put with signal. */
SHMEMX_FN void send(struct words *w, unsigned int lane, uint64_t lap, int pe)
{
	shmem_uint64_p(&w->before[lane], lap, pe);
	shmem_fence();
	shmem_uint64_atomic_inc(&w->flags[lane], pe);
	shmem_uint64_atomic_inc(&w->adds[lane], pe);
	shmem_fence();
	shmem_uint64_p(&w->words[lane], lap, pe);
	shmem_uint64_atomic_add(&w->quiets[lane], 2, pe);
	shmem_quiet();
	shmem_uint64_atomic_set(&w->done[lane], lap, pe);
}

SHMEMX_FN uint64_t load(const uint64_t *p)
{
	return *(const volatile uint64_t *)p;
}

SHMEMX_FN uint64_t receive(struct words *w, unsigned int lane, uint64_t lap)
{
	uint64_t bad = 0;

	shmem_uint64_wait_until(&w->flags[lane], SHMEM_CMP_GE, lap);
	bad += load(&w->before[lane]) < lap;
	shmem_uint64_wait_until(&w->words[lane], SHMEM_CMP_GE, lap);
	bad += load(&w->adds[lane]) < lap;
	shmem_uint64_wait_until(&w->done[lane], SHMEM_CMP_GE, lap);
	bad += load(&w->quiets[lane]) < 2 * lap;
	return bad;
}

/* From each lane to the same one of the next PE. */
SHMEMX_KERNEL(orders, struct job, a)
{
	const unsigned int lane = shmemx_item();
	struct words *w = a.areas[lane % 2];
	uint64_t bad = 0;

	for (uint64_t lap = 1; lap <= LAPS; lap++) {
		send(w, lane, lap, (a.me + 1) % a.n);
		bad += receive(w, lane, lap);
		shmem_uint64_atomic_inc(&a.areas[0]->met, (a.me + 1) % a.n);
		shmemx_barrier_all_wg();
		bad += load(&a.areas[0]->met) != lap * LANES;
		shmemx_barrier_all_wg();
	}
	a.tallies[lane].bad = bad;
}

static struct words still;
static struct job job;
static struct gpu_mem tallies, proxied, totals;

static void launch(int (*run)(int, int), int n_wgs, int n_items)
{
	GPU_CHECK_EQ(run(n_wgs, n_items), 0);
}

#define LAUNCH(name) \
	static int run_##name(int n_wgs, int n_items) \
	{ \
		return shmemx_launch(SHMEMX_KERNEL_REF(name), n_wgs, n_items, \
				     &job, sizeof(job), NULL); \
	}
LAUNCH(mix)
LAUNCH(orders)
LAUNCH(count_entries)

static void clear(void)
{
	memset(job.areas[0], 0, sizeof(still));
	memset(job.areas[1], 0, sizeof(still));
	shmem_barrier_all();
}

/* The host's own part, for as long as its kernel runs. */
static void work(struct tally *t)
{
	const struct who who = { gpu_n, 0, gpu_ctx, host_bit(gpu_me, BITS) };

	for (int i = 0; i < HOST_TURNS; i++) {
		if (i >= TURNS && !shmemx_stream_query(NULL))
			break;
		host_turn(job.areas[i % 2], &who, t,
			  host_number(gpu_seed, gpu_me, 2000, (uint64_t)i),
			  (gpu_me + i / 2) % gpu_n);
		sched_yield();
	}
	shmem_quiet();
	shmem_ctx_quiet(gpu_ctx);
}

static void merge(struct tally *to, const struct tally *t)
{
	to->sum += t->sum;
	to->flips ^= t->flips;
	to->given += t->given;
	to->got += t->got;
	to->signal += t->signal;
	to->bad += t->bad;
	to->half += t->half;
	to->half_flips ^= t->half_flips;
	to->half_given += t->half_given;
	to->half_got += t->half_got;
}

/* What the words of this PE have that others' tallies must account for. */
static void deduct(struct tally *t, const struct words *w)
{
	t->sum -= w->sum;
	t->flips ^= w->flips;
	t->given -= w->token;
	t->signal -= w->signal;
	t->half -= w->half;
	t->half_flips ^= w->half_flips;
	t->half_given -= w->half_token;
	t->bad += w->bits != 0;
}

/* All PEs' on each. */
static struct tally everybody(const struct tally *mine)
{
	struct tally all = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };

	memcpy(totals.host + (size_t)gpu_me * sizeof(all), mine, sizeof(all));
	gpu_mem_push(&totals, totals.bytes);
	shmem_barrier_all();
	for (int pe = 0; pe < gpu_n; pe++) {
		struct tally one;
		char *at = totals.dev + (size_t)pe * sizeof(one);

		shmem_getmem(totals.host, at, sizeof(one), pe);
		memcpy(&one, totals.host, sizeof(one));
		merge(&all, &one);
	}
	shmem_barrier_all();
	return all;
}

static void test_mix(uint64_t salt)
{
	struct tally t = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };

	job.seed = salt;
	clear();
	launch(run_mix, WGS, ITEMS);
	work(&t);
	gpu_sync();
	shmem_barrier_all();
	gpu_mem_pull(&tallies, tallies.bytes);
	for (size_t i = 0; i < WGS * ITEMS; i++)
		merge(&t, (const struct tally *)tallies.host + i);
	deduct(&t, job.areas[0]);
	deduct(&t, job.areas[1]);
	t = everybody(&t);
	GPU_CHECK_EQ(t.sum, 0);
	GPU_CHECK_EQ(t.flips, 0);
	GPU_CHECK_EQ(t.given - t.got, 0);
	GPU_CHECK_EQ(t.signal, 0);
	GPU_CHECK_EQ(t.half, 0);
	GPU_CHECK_EQ(t.half_flips, 0);
	GPU_CHECK_EQ(t.half_given - t.half_got, 0);
	GPU_CHECK_EQ(t.bad, 0);
}

/* What a processor sees of a lap while kernels run. */
static int late(const struct words *w)
{
	int bad = 0;

	for (int i = 0; i < LANES; i++) {
		const uint64_t flag =
			__atomic_load_n(&w->flags[i], __ATOMIC_ACQUIRE);

		bad += __atomic_load_n(&w->before[i], __ATOMIC_ACQUIRE) < flag;
	}
	return bad;
}

static void test_orders(void)
{
	int bad = 0;

	clear();
	launch(run_orders, 1, LANES);
	while (shmemx_stream_query(NULL)) {
		bad += late(job.areas[0]) + late(job.areas[1]);
		sched_yield();
	}
	gpu_sync();
	GPU_CHECK_EQ(bad, 0);
	gpu_mem_pull(&tallies, tallies.bytes);
	for (size_t i = 0; i < LANES; i++)
		GPU_CHECK_EQ(((struct tally *)tallies.host)[i].bad, 0);
	shmem_barrier_all();
}

/* Streams' signals, and those of the host's, on one word. */
static void test_streams(void)
{
	const int next = (gpu_me + 1) % gpu_n;

	clear();
	for (int i = 0; i < 2 * TURNS; i++) {
		struct words *w = job.areas[i % 2];

		shmemx_signal_add_on_stream(&w->signal, 3, next, NULL);
		shmemx_putmem_signal_on_stream(w->data, w->source, 64,
					       &w->signal, 5, SHMEM_SIGNAL_ADD,
					       next, NULL);
		shmem_signal_add(&w->signal, 7, next);
	}
	gpu_sync();
	shmem_barrier_all();
	for (int area = 0; area < 2; area++)
		GPU_CHECK_EQ(job.areas[area]->signal, 15 * TURNS);
	shmem_barrier_all();
}

/* That they went where SHMEM_HOST_ATOMICS says. */
static void check_proxy(void)
{
	const char *word = getenv("SHMEM_HOST_ATOMICS");
	uint64_t n;

	launch(run_count_entries, 1, 1);
	gpu_sync();
	gpu_mem_pull(&proxied, proxied.bytes);
	memcpy(&n, proxied.host, sizeof(n));
	if (word && !strcmp(word, "native"))
		GPU_CHECK_EQ(n, -1);
	if (word && !strcmp(word, "proxy"))
		GPU_CHECK(n != (uint64_t)-1 && n > WGS * ITEMS);
	if (!gpu_me)
		printf("kernels' atomics on host memory are %s\n",
		       n == (uint64_t)-1 ? "native" : "the proxy's");
}

int main(void)
{
	gpu_begin();
	tallies = gpu_mem_new(WGS * ITEMS * sizeof(struct tally));
	totals = gpu_mem_new((size_t)gpu_n * sizeof(struct tally));
	proxied = gpu_mem_new(sizeof(uint64_t));
	job.areas[0] = (struct words *)shmemx_malloc_host(sizeof(still));
	job.areas[1] = &still;
	job.tallies = (struct tally *)tallies.dev;
	job.proxied = (uint64_t *)proxied.dev;
	job.me = gpu_me;
	job.n = gpu_n;
	job.ctx = gpu_ctx;
	for (uint64_t round = 0; round < 3; round++)
		test_mix(gpu_seed + round);
	test_orders();
	test_streams();
	check_proxy();
	return gpu_end();
}
