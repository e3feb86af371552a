/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts that keep back what is put until a flush, in every scope, and that
 * say that sources are visible; and that none of this is a failure.
 * PES: all
 */
#include "call.h"

enum { GROUPS = 256, ITEMS = 256 };

/*
 * Words and then a flag, which only a flush sends; the flag that comes here
 * says that the word is there. counts: of what was wrong.
 */
#define LATER_KERNEL(flush, error, SCOPE) \
	SHMEMX_KERNEL(k_##flush, struct gpu_call, a) \
	{ \
		const struct gpu_call c = gpu_group(a, SCOPE); \
		put_word_and_flag(&c, SCOPE); \
		flush(c.ctx); \
		see_word(&c, error(c.ctx) != 0); \
	} \
	GPU_LAUNCH(flush)

SHMEMX_FN void put_word_and_flag(const struct gpu_call *c, enum shmemd_scope s)
{
	if (gpu_my_index(s))
		return;
	shmem_ctx_long_p(c->ctx, (long *)c->dest, (long)c->signal, c->pe);
	shmem_ctx_fence(c->ctx);
	shmem_ctx_uint64_atomic_set(c->ctx, c->sig_addr, c->signal, c->pe);
}

SHMEMX_FN void see_word(const struct gpu_call *c, int failed)
{
	const volatile long *word = (const volatile long *)c->dest;

	shmem_uint64_wait_until(c->sig_addr, SHMEM_CMP_EQ, c->signal);
	*c->counts = (size_t)failed + (*word != (long)c->signal);
}

LATER_KERNEL(shmemx_ctx_flush, shmemx_ctx_error, SHMEMD_THREAD)
LATER_KERNEL(shmemx_ctx_flush_wave, shmemx_ctx_error_wave, SHMEMD_WAVE)
LATER_KERNEL(shmemx_ctx_flush_wg, shmemx_ctx_error_wg, SHMEMD_WG)

#define LATER_ENTRIES(flush, error, SCOPE) \
	GPU_ENTRY(flush, SCOPE, CTX, 8, 's', flush) \
	{ #error, "error", SCOPE, 8, 's', GPU_IS_CTX, l_##flush },
static const struct gpu_row rows[] = {
	LATER_ENTRIES(shmemx_ctx_flush, shmemx_ctx_error, SHMEMD_THREAD)
	LATER_ENTRIES(shmemx_ctx_flush_wave, shmemx_ctx_error_wave, SHMEMD_WAVE)
	LATER_ENTRIES(shmemx_ctx_flush_wg, shmemx_ctx_error_wg, SHMEMD_WG)
};

static struct gpu_mem words, flags, counts;

static void test(const struct gpu_row *r, struct gpu_geometry geometry,
		 uint64_t salt, shmem_ctx_t ctx)
{
	const size_t items = (size_t)(geometry.n_wgs * geometry.n_items);
	struct gpu_call c = gpu_call_new(r, (gpu_me + 1) % gpu_n);

	c.ctx = ctx;
	c.dest = words.dev;
	c.slot = sizeof(long);
	c.sig_addr = (uint64_t *)flags.dev;
	c.signal = salt | 1;
	c.counts = (size_t *)counts.dev;
	gpu_mem_fill(&words, 0, words.bytes);
	gpu_mem_fill(&flags, 0, flags.bytes);
	shmem_barrier_all();
	gpu_row_launch(r, geometry, &c);
	gpu_sync();
	gpu_mem_pull(&counts, items * sizeof(size_t));
	for (size_t i = 0; i < items; i++)
		if (((size_t *)counts.host)[i])
			gpu_fail("%s: item %zu saw an old word or a failure",
				 r->name, i);
	shmem_barrier_all();
}

SHMEMX_KERNEL(keep, struct gpu_call, c)
{
	shmem_ctx_long_p(c.ctx, (long *)c.dest, (long)c.signal, c.pe);
}

/* What kernels kept back, the host sends. */
static void host_flush(shmem_ctx_t ctx, uint64_t salt)
{
	struct gpu_call c = { .dest = words.dev, .signal = salt | 1 };

	c.ctx = ctx;
	c.pe = (gpu_me + 1) % gpu_n;
	gpu_mem_fill(&words, 0, words.bytes);
	shmem_barrier_all();
	GPU_CHECK_EQ(shmemx_launch(SHMEMX_KERNEL_REF(keep), 1, 1, &c, sizeof(c),
				   NULL),
		     0);
	gpu_sync();
	shmemx_ctx_flush(ctx);
	do
		gpu_mem_pull(&words, sizeof(long));
	while (*(long *)words.host != (long)c.signal);
	shmem_barrier_all();
}

static void no_failure(shmem_ctx_t ctx)
{
	char text[8] = "none";

	shmemx_ctx_flush(ctx);
	if (shmemx_ctx_error(ctx))
		gpu_fail("a context failed: %d", shmemx_ctx_error(ctx));
	if (shmemx_ctx_error_message(ctx, text, sizeof(text)) || text[0])
		gpu_fail("a context that is well says \"%s\"", text);
}

int main(void)
{
	static const long options[] = { SHMEMX_CTX_LATER, SHMEMX_CTX_VISIBLE,
					SHMEMX_CTX_LATER | SHMEMX_CTX_VISIBLE };
	shmem_ctx_t ctx;

	gpu_begin();
	words = gpu_mem_new(GROUPS * sizeof(long));
	flags = gpu_mem_new(GROUPS * sizeof(uint64_t));
	counts = gpu_mem_new(ITEMS * sizeof(size_t));
	for (size_t o = 0; o < GPU_COUNT(options); o++) {
		if (shmem_ctx_create(options[o], &ctx)) {
			gpu_fail("no context with options %ld", options[o]);
			continue;
		}
		for (size_t i = 0; i < GPU_COUNT(rows); i++)
			test(&rows[i], gpu_geometry(i), gpu_seed + o * 8 + i,
			     ctx);
		host_flush(ctx, gpu_seed + o);
		no_failure(ctx);
		shmem_ctx_destroy(ctx);
	}
	no_failure(SHMEM_CTX_DEFAULT);
	no_failure(SHMEM_CTX_INVALID);
	return gpu_end();
}
