/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * p and g of every type: each work-item another PE, element and value.
 * PES: all
 */
#include "call.h"

#define SLOT 16

#define ROWS <shmem/rma.def>
#define ROW_IPUT(...)
#define ROW_IBPUT(...)
#define ROW_PUT(...)
#define ROW_P(stem, WITH, N, T, esize, body) GPU_KERNELS_1(stem, P, WITH, T)
#define ROW_G(stem, WITH, N, T, esize, body) GPU_KERNELS_1(stem, G, WITH, T)
#include "rows.h"

#undef ROW_P
#undef ROW_G
#define ROW_P(stem, WITH, N, T, esize, body) \
	GPU_ENTRIES_1(stem, WITH, esize, 0, body)
#define ROW_G ROW_P
static const struct gpu_row rows[] = {
#include "rows.h"
};

static struct gpu_mem dest, source;

static void expect(unsigned char *want, const struct gpu_row *r, int puts,
		   size_t groups, uint64_t salt, int shift)
{
	for (int from = 0; from < (puts ? gpu_n : 1); from++)
		for (size_t g = 0; g < groups; g++) {
			const int origin = puts ? from : gpu_me;
			const int pe = (int)(((size_t)(origin + shift) + g) %
					     (size_t)gpu_n);

			if (puts && pe != gpu_me)
				continue;
			gpu_bytes(want + ((size_t)from * groups + g) * SLOT,
				  r->esize, salt, puts ? from : pe, g * SLOT);
		}
}

static void round_run(const struct gpu_row *r, struct gpu_geometry geometry,
		      int round, uint64_t salt)
{
	const int puts = r->body[0] == 'p';
	const size_t groups = gpu_groups(r->scope, geometry);
	const size_t areas = puts ? (size_t)gpu_n : 1;
	const size_t bytes = areas * groups * SLOT;
	struct gpu_call c = gpu_call_new(r, (gpu_me + round) % gpu_n);
	unsigned char *want = (unsigned char *)malloc(bytes);

	c.value = c.source = source.dev;
	c.dest = dest.dev + (puts ? (size_t)gpu_me * groups * SLOT : 0);
	c.result = dest.dev;
	c.slot = c.small_slot = SLOT;
	gpu_bytes(source.host, groups * SLOT, salt, gpu_me, 0);
	gpu_mem_push(&source, groups * SLOT);
	gpu_mem_fill(&dest, 0xee, bytes);
	shmem_barrier_all();
	gpu_row_launch(r, geometry, &c);
	gpu_sync();
	shmem_barrier_all();
	gpu_mem_pull(&dest, bytes);
	memset(want, 0xee, bytes);
	expect(want, r, puts, groups, salt, round);
	gpu_same(r->name, dest.host, want, bytes);
	free(want);
}

int main(void)
{
	gpu_begin();
	source = gpu_mem_new(256 * SLOT);
	dest = gpu_mem_new((size_t)gpu_n * 256 * SLOT);
	for (size_t i = 0; i < GPU_COUNT(rows); i++)
		for (int round = 0; round < 3; round++)
			round_run(&rows[i], gpu_geometry(i + (size_t)round),
				  round, gpu_seed + i * 3 + (uint64_t)round);
	gpu_mem_free(&dest);
	gpu_mem_free(&source);
	return gpu_end();
}
