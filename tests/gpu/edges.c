/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies at their edges, in each scope: every misalignment of both ends, all
 * lengths around the widths of loads and of the group, megabytes, both heaps;
 * lanes of a wave each with another PE and length; a blocking get's data at
 * once, and a blocking put's source again at once.
 * PES: all
 */
#include "call.h"

enum { BIG = 3 << 20, PIECES = 128, AREA = 4096 };

struct copies {
	struct gpu_call call;
	int get;
};

/* Byte k of `call.dest` from `call.source`; no length is special. */
#define COPY_KERNEL(name, SCOPE, put, get_) \
	SHMEMX_KERNEL(name, struct copies, a) \
	{ \
		const struct gpu_call *c = &a.call; \
		if (gpu_my_group(SCOPE)) \
			return; \
		if (a.get) \
			get_(c->dest, c->source, c->nelems, c->pe); \
		else \
			put(c->dest, c->source, c->nelems, c->pe); \
		shmem_quiet(); \
	}
COPY_KERNEL(copy_thread, SHMEMD_THREAD, shmem_putmem, shmem_getmem)
COPY_KERNEL(copy_wave, SHMEMD_WAVE, shmemx_putmem_wave, shmemx_getmem_wave)
COPY_KERNEL(copy_wg, SHMEMD_WG, shmemx_putmem_wg, shmemx_getmem_wg)

struct move {
	int get, scope;
	size_t from, to, bytes;
};

static struct gpu_mem areas[4]; /* source and dest, device and host heap */

static int launch(int scope, const struct copies *c)
{
	if (scope == 0)
		return shmemx_launch(SHMEMX_KERNEL_REF(copy_thread), 1, 1, c,
				     sizeof(*c), NULL);
	if (scope == 1)
		return shmemx_launch(SHMEMX_KERNEL_REF(copy_wave), 1, 64, c,
				     sizeof(*c), NULL);
	return shmemx_launch(SHMEMX_KERNEL_REF(copy_wg), 1, 250, c, sizeof(*c),
			     NULL);
}

static struct gpu_mem host_heap_new(size_t bytes)
{
	struct gpu_mem m = { NULL, NULL, bytes };

	m.dev = (char *)shmemx_malloc_host(bytes);
	m.host = (unsigned char *)calloc(1, bytes);
	if (!m.dev || !m.host)
		shmem_global_exit(1);
	return m;
}

/* One copy from or to the next PE; looks at `size` bytes of both arrays. */
static void move(const struct gpu_mem *source, const struct gpu_mem *dest,
		 const struct move *m, size_t size, uint64_t salt)
{
	const int from = m->get ? (gpu_me + 1) % gpu_n :
				  (gpu_me + gpu_n - 1) % gpu_n;
	unsigned char *want = (unsigned char *)malloc(size);
	struct copies c;

	memset(&c, 0, sizeof(c));
	c.get = m->get;
	c.call.dest = dest->dev + m->to;
	c.call.source = source->dev + m->from;
	c.call.nelems = m->bytes;
	c.call.pe = (gpu_me + 1) % gpu_n;
	gpu_bytes(source->host, size, salt, gpu_me, 0);
	gpu_mem_push(source, size);
	gpu_mem_fill(dest, 0xee, size);
	shmem_barrier_all();
	GPU_CHECK_EQ(launch(m->scope, &c), 0);
	gpu_sync();
	shmem_barrier_all();
	gpu_mem_pull(dest, size);
	memset(want, 0xee, size);
	gpu_bytes(want + m->to, m->bytes, salt, from, m->from);
	if (!gpu_same(m->get ? "get" : "put", dest->host, want, size))
		gpu_fail("scope %d: %zu bytes from +%zu to +%zu", m->scope,
			 m->bytes, m->from, m->to);
	free(want);
}

/* Lengths about the pieces that a thread, a wave and a work-group copy. */
static size_t length(uint64_t *state)
{
	static const size_t about[] = { 0,    16,   64,	  256,	512, 1024,
					2000, 2048, 4000, 8000, 16000 };
	const size_t base = about[gpu_below(state, GPU_COUNT(about))];

	return base + gpu_below(state, 34);
}

static void test_alignments(int scope, uint64_t seed)
{
	uint64_t state = seed;

	for (int i = 0; i < 200; i++) {
		struct move m;

		m.get = i % 2;
		m.scope = scope;
		m.from = gpu_below(&state, 33);
		m.to = i % 3 ? gpu_below(&state, 33) : m.from;
		m.bytes = length(&state);
		move(&areas[i % 4 == 3 ? 2 : 0], &areas[i % 5 == 3 ? 3 : 1], &m,
		     m.bytes + 128, seed + (uint64_t)i);
	}
}

static void test_big(int scope, uint64_t seed)
{
	struct move m = { 0, scope, 3, 16, BIG - 64 };

	if (scope == 0)
		m.bytes = 1 << 16;
	move(&areas[0], &areas[1], &m, BIG, seed);
	m.get = 1;
	m.from = 16;
	m.to = 0;
	move(&areas[0], &areas[1], &m, BIG, seed + 1);
}

/* Each lane puts, gets back and compares with its own source, many times. */
SHMEMX_KERNEL(diverge, struct gpu_call, a)
{
	const struct gpu_call c = gpu_group(a, SHMEMD_THREAD);
	const size_t mine = gpu_my_item();
	volatile unsigned char *back = (volatile unsigned char *)c.result;

	for (size_t i = 0; i < 20; i++) {
		const size_t bytes = (mine * 7 + i * 13) % 97;
		const int pe = (int)((mine + i) % (size_t)c.n);

		for (size_t k = 0; k < bytes; k++)
			c.source[k] = (char)(mine + i * 3 + k);
		shmem_putmem(c.dest, c.source, bytes, pe);
		for (size_t k = 0; k < bytes; k++)
			c.source[k] = 0;
		shmem_quiet();
		shmem_getmem(c.result, c.dest, bytes, pe);
		for (size_t k = 0; k < bytes; k++)
			if (back[k] != (unsigned char)(mine + i * 3 + k))
				++*c.counts;
		if (mine % 3 == i % 3)
			shmem_long_atomic_inc((long *)c.sig_addr, pe);
	}
	shmem_quiet();
}

static void test_divergence(int n_wgs, int n_items)
{
	const size_t items = (size_t)(n_wgs * n_items);
	const struct gpu_row row = { "diverge", "", SHMEMD_THREAD, 1, 'u', 0,
				     NULL };
	struct gpu_mem counts = gpu_mem_new(2 * items * sizeof(size_t));
	struct gpu_call c = gpu_call_new(&row, 0);
	long *got;

	c.slot = c.small_slot = PIECES;
	c.dest = areas[1].dev + (size_t)gpu_me * items * PIECES;
	c.source = areas[0].dev;
	c.result = areas[0].dev + items * PIECES;
	c.counts = (size_t *)counts.dev;
	c.sig_addr = (uint64_t *)counts.dev + items;
	gpu_mem_fill(&counts, 0, counts.bytes);
	shmem_barrier_all();
	GPU_CHECK_EQ(shmemx_launch(SHMEMX_KERNEL_REF(diverge), n_wgs, n_items,
				   &c, sizeof(c), NULL), 0);
	gpu_sync();
	shmem_barrier_all();
	gpu_mem_pull(&counts, counts.bytes);
	got = (long *)counts.host + items;
	for (size_t i = 0; i < items; i++) {
		long want = 0;

		for (size_t k = 0; k < 20; k++)
			if (i % 3 == k % 3)
				want += (i + k) % (size_t)gpu_n ==
					(size_t)gpu_me;
		GPU_CHECK_EQ(((size_t *)counts.host)[i], 0);
		GPU_CHECK_EQ(got[i], want * gpu_n);
	}
	gpu_mem_free(&counts);
}

int main(void)
{
	gpu_begin();
	areas[0] = gpu_mem_new(BIG);
	areas[1] = gpu_mem_new(BIG);
	areas[2] = host_heap_new(AREA * 5);
	areas[3] = host_heap_new(AREA * 5);
	for (int scope = 0; scope < 3; scope++) {
		test_alignments(scope, gpu_seed + (uint64_t)scope);
		test_big(scope, gpu_seed + (uint64_t)scope);
	}
	test_divergence(1, 1);
	test_divergence(1, 31);
	test_divergence(2, 64);
	test_divergence(1, 100);
	test_divergence(2, 256);
	return gpu_end();
}
