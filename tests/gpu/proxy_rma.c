/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Puts and gets of kernels to PEs that only the proxy reaches: sizes around
 * what an entry, the places behind it, a cell and a piece hold, any alignment,
 * from and to memory of all kinds, by every scope.
 * PES: 2 3
 * ENV: SHMEM_NODE_SIZE=1
 */
#include "common.h"
#include <shmem/device.h>

enum { GET = 1, NBI = 2, PRIVATE_MEMORY = 4, OWN_CTX = 8, N_MODES = 16 };
enum { SMALL = 96, GUARD = 64 };

struct move {
	char *dest, *local;
	size_t bytes;
	int pe, mode, scope;
	int *faults;
};

SHMEMX_FN void move_by(const struct move *m, shmem_ctx_t ctx, char *local)
{
	const int nbi = m->mode & NBI;

	if (m->mode & GET && m->scope == SHMEMD_THREAD && nbi)
		shmem_ctx_getmem_nbi(ctx, local, m->dest, m->bytes, m->pe);
	else if (m->mode & GET && m->scope == SHMEMD_THREAD)
		shmem_ctx_getmem(ctx, local, m->dest, m->bytes, m->pe);
	else if (m->mode & GET && m->scope == SHMEMD_WAVE)
		shmemx_ctx_getmem_wave(ctx, local, m->dest, m->bytes, m->pe);
	else if (m->mode & GET)
		shmemx_ctx_getmem_nbi_wg(ctx, local, m->dest, m->bytes, m->pe);
	else if (m->scope == SHMEMD_THREAD && nbi)
		shmem_ctx_putmem_nbi(ctx, m->dest, local, m->bytes, m->pe);
	else if (m->scope == SHMEMD_THREAD)
		shmem_ctx_putmem(ctx, m->dest, local, m->bytes, m->pe);
	else if (m->scope == SHMEMD_WAVE)
		shmemx_ctx_putmem_wave(ctx, m->dest, local, m->bytes, m->pe);
	else
		shmemx_ctx_putmem_nbi_wg(ctx, m->dest, local, m->bytes, m->pe);
}

SHMEMX_FN void quiet_by(const struct move *m, shmem_ctx_t ctx)
{
	if (m->scope == SHMEMD_THREAD)
		shmem_ctx_quiet(ctx);
	else if (m->scope == SHMEMD_WAVE)
		shmemx_ctx_quiet_wave(ctx);
	else
		shmemx_ctx_quiet_wg(ctx);
}

/* A work-item's own variables, which a GPU's host can't look at. */
SHMEMX_FN void move_private(const struct move *m, shmem_ctx_t ctx)
{
	char own[SMALL];
	size_t i;

	for (i = 0; i < m->bytes; i++)
		own[i] = m->local[i];
	move_by(m, ctx, own);
	quiet_by(m, ctx);
	for (i = 0; i < m->bytes; i++)
		m->local[i] = own[i];
}

SHMEMX_KERNEL(move, struct move, m)
{
	shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;

	if (shmem_ptr(m.dest, m.pe) || !shmem_pe_accessible(m.pe) ||
	    !shmem_addr_accessible(m.dest, m.pe))
		*m.faults = 1;
	if (m.mode & OWN_CTX && shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx))
		*m.faults = 2;
	if (m.mode & PRIVATE_MEMORY)
		move_private(&m, ctx);
	else
		move_by(&m, ctx, m.local);
	if (!(m.mode & PRIVATE_MEMORY))
		quiet_by(&m, ctx);
	if (m.mode & OWN_CTX)
		shmem_ctx_destroy(ctx);
}

static struct gpu_mem far_mem, local, faults;
static const size_t sizes[] = {
	1,   2,	  3,   7,   8,	 9,   16,   23,	   24,
	25,  31,  63,  64,  65,	 80,  96,   127,   128,
	200, 448, 511, 512, 513, 577, 4096, 10007, ((size_t)3 << 20) + 5
};

/* A next PE's bytes are those that it, or I, had; those around are its own. */
static void test(size_t bytes, int mode, enum shmemd_scope scope, uint64_t salt)
{
	const size_t to = GUARD + salt % 16, from = GUARD + (salt >> 8) % 16;
	const int next = (gpu_me + 1) % gpu_n;
	const int prev = (gpu_me + gpu_n - 1) % gpu_n;
	const size_t all = bytes + 2 * GUARD + 16;
	unsigned char *want = (unsigned char *)malloc(all);
	struct move m = { far_mem.dev + to, local.dev + from, bytes, next, mode,
			  (int)scope,	    (int *)faults.dev };

	gpu_bytes(far_mem.host, all, salt, gpu_me, 0);
	gpu_bytes(local.host, all, salt ^ 1, gpu_me, 0);
	gpu_mem_push(&far_mem, all);
	gpu_mem_push(&local, all);
	shmem_barrier_all();
	GPU_CHECK_EQ(shmemx_launch(SHMEMX_KERNEL_REF(move), 1,
				   scope == SHMEMD_THREAD ? 1 : 64, &m,
				   sizeof(m), NULL),
		     0);
	gpu_sync();
	shmem_barrier_all();
	gpu_mem_pull(&far_mem, all);
	gpu_mem_pull(&local, all);
	gpu_bytes(want, all, salt, gpu_me, 0);
	if (!(mode & GET))
		gpu_bytes(want + to, bytes, salt ^ 1, prev, from);
	gpu_same("the far PE's memory", far_mem.host, want, all);
	gpu_bytes(want, all, salt ^ 1, gpu_me, 0);
	if (mode & GET)
		gpu_bytes(want + from, bytes, salt, next, to);
	gpu_same("the caller's memory", local.host, want, all);
	free(want);
}

static void test_modes(size_t bytes, uint64_t *state)
{
	for (int mode = 0; mode < N_MODES; mode++) {
		if (mode & PRIVATE_MEMORY && bytes > SMALL)
			continue;
		test(bytes, mode, SHMEMD_THREAD, gpu_random(state));
		if (mode & (PRIVATE_MEMORY | OWN_CTX | NBI))
			continue;
		test(bytes, mode, SHMEMD_WAVE, gpu_random(state));
		test(bytes, mode, SHMEMD_WG, gpu_random(state));
	}
}

int main(void)
{
	const size_t most = sizes[GPU_COUNT(sizes) - 1] + 2 * GUARD + 16;
	uint64_t state;

	gpu_begin();
	state = gpu_seed;
	far_mem = gpu_mem_new(most);
	local = gpu_mem_new(most);
	faults = gpu_mem_new(sizeof(int));
	for (size_t i = 0; i < GPU_COUNT(sizes); i++)
		test_modes(sizes[i], &state);
	gpu_mem_pull(&faults, sizeof(int));
	GPU_CHECK_EQ(*(int *)faults.host, 0);
	return gpu_end();
}
