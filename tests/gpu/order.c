/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fence, quiet and pe_quiet in every scope: what the work-items of a group
 * wrote before is there when a flag that one of them stores after it is seen.
 * PES: all
 */
#include "call.h"

enum { WORDS = 64, GROUPS = 256, ITEMS = 256 };

SHMEMX_FN void write_words(const struct gpu_call *c, enum shmemd_scope s)
{
	long *words = (long *)c->dest;

	for (unsigned int i = gpu_my_index(s); i < WORDS; i += gpu_my_size(s))
		shmem_ctx_long_p(c->ctx, &words[i], (long)(c->signal + i),
				 c->pe);
}

/* Raises the flag, then waits for its own and reads what came before. */
SHMEMX_FN void read_words(const struct gpu_call *c, enum shmemd_scope s)
{
	const volatile long *words = (const volatile long *)c->dest;

	if (gpu_my_index(s) == 0)
		shmem_ctx_uint64_atomic_set(c->ctx, c->sig_addr, c->signal,
					    c->pe);
	shmem_uint64_wait_until(c->sig_addr, SHMEM_CMP_EQ, c->signal);
	*c->counts = 0;
	for (size_t i = 0; i < WORDS; i++)
		if (words[i] != (long)(c->signal + i))
			++*c->counts;
}

#define ORDER_KERNEL(fn, SCOPE, ...) \
	SHMEMX_KERNEL(k_##fn, struct gpu_call, a) \
	{ \
		const struct gpu_call c = gpu_group(a, SCOPE); \
		write_words(&c, SCOPE); \
		fn(__VA_ARGS__); \
		read_words(&c, SCOPE); \
	} \
	GPU_LAUNCH(fn)
#define PES_OF(c) (const int *)(a).value, (a).bsize

#define ORDERS(X) \
	X(fence, PLAIN, ) \
	X(ctx_fence, CTX, c.ctx) \
	X(quiet, PLAIN, ) \
	X(ctx_quiet, CTX, c.ctx) \
	X(pe_quiet, PLAIN, PES_OF(c)) \
	X(ctx_pe_quiet, CTX, c.ctx, PES_OF(c))
#define KERNELS(stem, WITH, ...) \
	ORDER_KERNEL(shmem_##stem, SHMEMD_THREAD, __VA_ARGS__) \
	ORDER_KERNEL(shmemx_##stem##_wave, SHMEMD_WAVE, __VA_ARGS__) \
	ORDER_KERNEL(shmemx_##stem##_wg, SHMEMD_WG, __VA_ARGS__)
#define ENTRIES(stem, WITH, ...) GPU_ENTRIES_3(stem, WITH, 8, 's', stem)

ORDERS(KERNELS)
static const struct gpu_row rows[] = { ORDERS(ENTRIES) };

static struct gpu_mem words, flags, counts, pes;

static void test(const struct gpu_row *r, struct gpu_geometry geometry,
		 uint64_t salt)
{
	const size_t items = (size_t)(geometry.n_wgs * geometry.n_items);
	struct gpu_call c = gpu_call_new(r, (gpu_me + 1) % gpu_n);

	c.dest = words.dev;
	c.slot = WORDS * sizeof(long);
	c.sig_addr = (uint64_t *)flags.dev;
	c.signal = salt | 1;
	c.counts = (size_t *)counts.dev;
	c.value = pes.dev;
	c.bsize = (size_t)gpu_n;
	gpu_mem_fill(&words, 0, words.bytes);
	gpu_mem_fill(&flags, 0, flags.bytes);
	shmem_barrier_all();
	gpu_row_launch(r, geometry, &c);
	gpu_sync();
	gpu_mem_pull(&counts, items * sizeof(size_t));
	for (size_t i = 0; i < items; i++)
		if (((size_t *)counts.host)[i])
			gpu_fail("%s: item %zu saw %zu old words", r->name, i,
				 ((size_t *)counts.host)[i]);
	shmem_barrier_all();
}

int main(void)
{
	gpu_begin();
	words = gpu_mem_new(GROUPS * WORDS * sizeof(long));
	flags = gpu_mem_new(GROUPS * sizeof(uint64_t));
	counts = gpu_mem_new(ITEMS * sizeof(size_t));
	pes = gpu_mem_new((size_t)gpu_n * sizeof(int));
	for (int i = 0; i < gpu_n; i++)
		((int *)pes.host)[i] = i;
	gpu_mem_push(&pes, pes.bytes);
	for (size_t i = 0; i < GPU_COUNT(rows); i++)
		for (size_t k = 0; k < 5; k++)
			test(&rows[i], gpu_geometry(k), gpu_seed + i * 5 + k);
	return gpu_end();
}
