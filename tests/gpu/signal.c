/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals without data: set and added to by each work-item, fetched, and waited
 * for in every scope.
 * PES: all
 */
#include "call.h"

enum { ITEMS = 256 };

#define SIGNAL_KERNEL(fn, ...) \
	SHMEMX_KERNEL(k_##fn, struct gpu_call, a) \
	{ \
		struct gpu_call c = gpu_group(a, SHMEMD_THREAD); \
		fn(__VA_ARGS__); \
		gpu_quiet(&c); \
	} \
	GPU_LAUNCH(fn)
SIGNAL_KERNEL(shmem_signal_add, c.sig_addr, c.signal, c.pe)
SIGNAL_KERNEL(shmem_signal_set, c.sig_addr, c.signal, c.pe)
SIGNAL_KERNEL(shmem_ctx_signal_add, c.ctx, c.sig_addr, c.signal, c.pe)
SIGNAL_KERNEL(shmem_ctx_signal_set, c.ctx, c.sig_addr, c.signal, c.pe)

SHMEMX_KERNEL(k_shmem_signal_fetch, struct gpu_call, a)
{
	struct gpu_call c = gpu_group(a, SHMEMD_THREAD);

	*c.counts = (size_t)shmem_signal_fetch(c.sig_addr);
}
GPU_LAUNCH(shmem_signal_fetch)

/* One work-item of each group signals a neighbour's; all of them wait. */
#define WAIT_KERNEL(fn, SCOPE) \
	SHMEMX_KERNEL(k_##fn, struct gpu_call, a) \
	{ \
		struct gpu_call c = gpu_group(a, SCOPE); \
		if (gpu_my_index(SCOPE) == 0) \
			shmem_signal_add(c.sig_addr, c.signal, c.pe); \
		*c.counts = (size_t)fn(c.sig_addr, SHMEM_CMP_NE, 1000); \
	} \
	GPU_LAUNCH(fn)
WAIT_KERNEL(shmem_signal_wait_until, SHMEMD_THREAD)
WAIT_KERNEL(shmemx_signal_wait_until_wave, SHMEMD_WAVE)
WAIT_KERNEL(shmemx_signal_wait_until_wg, SHMEMD_WG)

static const struct gpu_row rows[] = {
	GPU_ENTRIES_1(signal_add, PLAIN, 8, 'u', add)
	GPU_ENTRIES_1(signal_set, PLAIN, 8, 'u', set)
	GPU_ENTRIES_1(ctx_signal_add, CTX, 8, 'u', add)
	GPU_ENTRIES_1(ctx_signal_set, CTX, 8, 'u', set)
	GPU_ENTRIES_1(signal_fetch, PLAIN, 8, 'u', fetch)
	GPU_ENTRIES_3(signal_wait_until, PLAIN, 8, 'u', wait)
};

static struct gpu_mem signals, counts;

/* Every signal is 1000 before, and that of each group is hit once. */
static uint64_t want_signal(const struct gpu_row *r, uint64_t signal, size_t g,
			    size_t groups)
{
	if (g >= groups || !strcmp(r->body, "fetch"))
		return 1000;
	return signal + (strcmp(r->body, "set") ? 1000 : 0);
}

static void check(const struct gpu_row *r, struct gpu_geometry geometry,
		  uint64_t signal)
{
	const size_t items = (size_t)(geometry.n_wgs * geometry.n_items);
	const size_t groups = gpu_groups(r->scope, geometry);
	const int returns = !strcmp(r->body, "fetch") ||
			    !strcmp(r->body, "wait");

	gpu_mem_pull(&signals, ITEMS * sizeof(uint64_t));
	gpu_mem_pull(&counts, ITEMS * sizeof(size_t));
	for (size_t g = 0; g < ITEMS; g++)
		if (((uint64_t *)signals.host)[g] !=
		    want_signal(r, signal, g, groups))
			gpu_fail("%s: signal %zu is wrong", r->name, g);
	for (size_t i = 0; i < items && returns; i++)
		if (((size_t *)counts.host)[i] !=
		    want_signal(r, signal, 0, groups))
			gpu_fail("%s: item %zu got %zu", r->name, i,
				 ((size_t *)counts.host)[i]);
}

static void test(const struct gpu_row *r, struct gpu_geometry geometry,
		 uint64_t salt)
{
	struct gpu_call c = gpu_call_new(r, (gpu_me + (int)(salt % 3)) % gpu_n);

	c.sig_addr = (uint64_t *)signals.dev;
	c.signal = (salt << 33) + 5;
	c.counts = (size_t *)counts.dev;
	for (size_t i = 0; i < ITEMS; i++)
		((uint64_t *)signals.host)[i] = 1000;
	gpu_mem_push(&signals, ITEMS * sizeof(uint64_t));
	shmem_barrier_all();
	gpu_row_launch(r, geometry, &c);
	gpu_sync();
	shmem_barrier_all();
	check(r, geometry, c.signal);
	shmem_barrier_all();
}

int main(void)
{
	gpu_begin();
	signals = gpu_mem_new(ITEMS * sizeof(uint64_t));
	counts = gpu_mem_new(ITEMS * sizeof(size_t));
	for (size_t i = 0; i < GPU_COUNT(rows); i++)
		for (size_t k = 0; k < 5; k++)
			test(&rows[i], gpu_geometry(k), gpu_seed + i * 5 + k);
	return gpu_end();
}
