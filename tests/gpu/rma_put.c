/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every put in every scope: groups of a launch put to different PEs, sizes and
 * alignments, nothing included; nothing else is written.
 * PES: all
 */
#include "call.h"

#define SLOT 288
#define LENGTHS 13

#define ROWS <shmem/rma.def>
#define ROW_P(...)
#define ROW_G(...)
#define ROW_IPUT(...)
#define ROW_IBPUT(...)
#define TAKE_put 0, 0
#define TAKE_put_nbi 0, 0
#define ROW_PUT(stem, WITH, N, T, esize, body) \
	ROW_TAKEN(body, GPU_KERNELS_3)(stem, PUT, WITH, T)
#include "rows.h"

#undef ROW_PUT
#define ROW_PUT(stem, WITH, N, T, esize, body) \
	ROW_TAKEN(body, GPU_ENTRIES_3)(stem, WITH, esize, 0, body)
static const struct gpu_row rows[] = {
#include "rows.h"
};

static struct gpu_mem dest, source;

/* What my dest must hold: from each PE, what its groups put to me. */
static void expect(unsigned char *want, const struct gpu_row *r,
		   const struct gpu_call *c, size_t groups, uint64_t salt,
		   int shift)
{
	memset(want, 0xee, (size_t)gpu_n * groups * SLOT);
	for (int from = 0; from < gpu_n; from++) {
		unsigned char *area = want + (size_t)from * groups * SLOT;

		for (size_t g = 0; g < groups; g++) {
			const size_t to = (size_t)(from + shift) + g;
			const size_t at = g % c->source_mod * r->esize;

			if ((int)(to % (size_t)gpu_n) != gpu_me)
				continue;
			gpu_bytes(area + g * SLOT + g % c->dest_mod * r->esize,
				  (c->nelems + g) % c->vary * r->esize, salt,
				  from, g * SLOT + at);
		}
	}
}

static void round_run(const struct gpu_row *r, struct gpu_geometry geometry,
		      int round, uint64_t salt)
{
	const size_t groups = gpu_groups(r->scope, geometry);
	const size_t bytes = (size_t)gpu_n * groups * SLOT;
	struct gpu_call c = gpu_call_new(r, (gpu_me + round) % gpu_n);
	unsigned char *want = (unsigned char *)malloc(bytes);

	c.source = source.dev;
	c.dest = dest.dev + (size_t)gpu_me * groups * SLOT;
	c.slot = SLOT;
	c.dest_mod = 4;
	c.source_mod = 3;
	c.nelems = salt % LENGTHS;
	c.vary = LENGTHS;
	gpu_bytes(source.host, groups * SLOT, salt, gpu_me, 0);
	gpu_mem_push(&source, groups * SLOT);
	gpu_mem_fill(&dest, 0xee, bytes);
	shmem_barrier_all();
	gpu_row_launch(r, geometry, &c);
	gpu_sync();
	shmem_barrier_all();
	gpu_mem_pull(&dest, bytes);
	expect(want, r, &c, groups, salt, round);
	gpu_same(r->name, dest.host, want, bytes);
	free(want);
}

int main(void)
{
	gpu_begin();
	source = gpu_mem_new(256 * SLOT);
	dest = gpu_mem_new((size_t)gpu_n * 256 * SLOT);
	for (size_t i = 0; i < GPU_COUNT(rows); i++)
		for (int round = 0; round < 2; round++)
			round_run(&rows[i], gpu_geometry(i / 3 + (size_t)round),
				  round, gpu_seed + i * 2 + (uint64_t)round);
	gpu_mem_free(&dest);
	gpu_mem_free(&source);
	return gpu_end();
}
