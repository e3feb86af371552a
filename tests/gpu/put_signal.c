/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every put with signal in every scope: the data and the signal, set or added
 * to, arrive at the PE of each group and nowhere else.
 * PES: all
 */
#include "call.h"

#define SLOT 288
#define LENGTHS 13

#define ROWS <shmem/signal.def>
#define ROW_PUT_SIGNAL(stem, WITH, N, T, esize, body) \
	GPU_KERNELS_3(stem, PUT_SIGNAL, WITH, T)
#include "rows.h"

#undef ROW_PUT_SIGNAL
#define ROW_PUT_SIGNAL(stem, WITH, N, T, esize, body) \
	GPU_ENTRIES_3(stem, WITH, esize, 0, body)
static const struct gpu_row rows[] = {
#include "rows.h"
};

static struct gpu_mem dest, source, signals;

static int target(int from, int shift, size_t g)
{
	return (int)(((size_t)(from + shift) + g) % (size_t)gpu_n);
}

static void expect(unsigned char *want, const struct gpu_row *r,
		   const struct gpu_call *c, size_t groups, uint64_t salt,
		   int shift)
{
	memset(want, 0xee, (size_t)gpu_n * groups * SLOT);
	for (int from = 0; from < gpu_n; from++)
		for (size_t g = 0; g < groups; g++) {
			unsigned char *slot =
				want + ((size_t)from * groups + g) * SLOT;

			if (target(from, shift, g) != gpu_me)
				continue;
			gpu_bytes(slot + g % c->dest_mod * r->esize,
				  (c->nelems + g) % c->vary * r->esize, salt,
				  from,
				  g * SLOT + g % c->source_mod * r->esize);
		}
}

static void check_signals(const struct gpu_row *r, const struct gpu_call *c,
			  size_t groups, int shift)
{
	const uint64_t *got = (const uint64_t *)signals.host;

	for (int from = 0; from < gpu_n; from++)
		for (size_t g = 0; g < groups; g++) {
			uint64_t want = 1000;

			if (target(from, shift, g) == gpu_me)
				want = c->signal +
				       (c->sig_op == SHMEM_SIGNAL_ADD ? 1000 :
									0);
			if (got[(size_t)from * groups + g] != want)
				gpu_fail("%s: signal of PE %d, group %zu",
					 r->name, from, g);
		}
}

static struct gpu_call arguments(const struct gpu_row *r, size_t groups,
				 int round, uint64_t salt)
{
	struct gpu_call c = gpu_call_new(r, (gpu_me + round) % gpu_n);

	c.source = source.dev;
	c.dest = dest.dev + (size_t)gpu_me * groups * SLOT;
	c.sig_addr = (uint64_t *)signals.dev + (size_t)gpu_me * groups;
	c.signal = salt | 1;
	c.sig_op = round ? SHMEM_SIGNAL_ADD : SHMEM_SIGNAL_SET;
	c.slot = SLOT;
	c.dest_mod = 4;
	c.source_mod = 3;
	c.nelems = salt % LENGTHS;
	c.vary = LENGTHS;
	return c;
}

static void round_run(const struct gpu_row *r, struct gpu_geometry geometry,
		      int round, uint64_t salt)
{
	const size_t groups = gpu_groups(r->scope, geometry);
	const size_t slots = (size_t)gpu_n * groups;
	const struct gpu_call c = arguments(r, groups, round, salt);
	unsigned char *want = (unsigned char *)malloc(slots * SLOT);

	gpu_bytes(source.host, groups * SLOT, salt, gpu_me, 0);
	gpu_mem_push(&source, groups * SLOT);
	gpu_mem_fill(&dest, 0xee, slots * SLOT);
	for (size_t i = 0; i < slots; i++)
		((uint64_t *)signals.host)[i] = 1000;
	gpu_mem_push(&signals, slots * 8);
	shmem_barrier_all();
	gpu_row_launch(r, geometry, &c);
	gpu_sync();
	shmem_barrier_all();
	gpu_mem_pull(&dest, slots * SLOT);
	gpu_mem_pull(&signals, slots * 8);
	expect(want, r, &c, groups, salt, round);
	gpu_same(r->name, dest.host, want, slots * SLOT);
	check_signals(r, &c, groups, round);
	free(want);
}

int main(void)
{
	gpu_begin();
	source = gpu_mem_new(256 * SLOT);
	dest = gpu_mem_new((size_t)gpu_n * 256 * SLOT);
	signals = gpu_mem_new((size_t)gpu_n * 256 * 8);
	for (size_t i = 0; i < GPU_COUNT(rows); i++)
		for (int round = 0; round < 2; round++)
			round_run(&rows[i], gpu_geometry(i / 3 + (size_t)round),
				  round, gpu_seed + i * 2 + (uint64_t)round);
	gpu_mem_free(&dest);
	gpu_mem_free(&source);
	gpu_mem_free(&signals);
	return gpu_end();
}
