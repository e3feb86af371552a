/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The strided transfers' test, for puts and gets: strided_put.c and
 * strided_get.c hold the rows. Groups differ in PE, length and alignment.
 */
#ifndef GPU_STRIDED_H
#define GPU_STRIDED_H

#define SLOT 512
#define LENGTHS 4

static struct gpu_mem dest, source;

struct strides {
	ptrdiff_t dst, sst;
	size_t bsize;
};

static const struct strides strides[] = {
	{ 1, 1, 1 }, { 2, 1, 1 }, { 1, 3, 1 }, { 4, 3, 3 }, { 5, 5, 5 },
};

/* One group's elements: at dst strides, from sst strides of the source. */
static void expect_group(unsigned char *slot, const struct gpu_row *r,
			 const struct gpu_call *c, size_t g, uint64_t salt,
			 int from)
{
	const size_t block = c->bsize * r->esize;

	slot += g % c->dest_mod * r->esize;
	for (size_t k = 0; k < (c->nelems + g) % c->vary; k++)
		gpu_bytes(slot + k * (size_t)c->dst * r->esize, block, salt,
			  from,
			  g * SLOT + g % c->source_mod * r->esize +
				  k * (size_t)c->sst * r->esize);
}

static void expect(unsigned char *want, const struct gpu_row *r, int puts,
		   const struct gpu_call *c, size_t groups, uint64_t salt,
		   int shift)
{
	for (int from = 0; from < (puts ? gpu_n : 1); from++)
		for (size_t g = 0; g < groups; g++) {
			const int origin = puts ? from : gpu_me;
			const int pe = (int)(((size_t)(origin + shift) + g) %
					     (size_t)gpu_n);

			if (puts && pe != gpu_me)
				continue;
			expect_group(want + ((size_t)from * groups + g) * SLOT,
				     r, c, g, salt, puts ? from : pe);
		}
}

static struct gpu_call arguments(const struct gpu_row *r, int round,
				 uint64_t salt)
{
	const struct strides *s = &strides[salt % GPU_COUNT(strides)];
	struct gpu_call c = gpu_call_new(r, (gpu_me + round) % gpu_n);

	c.source = source.dev;
	c.dest = dest.dev;
	c.slot = SLOT;
	c.dest_mod = 4;
	c.source_mod = 3;
	c.nelems = salt % LENGTHS;
	c.vary = LENGTHS;
	c.dst = s->dst;
	c.sst = s->sst;
	if (strstr(r->body, "ib"))
		c.bsize = s->bsize;
	return c;
}

static void round_run(const struct gpu_row *r, struct gpu_geometry geometry,
		      int round, uint64_t salt)
{
	const int puts = !!strstr(r->body, "put");
	const size_t groups = gpu_groups(r->scope, geometry);
	const size_t areas = puts ? (size_t)gpu_n : 1;
	const size_t bytes = areas * groups * SLOT;
	struct gpu_call c = arguments(r, round, salt);
	unsigned char *want = (unsigned char *)malloc(bytes);

	if (puts)
		c.dest += (size_t)gpu_me * groups * SLOT;
	gpu_bytes(source.host, groups * SLOT, salt, gpu_me, 0);
	gpu_mem_push(&source, groups * SLOT);
	gpu_mem_fill(&dest, 0xee, bytes);
	shmem_barrier_all();
	gpu_row_launch(r, geometry, &c);
	gpu_sync();
	shmem_barrier_all();
	gpu_mem_pull(&dest, bytes);
	memset(want, 0xee, bytes);
	expect(want, r, puts, &c, groups, salt, round);
	gpu_same(r->name, dest.host, want, bytes);
	free(want);
}

static int strided_main(const struct gpu_row *rows, size_t n)
{
	gpu_begin();
	source = gpu_mem_new(256 * SLOT);
	dest = gpu_mem_new((size_t)gpu_n * 256 * SLOT);
	for (size_t i = 0; i < n; i++)
		for (int round = 0; round < 2; round++)
			round_run(&rows[i], gpu_geometry(i / 3 + (size_t)round),
				  round, gpu_seed + i * 2 + (uint64_t)round);
	gpu_mem_free(&dest);
	gpu_mem_free(&source);
	return gpu_end();
}

#endif
